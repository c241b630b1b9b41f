#include "term/inputs.h"

#include "history/import_internal.h"
#include "term/destination.h"
#include "term/importing.h"
#include "term/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Other faults of the file are reported when it is opened. */
bool term_input_is_trace(const char *path)
{
	size_t length = strlen(path);

	return (length > 6 && !strcmp(path + length - 6, ".trace")) || prn_importer_is_trace(path);
}

static int add_trace(struct term_inputs *inputs, const char *file, const char *path, struct prn_error *error)
{
	struct prn_trace *trace;
	int code = prn_trace_open(&trace, file, error);

	if (code)
		return code;
	inputs->traces[inputs->count] = trace;
	inputs->paths[inputs->count++] = path;
	return 0;
}

/* Imports into a trace in a temporary folder, which is removed as soon as the trace is open. */
static int import_sources(struct term_inputs *inputs, char **sources, size_t n, const struct term_filter *filter, size_t threads, bool links,
                          struct prn_error *error)
{
	struct prn_import_options options = { .threads = threads, .links = links, .filter = term_filter_make(filter),
		                              .git_base = filter ? filter->git_base : NULL };
	struct term_import_outcome outcome;
	char *folder = NULL, *file = NULL;
	int code = term_temporary_folder(&folder, error);

	if (code)
		return code;
	if (asprintf(&file, "%s/sources.trace", folder) < 0) {
		code = prn_error_memory(error);
		file = NULL;
		goto out;
	}
	code = term_import_sources("import", &options, sources, n, file, &outcome, error);
	if (!code && outcome.empty && filter && term_filter_is_given(filter))
		term_say("perennial import: %s: no page of it is what was asked for\n", sources[0]);
	else if (!code)
		term_import_say_passed("import", &outcome);
	/* A failure says itself what could not be read. */
	if (!code) {
		term_import_say_digests("import", &outcome);
		term_import_say_skipped("import", &outcome);
	}
	inputs->skipped |= outcome.skipped || outcome.empty;
	if (!code)
		code = add_trace(inputs, file, sources[0], error);
	unlink(file);
out:
	rmdir(folder);
	free(file);
	free(folder);
	return code;
}

/* If no page is left, names the options that left them out, before any work on no pages. */
static int check_filtered(const struct term_inputs *inputs, const struct term_filter *filter, struct prn_error *error)
{
	const struct {
		const char *name;
		bool given;
	} options[] = { { "--media", filter->media.count > 0 }, { "--host", filter->hosts.count > 0 }, { "--surt", filter->surts.count > 0 },
		        { "--from", filter->from != PRN_TIME_UNKNOWN }, { "--to", filter->to != PRN_TIME_UNKNOWN }, { "--sample", filter->sample < 1 } };
	char names[64] = "";
	size_t pages = 0;

	for (size_t i = 0; i < inputs->count; i++)
		pages += prn_trace_pages(inputs->traces[i]);
	if (pages)
		return 0;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (options[i].given)
			snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", *names ? " and " : "", options[i].name);
	return prn_error_set(error, PRN_E_NOT_FOUND, "no page is left by %s: nothing of what was read is what %s for", names,
	                     strstr(names, " and ") ? "these ask" : "it asks");
}

/* Tells of traces whose fragments are of another length or rule than those of the first: nothing is equal in both. */
static void tell_mixture(const struct term_inputs *inputs)
{
	for (size_t i = 1; i < inputs->count; i++) {
		const struct prn_trace_about *first = prn_trace_about(inputs->traces[0]), *other = prn_trace_about(inputs->traces[i]);

		if (other->shingle_words != first->shingle_words)
			term_say("perennial: the fragments of %s have %u words, and those of %s %u: what is said of all pages mixes them\n",
			         inputs->paths[0], first->shingle_words, inputs->paths[i], other->shingle_words);
		else if (other->fragment_rule != first->fragment_rule)
			term_say("perennial: the fragments of %s are made by rule %u, and those of %s by rule %u: what is said of all pages "
			         "mixes them\n", inputs->paths[0], first->fragment_rule, inputs->paths[i], other->fragment_rule);
		else
			continue;
		return;
	}
}

/* Tells of a trace that is named twice, whatever its names: a source of captures is read into one corpus, where a repetition is none. */
static void tell_twice(char **paths, size_t n)
{
	struct stat *files = calloc(n + 1, sizeof *files);

	for (size_t i = 0; i < n && files; i++) {
		if (!term_input_is_trace(paths[i]) || stat(paths[i], &files[i]) || !S_ISREG(files[i].st_mode))
			files[i] = (struct stat){ 0 };
		for (size_t j = 0; j < i && files[i].st_nlink; j++)
			if (files[j].st_nlink && files[j].st_ino == files[i].st_ino && files[j].st_dev == files[i].st_dev) {
				term_say("perennial: %s is named twice: its pages count twice\n", paths[i]);
				j = i;
			}
	}
	free(files);
}

enum pooling { POOLED, LINKED, APART };

static int open_inputs(struct term_inputs *inputs, char **paths, size_t n, const struct term_filter *filter, size_t threads,
                       enum pooling pooling, struct prn_error *error)
{
	bool is_filtered = filter && term_filter_is_given(filter), links = pooling == LINKED;
	/* One place more than needed: calloc may return NULL for no place at all. */
	char **sources = calloc(n + 1, sizeof *sources);
	size_t source_count = 0;
	int code = 0;

	*inputs = (struct term_inputs){ 0 };
	inputs->traces = calloc(n + 1, sizeof *inputs->traces);
	inputs->paths = calloc(n + 1, sizeof *inputs->paths);
	if (!sources || !inputs->traces || !inputs->paths)
		code = prn_error_memory(error);
	for (size_t i = 0; i < n && !code; i++) {
		if (term_input_is_trace(paths[i]) && is_filtered)
			code = import_sources(inputs, &paths[i], 1, filter, threads, links, error);
		else if (term_input_is_trace(paths[i]))
			code = add_trace(inputs, paths[i], paths[i], error);
		else if (pooling == APART)
			code = import_sources(inputs, &paths[i], 1, filter, threads, links, error);
		else
			sources[source_count++] = paths[i];
	}
	inputs->pooled = source_count;
	if (!code && source_count)
		code = import_sources(inputs, sources, source_count, filter, threads, links, error);
	free(sources);
	if (!code && is_filtered)
		code = check_filtered(inputs, filter, error);
	if (!code) {
		tell_mixture(inputs);
		tell_twice(paths, n);
	}
	return code;
}

int term_inputs_open(struct term_inputs *inputs, char **paths, size_t n, const struct term_filter *filter, size_t threads,
                     struct prn_error *error)
{
	return open_inputs(inputs, paths, n, filter, threads, POOLED, error);
}

int term_inputs_open_linked(struct term_inputs *inputs, char **paths, size_t n, const struct term_filter *filter, size_t threads,
                            struct prn_error *error)
{
	return open_inputs(inputs, paths, n, filter, threads, LINKED, error);
}

int term_inputs_open_apart(struct term_inputs *inputs, char **paths, size_t n, const struct term_filter *filter, size_t threads,
                           struct prn_error *error)
{
	return open_inputs(inputs, paths, n, filter, threads, APART, error);
}

void term_inputs_release(struct term_inputs *inputs)
{
	for (size_t i = 0; i < inputs->count; i++)
		prn_trace_free((struct prn_trace *)inputs->traces[i]);
	free(inputs->traces);
	free(inputs->paths);
	*inputs = (struct term_inputs){ 0 };
}
