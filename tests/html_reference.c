/*
 * The text of HTML against libxml2's parser, on pages that it reads as the standard does.
 */
#include "base/random.h"
#include "fragment/html.h"
#include "flat.h"
#include "html_libxml2.h"
#include "tap.h"

#define PAGES 20000

int main(void)
{
	struct prn_random random;
	size_t same = 0, words = 0;

	xmlInitParser();
	prn_random_seed(&random, 9, 0);
	for (int page = 0; page < PAGES; page++) {
		struct prn_buffer html = { 0 }, ours = { 0 }, theirs = { 0 };
		uint8_t data[200];
		size_t size = prn_random_below(&random, sizeof data);
		char *got, *want;

		for (size_t i = 0; i < size; i++)
			data[i] = (uint8_t)prn_random_below(&random, 256);
		page_make(data, size, &html);
		if (prn_html_text(html.data, html.length, false, &ours, NULL))
			abort();
		reference_text(html.data, html.length, &theirs);
		got = flat_take(&ours);
		want = flat_take(&theirs);
		words += strlen(got);
		if (!strcmp(got, want))
			same++;
		else if (same == (size_t)page)
			printf("# %.*s\n# got  %s\n# want %s\n", (int)html.length, (char *)html.data, got, want);
		prn_buffer_release(&html);
		free(got);
		free(want);
	}
	ok(same == PAGES, "the text of %zu of %d pages is what libxml2 reads", same, PAGES);
	ok(words > 100 * PAGES, "pages have text: %zu bytes", words);
	return done();
}
