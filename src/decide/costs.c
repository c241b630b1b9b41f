#include "decide/costs.h"

#include "base/ascii.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

#define FADE 0.1

void prn_costs_init(struct prn_costs *costs)
{
	*costs = (struct prn_costs){ .unit = PRN_UNIT_VISITS, .unchanged = 1 };
}

/* Parses one of the prices that are separated by commas: length bytes. */
static bool parse_one(struct prn_costs *costs, const char *text, size_t length)
{
	const char *equals = memchr(text, '=', length), *number = equals ? equals + 1 : text;
	size_t media = equals ? (size_t)(equals - text) : 0, left = length - (size_t)(number - text);
	struct prn_cost_rule rule = { .media = "" };
	char digits[64];

	if (left >= sizeof digits || media > PRN_COST_MEDIA || (equals && !media) || costs->count == PRN_COST_RULES)
		return false;
	memcpy(digits, number, left);
	digits[left] = 0;
	memcpy(rule.media, text, media);
	if (!prn_number_read(digits, &rule.unchanged) || !(rule.unchanged > 0) || rule.unchanged > 1 ||
	    strcspn(rule.media, "\t\r\n ;\"") != media || *rule.media == '*')
		return false;
	for (size_t i = 0; i < costs->count; i++)
		if (!prn_ascii_compare(costs->rules[i].media, rule.media))
			return false;
	costs->rules[costs->count++] = rule;
	if (!media)
		costs->unchanged = rule.unchanged;
	return true;
}

int prn_costs_parse(struct prn_costs *costs, const char *text, struct prn_error *error)
{
	struct prn_costs read;
	size_t bytes = strlen(text) + 1;

	prn_costs_init(&read);
	read.unit = costs->unit;
	read.given = *text;
	if (bytes <= sizeof read.text)
		memcpy(read.text, text, bytes);
	for (const char *at = text; *at;) {
		size_t length = strcspn(at, ",");

		if (bytes > sizeof read.text || !parse_one(&read, at, length))
			return prn_error_set(
				error, PRN_E_ARGUMENT,
				"the cost of a 304 is a share of a fetch above 0 and at most 1, such as 0.1, or one for "
				"a media type, such as application/pdf=0.02, each once and at most %d of these: not '%.200s'",
				PRN_COST_RULES, text);
		at += length + (at[length] == ',');
	}
	*costs = read;
	return 0;
}

bool prn_costs_are_counted(const struct prn_costs *costs)
{
	return costs && (costs->given || costs->unit == PRN_UNIT_BYTES);
}

/* The expected bytes of an answer with a body, also before the first one came. */
static double full_bytes(const struct prn_page_state *state)
{
	return state->cost.bytes > 0 ? state->cost.bytes : PRN_COST_FIRST_BYTES;
}

/* The share of a fetch that "not modified" costs for the page: of its type, else of all such ("text/" + "*"), else of any page. */
static double share_of(const struct prn_costs *costs, const struct prn_page_state *state)
{
	double share = costs->unchanged;

	for (size_t i = 0; i < costs->count; i++) {
		const char *media = costs->rules[i].media;

		if (!*media || !prn_media_under(state->media, media))
			continue;
		share = costs->rules[i].unchanged;
		if (media[strlen(media) - 1] != '*')
			return share;
	}
	return share;
}

static double unchanged_cost(const struct prn_costs *costs, const struct prn_page_state *state)
{
	if (costs->unit != PRN_UNIT_BYTES)
		return share_of(costs, state);
	return costs->given ? fmax(PRN_COST_HEAD_BYTES, share_of(costs, state) * full_bytes(state))
	                    : PRN_COST_HEAD_BYTES;
}

double prn_cost_expected(const struct prn_costs *costs, const struct prn_page_state *state)
{
	double full, same = state->cost.same;

	if (!prn_costs_are_counted(costs))
		return 1;
	full = costs->unit == PRN_UNIT_BYTES ? full_bytes(state) : 1;
	return full + same * (unchanged_cost(costs, state) - full);
}

bool prn_cost_guess(const struct prn_costs *costs, struct prn_page_state *state, double answer_bytes)
{
	bool guessed = costs->unit == PRN_UNIT_BYTES && !(state->cost.bytes > 0) && answer_bytes > 0;

	if (guessed)
		state->cost.bytes = prn_page_bytes(answer_bytes);
	return guessed;
}

double prn_cost_relative(const struct prn_costs *costs, const struct prn_page_state *state)
{
	return costs && costs->unit == PRN_UNIT_BYTES ? prn_cost_expected(costs, state) / PRN_COST_FIRST_BYTES : 1;
}

double prn_cost_of(const struct prn_costs *costs, const struct prn_page_state *state,
                   const struct prn_observation *look)
{
	if (!prn_costs_are_counted(costs))
		return 1;
	if (look->kind == PRN_KIND_SAME && !look->repeated)
		return unchanged_cost(costs, state) + (costs->unit == PRN_UNIT_BYTES ? (double)look->bytes : 0);
	if (costs->unit != PRN_UNIT_BYTES)
		return 1;
	/* A record that repeats another one's body does not say how long it was. */
	return look->repeated && !look->bytes ? full_bytes(state) : PRN_COST_HEAD_BYTES + (double)look->bytes;
}

void prn_cost_learn(const struct prn_costs *costs, struct prn_page_state *state, const struct prn_observation *look)
{
	struct prn_page_cost *cost = &state->cost;
	bool answered = look->kind == PRN_KIND_CONTENT || look->kind == PRN_KIND_REDIRECT || look->repeated;
	double share, bytes = prn_cost_of(costs, state, look);

	if (!prn_costs_are_counted(costs)) {
		*cost = (struct prn_page_cost){ 0 };
		return;
	}
	/* That a page fails for a while says nothing of what it costs when it answers; unless it costs more: then it may again. */
	answered |= costs->unit == PRN_UNIT_BYTES && look->kind != PRN_KIND_SAME && bytes > full_bytes(state);
	if (!answered && look->kind != PRN_KIND_SAME)
		return;
	share = fmax(FADE, 1.0 / (cost->looks + 1));
	cost->same = prn_page_same(cost->same + share * (!answered - cost->same));
	if (costs->unit != PRN_UNIT_BYTES)
		cost->bytes = 0;
	else if (answered)
		cost->bytes = prn_page_bytes(cost->looks ? full_bytes(state) + share * (bytes - full_bytes(state))
		                                         : bytes);
	cost->looks += cost->looks < PRN_PAGE_LOOKS;
}
