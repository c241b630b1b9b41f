/*
 * The options of an evaluation as the settings of a partial result (partial.h): evaluate writes them, and merge makes the
 * same sweeps from them.
 */
#ifndef CLI_JUDGED_H
#define CLI_JUDGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/partial.h"
#include "perennial/sweep.h"
#include "term/inputs.h"

/* Whether a value of --hints or --rates specifies some to make up, "synthetic" or "synthetic:…", and names no file. */
bool cli_judged_is_synthetic(const char *given);

struct cli_judged {
	const char *clock; /* "steps" or "days" */
	const struct term_inputs *inputs;
	const char *const *defaults; /* [inputs->count] */
	const struct prn_sweeps *sweeps;
	bool swept;                   /* the settings were given, not chosen */
	char *const *durations;       /* [duration_count] of periods, as they were written; may be NULL where none is in seconds */
	size_t duration_count;
	const size_t *offsets;        /* [offset_count] */
	size_t offset_count;
	const char *hints, *rates, *weights, *late; /* as they were given, NULL: not at all */
	double look_cost, mean_bytes; /* as prn_pages has them */
	uint64_t seed;
	const char *ratio_to; /* NULL: the default */
};

/*
 * Writes the settings as text, which the caller frees.  Files of hints, rates and weights are identified by a digest.
 *
 * Returns 0, or PRN_E_IO or PRN_E_MEMORY with *error.
 */
int cli_judged_write(const struct cli_judged *judged, char **settings, struct prn_error *error);

/* What merge needs of the settings; call _release also after a failure. */
struct cli_judged_again {
	struct prn_sweeps *sweeps; /* with their settings */
	bool swept;
	char **durations;
	size_t duration_count;
	size_t *offsets;
	size_t offset_count;
	uint64_t seed;
	char *ratio_to; /* NULL: the default */
};

/*
 * Reads settings and opens the policies; those of plugins must have been registered.
 *
 * Returns 0, or a negative code with *error: PRN_E_INPUT if the settings are not those of an evaluation.
 */
int cli_judged_read(struct cli_judged_again *judged, const char *settings, struct prn_error *error);
void cli_judged_release(struct cli_judged_again *judged);

#endif
