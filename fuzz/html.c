/*
 * Reads HTML from any bytes; and a page made of the same bytes, using only what libxml2 reads as the standard does, whose
 * text must be that of libxml2.
 */
#include "summary.h"

#include "../tests/flat.h"
#include "../tests/html_libxml2.h"
#include "fragment/html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prn_buffer html = { 0 }, ours = { 0 }, theirs = { 0 };
	struct prn_references references = { 0 };
	char *got, *want;

	check_summaries(data, size, "text/html");
	page_make(data, size, &html);
	check(!prn_html_text(html.data, html.length, false, &ours, &references));
	reference_text(html.data, html.length, &theirs);
	got = flat_take(&ours);
	want = flat_take(&theirs);
	check(!strcmp(got, want));
	/* The shortest reference is "<a href>". */
	check(references.count <= html.length / 8 && references.text.length >= references.count);
	prn_references_release(&references);
	prn_buffer_release(&html);
	free(got);
	free(want);
	return 0;
}
