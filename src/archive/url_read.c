#include "archive/url_read.h"

#include "archive/url_parse.h"

#include <stdint.h>

int prn_url_read(const char *url, char normal[PRN_URL_BYTES + 1], struct prn_error *error)
{
	int code = prn_url_normalize(url, SIZE_MAX, normal, PRN_URL_BYTES + 1);

	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code == PRN_E_INPUT && prn_url_lacks_scheme(url))
		return prn_error_set(error, code, "%.200s: this is not an http or https URL; did you mean http://%.200s?", url, url);
	if (code == PRN_E_LIMIT)
		return prn_error_set(error, code, "%.200s: it is longer than %d bytes, the most that a URL may have", url, PRN_URL_BYTES);
	return code ? prn_error_set(error, code, "%.200s: this is not an http or https URL", *url ? url : "''") : 0;
}
