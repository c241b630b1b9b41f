#include "report/report.h"
#include "report/embedded.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SAID_BYTES 400 /* the most bytes of a message of gnuplot that are printed */

static bool has_known_lifetimes(const struct report *report)
{
	return prn_survival_total(prn_longevity_lifetimes(report->longevity, report->scope), PRN_CENSORED_NOT) > 0;
}

static bool has_births(const struct report *report)
{
	const struct prn_survival *lifetimes = prn_longevity_lifetimes(report->longevity, report->scope);

	return has_known_lifetimes(report) || prn_survival_total(lifetimes, PRN_CENSORED_RIGHT) > 0;
}

static bool has_scaled(const struct report *report, enum prn_nature nature)
{
	return prn_survival_total(prn_longevity_scaled(report->longevity, report->scope, nature), PRN_CENSORED_NOT) > 0;
}

static bool has_churn_lives(const struct report *report)
{
	return has_scaled(report, PRN_NATURE_CHURN);
}

static bool has_scroll_lives(const struct report *report)
{
	return has_scaled(report, PRN_NATURE_SCROLL);
}

static bool has_change_times(const struct report *report)
{
	return !isnan(prn_longevity_statistic(report->longevity, report->scope, prn_statistic_find("poisson_p")).value);
}

static bool has_static_page(const struct report *report)
{
	return report->examples[PRN_NATURE_STATIC];
}

static bool has_churn_page(const struct report *report)
{
	return report->examples[PRN_NATURE_CHURN];
}

static bool has_scroll_page(const struct report *report)
{
	return report->examples[PRN_NATURE_SCROLL];
}

static bool has_mixed_page(const struct report *report)
{
	return report->examples[PRN_NATURE_MIXED];
}

static bool has_utility(const struct report *report)
{
	return report_utility_page(report);
}

static bool has_footprint(const struct report *report)
{
	return !report->quick;
}

static bool has_ratios(const struct report *report)
{
	return report->has_ratios;
}

const struct report_figure report_figures[] = {
	{ "staleness", "Staleness against cost", NULL },
	{ "ratio", NULL, has_ratios },
	{ "warm-up", NULL, NULL },
	{ "yardsticks", NULL, NULL },
	{ "footprint", NULL, has_footprint },
	{ "stripes-static", "Pages as stripes", has_static_page },
	{ "stripes-churn", NULL, has_churn_page },
	{ "stripes-scroll", NULL, has_scroll_page },
	{ "stripes-mixed", NULL, has_mixed_page },
	{ "utility", NULL, has_utility },
	{ "lifetimes", "Lifetimes in figures", has_births },
	{ "frequency", NULL, has_known_lifetimes },
	{ "lifetimes-churn", NULL, has_churn_lives },
	{ "lifetimes-scroll", NULL, has_scroll_lives },
	{ "intervals", "How pages change", NULL },
	{ "survival", NULL, NULL },
	{ "lifespans", NULL, NULL },
	{ "poisson", NULL, has_change_times },
	{ NULL, NULL, NULL },
};

bool report_figure_is_wanted(const struct report *report, const struct report_figure *figure)
{
	return !figure->wanted || figure->wanted(report);
}

const char *report_embedded_text(const char *name)
{
	const struct report_embedded *file = report_embedded;

	while (file->name && strcmp(file->name, name))
		file++;
	return file->name ? file->text : "";
}

const char *report_figure_text(const struct report_figure *figure, const char *key, size_t *length)
{
	char name[64], start[64];
	const char *at;

	snprintf(name, sizeof name, "%s.gp", figure->name);
	snprintf(start, sizeof start, "# %s: ", key);
	at = strstr(report_embedded_text(name), start);
	at = at ? at + strlen(start) : "";
	*length = strcspn(at, "\n");
	return at;
}

/* This searches as execvp does, without running anything. */
int report_figures_check(struct prn_error *error)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		size_t length = strcspn(path, ":");
		char *file;
		bool found;

		if (asprintf(&file, "%.*s/gnuplot", (int)length, path) < 0)
			return prn_error_memory(error);
		found = !access(file, X_OK);
		free(file);
		if (found)
			return 0;
		path += length + (path[length] == ':');
	}
	return prn_error_set(error, PRN_E_NOT_FOUND,
	                     "gnuplot, which draws the figures, is not in PATH: install it (on Debian, gnuplot-nox)");
}

/*
 * Writes the variables of the scripts.  Scripts are code: a name that was given (of a file, a URL, a policy) reaches gnuplot
 * in a table and never in them.  So the scope of a report on one corpus has no name.
 */
static int write_scope(const struct report *report, struct prn_error *error)
{
	FILE *file;
	int code = report_open(report, "scope.gp", &file, error);

	if (code)
		return code;
	fprintf(file,
	        "# The corpus of the figures, as tables name it; \"\": whatever is in them.\n"
	        "scope = \"%s\"\n"
	        "reference = \"" REPORT_REFERENCE "\"\n",
	        report->corpora.scopes > 1 ? REPORT_CORPORA_ALL : "");
	return report_close(report, "scope.gp", file, 0, error);
}

static int write_policies(const struct report *report, struct prn_error *error)
{
	static const struct term_column columns[] = { { "policy", TERM_COLUMN_TEXT, 0 }, { NULL, TERM_COLUMN_TEXT, 0 } };
	struct report_table table;
	int code = report_table_open(report, &table, "policies.tsv", TERM_FORMAT_GNUPLOT, columns, error);

	if (code)
		return code;
	for (size_t i = 0; i < report->policies.count; i++)
		term_table_text(table.rows, report->policies.items[i]);
	return report_table_close(report, &table, 0, error);
}

/* Whether this report needs a script: that of a figure that is wanted, or one that others load. */
static bool is_needed(const struct report *report, const char *file)
{
	size_t length = strlen(file);

	if (length < 3 || strcmp(file + length - 3, ".gp"))
		return false;
	for (size_t i = 0; i < 2; i++)
		for (const struct report_figure *figure = i ? report_paper_figures : report_figures; figure->name; figure++)
			if (strlen(figure->name) == length - 3 && !strncmp(figure->name, file, length - 3))
				return report->figures == (i ? report_paper_figures : report_figures) &&
				       report_figure_is_wanted(report, figure);
	return true;
}

static int write_scripts(const struct report *report, struct prn_error *error)
{
	int code = write_scope(report, error);

	if (!code)
		code = write_policies(report, error);
	for (const struct report_embedded *file = report_embedded; file->name && !code; file++) {
		FILE *out;

		if (!is_needed(report, file->name))
			continue;
		code = report_open(report, file->name, &out, error);
		if (code)
			return code;
		fputs(file->text, out);
		code = report_close(report, file->name, out, 0, error);
	}
	return code;
}

/* Runs gnuplot in the child process and in the folder, with its messages in a file there. */
static void become_gnuplot(const struct report *report, const char *script)
{
	int log;

	if (chdir(report->folder))
		_exit(126);
	log = open("gnuplot.log", O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (log < 0 || dup2(log, STDERR_FILENO) < 0 || dup2(log, STDOUT_FILENO) < 0)
		_exit(126);
	execlp("gnuplot", "gnuplot", script, (char *)NULL);
	_exit(127);
}

/* Reports the first line of gnuplot's output that looks like an error. */
static int say_failure(const struct report *report, const char *script, struct prn_error *error)
{
	char *log = NULL, *line, *rest;

	if (report_read(report, "gnuplot.log", &log, NULL))
		return prn_error_set(error, PRN_E_IO, "gnuplot cannot be run on %s/%s", report->folder, script);
	rest = log;
	while ((line = strsep(&rest, "\n")) && !strstr(line, "line "))
		continue;
	prn_error_set(error, PRN_E_IO, "gnuplot failed on %s/%s: %.*s", report->folder, script, SAID_BYTES,
	              line ? line : "it does not say why");
	free(log);
	return PRN_E_IO;
}

static int draw(const struct report *report, const struct report_figure *figure, struct prn_error *error)
{
	char script[64];
	int status = 0;
	pid_t child;

	snprintf(script, sizeof script, "%s.gp", figure->name);
	fflush(NULL);
	child = fork();
	if (!child)
		become_gnuplot(report, script);
	if (child < 0)
		return prn_error_set(error, PRN_E_IO, "gnuplot cannot be run: %s", strerror(errno));
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return prn_error_set(error, PRN_E_IO, "gnuplot is lost: %s", strerror(errno));
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : say_failure(report, script, error);
}

int report_figures_draw(const struct report *report, struct prn_error *error)
{
	char *log;
	int code = write_scripts(report, error);

	for (const struct report_figure *figure = report->figures; figure->name && !code; figure++)
		if (report_figure_is_wanted(report, figure))
			code = draw(report, figure, error);
	if (asprintf(&log, "%s/gnuplot.log", report->folder) < 0)
		return code ? code : prn_error_memory(error);
	unlink(log);
	free(log);
	return code;
}
