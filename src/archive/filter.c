#include "archive/filter.h"

#include "archive/url_host.h"
#include "base/ascii.h"
#include "base/buffer.h"
#include "perennial/extractor.h"
#include "perennial/url.h"

#include <string.h>

/* Tells whether host is wanted or ends in ".wanted". */
static bool is_under_host(const char *host, size_t length, const char *wanted)
{
	size_t tail = strlen(wanted);

	if (tail && wanted[tail - 1] == '.')
		tail--;
	if (tail > length || prn_ascii_compare_n(host + length - tail, wanted, tail))
		return false;
	return tail == length || host[length - tail - 1] == '.';
}

static bool any_host(const struct prn_source_filter *filter, const char *normal)
{
	char name[PRN_URL_HOST_NAME];
	size_t length;
	const char *host = prn_url_host(normal, &length);

	for (size_t i = 0; i < filter->host_count; i++)
		if (is_under_host(host, length, prn_url_host_name(filter->hosts[i], name)))
			return true;
	return false;
}

static bool any_surt(const struct prn_source_filter *filter, const char *normal)
{
	char surt[PRN_URL_BYTES + 16];

	if (prn_url_surt(normal, surt, sizeof surt))
		return false;
	for (size_t i = 0; i < filter->surt_count; i++)
		if (prn_surt_under(surt, filter->surts[i]))
			return true;
	return false;
}

bool prn_filter_capture(const struct prn_source_filter *filter, const char *normal, int64_t time,
                        const struct prn_digest *payload)
{
	if (filter->host_count && !any_host(filter, normal))
		return false;
	if (filter->surt_count && !any_surt(filter, normal))
		return false;
	if ((filter->has_from && time < filter->from) || (filter->has_to && time >= filter->to))
		return false;
	if (filter->sample > 0) {
		/* The key itself orders pages elsewhere, and whole parts of them would be sampled: so it is mixed. */
		struct prn_digest key = prn_url_key(normal), mixed;
		unsigned char bytes[16];

		prn_little_put_two(bytes, key.high, key.low);
		mixed = prn_digest_bytes(bytes, sizeof bytes);
		if ((double)(mixed.high >> 11) * 0x1p-53 >= filter->sample)
			return false;
	}
	return !filter->wanted || filter->wanted(filter->wanted_context, normal, time, payload);
}

/* "text/" + "*" matches every text type. */
static bool is_media(const char *type, size_t length, const char *wanted)
{
	size_t wanted_length = strlen(wanted);

	if (!strcmp(wanted, PRN_MEDIA_OF_PAGES))
		return prn_media_is_page(type);
	/* As in an Accept field. */
	if (!strcmp(wanted, "*/*"))
		return true;
	if (wanted_length && wanted[wanted_length - 1] == '*')
		return length >= wanted_length - 1 && !prn_ascii_compare_n(type, wanted, wanted_length - 1);
	return length == wanted_length && !prn_ascii_compare_n(type, wanted, length);
}

bool prn_filter_media(const struct prn_source_filter *filter, const char *content_type)
{
	size_t length = content_type ? strcspn(content_type, "; \t,") : 0;

	if (!filter->media_count || !length)
		return true;
	for (size_t i = 0; i < filter->media_count; i++)
		if (is_media(content_type, length, filter->media[i]))
			return true;
	return false;
}
