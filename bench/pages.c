/*
 * Measures how fast given pages become fragments, beside a bare libxml2 parse of the same bytes, and one pass of XXH3 over
 * them, since memory allows no more.  Prints a line for each: its name, a tab, and megabytes per second of processor time.
 *
 * 	bench/pages FILE.html…	bench/peers runs it, with parsers of other languages on the same files
 */
#include "bench/bench.h"

#include "base/buffer.h"
#include "perennial/extractor.h"

#include <libxml/HTMLparser.h>
#include <string.h>
#include <xxhash.h>

#define TYPE "text/html; charset=utf-8"
#define LEAST_S 0.2 /* the least time of a round, which repeats the pages */

struct pages {
	struct prn_buffer *bodies; /* [count] */
	size_t count, bytes;
	struct prn_extractor *extractor;
	size_t times;
	volatile uint64_t sink;
};

static void fail(const char *what)
{
	fprintf(stderr, "bench/pages: %s\n", what);
	exit(1);
}

static void read_page(struct prn_buffer *body, const char *path)
{
	static char bytes[1 << 16];
	FILE *file = fopen(path, "rb");
	size_t got;

	if (!file)
		fail(path);
	while ((got = fread(bytes, 1, sizeof bytes, file)) > 0)
		if (prn_buffer_append(body, bytes, got))
			fail("no memory");
	fclose(file);
}

static void ignore_start(void *context, const xmlChar *name, const xmlChar **attributes)
{
	(void)context, (void)name, (void)attributes;
}

static void ignore_end(void *context, const xmlChar *name)
{
	(void)context, (void)name;
}

static void ignore_text(void *context, const xmlChar *text, int length)
{
	(void)context, (void)text, (void)length;
}

static void parse(struct pages *pages, const struct prn_buffer *body)
{
	static htmlSAXHandler handler = { .startElement = ignore_start, .endElement = ignore_end, .characters = ignore_text,
		                          .cdataBlock = ignore_text };
	htmlParserCtxtPtr parser = htmlCreateMemoryParserCtxt((const char *)body->data, (int)body->length);

	(void)pages;
	if (!parser)
		fail("no parser");
	*parser->sax = handler;
	htmlCtxtUseOptions(parser, HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
	htmlParseDocument(parser);
	htmlFreeParserCtxt(parser);
}

static void summarise(struct pages *pages, const struct prn_buffer *body)
{
	struct prn_summary summary;

	if (prn_extractor_summary(pages->extractor, body->data, body->length, TYPE, &summary))
		fail("no memory");
	pages->sink += summary.count;
}

static void hash(struct pages *pages, const struct prn_buffer *body)
{
	pages->sink += XXH3_64bits(body->data, body->length);
}

typedef void read_fn(struct pages *pages, const struct prn_buffer *body);

struct reading {
	struct pages *pages;
	read_fn *read;
};

static void read_all(void *context)
{
	const struct reading *reading = context;

	for (size_t n = 0; n < reading->pages->times; n++)
		for (size_t i = 0; i < reading->pages->count; i++)
			reading->read(reading->pages, &reading->pages->bodies[i]);
}

static void measure(struct pages *pages, const char *name, read_fn *read)
{
	struct reading reading = { pages, read };

	pages->times = 1;
	while (bench_seconds(BENCH_CPU, read_all, &reading) < LEAST_S)
		pages->times *= 2;
	printf("%s\t%.0f\n", name, 1e-6 * (double)(pages->times * pages->bytes) / bench_time(BENCH_CPU, read_all, &reading));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct pages pages = { .count = (size_t)argc - 1 };

	if (argc < 2)
		fail("name files of HTML");
	pages.bodies = calloc(pages.count, sizeof *pages.bodies);
	if (!pages.bodies || prn_extractor_open(&pages.extractor, 0, 256))
		fail("no memory");
	for (size_t i = 0; i < pages.count; i++) {
		read_page(&pages.bodies[i], argv[1 + i]);
		pages.bytes += pages.bodies[i].length;
	}
	xmlInitParser();
	measure(&pages, "perennial: HTML to words, shingles and a summary", summarise);
	measure(&pages, "libxml2: HTML to callbacks that do nothing", parse);
	measure(&pages, "XXH3: one pass over the bytes", hash);
	for (size_t i = 0; i < pages.count; i++)
		prn_buffer_release(&pages.bodies[i]);
	free(pages.bodies);
	prn_extractor_free(pages.extractor);
	return 0;
}
