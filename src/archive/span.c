#include "archive/span.h"

#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>

/* Returns the host and port of a URL, *length bytes; NULL: it has none. */
static const char *authority_of(const char *url, size_t *length)
{
	const char *start = url ? strstr(url, "://") : NULL;

	if (!start)
		return NULL;
	start += 3;
	*length = strcspn(start, "/?#\\");
	return start;
}

void prn_span_claim(struct prn_span *span, const struct prn_stream *stream, uint64_t end, const char *url, bool blank_line)
{
	bool goes_on = span->end > prn_stream_position(stream);
	unsigned char tail[2] = "";
	const char *host;
	size_t length;
	uint64_t size;

	span->end = goes_on && span->end > end ? span->end : end;
	/*
	 * "\r
	 * \r
	 * " or "
	 *
	 * ".
	 */
	if (prn_stream_tail(stream, tail, &size) && prn_stream_member(stream) + span->end > size)
		span->is_cut = tail[1] != '\n' || (blank_line && tail[0] != '\n' && tail[0] != '\r');
	if (goes_on)
		return;
	free(span->host);
	host = authority_of(url, &length);
	span->host = host ? strndup(host, length) : NULL;
	span->is_cut |= host && !span->host;
	span->unknown = false;
}

void prn_span_claim_unknown(struct prn_span *span, const struct prn_stream *stream, uint64_t end, const char *url, bool blank_line)
{
	bool goes_on = span->end > prn_stream_position(stream);

	prn_span_claim(span, stream, end, url, blank_line);
	if (!goes_on)
		span->unknown = !span->host;
}

bool prn_span_believes(const struct prn_span *span, uint64_t position, const char *url)
{
	const char *host;
	size_t length;

	if (position >= span->end)
		return true;
	if (span->is_cut || !span->host)
		return !span->is_cut && !span->unknown;
	host = authority_of(url, &length);
	return host && strlen(span->host) == length && !prn_ascii_compare_n(span->host, host, length);
}

void prn_span_release(struct prn_span *span)
{
	free(span->host);
	*span = (struct prn_span){ .host = NULL };
}
