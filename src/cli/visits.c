#include "cli/visits.h"

#include "base/buffer.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char blank[] = " \t\r\n";

/* Reads a finite number >= 0 and passes what separates it from the next; false if there is none. */
static bool parse_days(const char **text, double *days)
{
	char *end;

	*days = strtod(*text, &end);
	if (end == *text || !isfinite(*days) || *days < 0 || (*end && !strchr(blank, *end)))
		return false;
	*text = end + strspn(end, blank);
	return true;
}

static bool parse_visit(const char *line, struct prn_estimator_visit *visit)
{
	*visit = (struct prn_estimator_visit){ 0 };
	if (!parse_days(&line, &visit->interval) || visit->interval <= 0)
		return false;
	if ((*line != '0' && *line != '1') || (line[1] && !strchr(blank, line[1])))
		return false;
	visit->changed = *line == '1';
	line += 1 + strspn(line + 1, blank);
	if (!*line)
		return true;
	if (!parse_days(&line, &visit->since_modified) || *line)
		return false;
	/* The page was modified just now, but 0 would mean that it is not known when. */
	visit->since_modified = fmax(visit->since_modified, PRN_ESTIMATOR_NOW);
	return true;
}

static int append(struct cli_visits *visits, const struct prn_estimator_visit *visit)
{
	if (visits->count == visits->capacity) {
		void *larger = prn_array_grow(visits->visits, &visits->capacity, visits->count + 1, sizeof *visits->visits);

		if (!larger)
			return PRN_E_MEMORY;
		visits->visits = larger;
	}
	visits->visits[visits->count++] = *visit;
	visits->changes += visit->changed;
	return 0;
}

int cli_visits_next(struct cli_visits *visits, struct prn_error *error)
{
	int got;

	visits->count = 0;
	visits->changes = 0;
	while ((got = prn_text_lines_need(&visits->lines, error)) > 0) {
		const char *line = visits->lines.line;
		struct prn_estimator_visit visit;

		if (line[strspn(line, blank)]) {
			if (!parse_visit(line, &visit))
				return prn_error_set(error, PRN_E_INPUT,
				                     "%s, line %llu: expected \"interval_days changed [days_since_modified]\", a "
				                     "number above 0, 0 or 1, and perhaps a number from 0",
				                     visits->lines.name, visits->lines.number);
			if (append(visits, &visit))
				return prn_error_memory(error);
		} else if (visits->count) {
			return 1;
		}
	}
	return got ? got : visits->count > 0;
}

void cli_visits_release(struct cli_visits *visits)
{
	free(visits->visits);
	prn_buffer_release(&visits->lines.text);
}
