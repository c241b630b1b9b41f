#include "archive/filter.h"
#include "archive/hint_time.h"
#include "archive/mime.h"
#include "archive/reader.h"
#include "base/ascii.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

/* A page that a browser saved with its resources (MHTML, RFC 2557) as a source: parts that have URLs become captures. */
struct mhtml {
	struct prn_reading *reading;
	struct prn_stream *stream;
	struct prn_mime *mime;
	char *path;
	int64_t time;
	bool has_page;                    /* the first part, which is the saved page, is done */
	struct prn_error cut;             /* if code is not 0, the file ends with this error */
	struct prn_buffer body;
	char base[PRN_URL_BYTES + 1];     /* normal form of the saved page's URL, or "" */
	char normal[PRN_URL_BYTES + 1];
};

static void mhtml_free(void *reader)
{
	struct mhtml *mhtml = reader;

	prn_mime_free(mhtml->mime);
	prn_stream_free(mhtml->stream);
	prn_buffer_release(&mhtml->body);
	free(mhtml->path);
	free(mhtml);
}

static bool is_web(const char *url)
{
	return url && (!prn_ascii_compare_n(url, "http://", 7) || !prn_ascii_compare_n(url, "https://", 8));
}

/* Returns the URL of the saved page as the message gives it; NULL: it does not. */
static const char *page_url(const struct mhtml *mhtml)
{
	const struct prn_mime_header *message = prn_mime_message(mhtml->mime);

	return is_web(message->snapshot) ? message->snapshot : is_web(message->location) ? message->location : NULL;
}

static int read_message(struct mhtml *mhtml, struct prn_error *error)
{
	const struct prn_source_options *options = &mhtml->reading->options;
	const struct prn_mime_header *message;
	int code = prn_mime_open(&mhtml->mime, mhtml->stream, error);

	if (code)
		return code;
	message = prn_mime_message(mhtml->mime);
	if (!message->date && options->has_time)
		mhtml->time = options->time;
	else if (!message->date || prn_hint_time(message->date, &mhtml->time))
		return prn_error_set(error, PRN_E_INPUT, "a message without a Date that can be read: when its pages were captured is not known");
	if (page_url(mhtml))
		code = prn_url_normalize(page_url(mhtml), SIZE_MAX, mhtml->base, sizeof mhtml->base);
	if (code)
		*mhtml->base = 0;
	return code == PRN_E_MEMORY ? prn_error_memory(error) : 0;
}

int prn_mhtml_open_take(void **out, struct prn_stream *stream, const char *path, struct prn_reading *reading,
                        struct prn_error *error)
{
	struct mhtml *mhtml = calloc(1, sizeof *mhtml);
	int code;

	if (!mhtml) {
		prn_stream_free(stream);
		return prn_error_memory(error);
	}
	mhtml->reading = reading;
	mhtml->stream = stream;
	mhtml->path = strdup(path);
	code = mhtml->path ? read_message(mhtml, error) : prn_error_memory(error);
	if (code) {
		prn_error_prefix(error, "%s", path);
		mhtml_free(mhtml);
		return code;
	}
	*out = mhtml;
	return 0;
}

static void report(struct mhtml *mhtml, uint64_t *count, struct prn_error *why)
{
	prn_error_prefix(why, "part %llu", (unsigned long long)prn_mime_number(mhtml->mime));
	prn_error_prefix(why, "%.300s", mhtml->path);
	prn_reading_skip(mhtml->reading, count, why);
}

/* Returns the length of a URL's scheme with its colon; 0: it is relative. */
static size_t scheme_bytes(const char *url)
{
	size_t length = strcspn(url, ":/?#");

	return url[length] == ':' ? length + 1 : 0;
}

/* Finds the normal form of a part's URL: 1, or 0 after counting or reporting why there is none. */
static int identify(struct mhtml *mhtml, const char *url, struct prn_error *error)
{
	struct prn_reading *reading = mhtml->reading;
	size_t scheme = url ? scheme_bytes(url) : 0;
	struct prn_error why;
	int code;

	if (!url || (scheme && !is_web(url))) {
		prn_reading_ignore(reading, url ? url : "unnamed", url ? scheme : strlen("unnamed"));
		return 0;
	}
	code = scheme ? prn_url_normalize(url, SIZE_MAX, mhtml->normal, sizeof mhtml->normal)
	              : prn_url_resolve(mhtml->base, url, mhtml->normal, sizeof mhtml->normal);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (!code)
		return 1;
	prn_error_set(&why, PRN_E_INPUT, scheme ? "its Content-Location is malformed or longer than 8192 bytes"
	                                        : "its Content-Location is relative, and to what is not told");
	report(mhtml, &reading->counts.damaged, &why);
	return 0;
}

/* Reads a part's body: 0, or the error that ends the source. */
static int read_body(struct mhtml *mhtml, struct prn_capture *capture, struct prn_error *error)
{
	struct prn_reading *reading = mhtml->reading;
	struct prn_error why;
	bool more = false;
	int code;

	prn_buffer_clear(&mhtml->body);
	code = prn_mime_body(mhtml->mime, &mhtml->body, reading->options.body_bytes_max, &more, &why);
	if (code && code != PRN_E_INPUT && code != PRN_E_TRUNCATED) {
		*error = why;
		return code;
	}
	if (code) {
		capture->kind = PRN_KIND_ERROR;
		capture->ignored_bytes = mhtml->body.length;
	} else if (mhtml->body.length) {
		capture->body = mhtml->body.data;
		capture->body_bytes = mhtml->body.length;
	}
	if (code == PRN_E_INPUT)
		report(mhtml, &reading->counts.unread, &why);
	else if (code)
		mhtml->cut = why;
	capture->truncated = more;
	reading->counts.cut += more;
	return 0;
}

/* Turns a part into a capture: 1, or 0 if it is left out. */
static int take_part(struct mhtml *mhtml, const struct prn_mime_header *part, struct prn_capture *capture, struct prn_error *error)
{
	struct prn_reading *reading = mhtml->reading;
	const char *url = part->location;
	struct prn_capture read;
	int code;

	/* If the saved page's own URL is not an http URL (it may be a file), the URL of the message is used. */
	if (!mhtml->has_page && (!url || (scheme_bytes(url) && !is_web(url))) && page_url(mhtml))
		url = page_url(mhtml);
	mhtml->has_page = true;
	code = identify(mhtml, url, error);
	if (code <= 0)
		return code;
	if (!prn_filter_capture(&reading->options.filter, mhtml->normal, mhtml->time, NULL)) {
		reading->counts.filtered++;
		return 0;
	}
	if (!prn_reading_wants_media(reading, part->content_type))
		return 0;
	prn_capture_init(&read, is_web(url) ? url : mhtml->normal, mhtml->normal, mhtml->time, PRN_KIND_CONTENT);
	read.content_type = part->content_type;
	code = read_body(mhtml, &read, error);
	if (code)
		return code;
	*capture = read;
	return 1;
}

static int mhtml_next(void *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct mhtml *mhtml = reader;
	struct prn_source_counts *counts = &mhtml->reading->counts;

	while (!mhtml->cut.code) {
		const struct prn_mime_header *part;
		struct prn_error why = { 0 };
		int code = prn_mime_next(mhtml->mime, &part, &why);

		if (code == PRN_E_INPUT) {
			/* No other part is the saved page, where that is the one. */
			mhtml->has_page = true;
			counts->records++;
			report(mhtml, &counts->damaged, &why);
			continue;
		}
		counts->records += code == 1;
		if (code == 1) {
			code = take_part(mhtml, part, capture, &why);
			counts->input_bytes = prn_stream_input_bytes(mhtml->stream);
			if (!code)
				continue;
		}
		if (code < 0 && error) {
			*error = why;
			prn_error_prefix(error, "%.300s", mhtml->path);
		}
		return code;
	}
	if (error) {
		*error = mhtml->cut;
		prn_error_prefix(error, "%.300s", mhtml->path);
	}
	return mhtml->cut.code;
}

const struct prn_reader prn_reader_mhtml = { .next = mhtml_next, .free = mhtml_free };
