#include "perennial/page.h"
#include "perennial/error.h"

#include <stdbool.h>
#include <stdlib.h>

void prn_page_init(struct prn_page *page)
{
	*page = (struct prn_page){ .weight = 1 };
}

void prn_page_release(struct prn_page *page)
{
	free(page->url);
	free(page->captures);
	free(page->stripes);
	free(page->runs);
	free(page->links);
	free(page->media);
	prn_page_init(page);
}

const char *prn_page_media(const struct prn_page *page, size_t capture)
{
	uint32_t media = page->captures[capture].media;

	return media ? page->media + media - 1 : NULL;
}

static bool has_content(const struct prn_page_capture *capture)
{
	return capture->kind == PRN_KIND_CONTENT || capture->kind == PRN_KIND_REDIRECT;
}

static bool is_absent(const struct prn_page_capture *capture)
{
	return capture->kind == PRN_KIND_GONE || capture->kind == PRN_KIND_MISSING;
}

int prn_page_life(const struct prn_page *page, size_t *first, size_t *last)
{
	size_t from = 0, end = page->capture_count;

	while (from < end && !has_content(&page->captures[from]))
		from++;
	if (from == end)
		return PRN_E_NOT_FOUND;
	while (is_absent(&page->captures[end - 1]))
		end--;
	*first = from;
	*last = end - 1;
	return 0;
}

/* The stripes cover the content behind a 304 or an error at the new start; kinds only determine where the life begins. */
void prn_page_start_later(struct prn_page *page, size_t later)
{
	size_t first, last, start;

	if (prn_page_life(page, &first, &last))
		return;
	start = later < page->capture_count - first ? first + later : page->capture_count;
	while (start < page->capture_count && !prn_kind_is_observation(page->captures[start].kind))
		start++;
	for (size_t i = first; i < start; i++)
		page->captures[i].kind = PRN_KIND_MISSING;
	if (start < page->capture_count && page->captures[start].kind == PRN_KIND_SAME)
		page->captures[start].kind = PRN_KIND_CONTENT;
}
