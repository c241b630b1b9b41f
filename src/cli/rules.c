#include "cli/rules.h"

#include "base/number.h"
#include "perennial/due.h"
#include "perennial/page_state.h"
#include "perennial/time.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEASE_S 3600.0

/* A media type has a slash and no mark of a SURT prefix before it: "text/html", "image/" + "*". */
static bool is_media(const char *which)
{
	size_t name = strcspn(which, "/,()");

	return name && which[name] == '/' && which[name + 1] && !strpbrk(which, ",() ");
}

/* The rule for WHICH, added if there is none; the empty WHICH is every page.  NULL: out of memory. */
static struct prn_interval_rule *rule_for(struct cli_rules *rules, const char *which)
{
	struct prn_interval_rule *rule;
	char *copy = NULL;

	for (size_t i = 0; i < rules->interval_count; i++) {
		rule = &rules->intervals[i];
		if (!strcmp(rule->surt ? rule->surt : rule->media ? rule->media : "", which))
			return rule;
	}
	rule = reallocarray(rules->intervals, rules->interval_count + 1, sizeof *rule);
	if (!rule)
		return NULL;
	rules->intervals = rule;
	if (*which && !(copy = strdup(which)))
		return NULL;
	rule += rules->interval_count++;
	*rule = (struct prn_interval_rule){ 0 };
	*(is_media(which) ? &rule->media : &rule->surt) = copy;
	return rule;
}

/* "1h", "text/html=1h", "org,example)/news = 1h"; a SURT prefix may have "=" in it, a duration has none. */
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

static int parse_lease(void *context, const char *value)
{
	struct cli_rules *rules = context;

	return prn_duration_parse(value, &rules->lease_s) || rules->lease_s > PRN_LEASE_MOST_S ? PRN_E_INPUT : 0;
}

/* A whole number within a range. */
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
		CLI_PLUGINS_ROW(&rules->plugins),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};

	_Static_assert(sizeof keys <= sizeof rules->keys, "room for every key");
	*rules = (struct cli_rules){ .lease_s = LEASE_S };
	memcpy(rules->keys, keys, sizeof keys);
	prn_decider_options_init(&rules->decider);
	rules->retire_after = rules->decider.retire_after;
	rules->host_limit = rules->decider.host_limit;
	rules->redirects_per_host = rules->decider.redirects_per_host;
	rules->redirect_chain = rules->decider.redirect_chain;
	rules->minimum = (struct term_own){ parse_minimum, rules, interval };
	rules->maximum = (struct term_own){ parse_maximum, rules, interval };
	rules->lease = (struct term_own){ parse_lease, rules, "a duration of at most 1d, such as 90s, 15m or 6h" };
	rules->retire = (struct term_own){ parse_retire, &rules->retire_after, "a whole number from 1 to 15" };
	rules->chain = (struct term_own){ parse_chain, &rules->redirect_chain, "a whole number from 0 to 20" };
	rules->above = (struct term_own){ parse_divergence, &rules->decider.suspect_above, divergence };
	rules->usual = (struct term_own){ parse_divergence, &rules->decider.suspect_usual, divergence };
	rules->clock = (struct term_own){ parse_now, rules, "a time, such as 2026-05-10T12:00:00Z" };
}

/* Puts together what options and files say. */
static int complete(struct cli_rules *rules, struct prn_error *error)
{
	struct prn_decider_options *decider = &rules->decider;

	if (!rules->state)
		return term_usage_error(error, "--state=DIR, the store, is missing");
	if (rules->host_limit > UINT32_MAX)
		return term_usage_error(error, "--host-limit takes at most %u", UINT32_MAX);
	if (rules->redirects_per_host > UINT32_MAX)
		return term_usage_error(error, "--redirects-per-host takes at most %u", UINT32_MAX);
	for (size_t i = 0; i < rules->interval_count; i++) {
		const struct prn_interval_rule *rule = &rules->intervals[i];

		if (rule->min_s > 0 && rule->max_s > 0 && rule->min_s > rule->max_s)
			return term_usage_error(error, "--min-interval is above --max-interval%s%s",
			                        rule->surt || rule->media ? " for " : "",
			                        rule->surt ? rule->surt : rule->media ? rule->media : "");
	}
	decider->retire_after = (unsigned)rules->retire_after;
	decider->host_limit = (unsigned)rules->host_limit;
	decider->redirects_per_host = (unsigned)rules->redirects_per_host;
	decider->redirect_chain = (unsigned)rules->redirect_chain;
	decider->intervals = rules->intervals;
	decider->interval_count = rules->interval_count;
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
	term_list_release(&rules->plugins);
}

int64_t cli_rules_now(const struct cli_rules *rules)
{
	return rules->has_now ? rules->now : time(NULL);
}
