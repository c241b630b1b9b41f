#include "cli/judged.h"

#include "perennial/contender.h"
#include "perennial/digest.h"
#include "perennial/extractor.h"
#include "perennial/version.h"
#include "term/origin.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MOST 100000 /* numbers in a line */

bool cli_judged_is_synthetic(const char *given)
{
	return !strncmp(given, "synthetic", 9) && (!given[9] || given[9] == ':');
}

/* Digests a file piece by piece: each digest is over the one before and the next piece. */
static int digest_file(const char *path, struct prn_digest *digest, struct prn_error *error)
{
	static unsigned char piece[sizeof *digest + 65536];
	FILE *file = fopen(path, "re");
	size_t got;
	int code = 0;

	*digest = (struct prn_digest){ 0 };
	if (!file)
		return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
	while ((got = fread(piece + sizeof *digest, 1, sizeof piece - sizeof *digest, file))) {
		memcpy(piece, digest, sizeof *digest);
		*digest = prn_digest_bytes(piece, sizeof *digest + got);
	}
	if (ferror(file))
		code = prn_error_set(error, PRN_E_IO, "%s: cannot be read: %s", path, strerror(errno));
	fclose(file);
	return code;
}

static int print_source(FILE *out, const char *key, const char *given, struct prn_error *error)
{
	struct prn_digest digest;
	int code = 0;

	if (!given)
		return 0;
	if (cli_judged_is_synthetic(given)) {
		fprintf(out, "%s=%s\n", key, given);
		return 0;
	}
	code = digest_file(given, &digest, error);
	if (!code)
		fprintf(out, "%s=file:%016llx%016llx\n", key, (unsigned long long)digest.high, (unsigned long long)digest.low);
	return code;
}

/* Prints the settings of each dial once, for the sweeps of a dial have the same. */
static void print_dials(FILE *out, const struct prn_sweeps *sweeps)
{
	bool printed[PRN_DIALS] = { false };

	for (size_t i = 0; i < prn_sweeps_count(sweeps); i++) {
		const struct prn_sweep *sweep = &prn_sweeps_all(sweeps)[i];
		enum prn_dial dial = prn_contender_about(sweep->contenders[0])->dial;

		if (printed[dial])
			continue;
		printed[dial] = true;
		fprintf(out, "%s=", prn_dial_name(dial));
		for (size_t j = 0; j < sweep->setting_count; j++)
			fprintf(out, "%s%.17g%s", j ? "," : "", sweep->settings[j].value, sweep->settings[j].in_seconds ? "s" : "");
		fputc('\n', out);
	}
}

static int print(FILE *out, const struct cli_judged *judged, struct prn_error *error)
{
	int code;

	fprintf(out, "command=evaluate\nprogram=perennial %s, fragment rule %d\n", prn_version(), PRN_FRAGMENT_RULE);
	if (term_origins_print(out, judged->inputs))
		return prn_error_memory(error);
	fprintf(out, "clock=%s\n", judged->clock);
	for (size_t i = 0; i < judged->inputs->count; i++)
		fprintf(out, "defaults=%s\n", judged->defaults[i]);
	for (size_t i = 0; i < prn_sweeps_count(judged->sweeps); i++)
		fprintf(out, "policy=%s\n", prn_sweeps_specification(judged->sweeps, i));
	print_dials(out, judged->sweeps);
	fprintf(out, "swept=%s\n", judged->swept ? "yes" : "no");
	for (size_t i = 0; i < judged->duration_count; i++)
		fprintf(out, "duration=%s\n", judged->durations[i]);
	for (size_t i = 0; i < judged->offset_count; i++)
		fprintf(out, "offset=%zu\n", judged->offsets[i]);
	if (judged->look_cost > 0)
		fprintf(out, "conditional=%.17g\n", judged->look_cost);
	if (judged->mean_bytes > 0)
		fprintf(out, "mean-bytes=%.17g\n", judged->mean_bytes);
	if (judged->late)
		fprintf(out, "late=%s\n", judged->late);
	fprintf(out, "seed=%llu\n", (unsigned long long)judged->seed);
	if (judged->ratio_to)
		fprintf(out, "ratio-to=%s\n", judged->ratio_to);
	code = print_source(out, "hints", judged->hints, error);
	code = code ? code : print_source(out, "weights", judged->weights, error);
	return code ? code : print_source(out, "rates", judged->rates, error);
}

int cli_judged_write(const struct cli_judged *judged, char **settings, struct prn_error *error)
{
	size_t length;
	FILE *out = open_memstream(settings, &length);
	int code;

	if (!out)
		return prn_error_memory(error);
	code = print(out, judged, error);
	if (fclose(out))
		code = code ? code : prn_error_memory(error);
	if (code) {
		free(*settings);
		*settings = NULL;
	}
	return code;
}

/* The values of a key in the order of their lines: copies that release_values frees. */
struct values {
	char **items;
	size_t count;
};

static void release_values(struct values *values)
{
	for (size_t i = 0; i < values->count; i++)
		free(values->items[i]);
	free(values->items);
	*values = (struct values){ 0 };
}

static int find_values(const char *settings, const char *key, struct values *values)
{
	size_t length = strlen(key), capacity = 0;

	*values = (struct values){ 0 };
	for (const char *line = settings; *line;) {
		size_t end = strcspn(line, "\n");

		if (end > length && !strncmp(line, key, length) && line[length] == '=') {
			if (values->count == capacity) {
				char **items = reallocarray(values->items, capacity = 2 * capacity + 8, sizeof *items);

				if (!items)
					return PRN_E_MEMORY;
				values->items = items;
			}
			values->items[values->count] = strndup(line + length + 1, end - length - 1);
			if (!values->items[values->count])
				return PRN_E_MEMORY;
			values->count++;
		}
		line += end + (line[end] != 0);
	}
	return 0;
}

/* Parses settings such as "0.5,2,86400s". */
static int parse_settings(const char *text, struct prn_setting **settings, size_t *count)
{
	size_t commas = 1;
	char *end;

	for (const char *at = text; *at; at++)
		commas += *at == ',';
	if (commas > LIST_MOST)
		return PRN_E_INPUT;
	*settings = calloc(commas, sizeof **settings);
	if (!*settings)
		return PRN_E_MEMORY;
	for (*count = 0; *count < commas; ++*count) {
		double value = strtod(text, &end);
		bool in_seconds = end > text && *end == 's';

		end += in_seconds;
		if (end == text || !(value > 0) || !isfinite(value) || *end != (*count + 1 < commas ? ',' : 0))
			return PRN_E_INPUT;
		(*settings)[*count] = (struct prn_setting){ value, in_seconds };
		text = end + 1;
	}
	return 0;
}

static int read_dial(struct cli_judged_again *judged, const char *settings, enum prn_dial dial, struct prn_error *error)
{
	struct prn_setting *list = NULL;
	struct values values;
	size_t count = 0;
	int code = find_values(settings, prn_dial_name(dial), &values);

	if (!code && values.count)
		code = parse_settings(values.items[0], &list, &count);
	/* Rows of durations are printed as they were written. */
	for (size_t i = 0; i < count && !code; i++)
		if (list[i].in_seconds && (dial != PRN_DIAL_PERIOD || i >= judged->duration_count))
			code = PRN_E_INPUT;
	if (!code)
		code = prn_sweeps_set(judged->sweeps, dial, list, count, error);
	free(list);
	release_values(&values);
	return code;
}

static int open_sweeps(struct cli_judged_again *judged, const char *settings, struct prn_error *error)
{
	struct values policies = { 0 }, defaults = { 0 };
	int code = find_values(settings, "policy", &policies);

	/* A corpus that has no defaults has an empty line for them. */
	if (!code)
		code = find_values(settings, "defaults", &defaults);
	if (!code && !policies.count)
		code = PRN_E_INPUT;
	if (!code)
		code = prn_sweeps_open(&judged->sweeps, (const char *const *)policies.items, policies.count,
		                       defaults.count ? (const char *const *)defaults.items : NULL,
		                       defaults.count ? defaults.count : 1, error);
	release_values(&policies);
	release_values(&defaults);
	for (int dial = 0; dial < PRN_DIALS && !code; dial++)
		code = read_dial(judged, settings, (enum prn_dial)dial, error);
	return code;
}

static int read_numbers(struct cli_judged_again *judged, const char *settings)
{
	struct values offsets, seeds = { 0 };
	int code = find_values(settings, "offset", &offsets);

	if (!code)
		code = find_values(settings, "seed", &seeds);
	judged->offsets = calloc(offsets.count + 1, sizeof *judged->offsets);
	if (!judged->offsets)
		code = PRN_E_MEMORY;
	for (size_t i = 0; i < offsets.count && !code; i++)
		judged->offsets[judged->offset_count++] = strtoul(offsets.items[i], NULL, 10);
	judged->seed = !code && seeds.count ? strtoull(seeds.items[0], NULL, 10) : 0;
	release_values(&offsets);
	release_values(&seeds);
	return code;
}

int cli_judged_read(struct cli_judged_again *judged, const char *settings, struct prn_error *error)
{
	struct values durations, ratio = { 0 }, swept = { 0 };
	int code;

	*judged = (struct cli_judged_again){ 0 };
	code = find_values(settings, "duration", &durations);
	judged->durations = durations.items;
	judged->duration_count = durations.count;
	if (!code)
		code = find_values(settings, "ratio-to", &ratio);
	if (!code)
		code = find_values(settings, "swept", &swept);
	if (!code && ratio.count) {
		judged->ratio_to = ratio.items[0];
		ratio.items[0] = NULL;
	}
	judged->swept = !code && swept.count && !strcmp(swept.items[0], "yes");
	release_values(&ratio);
	release_values(&swept);
	if (!code)
		code = read_numbers(judged, settings);
	if (!code)
		code = open_sweeps(judged, settings, error);
	if (code == PRN_E_MEMORY)
		prn_error_memory(error);
	else if (code && error && !error->code)
		prn_error_set(error, code, "the settings of the partial results are none of an evaluation");
	return code;
}

void cli_judged_release(struct cli_judged_again *judged)
{
	struct values durations = { judged->durations, judged->duration_count };

	release_values(&durations);
	prn_sweeps_free(judged->sweeps);
	free(judged->offsets);
	free(judged->ratio_to);
	*judged = (struct cli_judged_again){ 0 };
}
