/* perennial measure --by: groups of pages, each by itself. */
#include "cli/measuring.h"
#include "perennial/pages.h"
#include "term/page_progress.h"
#include "term/say.h"

#include <stdlib.h>

/* Measures pages as one corpus, whichever they are of.  PRN_E_NOT_FOUND: none has enough captures */
static int measure(const struct cli_measuring *measuring, const struct prn_pages *pages, struct prn_longevity **longevity,
                   struct prn_error *error)
{
	struct prn_longevity_options options = measuring->options;
	struct prn_pages one = *pages;

	options.each = NULL;
	one.corpora = 1;
	return prn_longevity_run(longevity, &one, &options, error);
}

static int add_group(const struct cli_measuring *measuring, const struct prn_pages *pages, enum prn_grouping by,
                     const size_t *members, size_t count, struct report_sheet *sheet, struct cli_scarce *scarce, struct prn_error *error)
{
	struct prn_longevity *longevity = NULL;
	struct prn_pages_part part;
	struct prn_pages group;
	char *name;
	int code;

	prn_pages_part_init(&part, pages, members, count, 0, &group);
	code = measure(measuring, &group, &longevity, error);
	if (code == PRN_E_NOT_FOUND) {
		*error = (struct prn_error){ 0 };
		return 0;
	}
	if (code)
		return code;
	name = prn_group_name(pages, members[0], by, (const char *const *)measuring->corpora.names);
	if (name) {
		report_sheet_add(sheet, longevity, 0, name);
		cli_scarce_add(scarce, longevity, 0, name);
	}
	free(name);
	prn_longevity_free(longevity);
	return name ? 0 : prn_error_memory(error);
}

int cli_measuring_groups(const struct cli_measuring *measuring, const struct prn_pages *pages, enum prn_grouping by, struct prn_error *error)
{
	bool few = measuring->view == CLI_VIEWS && measuring->format == TERM_FORMAT_TABLE;
	struct prn_longevity *all = NULL;
	struct prn_pages watched = *pages;
	struct term_page_progress progress;
	struct prn_groups groups;
	struct report_sheet sheet;
	struct cli_scarce scarce = { .measuring = measuring };
	char *note = NULL;
	int code = prn_groups_find(&groups, pages, by), closed;

	if (code)
		return prn_error_memory(error);
	report_sheet_begin(&sheet, stdout, few ? REPORT_VIEW_OVERVIEW : cli_measuring_view(measuring), measuring->format,
	                   prn_grouping_name(by));
	term_page_progress_begin(&progress, "measure", &watched);
	for (size_t i = 0; i < groups.count && !code; i++)
		code = add_group(measuring, &watched, by, &groups.members[groups.starts[i]], groups.starts[i + 1] - groups.starts[i], &sheet,
		                 &scarce, error);
	if (!code)
		code = measure(measuring, &watched, &all, error);
	term_page_progress_end(&progress, &watched);
	if (!code && groups.count > 1) {
		report_sheet_add(&sheet, all, 0, REPORT_CORPORA_ALL);
		cli_scarce_add(&scarce, all, 0, REPORT_CORPORA_ALL);
	}
	if (!code && !(note = cli_measuring_note(measuring, all)))
		code = prn_error_memory(error);
	closed = report_sheet_end(&sheet, note, code ? NULL : error);
	cli_scarce_print(&scarce);
	if (!code && measuring->format != TERM_FORMAT_TABLE)
		term_say("# %s\n", note);
	free(note);
	prn_longevity_free(all);
	prn_groups_release(&groups);
	return code ? code : closed;
}
