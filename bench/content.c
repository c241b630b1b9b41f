/*
 * Measures making summaries from bytes, against a bare libxml2 parse of the same bytes with callbacks that do nothing, and
 * the divergence of two summaries.  The pages are made here, with the proportions of text, tags, attributes and scripts of
 * real ones; $PRN_BENCH_HTML may name a real one.
 */
#include "bench.h"
#include "base/buffer.h"
#include "base/random.h"
#include "base/sort.h"
#include "perennial/digest.h"
#include "perennial/extractor.h"

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
#include <stdarg.h>
#include <string.h>
#include <xxhash.h>

#define TYPE "text/html; charset=utf-8"

struct job {
	const char *page;
	size_t length;
	struct prn_extractor *few, *all;
	int times; /* pages in a round, which takes a few milliseconds */
	volatile uint64_t sink;
};

static void start_nothing(void *context, const xmlChar *name, const xmlChar **attributes)
{
	(void)context, (void)name, (void)attributes;
}

static void end_nothing(void *context, const xmlChar *name)
{
	(void)context, (void)name;
}

static void no_characters(void *context, const xmlChar *bytes, int length)
{
	(void)context, (void)bytes, (void)length;
}

static void bare_parse(void *context)
{
	static const htmlSAXHandler callbacks = {
		.startElement = start_nothing,
		.endElement = end_nothing,
		.characters = no_characters,
		.ignorableWhitespace = no_characters,
		.cdataBlock = no_characters,
	};
	struct job *job = context;

	for (int i = 0; i < job->times; i++) {
		htmlParserCtxtPtr parser = htmlCreateMemoryParserCtxt(job->page, (int)job->length);

		*parser->sax = callbacks;
		htmlCtxtUseOptions(parser, HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_IGNORE_ENC);
		parser->charset = XML_CHAR_ENCODING_UTF8;
		htmlParseDocument(parser);
		htmlFreeParserCtxt(parser);
	}
}

static void summarise(struct job *job, struct prn_extractor *extractor)
{
	for (int i = 0; i < job->times; i++) {
		struct prn_summary summary;

		if (prn_extractor_summary(extractor, job->page, job->length, TYPE, &summary))
			abort();
		job->sink += summary.count;
	}
}

static void summarise_few(void *context)
{
	struct job *job = context;

	summarise(job, job->few);
}

static void summarise_all(void *context)
{
	struct job *job = context;

	summarise(job, job->all);
}

static void digest(void *context)
{
	struct job *job = context;

	for (int i = 0; i < job->times; i++)
		job->sink += prn_digest_bytes(job->page, job->length).low;
}

/* One pass over the bytes: memory allows no more. */
static void pass(void *context)
{
	struct job *job = context;

	for (int i = 0; i < job->times; i++)
		job->sink += XXH3_64bits(job->page, job->length);
}

static void ratio_row(const char *page, const char *figure, bench_fn *run, double goal, struct job *job)
{
	double ratio = bench_ratio(run, bare_parse, job);
	char name[100], aim[40];

	snprintf(name, sizeof name, "content: %s, %s", page, figure);
	snprintf(aim, sizeof aim, "<= %.2f x bare parse", goal);
	bench_row(name, aim, ratio, "x", ratio <= goal);
}

static void page_rows(const char *name, const char *page, size_t length)
{
	struct job job = { .page = page, .length = length, .times = 1 + (int)(1000000 / (length + 1)) };
	char floor[100];

	if (prn_extractor_open(&job.few, 0, 256) || prn_extractor_open(&job.all, 0, PRN_SUMMARY_ALL))
		abort();
	ratio_row(name, "m = 256", summarise_few, 0.40, &job);
	snprintf(floor, sizeof floor, "content: %s, of the floor, one XXH3 pass", name);
	bench_row(floor, "-", 1 / bench_ratio(summarise_few, pass, &job), "x", 1);
	ratio_row(name, "all fragments", summarise_all, 0.45, &job);
	ratio_row(name, "the same bytes again", digest, 0.02, &job);
	prn_extractor_free(job.few);
	prn_extractor_free(job.all);
}

/* Writes a page of made-up words, of which the first are the most frequent; one letter in fifty is not ASCII. */
struct writer {
	struct prn_buffer page;
	struct prn_random random;
};

static __attribute__((format(printf, 2, 3))) void put(struct writer *writer, const char *format, ...)
{
	char text[2000];
	va_list list;
	int length;

	va_start(list, format);
	length = vsnprintf(text, sizeof text, format, list);
	va_end(list);
	if (prn_buffer_append(&writer->page, text, (size_t)length))
		abort();
}

static void put_word(struct writer *writer)
{
	double unit = prn_random_unit(&writer->random);
	struct prn_random word;
	size_t length;

	prn_random_seed(&word, (uint64_t)(4000 * unit * unit * unit), 1);
	length = 2 + prn_random_below(&word, 5) + prn_random_below(&word, 6);
	for (size_t i = 0; i < length; i++)
		if (prn_random_below(&word, 50))
			put(writer, "%c", (int)('a' + prn_random_below(&word, 26)));
		else
			put(writer, "ü");
	put(writer, "%s", prn_random_below(&writer->random, 12) ? " " : ", ");
}

static void put_words(struct writer *writer, size_t count)
{
	while (count--)
		put_word(writer);
}

static void put_script(struct writer *writer, size_t lines)
{
	put(writer, "<script>\n");
	for (size_t i = 0; i < lines; i++)
		put(writer, "window.dataLayer.push({\"id\":\"%016llx\",\"slot\":%zu,\"sizes\":[[300,250],[728,90]]});\n",
		    (unsigned long long)prn_random_bits(&writer->random), i);
	put(writer, "</script>\n");
}

/* A teaser of a front page: ten tags, long attributes, some twenty words. */
static void put_teaser(struct writer *writer, size_t i)
{
	unsigned long long id = prn_random_bits(&writer->random);

	put(writer, "      <article class=\"teaser teaser--standard teaser__item-%zu\" data-id=\"%016llx\">\n", i, id);
	put(writer, "        <a class=\"teaser__link\" href=\"https://news.example/politik/artikel-%llu.html\" title=\"mehr\">\n", id);
	put(writer, "          <picture><source media=\"(min-width: 900px)\" srcset=\"https://img.example/%016llx/640.webp 1x, "
	            "https://img.example/%016llx/1280.webp 2x\"><img loading=\"lazy\" alt=\"\" src=\"https://img.example/%016llx/320.jpg\" "
	            "width=\"320\" height=\"180\"></picture>\n", id, id, id);
	put(writer, "          <h3 class=\"teaser__headline\"><span class=\"teaser__kicker\">");
	put_words(writer, 2);
	put(writer, "</span> ");
	put_words(writer, 6);
	put(writer, "</h3>\n          <p class=\"teaser__text\">");
	put_words(writer, 14);
	put(writer, "</p>\n        </a>\n        <div class=\"teaser__meta\"><time datetime=\"2026-05-10T00:00:00Z\">vor %zu Min</time></div>\n      </article>\n", i);
	if (i % 6 == 0)
		put_script(writer, 5);
}

static void make_news(struct writer *writer)
{
	put(writer, "<!DOCTYPE html>\n<html lang=\"de\">\n<head><meta charset=\"utf-8\"><title>");
	put_words(writer, 6);
	put(writer, "</title>\n<link rel=\"stylesheet\" href=\"/a.css\">\n<style>.teaser{margin:0 auto;padding:1em}</style>\n");
	put_script(writer, 250);
	put(writer, "</head>\n<body>\n<nav><ul>\n");
	for (int i = 0; i < 60; i++) {
		put(writer, "<li class=\"nav__item\"><a class=\"nav__link\" href=\"/ressort/%d\">", i);
		put_words(writer, 1);
		put(writer, "</a></li>\n");
	}
	put(writer, "</ul></nav>\n<main>\n");
	for (size_t i = 0; i < 150; i++)
		put_teaser(writer, i);
	put(writer, "</main>\n</body>\n</html>\n");
}

/* A newsletter: paragraphs with a link in each line, hardly any attributes. */
static void make_letter(struct writer *writer)
{
	put(writer, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>Letter</title></head>\n<body>\n");
	for (int i = 0; i < 250; i++) {
		put(writer, "<li><a href=\"https://blog.example/2026/05/10/%016llx\">",
		    (unsigned long long)prn_random_bits(&writer->random));
		put_words(writer, 7);
		put(writer, "</a></li>\n<p>");
		put_words(writer, 12);
		put(writer, "<code>");
		put_words(writer, 1);
		put(writer, "</code></p>\n");
	}
	put(writer, "</body></html>\n");
}

static void made_up(const char *name, void (*make)(struct writer *writer))
{
	struct writer writer;

	prn_buffer_init(&writer.page);
	prn_random_seed(&writer.random, 1, 0);
	make(&writer);
	page_rows(name, (const char *)writer.page.data, writer.page.length);
	prn_buffer_release(&writer.page);
}

static void real(const char *path)
{
	struct prn_buffer page;
	FILE *file = fopen(path, "rb");
	char part[65536];
	size_t got;

	if (!file) {
		perror(path);
		return;
	}
	prn_buffer_init(&page);
	while ((got = fread(part, 1, sizeof part, file)) > 0)
		if (prn_buffer_append(&page, part, got))
			abort();
	fclose(file);
	page_rows("PRN_BENCH_HTML", (const char *)page.data, page.length);
	prn_buffer_release(&page);
}

#define FRAGMENTS 6000
#define PAIRS 16 /* different pairs, because the branch predictor would learn a single one by heart */

struct pairs {
	uint64_t a[PAIRS][FRAGMENTS], b[PAIRS][FRAGMENTS];
	size_t count, limit;
	int times;
	volatile double sink;
};

static void compare_pairs(void *context)
{
	struct pairs *pairs = context;
	bool complete = pairs->limit == PRN_SUMMARY_ALL;

	for (int i = 0; i < pairs->times; i++) {
		struct prn_summary a = { pairs->a[i % PAIRS], pairs->count, pairs->limit, complete },
		                   b = { pairs->b[i % PAIRS], pairs->count, pairs->limit, complete };

		pairs->sink += prn_summary_divergence(&a, &b);
	}
}

static void divergence_row(size_t count, size_t limit, double changed, double goal_us)
{
	static struct pairs pairs;
	static uint64_t scratch[FRAGMENTS];
	struct prn_random random;
	char name[100], aim[40];
	double us;

	prn_random_seed(&random, 2, count);
	for (size_t pair = 0; pair < PAIRS; pair++) {
		for (size_t i = 0; i < count; i++) {
			pairs.a[pair][i] = pairs.b[pair][i] = prn_random_bits(&random);
			if (prn_random_unit(&random) < changed)
				pairs.b[pair][i] = prn_random_bits(&random);
		}
		prn_sort_hashes(pairs.a[pair], scratch, count);
		prn_sort_hashes(pairs.b[pair], scratch, count);
	}
	pairs.count = count;
	pairs.limit = limit;
	pairs.times = (int)(6000000 / count);
	us = 1e6 * bench_time(BENCH_CPU, compare_pairs, &pairs) / pairs.times;
	snprintf(name, sizeof name, "divergence: %zu fragments, %.0f %% changed", count, 100 * changed);
	snprintf(aim, sizeof aim, "<= %g us", goal_us);
	bench_row(name, aim, us, "us", us <= goal_us);
}

int main(void)
{
	const char *path = getenv("PRN_BENCH_HTML");

	xmlInitParser();
	made_up("news page", make_news);
	made_up("newsletter", make_letter);
	if (path)
		real(path);
	divergence_row(64, 64, 0.1, 0.3);
	divergence_row(64, 64, 1, 0.3);
	divergence_row(FRAGMENTS, PRN_SUMMARY_ALL, 0.1, 18);
	divergence_row(FRAGMENTS, PRN_SUMMARY_ALL, 1, 18);
	return 0;
}
