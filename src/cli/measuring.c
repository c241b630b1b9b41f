#include "cli/measuring.h"

#include "base/buffer.h"
#include "perennial/evaluation.h"
#include "perennial/extractor.h"
#include "perennial/life.h"
#include "perennial/version.h"
#include "term/origin.h"
#include "term/provenance.h"
#include "term/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_measuring_choose(struct cli_measuring *measuring)
{
	measuring->view = CLI_VIEWS;
	for (enum cli_view i = 0; i < CLI_VIEWS; i++) {
		if (!measuring->views[i])
			continue;
		if (measuring->view != CLI_VIEWS)
			return false;
		measuring->view = i;
	}
	return true;
}

char *cli_measuring_note(const struct cli_measuring *measuring, const struct prn_longevity *longevity)
{
	size_t all = prn_longevity_scopes(longevity) - 1, length;
	char *note = NULL;
	FILE *out = open_memstream(&note, &length);

	if (!out)
		return NULL;
	term_provenance_print(out, measuring->argc, measuring->argv);
	fprintf(out, "; %zu pages", prn_longevity_pages(longevity, all));
	if (prn_longevity_left_out(longevity, all))
		fprintf(out, ", %zu with fewer than %d captures left out", prn_longevity_left_out(longevity, all),
		        PRN_LIFE_CAPTURES);
	fprintf(out, "; seed %llu, %zu resamples, %zu draws", (unsigned long long)measuring->options.seed,
	        measuring->options.resamples, measuring->options.draws);
	if (!fclose(out))
		return note;
	free(note);
	return NULL;
}

void cli_scarce_add(struct cli_scarce *scarce, const struct prn_longevity *longevity, size_t scope, const char *name)
{
	const struct cli_measuring *measuring = scarce->measuring;
	size_t clusters = prn_longevity_clusters(longevity, scope);
	enum cli_view view = measuring->view;
	bool has_intervals = view == CLI_VIEWS || view == CLI_VIEW_BARS || view == CLI_VIEW_LIFETIMES || view == CLI_VIEW_SURVIVAL ||
	                     view == CLI_VIEW_K;

	/* A single cluster has no intervals. */
	if (!measuring->options.resamples || !has_intervals || clusters < 2 || clusters >= PRN_CLUSTERS_LEAST)
		return;
	if (scarce->count < CLI_SCARCE_NAMES)
		scarce->names[scarce->count] = strdup(name);
	scarce->count++;
}

void cli_scarce_print(struct cli_scarce *scarce)
{
	size_t named = scarce->count < CLI_SCARCE_NAMES ? scarce->count : CLI_SCARCE_NAMES;

	if (named)
		term_say("perennial %s: the intervals of ", scarce->measuring->argv[0]);
	for (size_t i = 0; i < named; i++) {
		term_say("%s%s", i ? ", " : "", scarce->names[i] ? scarce->names[i] : "…");
		free(scarce->names[i]);
	}
	if (scarce->count > named)
		term_say(" and %zu more", scarce->count - named);
	if (named)
		term_say(" say little: they are of fewer than %d hosts, or of fewer pages of one host\n", PRN_CLUSTERS_LEAST);
}

enum report_view cli_measuring_view(const struct cli_measuring *measuring)
{
	static const enum report_view views[CLI_VIEWS + 1] = {
		[CLI_VIEW_LIFETIMES] = REPORT_VIEW_LIFETIMES, [CLI_VIEW_SURVIVAL] = REPORT_VIEW_SURVIVAL,
		[CLI_VIEW_K] = REPORT_VIEW_K,                 [CLI_VIEW_SCALED] = REPORT_VIEW_SCALED,
		[CLI_VIEW_INTERVALS] = REPORT_VIEW_INTERVALS, [CLI_VIEW_BARS] = REPORT_VIEW_BARS,
		[CLI_VIEWS] = REPORT_VIEW_STATISTICS,
	};

	return views[measuring->view];
}

int cli_measuring_print(struct cli_measuring *measuring, const struct prn_longevity *longevity, struct prn_error *error)
{
	const struct report_longevity measured = { longevity, &measuring->corpora };
	struct cli_scarce scarce = { .measuring = measuring };
	char *note = cli_measuring_note(measuring, longevity);
	int code;

	if (!note)
		return prn_error_memory(error);
	if (measuring->table) {
		code = term_table_close(measuring->table, note, error);
		measuring->table = NULL;
	} else if (measuring->view == CLI_VIEWS && measuring->format == TERM_FORMAT_TABLE) {
		code = report_longevity_print(stdout, &measured, REPORT_VIEW_STATISTICS, measuring->format, NULL, error);
		putchar('\n');
		if (!code)
			code = cli_extremes_print(&measuring->extremes, note, error);
	} else {
		code = report_longevity_print(stdout, &measured, cli_measuring_view(measuring), measuring->format, note, error);
	}
	for (size_t i = 0; i < prn_longevity_scopes(longevity); i++)
		cli_scarce_add(&scarce, longevity, i, measuring->corpora.names[i]);
	cli_scarce_print(&scarce);
	if (measuring->format != TERM_FORMAT_TABLE)
		term_say("# %s\n", note);
	free(note);
	return code;
}

void cli_measuring_release(struct cli_measuring *measuring)
{
	if (measuring->table)
		term_table_close(measuring->table, NULL, NULL);
	cli_extremes_release(&measuring->extremes);
	report_corpora_release(&measuring->corpora);
}

/* Returns the settings of a partial result, which the caller frees; NULL without memory. */
static char *make_settings(const struct cli_measuring *measuring, const struct term_inputs *inputs)
{
	char *settings = NULL;
	size_t length;
	FILE *out = open_memstream(&settings, &length);
	int code;

	if (!out)
		return NULL;
	fprintf(out, "command=measure\nprogram=perennial %s, fragment rule %d\n", prn_version(), PRN_FRAGMENT_RULE);
	code = term_origins_print(out, inputs);
	fprintf(out, "seed=%llu\ndraws=%zu\n", (unsigned long long)measuring->options.seed, measuring->options.draws);
	for (size_t i = 0; i < measuring->corpora.scopes; i++) {
		fputs("corpus=", out);
		/* An end of a line within a name would begin another setting. */
		for (const char *name = measuring->corpora.names[i]; *name; name++)
			fputc((unsigned char)*name < 0x20 ? '_' : *name, out);
		fputc('\n', out);
	}
	if (!fclose(out) && !code)
		return settings;
	free(settings);
	return NULL;
}

int cli_measuring_save(const struct cli_measuring *measuring, const struct term_inputs *inputs, const struct prn_longevity *longevity,
                       const char *path, struct prn_error *error)
{
	struct prn_partial_about about = { .settings = make_settings(measuring, inputs) };
	struct prn_buffer extra;
	int failed;

	prn_buffer_init(&extra);
	failed = !about.settings || cli_extremes_write(&measuring->extremes, &extra);
	about.extra = extra.data;
	about.extra_bytes = extra.length;
	failed = failed ? prn_error_memory(error) : prn_longevity_save(longevity, path, &about, error);
	free((char *)about.settings);
	prn_buffer_release(&extra);
	return failed;
}

/* Reads the next line if it is of this key.  The caller frees its value; NULL: it is of another. */
static char *take_line(const char **settings, const char *key)
{
	size_t length = strlen(key), end = strcspn(*settings, "\n");
	const char *line = *settings;

	if (strncmp(line, key, length) || line[length] != '=' || !line[end])
		return NULL;
	*settings += end + 1;
	return strndup(line + length + 1, end - length - 1);
}

static bool take_number(const char **settings, const char *key, uint64_t *number)
{
	char *text = take_line(settings, key), *end;
	bool is_number = false;

	if (text) {
		*number = strtoull(text, &end, 10);
		is_number = *text && !*end;
	}
	free(text);
	return is_number;
}

static int read_settings(struct cli_measuring *measuring, const char *settings, struct prn_error *error)
{
	struct report_corpora *corpora = &measuring->corpora;
	size_t lines = 0;
	uint64_t draws = 0;
	char *name;

	for (const char *at = settings; *at; at++)
		lines += *at == '\n';
	corpora->names = calloc(lines + 1, sizeof *corpora->names);
	if (!corpora->names)
		return prn_error_memory(error);
	free(take_line(&settings, "command"));
	free(take_line(&settings, "program"));
	while (!strncmp(settings, "trace", 5))
		settings += strcspn(settings, "\n") + (settings[strcspn(settings, "\n")] != 0);
	if (!take_number(&settings, "seed", &measuring->options.seed) || !take_number(&settings, "draws", &draws) ||
	    draws > CLI_DRAWS_MAX)
		return prn_error_set(error, PRN_E_INPUT, "the settings of the partial results are none of what was measured");
	measuring->options.draws = (size_t)draws;
	while ((name = take_line(&settings, "corpus")))
		corpora->names[corpora->scopes++] = name;
	return 0;
}

int cli_measuring_join(struct cli_measuring *measuring, const struct prn_partial *const *partials, size_t count,
                       struct prn_longevity **longevity, struct prn_error *error)
{
	int code = read_settings(measuring, prn_partial_about(partials[0])->settings, error);

	if (!code)
		code = prn_longevity_of_partials(longevity, &measuring->options, partials, count, error);
	if (!code && prn_longevity_scopes(*longevity) != measuring->corpora.scopes) {
		prn_longevity_free(*longevity);
		code = prn_error_set(error, PRN_E_INPUT, "the partial results have not as many corpora as names of them");
	}
	if (!code)
		code = cli_extremes_join(&measuring->extremes, partials, count, error);
	return code;
}
