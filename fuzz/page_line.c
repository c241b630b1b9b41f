/* Reads a line of POST /v1/pages: a URL is a string without zero bytes, and a weight is missing, or finite and above 0. */
#include "serve/page_line.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct prn_buffer url;
	struct prn_error error = { 0 };
	double weight = -1;
	int code = serve_page_line_read((const char *)data, size, &url, &weight, &error);

	if (code > 0 && (strlen((const char *)url.data) != url.length || !(weight >= 0) || !isfinite(weight)))
		abort();
	if (code < 0 && (code != PRN_E_INPUT || !*error.text))
		abort();
	return 0;
}
