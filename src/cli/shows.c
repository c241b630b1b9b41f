#include "cli/shows.h"
#include "perennial/policy.h"
#include "perennial/url.h"
#include "show/show.h"
#include "term/progress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What is needed to make the pages. */
struct shows {
	struct report *report;
	char **sources; /* [source_count] */
	size_t source_count;
	char *folder;
	struct prn_policy *policy;
};

char *cli_shows_folder(const struct report *report)
{
	const char *output = report->output, *slash = strrchr(output, '/');
	char *folder;

	return asprintf(&folder, "%.*s%s", slash ? (int)(slash - output + 1) : 0, output, report->show) < 0 ? NULL : folder;
}

/* Makes the page of a row.  A page that the sources do not have, because it comes from a trace, is left without one. */
static int make_show(const struct shows *shows, struct show *show, struct report_page *row, struct prn_error *error)
{
	struct show_replay replay = { 0 };
	struct prn_digest key = prn_url_key(show->url);
	char *path = NULL, *file = NULL;
	int code = show_find(show, error);

	if (!code)
		code = show_read_texts(show, error);
	if (code == PRN_E_NOT_FOUND)
		return 0;
	if (!code)
		code = show_replay(show, shows->policy, 0, REPORT_COST, &replay, error);
	replay.policy = PRN_POLICY_DEFAULT;
	if (!code && asprintf(&file, "%016llx.html", (unsigned long long)key.high) < 0) {
		file = NULL;
		code = prn_error_memory(error);
	}
	if (!code && asprintf(&path, "%s/%s", shows->folder, file) < 0) {
		path = NULL;
		code = prn_error_memory(error);
	}
	if (!code)
		code = show_write(show, &replay, 1, path, shows->report->argc, shows->report->argv, error);
	if (!code)
		row->shown = file;
	else
		free(file);
	free(path);
	show_replay_release(&replay);
	return code;
}

static int make_all(const struct shows *shows, struct report_page **pages, struct prn_error *error)
{
	size_t count = shows->report->row_count < CLI_SHOWS ? shows->report->row_count : CLI_SHOWS;
	char normal[PRN_URL_BYTES + 1];
	int code = 0;

	for (size_t i = 0; i < count && !code; i++) {
		struct show show;

		if (prn_url_normalize(pages[i]->url, SIZE_MAX, normal, sizeof normal))
			continue;
		show_init(&show);
		show.url = normal;
		show.sources = shows->sources;
		show.source_count = shows->source_count;
		show.filter = term_filter_make(&shows->report->filter);
		show.git_base = shows->report->filter.git_base;
		code = make_show(shows, &show, pages[i], error);
		show_release(&show);
	}
	return code;
}

int cli_shows_make(struct report *report, char **paths, size_t count, struct prn_error *error)
{
	struct shows shows = { .report = report, .sources = calloc(count + 1, sizeof(char *)) };
	struct report_page **pages = NULL;
	int code = shows.sources ? 0 : prn_error_memory(error);

	for (size_t i = 0; i < count && !code; i++)
		if (!term_input_is_trace(paths[i]))
			shows.sources[shows.source_count++] = paths[i];
	if (!code && !shows.source_count)
		code = prn_error_set(error, PRN_E_UNSUPPORTED, "--show needs the WARC files or folders that traces are of: they keep no text");
	if (!code)
		code = prn_policy_open(&shows.policy, PRN_POLICY_DEFAULT, NULL, error);
	if (!code && !(shows.folder = cli_shows_folder(report)))
		code = prn_error_memory(error);
	if (!code && mkdir(shows.folder, 0777) && errno != EEXIST)
		code = prn_error_set(error, PRN_E_IO, "%s: cannot be made: %s", shows.folder, strerror(errno));
	if (!code)
		code = report_pages_list(report, &pages, error);
	if (!code)
		code = make_all(&shows, pages, error);
	free(pages);
	free(shows.folder);
	free(shows.sources);
	prn_policy_free(shows.policy);
	return code;
}
