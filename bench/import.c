/*
 * Measures an import against the least that reading a WARC file can cost: inflating it and parsing its HTML with callbacks
 * that do nothing, by zlib and libxml2 and by the library's own readers.  And memory: four times the pages must not take
 * more.
 */
#include "bench.h"

#include "archive/gzip_whole.h"
#include "fragment/html.h"

#include "perennial/import.h"
#include "perennial/synth.h"

#include <libxml/HTMLparser.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

/*
 * A page has about 150 kB, like front pages of news, and is new at most captures.  There are so many that what every import
 * needs once, such as the disk's answer to an fsync, is small beside them.
 */
#define PAGES 80
#define CAPTURES 12

#define LITTLE ((size_t)4 << 20) /* memory_bytes of an import whose peak is measured, so that it has to spill */

struct task {
	char warc[256], trace[256];
	size_t threads, memory; /* 0: the default */
};

static void fail(const char *what)
{
	fprintf(stderr, "bench/import: %s\n", what);
	exit(1);
}

static void make_warc(const char *path, size_t pages)
{
	struct prn_synth_options options;
	struct prn_synth *synth;
	struct prn_error error;

	prn_synth_defaults(&options);
	options.pages = pages;
	options.captures = CAPTURES;
	options.fragments = 4000;
	options.static_share = 0.5;
	options.items = 32;
	options.rate_per_day = 2;
	if (prn_synth_open(&synth, &options, &error) || prn_synth_warc(synth, path, &error))
		fail(error.text);
	prn_synth_free(synth);
}

/* --- the base: inflate and parse --- */

static void ignore_start(void *context, const xmlChar *name, const xmlChar **attributes)
{
	(void)context;
	(void)name;
	(void)attributes;
}

static void ignore_end(void *context, const xmlChar *name)
{
	(void)context;
	(void)name;
}

static void ignore_text(void *context, const xmlChar *text, int length)
{
	(void)context;
	(void)text;
	(void)length;
}

static void parse(const char *html, size_t length)
{
	static htmlSAXHandler handler = { .startElement = ignore_start, .endElement = ignore_end, .characters = ignore_text,
		                          .cdataBlock = ignore_text };
	htmlParserCtxtPtr parser = htmlCreateMemoryParserCtxt(html, (int)length);

	if (!parser)
		fail("no parser");
	*parser->sax = handler;
	htmlCtxtUseOptions(parser, HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
	htmlParseDocument(parser);
	htmlFreeParserCtxt(parser);
}

/* Parses the HTML of a record, if it is a response: it follows the header of the record and that of HTTP. */
static void parse_record(char *record, size_t length)
{
	char *body = strstr(record, "\r\n\r\n");

	if (!strstr(record, "WARC-Type: response") || !body)
		return;
	body = strstr(body + 4, "\r\n\r\n");
	if (body)
		parse(body + 4, length - (size_t)(body + 4 - record));
}

static void inflate_and_parse(void *context)
{
	struct task *task = context;
	FILE *file = fopen(task->warc, "rb");
	static unsigned char in[1 << 16];
	size_t capacity = 4 << 20;
	char *record = malloc(capacity + 1);
	z_stream zlib = { 0 };

	if (!file || !record || inflateInit2(&zlib, 15 + 16) != Z_OK)
		fail("cannot inflate");
	zlib.next_out = (Bytef *)record;
	zlib.avail_out = (uInt)capacity;
	while ((zlib.avail_in = (uInt)fread(in, 1, sizeof in, file)) > 0) {
		zlib.next_in = in;
		while (zlib.avail_in) {
			int got = inflate(&zlib, Z_NO_FLUSH);

			if (got != Z_OK && got != Z_STREAM_END)
				fail("cannot inflate");
			if (got != Z_STREAM_END)
				continue;
			record[capacity - zlib.avail_out] = 0;
			parse_record(record, capacity - zlib.avail_out);
			inflateReset(&zlib);
			zlib.next_out = (Bytef *)record;
			zlib.avail_out = (uInt)capacity;
		}
	}
	inflateEnd(&zlib);
	free(record);
	fclose(file);
}

/* --- the same with the library's own readers: members inflated whole, and HTML's tokens as text --- */

static void read_file(const char *path, struct prn_buffer *out)
{
	FILE *file = fopen(path, "rb");
	static unsigned char part[1 << 16];
	size_t got;

	if (!file)
		fail("cannot read the file");
	while ((got = fread(part, 1, sizeof part, file)) > 0)
		if (prn_buffer_append(out, part, got))
			fail("no memory");
	fclose(file);
}

static void tokenise_record(struct prn_buffer *record, struct prn_buffer *text)
{
	char *start = (char *)record->data, *body = strstr(start, "\r\n\r\n");

	prn_buffer_clear(text);
	body = body && strstr(start, "WARC-Type: response") ? strstr(body + 4, "\r\n\r\n") : NULL;
	if (body && prn_html_text((unsigned char *)body + 4, record->length - (size_t)(body + 4 - start), false, text, NULL))
		fail("no memory");
}

static void inflate_and_tokenise(void *context)
{
	struct task *task = context;
	void *unpacker = prn_gzip_ahead->open();
	struct prn_buffer file = { 0 }, record = { 0 }, text = { 0 };
	size_t packed;

	read_file(task->warc, &file);
	if (!unpacker || prn_buffer_reserve(&record, PRN_AHEAD_BYTES + 1))
		fail("no memory");
	for (size_t at = 0; at < file.length; at += packed) {
		if (!prn_gzip_ahead->unpack(unpacker, file.data + at, file.length - at, record.data, PRN_AHEAD_BYTES, &packed, &record.length))
			fail("cannot inflate");
		record.data[record.length] = 0;
		tokenise_record(&record, &text);
	}
	prn_gzip_ahead->free(unpacker);
	prn_buffer_release(&file);
	prn_buffer_release(&record);
	prn_buffer_release(&text);
}

/* --- import --- */

static void import(void *context)
{
	struct task *task = context;
	struct prn_import_options options = { .threads = task->threads, .memory_bytes = task->memory };
	struct prn_importer *importer;
	struct prn_error error;

	if (prn_importer_open(&importer, &options, &error) || prn_importer_add(importer, task->warc, &error) ||
	    prn_importer_finish(importer, task->trace, &error))
		fail(error.text);
	prn_importer_free(importer);
}

/* The time of one thread divided by that of two, which are timed in turn. */
static double gain_of_threads(struct task *task)
{
	double ratios[BENCH_ROUNDS];

	for (size_t i = 0; i < BENCH_ROUNDS; i++) {
		task->threads = 1;
		ratios[i] = bench_seconds(BENCH_WALL, import, task);
		task->threads = 2;
		ratios[i] /= bench_seconds(BENCH_WALL, import, task);
	}
	return bench_median(ratios, BENCH_ROUNDS);
}

/* Returns the peak memory of an import with little memory in a process of its own, in bytes. */
static double peak_memory(struct task *task)
{
	struct rusage usage;
	pid_t child = fork();
	int status;

	if (child < 0)
		fail("cannot fork");
	if (!child) {
		task->threads = 2;
		task->memory = LITTLE;
		import(task);
		_exit(0);
	}
	if (wait4(child, &status, 0, &usage) != child || status)
		fail("import failed");
	return 1024.0 * (double)usage.ru_maxrss;
}

/* To be called before this process has grown: the peak of a child begins at what its parent has when it forks. */
static double growth_of_memory(struct task *task)
{
	double memory, larger;

	make_warc(task->warc, 4 * PAGES);
	larger = peak_memory(task);
	make_warc(task->warc, PAGES);
	memory = peak_memory(task);
	return larger / memory;
}

/* bench/import FILE.warc.gz measures the ratios on your own file of HTML pages. */
int main(int argc, char **argv)
{
	struct task task = { .threads = 1 };
	double ratio, growth = 0;
	char folder[] = "/tmp/perennial-bench-XXXXXX";

	if (!mkdtemp(folder))
		fail("cannot make a folder");
	snprintf(task.warc, sizeof task.warc, "%s/x.warc.gz", folder);
	snprintf(task.trace, sizeof task.trace, "%s/x.trace", folder);
	if (argc > 1)
		snprintf(task.warc, sizeof task.warc, "%s", argv[1]);
	else
		growth = growth_of_memory(&task);
	xmlInitParser();
	ratio = 1 / bench_ratio(import, inflate_and_parse, &task);
	bench_row("import, one thread", ">= 0.8 x (inflate + parse)", ratio, "x", ratio >= 0.8);
	if (prn_gzip_ahead) {
		ratio = 1 / bench_ratio(import, inflate_and_tokenise, &task);
		bench_row("import, one thread", ">= 0.9 x (inflate + text)", ratio, "x", ratio >= 0.9);
	}
	ratio = gain_of_threads(&task);
	bench_row("import, two threads against one", ">= 1.8 x", ratio, "x", ratio >= 1.8);
	if (argc == 1) {
		bench_row("import, peak memory at 4 x the pages", "<= 1.1 x", growth, "x", growth <= 1.1);
		unlink(task.warc);
	}
	unlink(task.trace);
	rmdir(folder);
	return 0;
}
