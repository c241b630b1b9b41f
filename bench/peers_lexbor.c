/*
 * The program that bench/peers runs for lexbor, if its headers and library are found: how fast its tokenizer, and its tree
 * with the text of that, read files of HTML.  Prints a line for each: its name, a tab, and megabytes per second of processor
 * time.
 *
 * 	cc -O2 -I. bench/peers_lexbor.c -llexbor -lm
 */
#include "bench/bench.h"

#include <lexbor/html/html.h>

#define LEAST_S 0.2 /* the least time of a round; the pages are repeated until it is over */

struct page {
	unsigned char *bytes;
	size_t length;
};

struct pages {
	struct page *pages; /* [count] */
	size_t count, bytes, times;
	volatile size_t sink;
};

static void fail(const char *what)
{
	fprintf(stderr, "bench/peers_lexbor: %s\n", what);
	exit(1);
}

static void read_page(struct page *page, const char *path)
{
	FILE *file = fopen(path, "rb");
	long length;

	if (!file || fseek(file, 0, SEEK_END) || (length = ftell(file)) < 0)
		fail(path);
	rewind(file);
	page->bytes = malloc((size_t)length + 1);
	if (!page->bytes || fread(page->bytes, 1, (size_t)length, file) != (size_t)length)
		fail(path);
	page->length = (size_t)length;
	fclose(file);
}

static lxb_html_token_t *count_token(lxb_html_tokenizer_t *tokenizer, lxb_html_token_t *token, void *context)
{
	struct pages *pages = context;

	(void)tokenizer;
	pages->sink++;
	return token;
}

static void tokenize(void *context)
{
	struct pages *pages = context;

	for (size_t i = 0; i < pages->times * pages->count; i++) {
		const struct page *page = &pages->pages[i % pages->count];
		lxb_html_tokenizer_t *tokenizer = lxb_html_tokenizer_create();

		if (lxb_html_tokenizer_init(tokenizer))
			fail("no tokenizer");
		lxb_html_tokenizer_callback_token_done_set(tokenizer, count_token, pages);
		if (lxb_html_tokenizer_begin(tokenizer) || lxb_html_tokenizer_chunk(tokenizer, page->bytes, page->length) ||
		    lxb_html_tokenizer_end(tokenizer))
			fail("the tokenizer failed");
		lxb_html_tokenizer_destroy(tokenizer);
	}
}

/* One document is used again and again, with its memory. */
static void read_tree(void *context)
{
	struct pages *pages = context;
	lxb_html_document_t *document = lxb_html_document_create();

	if (!document)
		fail("no document");
	for (size_t i = 0; i < pages->times * pages->count; i++) {
		const struct page *page = &pages->pages[i % pages->count];
		size_t length = 0;

		if (lxb_html_document_parse(document, page->bytes, page->length))
			fail("the parser failed");
		if (lxb_dom_node_text_content(lxb_dom_interface_node(lxb_html_document_body_element(document)), &length))
			pages->sink += length;
		lxb_html_document_clean(document);
	}
	lxb_html_document_destroy(document);
}

static void measure(struct pages *pages, const char *name, bench_fn *read)
{
	pages->times = 1;
	while (bench_seconds(BENCH_CPU, read, pages) < LEAST_S)
		pages->times *= 2;
	printf("%s\t%.0f\n", name, 1e-6 * (double)(pages->times * pages->bytes) / bench_time(BENCH_CPU, read, pages));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct pages pages = { .count = (size_t)argc - 1 };

	if (argc < 2)
		fail("name files of HTML");
	pages.pages = calloc(pages.count, sizeof *pages.pages);
	if (!pages.pages)
		fail("no memory");
	for (size_t i = 0; i < pages.count; i++) {
		read_page(&pages.pages[i], argv[1 + i]);
		pages.bytes += pages.pages[i].length;
	}
	measure(&pages, "lexbor: HTML to tokens", tokenize);
	measure(&pages, "lexbor: HTML to a tree and its text", read_tree);
	for (size_t i = 0; i < pages.count; i++)
		free(pages.pages[i].bytes);
	free(pages.pages);
	return 0;
}
