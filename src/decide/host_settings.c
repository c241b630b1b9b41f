#include "decide/host_settings.h"

#include "perennial/url.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_of_day(double seconds)
{
	return seconds >= 0 && seconds <= PRN_DAY_S;
}

/* Whether it may be a SURT prefix of hosts: labels separated by commas, or a numeric address. */
static bool is_prefix(const char *hosts)
{
	size_t begin = strspn(hosts, "("), numeric = strspn(hosts + begin, "0123456789.");

	if (hosts[begin] == '[' || !hosts[begin + numeric] ||
	    (hosts[begin + numeric] == ',' && !hosts[begin + numeric + 1]))
		return true;
	for (const char *at = hosts + begin; *at; at++)
		if (strchr("./:*@?# \t", *at))
			return false;
	return true;
}

void prn_host_rule_init(struct prn_host_rule *rule)
{
	*rule = (struct prn_host_rule){ .delay_s = -1, .limit = -1 };
}

int prn_host_rules_check(const struct prn_host_rule *rules, size_t count, struct prn_error *error)
{
	for (size_t i = 0; i < count; i++) {
		const struct prn_host_rule *rule = &rules[i];
		const char *about = rule->hosts ? rule->hosts : "all hosts";

		if (rule->hosts && (!*rule->hosts || !strcmp(rule->hosts, (const char[]){ PRN_HOST_GROUP, 0 })))
			return prn_error_set(error, PRN_E_ARGUMENT,
			                     "a rule for hosts names them by a SURT prefix, or a group by @name");
		if (rule->hosts && *rule->hosts != PRN_HOST_GROUP && !is_prefix(rule->hosts))
			return prn_error_set(
				error, PRN_E_ARGUMENT,
				"%s: hosts are named by a SURT prefix: org,example for example.org and what "
				"is under it",
				about);
		if (isnan(rule->delay_s) || isinf(rule->delay_s))
			return prn_error_set(error, PRN_E_ARGUMENT, "%s: the host delay must be a finite duration",
			                     about);
		if (!(rule->limit <= UINT32_MAX) || (rule->limit >= 0 && floor(rule->limit) < rule->limit))
			return prn_error_set(error, PRN_E_ARGUMENT,
			                     "%s: the host limit must be a whole number up to %u", about, UINT32_MAX);
		if (!is_of_day(rule->from_s) || !is_of_day(rule->to_s))
			return prn_error_set(error, PRN_E_ARGUMENT, "%s: hours are times of the day, 0 to %d seconds",
			                     about, PRN_DAY_S);
		if (rule->group && (!rule->hosts || *rule->hosts == PRN_HOST_GROUP || !*rule->group ||
		                    strlen(rule->group) > PRN_HOST_GROUP_BYTES))
			return prn_error_set(
				error, PRN_E_ARGUMENT,
				"%s: a group has a name of 1 to %d bytes, and hosts that a SURT prefix names", about,
				PRN_HOST_GROUP_BYTES);
	}
	return 0;
}

/* The day's end is its beginning: hours from 24:00 begin at 0:00. */
static double begin_of(const struct prn_host_rule *rule)
{
	return rule->from_s < PRN_DAY_S ? rule->from_s : 0;
}

static bool has_hours(const struct prn_host_rule *rule)
{
	double from = begin_of(rule);

	return (rule->from_s < rule->to_s || rule->from_s > rule->to_s) && (from < rule->to_s || from > rule->to_s);
}

/* How specific the rule is; 0: it does not apply to the host, or it is the rule for all hosts. */
static size_t rank_for_host(const struct prn_host_rule *rule, const char *surt, struct prn_host_name name)
{
	if (!rule->hosts)
		return 0;
	if (*rule->hosts == PRN_HOST_GROUP)
		return strlen(rule->hosts) == name.length && !memcmp(rule->hosts, name.text, name.length)
		               ? name.length
		               : 0;
	return *surt && prn_surt_under(surt, rule->hosts) ? strlen(rule->hosts) : 0;
}

/* Writes the SURT form of the root of a host's site, which stands for any page of it; "" for a group. */
static void write_surt(struct prn_host_name name, char *surt, size_t size)
{
	char root[PRN_HOST_NAME_BYTES + 16];

	surt[0] = 0;
	if (name.length && name.text[0] == PRN_HOST_GROUP)
		return;
	snprintf(root, sizeof root, "http://%.*s/", (int)name.length, name.text);
	if (prn_url_surt(root, surt, size))
		surt[0] = 0;
}

void prn_host_rules_match(const struct prn_host_rule *rules, size_t count, struct prn_host_name name, bool *matched)
{
	char surt[PRN_HOST_NAME_BYTES + 32];

	write_surt(name, surt, sizeof surt);
	for (size_t i = 0; i < count; i++)
		matched[i] |= rules[i].hosts && *rules[i].hosts != PRN_HOST_GROUP &&
		              rank_for_host(&rules[i], surt, name) > 0;
}

struct prn_host_settings prn_host_settings_find(const struct prn_decider_options *options, struct prn_host_name name)
{
	struct prn_host_settings found = { .delay_s = options->host_delay_s, .limit = options->host_limit };
	size_t delay = 0, limit = 0, hours = 0, group = 0;
	char surt[PRN_HOST_NAME_BYTES + 32] = "";

	if (options->host_count)
		write_surt(name, surt, sizeof surt);
	for (size_t i = 0; i < options->host_count; i++) {
		const struct prn_host_rule *rule = &options->hosts[i];
		size_t particular = rank_for_host(rule, surt, name);

		if (!particular && rule->hosts)
			continue;
		if (rule->delay_s >= 0 && particular >= delay) {
			found.delay_s = rule->delay_s;
			delay = particular;
		}
		if (rule->limit >= 0 && particular >= limit) {
			found.limit = (unsigned)rule->limit;
			limit = particular;
		}
		if (has_hours(rule) && particular >= hours) {
			found.from_s = begin_of(rule);
			found.to_s = rule->to_s;
			hours = particular;
		}
		if (rule->group && particular >= group) {
			found.group = rule->group;
			group = particular;
		}
	}
	return found;
}

int64_t prn_host_settings_open(const struct prn_host_settings *settings, int64_t time)
{
	int64_t of_day = time % PRN_DAY_S + (time % PRN_DAY_S < 0 ? PRN_DAY_S : 0);
	int64_t from = (int64_t)settings->from_s, to = (int64_t)settings->to_s;
	bool open;

	if (from == to)
		return time;
	open = from < to ? of_day >= from && of_day < to : of_day >= from || of_day < to;
	if (open)
		return time;
	return time + (from - of_day) + (from < of_day ? PRN_DAY_S : 0);
}
