#include "cli/rules.h"

#include "base/number.h"
#include "decide/host_settings.h"
#include "perennial/digest.h"
#include "perennial/due.h"
#include "perennial/page_state.h"
#include "perennial/time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEASE_S 3600.0

/*
 * Tells a media type from a SURT prefix: it has a slash and none of the other's marks before it, as in "text/html" or
 * "image/" + "*".
 */
static bool is_media(const char *which)
{
	size_t name = strcspn(which, "/,()");

	return name && which[name] == '/' && which[name + 1] && !strpbrk(which, ",() ");
}

/* What rule i of a kind is for: "" is everything. */
typedef const char *name_fn(const struct cli_rules *rules, size_t i);

static const char *interval_name(const struct cli_rules *rules, size_t i)
{
	const struct prn_interval_rule *rule = &rules->intervals[i];

	return rule->surt ? rule->surt : rule->media ? rule->media : "";
}

static const char *host_name(const struct cli_rules *rules, size_t i)
{
	return rules->hosts[i].hosts ? rules->hosts[i].hosts : "";
}

static size_t *probe(const struct cli_rule_places *places, const struct cli_rules *rules, name_fn *name, const char *which)
{
	size_t at = (size_t)prn_digest_bytes(which, strlen(which)).low;

	while (places->slots[at &= places->room - 1] && strcmp(name(rules, places->slots[at] - 1), which))
		at++;
	return &places->slots[at];
}

/* Where the rule for WHICH is, of count rules, or is to be noted.  NULL: out of memory. */
static size_t *place_of(struct cli_rule_places *places, const struct cli_rules *rules, size_t count, name_fn *name, const char *which)
{
	struct cli_rule_places larger = { .room = places->room ? 2 * places->room : 64 };

	if (count < places->room / 2)
		return probe(places, rules, name, which);
	larger.slots = calloc(larger.room, sizeof *larger.slots);
	if (!larger.slots)
		return NULL;
	for (size_t i = 0; i < count; i++)
		*probe(&larger, rules, name, name(rules, i)) = i + 1;
	free(places->slots);
	*places = larger;
	return probe(places, rules, name, which);
}

/* Returns the rule for WHICH, which is added if there is none; an empty WHICH is every page.  NULL: out of memory. */
static struct prn_interval_rule *rule_for(struct cli_rules *rules, const char *which)
{
	size_t *place = place_of(&rules->interval_places, rules, rules->interval_count, interval_name, which);
	struct prn_interval_rule *rule;
	char *copy = NULL;

	if (!place || *place)
		return place ? &rules->intervals[*place - 1] : NULL;
	rule = reallocarray(rules->intervals, rules->interval_count + 1, sizeof *rule);
	if (!rule)
		return NULL;
	rules->intervals = rule;
	if (*which && !(copy = strdup(which)))
		return NULL;
	rule += rules->interval_count++;
	*place = rules->interval_count;
	*rule = (struct prn_interval_rule){ 0 };
	*(is_media(which) ? &rule->media : &rule->surt) = copy;
	return rule;
}

/*
 * Parses "1h", "text/html=1h", "org,example)/news = 1h".  The last "=" counts: a SURT prefix may have one in it, a duration
 * has none.
 */
static int parse_interval(struct cli_rules *rules, const char *value, bool least)
{
	const char *equals = strrchr(value, '='), *duration = equals ? equals + 1 : value;
	size_t length = equals ? (size_t)(equals - value) : 0;
	struct prn_interval_rule *rule;
	double seconds;
	char *which;

	duration += strspn(duration, " \t");
	while (length && strchr(" \t", value[length - 1]))
		length--;
	if (prn_duration_parse(duration, &seconds) || !(seconds > 0) || (equals && !length))
		return PRN_E_INPUT;
	which = strndup(value, length);
	rule = which ? rule_for(rules, which) : NULL;
	free(which);
	if (!rule)
		return PRN_E_MEMORY;
	*(least ? &rule->min_s : &rule->max_s) = seconds;
	return 0;
}

static int parse_minimum(void *context, const char *value)
{
	return parse_interval(context, value, true);
}

static int parse_maximum(void *context, const char *value)
{
	return parse_interval(context, value, false);
}

/*
 * Returns the rule for the hosts WHICH, which is added if there is none; an empty WHICH is every host.  NULL: out of memory.
 */
static struct prn_host_rule *host_rule_for(struct cli_rules *rules, const char *which)
{
	size_t *place = place_of(&rules->host_places, rules, rules->host_count, host_name, which);
	struct prn_host_rule *rule;
	char *copy = NULL;

	if (!place || *place)
		return place ? &rules->hosts[*place - 1] : NULL;
	rule = reallocarray(rules->hosts, rules->host_count + 1, sizeof *rule);
	if (!rule)
		return NULL;
	rules->hosts = rule;
	if (*which && !(copy = strdup(which)))
		return NULL;
	rule += rules->host_count++;
	*place = rules->host_count;
	prn_host_rule_init(rule);
	rule->hosts = copy;
	return rule;
}

/* Splits "WHICH = value", or a value for every host, into the rule and where the value begins. */
static int split_host_rule(struct cli_rules *rules, const char *text, struct prn_host_rule **rule, const char **value)
{
	const char *equals = strrchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : 0;
	char *which;

	*value = equals ? equals + 1 : text;
	*value += strspn(*value, " \t");
	while (length && strchr(" \t", text[length - 1]))
		length--;
	if (equals && !length)
		return PRN_E_INPUT;
	which = strndup(text, length);
	*rule = which ? host_rule_for(rules, which) : NULL;
	free(which);
	return *rule ? 0 : PRN_E_MEMORY;
}

static int parse_host_delay(void *context, const char *text)
{
	struct prn_host_rule *rule;
	const char *value;
	int code = split_host_rule(context, text, &rule, &value);

	return code ? code : prn_duration_parse(value, &rule->delay_s);
}

static int parse_host_limit(void *context, const char *text)
{
	struct prn_host_rule *rule;
	const char *value;
	int code = split_host_rule(context, text, &rule, &value);

	if (code)
		return code;
	if (strspn(value, "0123456789") != strlen(value) || !*value || strtod(value, NULL) > UINT32_MAX)
		return PRN_E_INPUT;
	rule->limit = strtod(value, NULL);
	return 0;
}

/* Reads a time such as "08:30" as *seconds of the day.  Returns where it ends, or NULL. */
static const char *read_clock(const char *text, double *seconds)
{
	unsigned hours, minutes;
	int length = 0;

	if (sscanf(text, "%2u:%2u%n", &hours, &minutes, &length) < 2 || length < 4 || hours > 24 || minutes > 59 ||
	    hours * 60 + minutes > 24 * 60)
		return NULL;
	*seconds = hours * 3600.0 + minutes * 60.0;
	return text + length;
}

static int parse_host_hours(void *context, const char *text)
{
	struct prn_host_rule *rule;
	const char *value;
	double from_s, to_s;
	int code = split_host_rule(context, text, &rule, &value);

	if (code)
		return code;
	value = read_clock(value, &from_s);
	value = value && *value == '-' ? read_clock(value + 1, &to_s) : NULL;
	/* 24:00 is 0:00 of the next day, and from one moment to the same there is no time. */
	if (!value || *value || !(from_s < to_s || from_s > to_s) || (from_s >= PRN_DAY_S && to_s <= 0))
		return PRN_E_INPUT;
	rule->from_s = from_s;
	rule->to_s = to_s;
	return 0;
}

static int parse_host_group(void *context, const char *text)
{
	struct prn_host_rule *rule;
	const char *value;
	int code = split_host_rule(context, text, &rule, &value);

	if (code)
		return code;
	if (!rule->hosts || *rule->hosts == '@' || !*value || strlen(value) > PRN_HOST_GROUP_BYTES)
		return PRN_E_INPUT;
	free((char *)rule->group);
	rule->group = strdup(value);
	return rule->group ? 0 : PRN_E_MEMORY;
}

static int parse_host_share(void *context, const char *text)
{
	struct cli_rules *rules = context;
	double *share = &rules->decider.host_share;

	return prn_number_read(text, share) && *share > 0 && *share <= 1 ? 0 : PRN_E_INPUT;
}

static int parse_lease(void *context, const char *value)
{
	struct cli_rules *rules = context;

	return prn_duration_parse(value, &rules->lease_s) || rules->lease_s > PRN_LEASE_MOST_S ? PRN_E_INPUT : 0;
}

/* Parses a whole number within a range. */
static int parse_within(const char *value, uint64_t least, uint64_t most, uint64_t *number)
{
	const struct term_option option = { TERM_OPTION_COUNT, NULL, 0, number, NULL, NULL };
	const char *takes;

	return term_option_store(&option, value, &takes) || *number < least || *number > most ? PRN_E_INPUT : 0;
}

static int parse_retire(void *context, const char *value)
{
	return parse_within(value, 1, PRN_PAGE_FAILURES, context);
}

static int parse_chain(void *context, const char *value)
{
	return parse_within(value, 0, PRN_PAGE_REDIRECTS, context);
}

static int parse_divergence(void *context, const char *value)
{
	double *divergence = context;

	return prn_number_read(value, divergence) && *divergence >= 0 ? 0 : PRN_E_INPUT;
}

/* Words with commas between them. */
static int parse_hints(void *context, const char *value)
{
	struct cli_rules *rules = context;
	size_t length;

	for (const char *word = value;; word += length + 1) {
		length = strcspn(word, ",");
		if (length == 7 && !strncmp(word, "sitemap", 7))
			rules->decider.hints |= PRN_HINTS_SITEMAP;
		else if (length == 4 && !strncmp(word, "feed", 4))
			rules->decider.hints |= PRN_HINTS_FEED;
		else
			return PRN_E_INPUT;
		if (!word[length])
			return 0;
	}
}

static int parse_now(void *context, const char *value)
{
	struct cli_rules *rules = context;

	rules->has_now = !prn_time_parse(value, &rules->now);
	return rules->has_now ? 0 : PRN_E_INPUT;
}

static void set_defaults(struct cli_rules *rules)
{
	static const char interval[] = "a duration above 0, such as 6h, or WHICH=6h, WHICH being a media type as "
				       "text/html or a SURT prefix as org,example)/news",
			  divergence[] = "a divergence, 0 or more";
	const struct term_option keys[] = {
		CLI_RULES_LOCK(rules),
		CLI_RULES_INTERVALS(rules),
		CLI_RULES_ATTEMPTS(rules),
		CLI_RULES_HANDING(rules),
		CLI_RULES_HOSTS(rules),
		CLI_RULES_HINTS(rules),
		CLI_PLUGINS_ROW(&rules->plugins),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};

	_Static_assert(sizeof keys <= sizeof rules->keys, "room for every key");
	*rules = (struct cli_rules){ .lease_s = LEASE_S };
	memcpy(rules->keys, keys, sizeof keys);
	prn_decider_options_init(&rules->decider);
	rules->retire_after = rules->decider.retire_after;
	rules->redirects_per_host = rules->decider.redirects_per_host;
	rules->redirect_chain = rules->decider.redirect_chain;
	rules->hinted_per_host = rules->decider.hinted_per_host;
	rules->hints_per_day = rules->decider.hints_per_day;
	rules->minimum = (struct term_own){ parse_minimum, rules, interval };
	rules->maximum = (struct term_own){ parse_maximum, rules, interval };
	rules->lease = (struct term_own){ parse_lease, rules, "a duration of at most 1d, such as 90s, 15m or 6h" };
	rules->host_delay = (struct term_own){ parse_host_delay, rules,
		                               "a duration such as 2s, or WHICH=2s, WHICH being a SURT prefix as org,example or a group as @name" };
	rules->host_limit = (struct term_own){ parse_host_limit, rules, "a whole number, or WHICH=N" };
	rules->host_hours = (struct term_own){ parse_host_hours, rules, "two times of the day, UTC, such as 22:00-06:00, or WHICH=22:00-06:00" };
	rules->host_group = (struct term_own){ parse_host_group, rules, "WHICH=NAME, WHICH being a SURT prefix as org,example" };
	rules->host_share = (struct term_own){ parse_host_share, rules, "a number above 0 and at most 1" };
	rules->retire = (struct term_own){ parse_retire, &rules->retire_after, "a whole number from 1 to 15" };
	rules->chain = (struct term_own){ parse_chain, &rules->redirect_chain, "a whole number from 0 to 20" };
	rules->above = (struct term_own){ parse_divergence, &rules->decider.suspect_above, divergence };
	rules->usual = (struct term_own){ parse_divergence, &rules->decider.suspect_usual, divergence };
	rules->hints = (struct term_own){ parse_hints, rules, "sitemap, feed or both" };
	rules->clock = (struct term_own){ parse_now, rules, "a time, such as 2026-05-10T12:00:00Z" };
}

const char *cli_usual_store(void)
{
	const char *store_name = getenv("PERENNIAL_STATE");

	return store_name && *store_name ? store_name : NULL;
}

/* Combines what options and files say. */
static int complete(struct cli_rules *rules, struct prn_error *error)
{
	struct prn_decider_options *decider = &rules->decider;

	if (!rules->store_name && !(rules->store_name = cli_usual_store()))
		return term_usage_error(error, "--state=DIR, the store, is missing, and PERENNIAL_STATE names none");
	if (rules->redirects_per_host > UINT32_MAX)
		return term_usage_error(error, "--redirects-per-host takes at most %u", UINT32_MAX);
	if (rules->hinted_per_host > UINT32_MAX || rules->hints_per_day > UINT32_MAX)
		return term_usage_error(error, "--hinted-per-host and --hints-per-day take at most %u", UINT32_MAX);
	for (size_t i = 0; i < rules->interval_count; i++) {
		const struct prn_interval_rule *rule = &rules->intervals[i];
		char least[PRN_TIME_TEXT], most[PRN_TIME_TEXT];

		if (rule->min_s > 0 && rule->max_s > 0 && rule->min_s > rule->max_s)
			return term_usage_error(error, "min-interval, %s, is above max-interval, %s%s%s",
			                        prn_duration_format(rule->min_s, least), prn_duration_format(rule->max_s, most),
			                        rule->surt || rule->media ? ", for " : "",
			                        rule->surt ? rule->surt : rule->media ? rule->media : "");
	}
	if (prn_host_rules_check(rules->hosts, rules->host_count, error))
		return term_usage_blame(error);
	decider->retire_after = (unsigned)rules->retire_after;
	decider->redirects_per_host = (unsigned)rules->redirects_per_host;
	decider->redirect_chain = (unsigned)rules->redirect_chain;
	decider->hinted_per_host = (unsigned)rules->hinted_per_host;
	decider->hints_per_day = (unsigned)rules->hints_per_day;
	decider->intervals = rules->intervals;
	decider->interval_count = rules->interval_count;
	decider->hosts = rules->hosts;
	decider->host_count = rules->host_count;
	return cli_plugins_load(&rules->plugins, error);
}

int cli_rules_parse(struct cli_rules *rules, const struct term_usage *usage, int argc, char **argv, int *first,
                    struct prn_error *error)
{
	int operand, code;

	set_defaults(rules);
	code = term_options_parse(usage, argc, argv, &operand, error);
	if (!code && !first && operand < argc)
		code = term_usage_error(error, "unexpected operand '%s'", argv[operand]);
	if (!code)
		code = complete(rules, error);
	if (!code && first)
		*first = operand;
	return code;
}

void cli_rules_release(struct cli_rules *rules)
{
	for (size_t i = 0; i < rules->interval_count; i++) {
		free((char *)rules->intervals[i].surt);
		free((char *)rules->intervals[i].media);
	}
	free(rules->intervals);
	for (size_t i = 0; i < rules->host_count; i++) {
		free((char *)rules->hosts[i].hosts);
		free((char *)rules->hosts[i].group);
	}
	free(rules->hosts);
	free(rules->interval_places.slots);
	free(rules->host_places.slots);
	term_list_release(&rules->plugins);
}

int64_t cli_rules_now(const struct cli_rules *rules)
{
	return rules->has_now ? rules->now : time(NULL);
}
