#include "cli/extremes.h"
#include "base/buffer.h"
#include "perennial/url.h"
#include "term/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fewer changes than this say little about a page. */
#define CHANGES_MIN 5

static double changes(const struct prn_study_result *page)
{
	return page->change_frequency;
}

static double returns(const struct prn_study_result *page)
{
	return (double)page->returns;
}

static double churn(const struct prn_study_result *page)
{
	return page->changes >= CHANGES_MIN ? page->shares.churn : 0;
}

static double scroll(const struct prn_study_result *page)
{
	return page->changes >= CHANGES_MIN ? page->shares.scroll : 0;
}

static double lasting(const struct prn_study_result *page)
{
	return page->changes >= CHANGES_MIN ? page->shares.constant : 0;
}

static double k(const struct prn_study_result *page)
{
	return page->dominant_k > 1 ? page->dominant_k : 0;
}

static const struct {
	const char *text;
	double (*value)(const struct prn_study_result *page);
} traits[CLI_EXTREME_TRAITS] = {
	{ "change most often (share of captures)", changes },
	{ "go back to earlier versions (times)", returns },
	{ "are most of all churn (share of content)", churn },
	{ "are most of all scroll (share of content)", scroll },
	{ "change, but hardly in content (static share)", lasting },
	{ "scroll the longest (K)", k },
};

/* Inserts a page behind those that have as much of the trait. */
static int insert(struct cli_extreme *pages, double value, size_t corpus, const char *url)
{
	size_t at = CLI_EXTREME_PAGES;
	char *copy;

	while (at && (!pages[at - 1].url || pages[at - 1].value < value))
		at--;
	if (at == CLI_EXTREME_PAGES)
		return 0;
	copy = strdup(url);
	if (!copy)
		return PRN_E_MEMORY;
	free(pages[CLI_EXTREME_PAGES - 1].url);
	memmove(&pages[at + 1], &pages[at], (CLI_EXTREME_PAGES - 1 - at) * sizeof *pages);
	pages[at] = (struct cli_extreme){ value, corpus, copy };
	return 0;
}

int cli_extremes_add(struct cli_extremes *extremes, size_t corpus, const char *url, const struct prn_study_result *result,
                     struct prn_error *error)
{
	for (size_t i = 0; i < CLI_EXTREME_TRAITS; i++) {
		double value = traits[i].value(result);

		if (value > 0 && insert(extremes->pages[i], value, corpus, url))
			return prn_error_memory(error);
	}
	return 0;
}

int cli_extremes_write(const struct cli_extremes *extremes, struct prn_buffer *out)
{
	int failed = 0;

	for (size_t i = 0; i < CLI_EXTREME_TRAITS; i++)
		for (size_t j = 0; j < CLI_EXTREME_PAGES && extremes->pages[i][j].url && !failed; j++) {
			const struct cli_extreme *page = &extremes->pages[i][j];
			uint64_t bits;

			memcpy(&bits, &page->value, sizeof bits);
			failed = prn_buffer_append_varint(out, i) || prn_buffer_append_u64(out, bits) ||
			         prn_buffer_append_varint(out, page->corpus) || prn_buffer_append(out, page->url, strlen(page->url) + 1);
		}
	return failed ? PRN_E_MEMORY : 0;
}

/* A page of one part as it was written, whose bytes url points into. */
struct written {
	uint64_t trait, corpus;
	double value;
	const char *url;
	char *normal; /* owned */
};

/* Orders pages by corpus, then by normal form. */
static int page_order(const void *a, const void *b)
{
	const struct written *x = a, *y = b;

	if (x->corpus != y->corpus)
		return x->corpus < y->corpus ? -1 : 1;
	return strcmp(x->normal, y->normal);
}

static int read_one(struct prn_cursor *in, struct written *out)
{
	char normal[PRN_URL_BYTES + 1];
	uint64_t bits;
	size_t room;

	if (prn_cursor_varint(in, &out->trait) || out->trait >= CLI_EXTREME_TRAITS || prn_cursor_u64(in, &bits) ||
	    prn_cursor_varint(in, &out->corpus))
		return PRN_E_INPUT;
	memcpy(&out->value, &bits, sizeof bits);
	room = in->length - in->at;
	out->url = (const char *)in->data + in->at;
	if (!memchr(out->url, 0, room) || !(out->value > 0) || prn_url_normalize(out->url, SIZE_MAX, normal, sizeof normal))
		return PRN_E_INPUT;
	in->at += strlen(out->url) + 1;
	out->normal = strdup(normal);
	return out->normal ? 0 : PRN_E_MEMORY;
}

int cli_extremes_join(struct cli_extremes *extremes, const struct prn_partial *const *partials, size_t count,
                      struct prn_error *error)
{
	const size_t most = CLI_EXTREME_TRAITS * CLI_EXTREME_PAGES;
	struct written *pages = calloc(count + 1, most * sizeof *pages);
	size_t n = 0;
	int code = pages ? 0 : PRN_E_MEMORY;

	for (size_t i = 0; i < count && !code; i++) {
		const struct prn_partial_about *about = prn_partial_about(partials[i]);
		struct prn_cursor in = { about->extra, about->extra_bytes, 0 };

		for (size_t own = 0; in.at < in.length && !code; own++)
			code = own < most ? read_one(&in, &pages[n]) : PRN_E_INPUT, n += !code;
	}
	if (!code)
		qsort(pages, n, sizeof *pages, page_order);
	for (size_t i = 0; i < n && !code; i++)
		code = insert(extremes->pages[pages[i].trait], pages[i].value, (size_t)pages[i].corpus, pages[i].url);
	for (size_t i = 0; i < n; i++)
		free(pages[i].normal);
	free(pages);
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	return code ? prn_error_set(error, code, "a partial result tells pages at the extremes in a way that is not known") : 0;
}

int cli_extremes_print(const struct cli_extremes *extremes, const char *note, struct prn_error *error)
{
	static const struct term_column columns[] = {
		{ "pages that", TERM_COLUMN_TEXT, 0 },
		{ "how much", TERM_COLUMN_NUMBER, 3 },
		{ "url", TERM_COLUMN_URL, 0 },
		{ NULL, TERM_COLUMN_TEXT, 0 },
	};
	struct term_table *table = term_table_open(TERM_FORMAT_TABLE, columns);

	for (size_t i = 0; i < CLI_EXTREME_TRAITS; i++)
		for (size_t j = 0; j < CLI_EXTREME_PAGES && extremes->pages[i][j].url; j++) {
			term_table_text(table, j ? "" : traits[i].text);
			term_table_number(table, extremes->pages[i][j].value);
			term_table_text(table, extremes->pages[i][j].url);
		}
	return term_table_close(table, note, error);
}

void cli_extremes_release(struct cli_extremes *extremes)
{
	for (size_t i = 0; i < CLI_EXTREME_TRAITS; i++)
		for (size_t j = 0; j < CLI_EXTREME_PAGES; j++)
			free(extremes->pages[i][j].url);
	*extremes = (struct cli_extremes){ 0 };
}
