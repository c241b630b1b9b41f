#include "base/buffer.h"
#include "history/synth_walk.h"
#include "archive/warc_write.h"

#include <stdlib.h>
#include <string.h>

/*
 * Four words, k - 1 of the usual shingle, stand before each item and after the last one.  So no shingle reaches
 * from one item into another, and an item of w words has w + 4 fragments wherever it stands.
 */
#define SEPARATOR "\n<hr><p class=\"separator\">and in other news</p>\n"
#define SEPARATOR_FRAGMENTS 4

/* Most of a page is markup, as on real pages: it is parsed and is not content. */
static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<link rel=\"stylesheet\" href=\"/static/style.css\">\n"
	"<style>body { margin: 0 auto; max-width: 60em } .item { padding: 1em } .separator { color: #777 }</style>\n"
	"<script>window.dataLayer = window.dataLayer || []; function track(x) { dataLayer.push(x); }</script>\n"
	"</head>\n<body>\n<nav class=\"navigation navigation--top\"><a href=\"/\"></a><a href=\"/archive\"></a></nav>\n<main>";
static const char item_start[] = "<article class=\"item item--teaser item--with-picture\"><a class=\"item__link\" href=\"/article\">"
				 "<img class=\"item__picture\" src=\"/static/picture.jpg\" width=\"320\" height=\"180\" loading=\"lazy\">"
				 "</a><div class=\"item__body\"><p class=\"item__text\">";
static const char line_break[] =
	"</p>\n<aside class=\"item__more item__more--inline\" data-component=\"teaser/related\" data-tracking=\"off\">"
	"<a class=\"item__link item__link--more\" href=\"/topic/overview?source=teaser\" rel=\"nofollow\" tabindex=\"-1\"></a>"
	"</aside>\n<p class=\"item__text item__text--continued\">";
static const char item_end[] = "</p></div></article>";
static const char foot[] = SEPARATOR "</main>\n</body>\n</html>\n";

static int put(struct prn_buffer *out, const char *text)
{
	return prn_buffer_append(out, text, strlen(text));
}

/* A random word of syllables; words of six of them (the separators of items) are practically unique. */
static int put_word(struct prn_buffer *out, uint64_t bits, unsigned syllables)
{
	static const char consonants[] = "bdfgklmnprstvz", vowels[] = "aeiou";
	char word[16];
	size_t length = 0;

	for (unsigned i = 0; i < syllables; i++) {
		word[length++] = consonants[bits % 14];
		bits /= 14;
		word[length++] = vowels[bits % 5];
		bits /= 5;
	}
	word[length++] = ' ';
	return prn_buffer_append(out, word, length);
}

static int put_item(struct prn_buffer *out, uint64_t seed, uint64_t item, uint32_t fragments)
{
	uint32_t words = fragments - SEPARATOR_FRAGMENTS;
	uint64_t mix = seed;
	int code = put(out, SEPARATOR);

	mix = prn_random_mix(&mix) ^ item;
	mix = prn_random_mix(&mix);
	code = code ? code : put(out, item_start);
	for (uint32_t i = 0; i < words && !code; i++) {
		uint64_t bits = prn_random_mix(&mix);
		bool end = i == 0 || i + 1 == words;

		code = put_word(out, bits >> 8, end ? 6 : 2 + (unsigned)(bits & 3));
		if (i % 12 == 11 && !code)
			code = put(out, line_break);
	}
	return code ? code : put(out, item_end);
}

/* Writes the current page: the newest items of each region first, the static part last. */
static int make_body(const struct prn_synth *synth, size_t i, const struct prn_synth_walk *walk, struct prn_buffer *out)
{
	const struct prn_synth_page *page = &walk->page;
	uint64_t seed = synth->options.seed ^ ((uint64_t)i << 8);
	int code;

	prn_buffer_clear(out);
	code = put(out, head);
	for (unsigned r = 0; r < page->region_count; r++)
		for (uint32_t k = 0; k < page->regions[r].items && !code; k++)
			code = put_item(out, seed + 1 + r, walk->regions[r].updates - k, page->regions[r].item_fragments);
	if (!code && page->static_fragments)
		code = put_item(out, seed, 0, page->static_fragments);
	return code ? code : put(out, foot);
}

struct progress {
	struct prn_synth_walk walk;
	int64_t written; /* time of the newest response */
};

static int put_capture(const struct prn_synth *synth, struct prn_warc_writer *writer, struct progress *progress, size_t i,
                       size_t c, struct prn_buffer *body, struct prn_error *error)
{
	bool changed = prn_synth_walk_to(synth, &progress->walk, c) || c == 0;
	struct prn_warc_capture capture = { .url = progress->walk.page.url,
		                            .time = synth->options.start + (int64_t)c * synth->options.interval,
		                            .content_type = "text/html; charset=utf-8" };

	/* The body is made for a revisit too, because its digest is written. */
	if (make_body(synth, i, &progress->walk, body))
		return prn_error_memory(error);
	capture.body = body->data;
	capture.body_bytes = body->length;
	capture.refers_time = changed ? PRN_TIME_UNKNOWN : progress->written;
	if (changed)
		progress->written = capture.time;
	return prn_warc_writer_add(writer, &capture, error);
}

static int put_captures(const struct prn_synth *synth, struct prn_warc_writer *writer, struct progress *all,
                        struct prn_error *error)
{
	struct prn_buffer body;
	int code = 0;

	prn_buffer_init(&body);
	for (size_t i = 0; i < synth->options.pages; i++)
		prn_synth_walk_init(synth, i, &all[i].walk);
	for (size_t c = 0; c < synth->options.captures && !code; c++)
		for (size_t i = 0; i < synth->options.pages && !code; i++)
			code = put_capture(synth, writer, &all[i], i, c, &body, error);
	prn_buffer_release(&body);
	return code;
}

int prn_synth_warc(const struct prn_synth *synth, const char *path, struct prn_error *error)
{
	struct progress *all = calloc(synth->options.pages, sizeof *all);
	char *provenance = prn_synth_provenance(synth);
	struct prn_warc_writer *writer = NULL;
	int code = all && provenance ? prn_warc_writer_open(&writer, path, provenance, error)
	                                : prn_error_memory(error);

	if (!code)
		code = put_captures(synth, writer, all, error);
	if (!code) {
		code = prn_warc_writer_close(writer, error);
		writer = NULL;
	}
	prn_warc_writer_free(writer);
	free(all);
	free(provenance);
	return code;
}
