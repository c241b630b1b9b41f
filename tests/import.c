/* Import: revisits find their content, duplicates and spellings are settled, and no order or thread shows. */
#include "history/page_codec.h"
#include "history/trace_format.h"
#include "perennial/extractor.h"
#include "perennial/import.h"
#include "perennial/synth.h"
#include "perennial/trace.h"
#include "perennial/url.h"
#include "silent.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/perennial-import-XXXXXX";

static const char *in_folder(const char *name)
{
	static char paths[8][256];
	static int turn;
	char *path = paths[turn++ % 8];

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

struct heard {
	size_t count;
	char text[PRN_ERROR_TEXT]; /* the last */
};

static void hear(void *context, const struct prn_error *what)
{
	struct heard *heard = context;

	heard->count++;
	snprintf(heard->text, sizeof heard->text, "%s", what->text);
}

static struct heard heard;
static struct prn_import_counts counts;

/* Imports sources (ends with NULL) with the options; counts and what was heard are left in the statics. */
static int import(const char *const *sources, const char *trace, struct prn_import_options options, struct prn_error *error)
{
	struct prn_importer *importer;
	int failed;

	heard = (struct heard){ 0 };
	options.skipped = hear;
	options.skipped_context = &heard;
	failed = prn_importer_open(&importer, &options, error);
	if (failed)
		return failed;
	for (; *sources && !failed; sources++)
		failed = prn_importer_add(importer, *sources, error);
	if (!failed)
		failed = prn_importer_finish(importer, trace, error);
	counts = *prn_importer_counts(importer);
	prn_importer_free(importer);
	return failed;
}

/* Opens the trace that one source makes; NULL after a failed check. */
static struct prn_trace *import_one(const char *source, struct prn_import_options options)
{
	const char *sources[] = { source, NULL }, *path = in_folder("one.trace");
	struct prn_trace *trace = NULL;
	struct prn_error error = { 0 };
	int failed = import(sources, path, options, &error);

	if (!failed)
		failed = prn_trace_open(&trace, path, &error);
	if (!ok(!failed, "%s is imported and its trace opened", strrchr(source, '/') + 1))
		printf("# %s\n", error.text);
	return trace;
}

/* --- WARC files written by hand --- */

static FILE *start_warc(const char *name)
{
	FILE *out = fopen(in_folder(name), "wb");

	if (!out)
		abort();
	return out;
}

/* fields: further WARC header lines, each with its line end. */
static void put(FILE *out, const char *type, const char *url, const char *date, const char *fields, const char *http)
{
	static int number;

	fprintf(out,
	        "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nWARC-Target-URI: %s\r\n"
	        "WARC-Date: %s\r\n%sContent-Type: application/http; msgtype=response\r\nContent-Length: %zu\r\n\r\n%s\r\n\r\n",
	        type, ++number, url, date, fields, strlen(http), http);
}

static void response(FILE *out, const char *url, const char *date, const char *digest, const char *text)
{
	char fields[200] = "", http[1000];

	if (digest)
		snprintf(fields, sizeof fields, "WARC-Payload-Digest: sha1:%s\r\n", digest);
	snprintf(http, sizeof http, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n\r\n%s", strlen(text),
	         text);
	put(out, "response", url, date, fields, http);
}

static void status(FILE *out, const char *url, const char *date, const char *line)
{
	char http[300];

	snprintf(http, sizeof http, "HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n", line);
	put(out, "response", url, date, "", http);
}

#define IDENTICAL "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
#define UNCHANGED "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/server-not-modified\r\n"
#define OK_HEAD "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
#define DIGEST_A "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define DIGEST_B "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"
#define DIGEST_C "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC"

/* --- what the trace says --- */

/* "csrgxem", a letter a capture: content, same, redirect, gone, refused, error, missing. */
static const char *kinds_of(const struct prn_page *page)
{
	static char text[64];
	size_t i = 0;

	for (; i < page->capture_count && i < sizeof text - 1; i++)
		text[i] = "csrgxem"[page->captures[i].kind];
	text[i] = 0;
	return text;
}

/* A letter a capture: the same letter where the same fragments are there; "." where there are none. */
static const char *versions_of(const struct prn_page *page)
{
	static char text[64];
	char next = 'a';

	for (uint32_t i = 0; i < page->capture_count; i++) {
		text[i] = 0;
		for (uint32_t j = 0; j <= i && !text[i]; j++) {
			bool equal = true, any = false;

			for (size_t s = 0; s < page->stripe_count; s++) {
				bool at_i = false, at_j = false;

				for (uint32_t r = page->stripes[s].first; r < page->stripes[s].first + page->stripes[s].count; r++) {
					at_i |= page->runs[r].from <= i && i < page->runs[r].to;
					at_j |= page->runs[r].from <= j && j < page->runs[r].to;
				}
				equal &= at_i == at_j;
				any |= at_i;
			}
			if (!any)
				text[i] = '.';
			else if (equal)
				text[i] = j < i ? text[j] : next++;
		}
	}
	text[page->capture_count] = 0;
	return text;
}

/* A letter a capture: the same letter where the bytes are the same; "." where they are not known. */
static const char *bodies_of(const struct prn_page *page)
{
	static char text[64];
	char next = 'a';

	for (uint32_t i = 0; i < page->capture_count; i++) {
		uint32_t body = page->captures[i].body;

		text[i] = !body ? '.' : body == i + 1 ? next++ : text[body - 1];
	}
	text[page->capture_count] = 0;
	return text;
}

static void bodies_are(const struct prn_trace *trace, const char *url, const char *bodies, uint64_t last_bytes)
{
	struct prn_page page;
	size_t i;

	prn_page_init(&page);
	if (!prn_trace_find(trace, url, &i) && !prn_trace_page(trace, i, &page, NULL)) {
		same(bodies_of(&page), bodies, "a trace says which captures of %s have the same bytes", url);
		ok(page.captures[page.capture_count - 1].body_bytes == last_bytes, "a trace says how many bytes %s has", url);
	}
	prn_page_release(&page);
}

static void page_is(const struct prn_trace *trace, const char *url, const char *kinds, const char *versions,
                    const char *claim)
{
	struct prn_page page;
	size_t i;

	prn_page_init(&page);
	if (ok(!prn_trace_find(trace, url, &i) && !prn_trace_page(trace, i, &page, NULL),
	       "the trace has the page of %s", claim)) {
		same(kinds_of(&page), kinds, "the kinds of captures are right for %s", claim);
		same(versions_of(&page), versions, "the versions of content are right for %s", claim);
	}
	prn_page_release(&page);
}

static void revisits(void)
{
	const struct prn_import_options options = { .digests = PRN_DIGESTS_TRUST }; /* they are made up */
	FILE *out = start_warc("revisits.warc");
	struct prn_trace *trace;

	/* Content A, B, then A again by its digest: not the version before. */
	response(out, "http://a.example/aba", "2026-01-01T00:00:00Z", DIGEST_A, "one two three four five six");
	response(out, "http://a.example/aba", "2026-01-02T00:00:00Z", DIGEST_B, "one two three four five seven");
	put(out, "revisit", "http://a.example/aba", "2026-01-03T00:00:00Z", IDENTICAL "WARC-Payload-Digest: sha1:" DIGEST_A "\r\n", OK_HEAD);
	/* A server that says 304: no content of its own. */
	put(out, "revisit", "http://a.example/aba", "2026-01-04T00:00:00Z", UNCHANGED, "HTTP/1.1 304 Not Modified\r\n\r\n");
	/* The content of another URL, which comes later in the file, and has the digest in base16. */
	put(out, "revisit", "http://a.example/borrowed", "2026-01-02T00:00:00Z",
	    IDENTICAL "WARC-Payload-Digest: sha1:" DIGEST_C "\r\n", OK_HEAD);
	response(out, "http://a.example/lender", "2026-01-01T00:00:00Z", "1084210842108421084210842108421084210842", "borrowed words are words too");
	/* No digest: by URL and date, also of another page, also without an HTTP head. */
	put(out, "revisit", "http://a.example/dated", "2026-01-05T00:00:00Z",
	    IDENTICAL "WARC-Refers-To-Target-URI: http://A.example:80/aba\r\nWARC-Refers-To-Date: 2026-01-02T00:00:00Z\r\n", "");
	/* A date that leads to a revisit, which leads on by digest. */
	put(out, "revisit", "http://a.example/dated", "2026-01-06T00:00:00Z",
	    IDENTICAL "WARC-Refers-To-Target-URI: http://a.example/aba\r\nWARC-Refers-To-Date: 2026-01-03T00:00:00Z\r\n", OK_HEAD);
	/* Without a status of its own it is what it refers to, even a page that is gone. */
	status(out, "http://a.example/gone", "2026-01-01T00:00:00Z", "404 Not Found");
	put(out, "revisit", "http://a.example/gone", "2026-01-02T00:00:00Z",
	    IDENTICAL "WARC-Refers-To-Target-URI: http://a.example/gone\r\nWARC-Refers-To-Date: 2026-01-01T00:00:00Z\r\n", "");
	/* Nothing has it: by digest, by date, by neither. */
	response(out, "http://a.example/lost", "2026-01-01T00:00:00Z", NULL, "here at first for all to read");
	put(out, "revisit", "http://a.example/lost", "2026-01-02T00:00:00Z", IDENTICAL "WARC-Payload-Digest: sha1:" DIGEST_A "A\r\n", OK_HEAD);
	put(out, "revisit", "http://a.example/lost", "2026-01-03T00:00:00Z",
	    IDENTICAL "WARC-Refers-To-Target-URI: http://a.example/lost\r\nWARC-Refers-To-Date: 2025-01-01T00:00:00Z\r\n", OK_HEAD);
	put(out, "revisit", "http://a.example/lost", "2026-01-04T00:00:00Z", IDENTICAL, OK_HEAD);
	fclose(out);

	trace = import_one(in_folder("revisits.warc"), options);
	if (!trace)
		return;
	page_is(trace, "http://a.example/aba", "cccs", "abaa", "a page that goes back to an earlier version");
	page_is(trace, "http://a.example/borrowed", "c", "a", "a revisit of another URL's content, by digest in another base");
	page_is(trace, "http://a.example/dated", "cc", "ab", "revisits by URL and date");
	page_is(trace, "http://a.example/gone", "gg", "..", "a revisit of a page that is gone");
	page_is(trace, "http://a.example/lost", "cmmm", "aaaa", "revisits of what is nowhere");
	bodies_are(trace, "http://a.example/aba", "abaa", strlen("one two three four five six"));
	bodies_are(trace, "http://a.example/dated", "ab", strlen("one two three four five six"));
	bodies_are(trace, "http://a.example/gone", "..", 0);
	bodies_are(trace, "http://a.example/lost", "aaaa", strlen("here at first for all to read"));
	ok(counts.revisits == 8 && counts.unresolved == 3,
	   "revisits and those without content are counted: %d, %d",
	   (int)counts.revisits, (int)counts.unresolved);
	ok(heard.count == 3 && strstr(heard.text, "http://a.example/lost at 2026-01-0"),
	   "each revisit whose content is nowhere is told: %s", heard.text);
	prn_trace_free(trace);
}

#define MARKED "<p>one two three four five six</p>"

static void typed(FILE *out, const char *url, const char *date, const char *type)
{
	char http[300];

	snprintf(http, sizeof http, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n" MARKED, type);
	put(out, "response", url, date, "WARC-Payload-Digest: sha1:" DIGEST_A "\r\n", http);
}

static void revisit_of_type(FILE *out, const char *url, const char *date, const char *type)
{
	char head[200];

	snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n", type);
	put(out, "revisit", url, date, IDENTICAL "WARC-Payload-Digest: sha1:" DIGEST_A "\r\n", head);
}

/*
 * The same bytes are other content under another media type: what is markup in one is words in the other.  In much memory,
 * and in so little that all bodies that are remembered stand in one row.
 */
static void media_types(void)
{
	FILE *out = start_warc("media.warc");
	struct prn_trace *trace;

	typed(out, "http://a.example/html", "2026-01-01T00:00:00Z", "text/html");
	revisit_of_type(out, "http://a.example/html", "2026-01-02T00:00:00Z", "text/html");
	typed(out, "http://a.example/plain", "2026-01-01T00:00:00Z", "text/plain");
	revisit_of_type(out, "http://a.example/plain", "2026-01-02T00:00:00Z", "text/plain");
	typed(out, "http://a.example/both", "2026-01-01T00:00:00Z", "text/html");
	typed(out, "http://a.example/both", "2026-01-02T00:00:00Z", "text/plain");
	fclose(out);
	for (size_t memory = 0; memory <= 2000; memory += 2000) {
		/* One thread: what a body has is known when the next one comes. */
		trace = import_one(in_folder("media.warc"), (struct prn_import_options){ .memory_bytes = memory, .threads = 1,
		                                                                         .digests = PRN_DIGESTS_TRUST });
		if (!trace)
			return;
		page_is(trace, "http://a.example/both", "cc", "ab", "the same bytes as HTML and as plain text");
		page_is(trace, "http://a.example/html", "cc", "aa", "a revisit of HTML whose digest plain text has too");
		page_is(trace, "http://a.example/plain", "cc", "aa", "a revisit of plain text whose digest HTML has too");
		prn_trace_free(trace);
	}
}

/* A revisit by URL and date is of what stands there only if that can be what it repeats. */
static void misled(void)
{
	FILE *out = start_warc("misled.warc");
	struct prn_trace *trace;

	status(out, "http://a.example/moved", "2026-01-01T00:00:00Z", "301 Moved\r\nLocation: http://b.example/");
	put(out, "revisit", "http://a.example/moved", "2026-01-02T00:00:00Z",
	    IDENTICAL "WARC-Refers-To-Target-URI: http://a.example/moved\r\nWARC-Refers-To-Date: 2026-01-01T00:00:00Z\r\n", OK_HEAD);
	response(out, "http://a.example/same", "2026-01-01T00:00:00Z", NULL, "words that stay the same for long");
	status(out, "http://a.example/same", "2026-01-02T00:00:00Z", "304 Not Modified");
	put(out, "revisit", "http://a.example/same", "2026-01-03T00:00:00Z",
	    IDENTICAL "WARC-Refers-To-Target-URI: http://a.example/same\r\nWARC-Refers-To-Date: 2026-01-02T00:00:00Z\r\n", "");
	fclose(out);
	trace = import_one(in_folder("misled.warc"), (struct prn_import_options){ 0 });
	if (!trace)
		return;
	page_is(trace, "http://a.example/moved", "rm", "aa", "a revisit with status 200 that refers to a redirect");
	page_is(trace, "http://a.example/same", "csm", "aaa", "a revisit that refers to an answer without content");
	ok(counts.unresolved == 2, "a revisit that refers to what it cannot repeat is unresolved (%d)", (int)counts.unresolved);
	prn_trace_free(trace);
}

/* Captures before the first date that is wanted are read for what later ones repeat, and are not in the trace. */
static void before_the_first_date(void)
{
	const struct prn_import_options options = { .filter = { .has_from = true, .from = 1767312000 }, /* 2026-01-02 */
		                                    .digests = PRN_DIGESTS_TRUST };
	FILE *out = start_warc("early.warc");
	struct prn_trace *trace;

	response(out, "http://a.example/kept", "2026-01-01T00:00:00Z", DIGEST_A, "one two three four five six");
	response(out, "http://a.example/kept", "2026-01-02T00:00:00Z", DIGEST_B, "one two three four five seven");
	put(out, "revisit", "http://a.example/kept", "2026-01-03T00:00:00Z", IDENTICAL "WARC-Payload-Digest: sha1:" DIGEST_A "\r\n", OK_HEAD);
	response(out, "http://a.example/early", "2026-01-01T00:00:00Z", NULL, "seen early and never again");
	fclose(out);
	trace = import_one(in_folder("early.warc"), options);
	if (!trace)
		return;
	ok(prn_trace_pages(trace) == 1, "a page that has captures only before the first date is not in the trace");
	page_is(trace, "http://a.example/kept", "cc", "ab", "a revisit of a capture before the first date");
	ok(!counts.unresolved, "a revisit of a capture before the first date finds its content");
	ok(!counts.unweighted, "a page that is left out for its dates is not one that only the weights name");
	prn_trace_free(trace);
}

/* Nothing, then something: the first takes no room where contents are kept. */
static void empty_at_first(void)
{
	FILE *out = start_warc("empty.warc");
	struct prn_trace *trace;

	response(out, "http://a.example/", "2026-01-01T00:00:00Z", NULL, "");
	response(out, "http://a.example/", "2026-01-02T00:00:00Z", NULL, "one two three four five six");
	fclose(out);
	trace = import_one(in_folder("empty.warc"), (struct prn_import_options){ .threads = 1 });
	if (!trace)
		return;
	page_is(trace, "http://a.example/", "cc", ".a", "a page that was empty at first");
	prn_trace_free(trace);
}

static void kinds(void)
{
	const struct prn_import_options options = { 0 };
	FILE *out = start_warc("kinds.warc");
	struct prn_trace *trace;

	status(out, "http://a.example/r", "2026-01-01T00:00:00Z", "301 Moved\r\nLocation: http://b.example/");
	status(out, "http://a.example/r", "2026-01-02T00:00:00Z", "302 Found\r\nLocation: http://b.example/");
	status(out, "http://a.example/r", "2026-01-03T00:00:00Z", "301 Moved\r\nLocation: http://c.example/");
	response(out, "http://a.example/r", "2026-01-04T00:00:00Z", NULL, "no longer moved but here again");
	status(out, "http://a.example/k", "2026-01-01T00:00:00Z", "503 Busy");
	response(out, "http://a.example/k", "2026-01-02T00:00:00Z", NULL, "all the news of the day");
	status(out, "http://a.example/k", "2026-01-03T00:00:00Z", "403 Forbidden");
	status(out, "http://a.example/k", "2026-01-04T00:00:00Z", "304 Not Modified");
	status(out, "http://a.example/k", "2026-01-05T00:00:00Z", "204 No Content");
	status(out, "http://a.example/k", "2026-01-06T00:00:00Z", "410 Gone");
	fclose(out);
	trace = import_one(in_folder("kinds.warc"), options);
	if (!trace)
		return;
	page_is(trace, "http://a.example/r", "rrrc", "aabc", "a redirect, whose content is where it leads");
	page_is(trace, "http://a.example/k", "ecxscg", ".aaa..",
	        "a page whose answers without content keep what was there, and whose 204 is empty");
	ok(counts.captures[PRN_KIND_CONTENT] == 3 && counts.captures[PRN_KIND_REDIRECT] == 3, "captures are counted by kind");
	prn_trace_free(trace);
}

static void duplicates(void)
{
	const char *first = in_folder("one.warc"), *second = in_folder("two.warc"), *path = in_folder("both.trace");
	const char *orders[2][3] = { { first, second, NULL }, { second, first, NULL } };
	struct prn_error error;
	FILE *out = start_warc("one.warc");

	status(out, "http://a.example/", "2026-01-01T00:00:00Z", "500 Broken");
	response(out, "http://A.EXAMPLE/", "2026-01-02T00:00:00Z", NULL, "one version with a few words");
	fclose(out);
	out = start_warc("two.warc");
	response(out, "HTTP://a.example:80/", "2026-01-01T00:00:00Z", NULL, "content wins against the error");
	response(out, "http://a.example/", "2026-01-02T00:00:00.5Z", NULL, "another version with a few words");
	fclose(out);
	for (int i = 0; i < 2; i++) {
		struct prn_trace *trace;

		if (!ok(!import(orders[i], path, (struct prn_import_options){ 0 }, &error) && !prn_trace_open(&trace, path, &error),
		        "two sources with the same URL and seconds are imported, order %d", i + 1))
			continue;
		ok(prn_trace_pages(trace) == 1, "spellings of one URL make one page, order %d", i + 1);
		ok(counts.duplicates == 2,
		   "two captures of one URL and second are counted as duplicates, order %d", i + 1);
		page_is(trace, "http://a.example/", "cc", "ab",
		        "an error and content of one second, where content wins");
		same(prn_trace_url(trace, 0), "HTTP://a.example:80/",
		     "the spelling of a URL is that of its earliest capture, then the smaller");
		same(prn_trace_about(trace)->provenance, "import shingle=5 max-body=16777216 sources=one.warc,two.warc",
		     "the provenance of a trace has the parameters and the sources in order");
		prn_trace_free(trace);
	}
}

/* Of two captures alike in all else the one that knows when the page was modified stays, whichever is read first. */
static void known_modified(void)
{
	static const char *const names[] = { "known.warc", "unknown.warc" };
	const char *path = in_folder("known.trace");
	size_t known = 0;

	for (int i = 0; i < 2; i++) {
		FILE *out = start_warc(names[i]);

		put(out, "response", "http://a.example/", "2026-01-02T00:00:00Z", "",
		    i ? "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nthe same words"
		      : "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n\r\n"
			"the same words");
		fclose(out);
	}
	for (int i = 0; i < 2; i++) {
		const char *sources[] = { in_folder(names[i]), in_folder(names[1 - i]), NULL };
		struct prn_trace *trace = NULL;
		struct prn_page page;

		prn_page_init(&page);
		if (import(sources, path, (struct prn_import_options){ 0 }, NULL) || prn_trace_open(&trace, path, NULL) ||
		    prn_trace_page(trace, 0, &page, NULL))
			abort();
		known += page.capture_count == 1 && page.captures[0].modified == 1767225600;
		prn_page_release(&page);
		prn_trace_free(trace);
	}
	ok(known == 2, "of two equal captures of one second the one with a Last-Modified is kept, in either order");
}

/* The weights that two lines give a page at one second. */
static void weights_at_once(void)
{
	static const char *const lines[] = {
		"{\"url\": \"http://a.example/\", \"time\": \"2026-01-02T00:00:00Z\", \"body\": \"a few words\", \"weight\": 3}\n",
		"{\"url\": \"http://a.example/\", \"time\": \"2026-01-02T00:00:00Z\", \"body\": \"other words\", \"weight\": 2}\n",
		"{\"url\": \"http://a.example/\", \"time\": \"2026-01-01T00:00:00Z\", \"body\": \"first words\", \"weight\": 9}\n",
	};
	static const int orders[][3] = { { 0, 1, 2 }, { 1, 0, 2 }, { 2, 1, 0 } };
	size_t heaviest = 0;

	for (int i = 0; i < 3; i++) {
		const char *sources[] = { in_folder("lines.jsonl"), NULL }, *path = in_folder("lines.trace");
		FILE *out = fopen(sources[0], "w");
		struct prn_trace *trace = NULL;
		struct prn_page page;

		for (int j = 0; j < 3; j++)
			fputs(lines[orders[i][j]], out);
		fclose(out);
		prn_page_init(&page);
		if (import(sources, path, (struct prn_import_options){ 0 }, NULL) || prn_trace_open(&trace, path, NULL) ||
		    prn_trace_page(trace, 0, &page, NULL))
			abort();
		heaviest += page.weight > 2.99 && page.weight < 3.01;
		prn_page_release(&page);
		prn_trace_free(trace);
	}
	ok(heaviest == 3, "a page has the weight of its last capture, and of two at one second the larger, in any order");
}

static void weights(void)
{
	struct prn_import_options options = { .weights = in_folder("weights.tsv") };
	const char *sources[] = { in_folder("kinds.warc"), NULL };
	struct prn_trace *trace;
	struct prn_error error;
	struct prn_page page;
	FILE *out = fopen(options.weights, "w");
	size_t i;

	fputs(" HTTP://A.example/k  2.5 \n\nhttp://nowhere.example/\t7\r\n", out);
	fclose(out);
	trace = import_one(sources[0], options);
	if (trace) {
		prn_page_init(&page);
		if (ok(!prn_trace_find(trace, "http://a.example/k", &i), "a page that the weights file names is found")) {
			ok(!prn_trace_page(trace, i, &page, NULL) && fabs(page.weight - 2.5) < 0.01,
			   "a page has the weight of the weights file");
			ok(!prn_trace_page(trace, 1 - i, &page, NULL) && fabs(page.weight - 1) < 0.01,
			   "a page that the weights file does not name weighs 1");
		}
		ok(prn_trace_pages(trace) == 2 && counts.unweighted == 1,
		   "a weight for a page that no source has makes no page");
		prn_page_release(&page);
		prn_trace_free(trace);
	}
	out = fopen(options.weights, "w");
	fputs("http://a.example/\t1\nhttp://a.example/\t-1\n", out);
	fclose(out);
	ok(import(sources, in_folder("x.trace"), options, &error) == PRN_E_INPUT && strstr(error.text, "line 2"),
	   "a weight below 0 is refused with its line: %s", error.text);
	out = fopen(options.weights, "w");
	fputs("http://a.example/\t1e300\n", out);
	fclose(out);
	ok(import(sources, in_folder("x.trace"), options, &error) == PRN_E_INPUT && strstr(error.text, "line 1"),
	   "a weight beyond a billion is refused with its line: %s", error.text);
	out = fopen(options.weights, "w");
	fputs("http://a.example/\t1 or so\n", out);
	fclose(out);
	ok(import(sources, in_folder("x.trace"), options, &error) == PRN_E_INPUT && strstr(error.text, "line 1"),
	   "a weight with a word after it is refused with its line: %s", error.text);
	out = fopen(options.weights, "w");
	fputs("http://a.example/\n", out);
	fclose(out);
	ok(import(sources, in_folder("x.trace"), options, &error) == PRN_E_INPUT && strstr(error.text, "line 1"),
	   "a URL without a weight is refused with its line: %s", error.text);
}

static void sources_that_are_none(void)
{
	static const char *const names[] = { "missing.warc", "junk.bin", "cut.trace" }, *const texts[] = { NULL, "\1\2\3 junk", "PRNTRACE" };

	for (size_t i = 0; i < 3; i++) {
		const char *const sources[] = { in_folder(names[i]), NULL };
		FILE *file = texts[i] ? fopen(sources[0], "wb") : NULL;
		struct prn_error error = { 0 };
		int code;

		if (file) {
			fputs(texts[i], file);
			fclose(file);
		}
		code = import(sources, in_folder("x.trace"), (struct prn_import_options){ 0 }, &error);
		ok(code == (i ? PRN_E_UNSUPPORTED : PRN_E_NOT_FOUND) && error.code == code,
		   "the error of a source that is none has the code that is returned: %d", code);
		ok(strstr(error.text, names[i]), "the error of a source that is none names it: %s", error.text);
	}
}

static void failures(void)
{
	const char *sources[] = { in_folder("kinds.warc"), NULL }, *missing[] = { in_folder("missing.warc"), NULL };
	struct prn_import_options options = { .shingle_words = 65 };
	struct prn_error error;
	char cut[4000];
	size_t length;
	FILE *file;

	ok(import(sources, in_folder("x.trace"), options, &error) == PRN_E_ARGUMENT,
	   "fragments of 65 words are refused: %s", error.text);
	options = (struct prn_import_options){ .folder = "/no/such/folder" };
	ok(import(sources, in_folder("x.trace"), options, &error) == PRN_E_IO &&
	           strstr(error.text, "/no/such/folder"),
	   "a folder for temporary files that is not there is named: %s", error.text);
	options.folder = NULL;
	ok(import(missing, in_folder("x.trace"), options, &error) == PRN_E_NOT_FOUND &&
	           strstr(error.text, "missing.warc"),
	   "a source that is not there is named: %s", error.text);
	ok(import(sources, in_folder("no/x.trace"), options, &error) == PRN_E_IO &&
	           strstr(error.text, "no/x.trace"),
	   "a trace that cannot be made is named: %s", error.text);

	/* A file cut in its last record: all before it is used. */
	file = fopen(sources[0], "rb");
	length = fread(cut, 1, sizeof cut, file);
	fclose(file);
	file = fopen(in_folder("cut.warc"), "wb");
	fwrite(cut, 1, length - 30, file);
	fclose(file);
	{
		struct prn_trace *trace = import_one(in_folder("cut.warc"), options);

		ok(counts.truncated == 1, "a source that is cut is counted as truncated");
		ok(heard.count == 1 && strstr(heard.text, "cut.warc"),
		   "a source that is cut is told once: %s", heard.text);
		if (trace)
			page_is(trace, "http://a.example/r", "rrrc", "aabc",
			        "what stands before the cut of a source");
		prn_trace_free(trace);
	}
}

static bool same_bytes(const char *a, const char *b)
{
	FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
	int c, d;

	if (!x || !y)
		return false;
	do {
		c = getc(x);
		d = getc(y);
	} while (c == d && c != EOF);
	fclose(x);
	fclose(y);
	return c == d;
}

/* Bodies in chunks, each shorter than what carried it, and those of other lengths between them. */
static void chunks_by_threads(void)
{
	FILE *out = fopen(in_folder("chunks.warc"), "wb");
	const char *sources[] = { in_folder("chunks.warc"), NULL };
	struct prn_error error = { 0 };

	if (!out)
		abort();
	for (int i = 0; i < 200; i++) {
		char block[400];
		int length = snprintf(block, sizeof block, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n%s\r\n%s%.*s%d%s",
		                      i % 3 ? "Transfer-Encoding: chunked\r\n" : "",
		                      i % 3 ? "a\r\n<p>one two\r\n8\r\n in part\r\n6\r\ns " : "", i % 3 ? 0 : 5 * (i % 20),
		                      "a page that stands between the others, as long as it happens to be, and has words of its own",
		                      i + 1000, i % 3 ? "\r\n0\r\nX-After: words of a trailer\r\n\r\n" : "");

		fprintf(out, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%d\r\nWARC-Date: 2026-01-01T00:%02d:%02dZ\r\n"
		             "Content-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		        i % 7, i / 60, i % 60, length, block);
	}
	fclose(out);
	ok(!import(sources, in_folder("one.trace"), (struct prn_import_options){ .threads = 1 }, &error) && counts.captures[PRN_KIND_CONTENT] == 200 && !heard.count,
	   "pages in chunks are imported: %s", heard.text);
	ok(!import(sources, in_folder("many.trace"), (struct prn_import_options){ .threads = 4 }, &error) &&
	   same_bytes(in_folder("one.trace"), in_folder("many.trace")),
	   "bodies that threads took over are the same as those of one thread");
}

/* Two texts of a page that take turns, by revisits: a file of some kB tells of more runs than a page can have. */
static void too_long(void)
{
	enum { WORDS = 70000, TURNS = 520 };
	static char block[WORDS * 8 + 200];
	struct prn_error error = { 0 };
	const char *sources[] = { in_folder("turns.warc"), in_folder("other.warc"), NULL };
	FILE *out = start_warc("turns.warc"), *other = start_warc("other.warc");
	int length = snprintf(block, sizeof block, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");

	for (int i = 0; i < WORDS; i++)
		length += snprintf(block + length, sizeof block - (size_t)length, "w%x ", (unsigned)i);
	put(out, "response", "http://a.example/turns", "2026-01-01T00:00:00Z", "WARC-Payload-Digest: sha1:LONG\r\n", block);
	response(out, "http://a.example/turns", "2026-01-01T00:00:01Z", "SHORT", "one word");
	for (int i = 2; i < TURNS; i++) {
		char date[24];

		snprintf(date, sizeof date, "2026-01-01T00:%02d:%02dZ", i / 60, i % 60);
		put(out, "revisit", "http://a.example/turns", date, i % 2 ? IDENTICAL "WARC-Payload-Digest: sha1:SHORT\r\n" : IDENTICAL "WARC-Payload-Digest: sha1:LONG\r\n",
		    "HTTP/1.1 200 OK\r\n\r\n");
	}
	response(other, "http://a.example/", "2026-01-01T00:00:00Z", NULL, "one two three");
	response(other, "http://z.example/", "2026-01-01T00:00:00Z", NULL, "four five six");
	fclose(out);
	fclose(other);
	ok(!import(sources, in_folder("turns.trace"), (struct prn_import_options){ .threads = 2, .digests = PRN_DIGESTS_TRUST }, &error) && counts.pages == 2 &&
	   counts.too_long == 1, "a page whose history is too long ends no import: %d pages", (int)counts.pages);
	ok(heard.count == 1 && !strcmp(heard.text, "http://a.example/turns: the history of this page is too long: it is left out"),
	   "a page whose history is too long is told: %s", heard.text);
}

/*
 * Four synthetic WARC files of the same pages, of different seeds, so that captures collide at each second, in every
 * order, by one thread and several, in much memory and in so little that everything spills.
 */
static void any_order(void)
{
	static const int orders[][4] = { { 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 2, 0, 3, 1 }, { 1, 3, 0, 2 } };
	const char *paths[4], *first = in_folder("first.trace");
	char names[4][64];
	struct prn_error error = { 0 };
	size_t alike = 0;

	for (int i = 0; i < 4; i++) {
		struct prn_synth_options options;
		struct prn_synth *synth;

		prn_synth_defaults(&options);
		options.seed = 1 + (uint64_t)i % 3; /* the fourth is the first once more, later */
		options.pages = 12;
		options.captures = 15;
		options.fragments = 150;
		options.start += i == 3 ? 7 * 86400 : 0;
		snprintf(names[i], sizeof names[i], "%s/s%d.warc", folder, i & 3);
		paths[i] = names[i];
		if (prn_synth_open(&synth, &options, &error) || prn_synth_warc(synth, paths[i], &error))
			abort();
		prn_synth_free(synth);
	}
	for (int i = 0; i < 12; i++) {
		const int *order = orders[i % 4];
		const char *sources[] = { paths[order[0]], paths[order[1]], paths[order[2]], paths[order[3]], NULL };
		struct prn_import_options options = { .threads = (size_t)(1 + 3 * (i % 2)), .memory_bytes = i % 3 ? 2000 : 0 };
		const char *path = i ? in_folder("other.trace") : first;

		if (import(sources, path, options, &error))
			printf("# %s\n", error.text);
		else
			alike += same_bytes(first, path);
	}
	ok(alike == 12, "%zu of 12 imports in other orders, threads and memory gave the same bytes", alike);
	ok(counts.duplicates > 200,
	   "the imports in other orders have many duplicates: %d", (int)counts.duplicates);
	ok(counts.revisits > 100, "the imports in other orders have many revisits: %d", (int)counts.revisits);
	ok(!counts.unresolved, "every revisit of the imports in other orders finds its content");
}

static int stop(void *context, const struct prn_import_counts *progress)
{
	(void)context;
	return progress->sources.captures >= 64;
}

static int stop_at_records(void *context, const struct prn_import_counts *progress)
{
	uint64_t *records = context;

	*records = progress->sources.records;
	return *records >= 1000;
}

/* Of a source of which the filter takes nothing no capture is handed out. */
static void stopped_without_captures(void)
{
	static const char *const hosts[] = { "nowhere.example" };
	const char *sources[] = { in_folder("many.warc"), NULL };
	uint64_t records = 0;
	struct prn_import_options options = { .progress = stop_at_records, .progress_context = &records, .filter = { .hosts = hosts, .host_count = 1 } };
	FILE *file = fopen(sources[0], "w");
	struct prn_error error = { 0 };

	for (int i = 0; file && i < 40000; i++)
		fprintf(file,
		        "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/%d\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
		        "Content-Length: 2\r\n\r\nhi\r\n\r\n",
		        i);
	ok(file && !fclose(file), "a source of many records is written");
	ok(import(sources, in_folder("x.trace"), options, &error) == PRN_E_CANCELLED && strstr(error.text, "the import was stopped"),
	   "an import of which the filter takes nothing ends when its progress says so: %s", error.text);
	ok(records < 40000, "an import of which the filter takes nothing is not read to its end first: %llu", (unsigned long long)records);
}

static int stop_at_third(void *context, const struct prn_import_counts *progress)
{
	unsigned *asked = context;

	(void)progress;
	return ++*asked == 3;
}

static void stopped_while_waiting(void)
{
	static const char *const pieces[] = { "{\"url\":\"http://a.example/1\",\"time\":7,\"status\":304}\n" };

	for (size_t count = 0; count < 2; count++) {
		const char *sources[] = { in_folder("silent"), NULL };
		pid_t writer = silent_begin(sources[0], pieces, count, 0, true);
		unsigned asked = 0;
		struct prn_import_options options = { .progress = stop_at_third, .progress_context = &asked };
		struct prn_error error = { 0 };
		int code = writer ? import(sources, in_folder("x.trace"), options, &error) : PRN_E_IO;

		ok(silent_end(writer, sources[0]) && code == PRN_E_CANCELLED && counts.sources.captures == count,
		   "an import that waits for a silent pipe ends when its progress says so, behind %zu captures: %s", count, error.text);
	}
}

/* --- parts --- */

/* Finds the page in a trace, and whether it has the spelling, weight and history of the other. */
static bool has_page(const struct prn_trace *trace, const struct prn_page *want)
{
	struct prn_buffer a, b;
	char normal[PRN_URL_BYTES + 1];
	struct prn_page got;
	bool equal;
	size_t i;

	prn_page_init(&got);
	prn_buffer_init(&a);
	prn_buffer_init(&b);
	equal = !prn_url_normalize(want->url, SIZE_MAX, normal, sizeof normal) && !prn_trace_find(trace, normal, &i) &&
	        !prn_trace_page(trace, i, &got, NULL) && !strcmp(got.url, want->url) &&
	        !prn_page_encode(want, PRN_TRACE_VERSION, &a) && !prn_page_encode(&got, PRN_TRACE_VERSION, &b) && a.length == b.length &&
	        !memcmp(a.data, b.data, a.length);
	prn_buffer_release(&a);
	prn_buffer_release(&b);
	prn_page_release(&got);
	return equal;
}

static void add_counts(struct prn_import_counts *sum)
{
	for (int kind = 0; kind < PRN_KINDS; kind++)
		sum->captures[kind] += counts.captures[kind];
	sum->sources.captures += counts.sources.captures;
	sum->duplicates += counts.duplicates;
	sum->revisits += counts.revisits;
	sum->unresolved += counts.unresolved;
	sum->unweighted += counts.unweighted;
	sum->pages += counts.pages;
	sum->stripes += counts.stripes;
}

static bool same_counts(const struct prn_import_counts *a, const struct prn_import_counts *b)
{
	return !memcmp(a->captures, b->captures, sizeof a->captures) && a->duplicates == b->duplicates &&
	       a->sources.captures == b->sources.captures && a->revisits == b->revisits && a->unresolved == b->unresolved &&
	       a->unweighted == b->unweighted && a->pages == b->pages && a->stripes == b->stripes;
}

/* The pages of n parts, each of which is in the whole just so; and the counts of all together. */
static size_t check_parts(const char *const *sources, struct prn_import_options options, const struct prn_trace *whole, uint32_t n,
                          struct prn_import_counts *sum)
{
	size_t equal = 0;

	*sum = (struct prn_import_counts){ 0 };
	for (options.part = (struct prn_part){ 1, n }; options.part.number <= n; options.part.number++) {
		struct prn_trace *trace;
		struct prn_page page;

		if (import(sources, in_folder("part.trace"), options, NULL) || prn_trace_open(&trace, in_folder("part.trace"), NULL))
			return 0;
		prn_page_init(&page);
		for (size_t i = 0; i < prn_trace_pages(trace); i++)
			if (!prn_trace_page(trace, i, &page, NULL) && prn_part_has(&options.part, prn_trace_normal_url(trace, i)))
				equal += has_page(whole, &page);
		prn_page_release(&page);
		prn_trace_free(trace);
		add_counts(sum);
	}
	return equal;
}

static void parts_of(const char *const *sources, struct prn_import_options options, const char *what)
{
	static const uint32_t numbers[] = { 1, 2, 3, 7, 4096 };
	struct prn_import_counts all, sum;
	struct prn_trace *whole;

	if (!ok(!import(sources, in_folder("whole.trace"), options, NULL) && !prn_trace_open(&whole, in_folder("whole.trace"), NULL),
	        "%s are imported as a whole", what))
		return;
	all = counts;
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		size_t pages;

		if (numbers[i] == PRN_SLOTS && all.pages > 20)
			continue;
		/* Of thousands of small imports threads would take most of the time. */
		if (numbers[i] == PRN_SLOTS)
			options.threads = 1;
		pages = check_parts(sources, options, whole, numbers[i], &sum);
		ok(pages == prn_trace_pages(whole) && sum.pages == pages, "%u parts of %s have together the pages of the whole: %zu of %zu",
		   numbers[i], what, pages, prn_trace_pages(whole));
		ok(same_counts(&sum, &all), "what is counted of %u parts of %s adds up to the whole's", numbers[i], what);
	}
	prn_trace_free(whole);
}

static void refer(FILE *out, const char *url, const char *date, const char *to, const char *to_date, const char *digest,
                  const char *http)
{
	char fields[600];

	snprintf(fields, sizeof fields, IDENTICAL "WARC-Refers-To-Target-URI: %s\r\nWARC-Refers-To-Date: %s\r\n%s%s%s", to, to_date,
	         digest ? "WARC-Payload-Digest: sha1:" : "", digest ? digest : "", digest ? "\r\n" : "");
	put(out, "revisit", url, date, fields, http);
}

/* Pages of many hosts that borrow from each other in every way, so that any partition cuts some of them. */
static void write_borrowers(void)
{
	FILE *a = start_warc("lend.warc"), *b = start_warc("borrow.warc");

	for (int i = 0; i < 12; i++) {
		char lender[64], borrower[64], third[64], fourth[64], digest[33], other[33], text[100];

		snprintf(lender, sizeof lender, "http://lend%d.example/", i);
		snprintf(borrower, sizeof borrower, "http://Borrow%d.example:80/", i);
		snprintf(third, sizeof third, "http://third%d.example/", i);
		snprintf(digest, sizeof digest, "%032d", 22000000 + i);
		snprintf(fourth, sizeof fourth, "http://fourth%d.example/", i);
		snprintf(other, sizeof other, "%032d", 33000000 + i);
		snprintf(text, sizeof text, "words of the lender with the number %d are lent", i);
		response(a, lender, "2026-01-01T00:00:00Z", digest, text);
		/* Another content of the same digest, which comes first or not by its bytes: the choice is the same everywhere. */
		response(i % 2 ? b : a, third, "2026-01-01T00:00:00Z", digest, "other words of the same digest");
		status(a, lender, "2026-01-02T00:00:00Z", "404 Not Found");
		put(b, "revisit", borrower, "2026-01-03T00:00:00Z", IDENTICAL, OK_HEAD);
		/* By digest, by a date that leads to content, to a page that is gone, to a revisit, and to nowhere. */
		refer(b, borrower, "2026-01-04T00:00:00Z", "http://nowhere.example/", "2026-01-01T00:00:00Z", digest, OK_HEAD);
		refer(b, borrower, "2026-01-05T00:00:00Z", lender, "2026-01-01T00:00:00Z", NULL, OK_HEAD);
		refer(b, borrower, "2026-01-06T00:00:00Z", lender, "2026-01-02T00:00:00Z", NULL, "");
		refer(a, third, "2026-01-02T00:00:00Z", "http://nowhere.example/", "2026-01-01T00:00:00Z", other, OK_HEAD);
		for (int day = 1; day <= 2; day++)
			response(a, fourth, day > 1 ? "2026-01-02T00:00:00Z" : "2026-01-01T00:00:00Z", other,
			         "words that only a revisit of a revisit leads to");
		refer(b, borrower, "2026-01-09T00:00:00Z", fourth, "2026-01-02T00:00:00Z", NULL, OK_HEAD);
		refer(b, borrower, "2026-01-07T00:00:00Z", third, "2026-01-02T00:00:00Z", NULL, OK_HEAD);
		refer(b, borrower, "2026-01-08T00:00:00Z", lender, "2026-01-09T00:00:00Z", NULL, OK_HEAD);
		response(b, lender, "2026-01-02T00:00:00Z", NULL, "content at the second at which it was gone");
	}
	fclose(a);
	fclose(b);
}

static void parts(void)
{
	const char *sources[] = { NULL, NULL, NULL };
	struct prn_import_options options = { .weights = in_folder("part-weights.tsv"), .threads = 2 };
	FILE *out = start_warc("part-weights.tsv");
	char a[300], b[300], weights[300], fifo[300];
	struct prn_error error = { 0 };

	fputs("http://lend1.example/\t3\nhttp://lend1000.example/\t4\nhttp://borrow3.example/\t5\n", out);
	fclose(out);
	write_borrowers();
	sources[0] = strcpy(a, in_folder("lend.warc"));
	sources[1] = strcpy(b, in_folder("borrow.warc"));
	options.weights = strcpy(weights, options.weights);
	parts_of(sources, options, "borrowers");
	sources[0] = b;
	sources[1] = a;
	parts_of(sources, (struct prn_import_options){ .memory_bytes = 4096 }, "borrowers in little memory and another order");
	prn_time_parse("2026-01-04T00:00:00Z", &options.filter.from);
	options.filter.has_from = true;
	parts_of(sources, options, "borrowers from a later day on");
	strcpy(fifo, in_folder("fifo.warc"));
	ok(!mkfifo(fifo, 0600), "a pipe is made to import from");
	sources[0] = fifo;
	options.part = (struct prn_part){ 1, 2 };
	ok(import(sources, in_folder("x.trace"), options, &error) == PRN_E_UNSUPPORTED, "a part of a pipe is not imported: %s", error.text);
	options.part = (struct prn_part){ 3, 2 };
	ok(import(sources, in_folder("x.trace"), options, &error) == PRN_E_ARGUMENT, "part 3 of 2 is refused: %s", error.text);
}

/* --- traces as sources --- */

/* Whether two imports gave the same pages, each with the same history. */
static void same_pages(const char *got, const char *want, const char *claim)
{
	struct prn_trace *a = NULL, *b = NULL;
	size_t equal = 0, pages = 0;
	struct prn_page page;

	prn_page_init(&page);
	if (!prn_trace_open(&a, in_folder(got), NULL) && !prn_trace_open(&b, in_folder(want), NULL)) {
		pages = prn_trace_pages(b);
		for (size_t i = 0; i < pages; i++)
			equal += !prn_trace_page(b, i, &page, NULL) && has_page(a, &page);
		equal = prn_trace_pages(a) == pages ? equal : 0;
	}
	ok(pages && equal == pages, "%s: %zu of %zu pages are the same", claim, equal, pages);
	prn_page_release(&page);
	prn_trace_free(a);
	prn_trace_free(b);
}

static void import_to(const char *trace, struct prn_import_options options, const char *a, const char *b)
{
	char paths[2][300];
	const char *sources[] = { strcpy(paths[0], in_folder(a)), b ? strcpy(paths[1], in_folder(b)) : NULL, NULL };
	struct prn_error error = { 0 };

	if (!ok(!import(sources, in_folder(trace), options, &error), "%s is imported%s%s", a, b ? " with " : "", b ? b : ""))
		printf("# %s\n", error.text);
}

/* Revisits of pages of other parts find them in a trace, too, by URL and date. */
static void parts_of_traces(void)
{
	const char *sources[] = { NULL, NULL, NULL };
	char a[300], b[300];

	import_to("lend.trace", (struct prn_import_options){ 0 }, "lend.warc", NULL);
	sources[0] = strcpy(a, in_folder("lend.trace"));
	sources[1] = strcpy(b, in_folder("borrow.warc"));
	parts_of(sources, (struct prn_import_options){ .threads = 2 }, "a trace and borrowers");
}

static void traces(void)
{
	const char *const hosts[] = { "lend1.example", "fourth2.example" };
	struct prn_import_options options = { .threads = 2 }, filtered = { .filter = { .hosts = hosts, .host_count = 2 } };

	import_to("whole.trace", options, "lend.warc", "borrow.warc");
	import_to("again.trace", options, "whole.trace", NULL);
	same_pages("again.trace", "whole.trace", "a trace of a trace is that trace");
	for (uint32_t i = 1; i <= 2; i++) {
		options.part = (struct prn_part){ i, 2 };
		import_to(i == 1 ? "p1.trace" : "p2.trace", options, "lend.warc", "borrow.warc");
		import_to(i == 1 ? "q1.trace" : "q2.trace", options, "whole.trace", NULL);
	}
	same_pages("q1.trace", "p1.trace", "a part of a trace is a part of its sources");
	same_pages("q2.trace", "p2.trace", "another part of a trace is another part of its sources");
	options.part = (struct prn_part){ 0 };
	import_to("joined.trace", options, "p2.trace", "p1.trace");
	same_pages("joined.trace", "whole.trace", "traces of all parts are joined to that of the whole");
	import_to("want.trace", filtered, "lend.warc", "borrow.warc");
	import_to("got.trace", filtered, "whole.trace", NULL);
	same_pages("got.trace", "want.trace", "a trace is filtered by host as its sources are");
	filtered.filter = (struct prn_source_filter){ .has_from = true, .has_to = true, .sample = 0.5 };
	prn_time_parse("2026-01-02T00:00:00Z", &filtered.filter.from);
	prn_time_parse("2026-01-06T00:00:00Z", &filtered.filter.to);
	import_to("got.trace", filtered, "whole.trace", NULL);
	filtered.filter.sample = 1;
	import_to("want.trace", filtered, "lend.warc", "borrow.warc");
	options.filter.sample = 0.5;
	import_to("again.trace", options, "want.trace", NULL);
	same_pages("got.trace", "again.trace", "a trace is filtered by time as its sources are, and a sample of it is one of them");
	ok(counts.pages > 3 && counts.pages < 33, "a sample of a half is about that: %d of 36 pages", (int)counts.pages);
}

static void write_page(FILE *out, const char *date, const char *text)
{
	response(out, "http://grow.example/", date, NULL, text);
}

/* What was fetched later joins an old trace, without what it was made of. */
static void append(void)
{
	FILE *old = start_warc("old.warc"), *new = start_warc("new.warc");
	struct prn_trace *trace;

	write_page(old, "2026-01-01T00:00:00Z", "one two three four five six");
	write_page(old, "2026-01-02T00:00:00Z", "one two three four five seven");
	write_page(old, "2026-01-03T00:00:00Z", "one two three four five six");
	status(old, "http://grow.example/", "2026-01-04T00:00:00Z", "304 Not Modified");
	write_page(new, "2026-01-05T00:00:00Z", "one two three four five six");
	write_page(new, "2026-01-06T00:00:00Z", "one two three four five eight");
	write_page(new, "2026-01-07T00:00:00Z", "one two three four five seven");
	refer(new, "http://later.example/", "2026-01-07T00:00:00Z", "http://grow.example/", "2026-01-02T00:00:00Z", NULL, OK_HEAD);
	put(new, "revisit", "http://grow.example/", "2026-01-08T00:00:00Z", IDENTICAL "WARC-Payload-Digest: sha1:" DIGEST_A "\r\n", OK_HEAD);
	fclose(old);
	fclose(new);
	import_to("whole.trace", (struct prn_import_options){ 0 }, "old.warc", "new.warc");
	import_to("old.trace", (struct prn_import_options){ 0 }, "old.warc", NULL);
	import_to("grown.trace", (struct prn_import_options){ 0 }, "old.trace", "new.warc");
	same_pages("grown.trace", "whole.trace", "new captures join an old trace as they would its sources");
	ok(counts.unresolved == 1, "a revisit of an old capture is found by URL and date, and not by digest alone: %d unresolved",
	   (int)counts.unresolved);
	import_to("new.trace", (struct prn_import_options){ 0 }, "new.warc", NULL);
	import_to("grown.trace", (struct prn_import_options){ 0 }, "new.trace", "old.trace");
	if (!prn_trace_open(&trace, in_folder("grown.trace"), NULL)) {
		page_is(trace, "http://grow.example/", "cccscccm", "abaaacbb", "a page that two traces have");
		bodies_are(trace, "http://grow.example/", "abaaacbb", strlen("one two three four five seven"));
		prn_trace_free(trace);
	}
}

static void unfit_traces(void)
{
	const char *sources[] = { NULL, NULL };
	struct prn_error error = { 0 };
	char path[300], older[400];

	sources[0] = strcpy(path, in_folder("old.trace"));
	ok(import(sources, in_folder("x.trace"), (struct prn_import_options){ .shingle_words = 3 }, &error) == PRN_E_UNSUPPORTED,
	   "a trace of other fragments is not taken: %s", error.text);
	snprintf(older, sizeof older, "%s/tests/older/trace1.trace", getenv("SRCDIR") ? getenv("SRCDIR") : ".");
	sources[0] = older;
	ok(!import(sources, in_folder("x.trace"), (struct prn_import_options){ 0 }, &error), "a trace that knows no bodies is taken: %s", error.text);
}

/* trace1.trace was made under fragment rule 1, old.trace and what is read of archives under this program's. */
static void other_rules(void)
{
	char older[400], newer[300], archive[300];
	const char *alone[] = { older, NULL }, *before[] = { older, newer, NULL }, *after[] = { newer, older, NULL },
		   *read[] = { older, archive, NULL };
	struct prn_error error = { 0 };
	struct prn_trace *trace;

	snprintf(older, sizeof older, "%s/tests/older/trace1.trace", getenv("SRCDIR") ? getenv("SRCDIR") : ".");
	strcpy(newer, in_folder("old.trace"));
	strcpy(archive, in_folder("kinds.warc"));
	if (!ok(!import(alone, in_folder("x.trace"), (struct prn_import_options){ 0 }, &error) &&
	                !prn_trace_open(&trace, in_folder("x.trace"), &error),
	        "a trace of an older rule is imported by itself: %s", error.text))
		return;
	ok(prn_trace_about(trace)->fragment_rule == 1, "what is made of traces of an older rule says that it is of that rule");
	prn_trace_free(trace);
	ok(import(before, in_folder("x.trace"), (struct prn_import_options){ 0 }, &error) == PRN_E_UNSUPPORTED,
	   "traces of two rules are not joined: %s", error.text);
	ok(import(after, in_folder("x.trace"), (struct prn_import_options){ 0 }, &error) == PRN_E_UNSUPPORTED && strstr(error.text, older),
	   "the trace of the other rule is named: %s", error.text);
	ok(import(read, in_folder("x.trace"), (struct prn_import_options){ 0 }, &error) == PRN_E_UNSUPPORTED && strstr(error.text, archive),
	   "what is read anew is not joined to a trace of an older rule: %s", error.text);
}

/* After it is finished an importer only tells its counts. */
static void finished(void)
{
	struct prn_importer *importer;
	struct prn_error error = { 0 };
	FILE *out = start_warc("f.warc");

	response(out, "http://a.example/", "2026-01-01T00:00:00Z", NULL, "one two three");
	fclose(out);
	if (prn_importer_open(&importer, &(struct prn_import_options){ 0 }, NULL) || prn_importer_add(importer, in_folder("f.warc"), NULL) ||
	    prn_importer_finish(importer, in_folder("f.trace"), NULL))
		abort();
	ok(prn_importer_finish(importer, in_folder("g.trace"), &error) == PRN_E_ARGUMENT && strstr(error.text, "finished"),
	   "an importer is finished once: %s", error.text);
	ok(prn_importer_add(importer, in_folder("f.warc"), &error) == PRN_E_ARGUMENT && prn_importer_counts(importer)->source_files == 1,
	   "a finished importer takes no source: %s", error.text);
	prn_importer_free(importer);
}

int main(void)
{
	const char *sources[] = { NULL, NULL };
	struct prn_error error;
	char command[300];

	if (!mkdtemp(folder))
		return 1;
	revisits();
	media_types();
	misled();
	before_the_first_date();
	empty_at_first();
	kinds();
	duplicates();
	known_modified();
	weights_at_once();
	weights();
	sources_that_are_none();
	failures();
	any_order();
	chunks_by_threads();
	too_long();
	parts();
	traces();
	parts_of_traces();
	append();
	unfit_traces();
	other_rules();
	finished();
	sources[0] = in_folder("s0.warc");
	ok(import(sources, in_folder("x.trace"), (struct prn_import_options){ .progress = stop }, &error) == PRN_E_CANCELLED,
	   "an import ends when its progress says so: %s", error.text);
	stopped_without_captures();
	stopped_while_waiting();
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	ok(!system(command), "the scratch folder is removed");
	return done();
}
