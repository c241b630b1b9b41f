/* How hosts may be asked: which rule counts, and at what hours. */
#include "decide/host_settings.h"
#include "perennial/time.h"
#include "tap.h"

#include <math.h>
#include <string.h>

#define HOUR 3600
#define NONE -1

static struct prn_host_settings settings_of(const struct prn_host_rule *rules, size_t count, const char *name)
{
	const struct prn_decider_options options = { .host_delay_s = 1, .host_limit = 1, .hosts = rules, .host_count = count };

	return prn_host_settings_find(&options, (struct prn_host_name){ name, strlen(name) });
}

static void silent_rule(void)
{
	struct prn_host_rule rule;
	struct prn_host_settings found;

	prn_host_rule_init(&rule);
	found = settings_of(&rule, 1, "a.example");
	near(found.delay_s, 1, 0, "a rule that was only begun leaves the delay of the options");
	ok(found.limit == 1 && !found.group, "a rule that was only begun leaves the limit of the options, and groups nothing");
}

static void which_rule(void)
{
	static const struct prn_host_rule rules[] = {
		{ "example,a", 20, NONE, 0, 0, NULL },
		{ NULL, 10, 4, 0, 0, NULL },
		{ "example", NONE, 5, 0, 0, "shop" },
		{ "@shop", 7, 8, 0, 0, NULL },
		{ "example,a,b", NONE, 0, 0, 0, NULL },
	};
	struct prn_host_settings found = settings_of(NULL, 0, "a.example");

	near(found.delay_s, 1, 0, "without rules a host has the delay of the options");
	ok(found.limit == 1 && !found.group, "without rules a host has the limit of the options and no group");
	found = settings_of(rules, 5, "c.invalid");
	ok(found.limit == 4 && fabs(found.delay_s - 10) < 1e-9, "a rule for all hosts comes before the options");
	found = settings_of(rules, 5, "b.example");
	ok(found.limit == 5 && fabs(found.delay_s - 10) < 1e-9, "a rule that does not set a delay leaves it to a wider one");
	ok(found.group && !strcmp(found.group, "shop"), "a host is in the group of the rule that it is under");
	found = settings_of(rules, 5, "a.example");
	ok(found.limit == 5 && fabs(found.delay_s - 20) < 1e-9, "the longest prefix that sets a thing counts");
	found = settings_of(rules, 5, "b.a.example");
	ok(found.limit == 0 && fabs(found.delay_s - 20) < 1e-9, "a limit of 0 is any number, and counts as set");
	found = settings_of(rules, 5, "xa.example");
	ok(fabs(found.delay_s - 10) < 1e-9, "a prefix ends where a label ends");
	found = settings_of(rules, 5, "@shop");
	ok(found.limit == 8 && fabs(found.delay_s - 7) < 1e-9, "a group has the settings of the rule that names it");
	ok(!found.group, "a group is in no group");
	found = settings_of(rules, 5, "@other");
	ok(found.limit == 4 && fabs(found.delay_s - 10) < 1e-9, "a group without a rule has those of all hosts");
	found = settings_of(rules, 5, "[2001:db8::1]");
	ok(found.limit == 4, "an address of IPv6 is a host as others");
}

static int64_t opens(double from_s, double to_s, int64_t time)
{
	const struct prn_host_settings settings = { .from_s = from_s, .to_s = to_s };

	return prn_host_settings_open(&settings, time);
}

static void hours(void)
{
	const int64_t day = 20000LL * PRN_DAY_S;

	ok(opens(0, 0, day + 5) == day + 5, "without hours a host may be asked at any time");
	ok(opens(8 * HOUR, 20 * HOUR, day + 9 * HOUR) == day + 9 * HOUR, "within its hours a host may be asked at once");
	ok(opens(8 * HOUR, 20 * HOUR, day + 8 * HOUR) == day + 8 * HOUR, "hours begin with their first second");
	ok(opens(8 * HOUR, 20 * HOUR, day + 20 * HOUR) == day + 32 * HOUR, "hours end before their last");
	ok(opens(8 * HOUR, 20 * HOUR, day + 3 * HOUR) == day + 8 * HOUR, "before its hours a host waits for them");
	ok(opens(22 * HOUR, 6 * HOUR, day + 23 * HOUR) == day + 23 * HOUR && opens(22 * HOUR, 6 * HOUR, day + HOUR) == day + HOUR,
	   "hours may go over midnight");
	ok(opens(22 * HOUR, 6 * HOUR, day + 7 * HOUR) == day + 22 * HOUR, "between hours over midnight a host waits for the evening");
	ok(opens(20 * HOUR, PRN_DAY_S, day + PRN_DAY_S) == day + PRN_DAY_S + 20 * HOUR, "hours may end with the day");
	ok(opens(8 * HOUR, 20 * HOUR, -1) == 8 * HOUR, "hours hold before 1970");
}

/* Whether a host may be asked at each hour of a day, by the rules that there are for it. */
static bool is_always_open(double from_s, double to_s)
{
	const struct prn_host_rule rule = { "example", NONE, NONE, from_s, to_s, NULL };
	struct prn_host_settings found = settings_of(&rule, 1, "a.example");
	bool always = true;

	for (int64_t time = 0; time < PRN_DAY_S; time += HOUR)
		always &= prn_host_settings_open(&found, time) == time;
	return always;
}

static void edges(void)
{
	const struct prn_host_rule rule = { "example", NONE, NONE, PRN_DAY_S, 2 * HOUR, NULL };
	struct prn_host_settings found = settings_of(&rule, 1, "a.example");

	ok(is_always_open(PRN_DAY_S, 0), "hours from the end of the day to its beginning, which are one moment, are none");
	ok(is_always_open(PRN_DAY_S, PRN_DAY_S) && is_always_open(0, PRN_DAY_S), "hours from 24:00 to 24:00 are none, and those from 0:00 the whole day");
	ok(prn_host_settings_open(&found, HOUR) == HOUR && prn_host_settings_open(&found, 3 * HOUR) == PRN_DAY_S, "hours from 24:00 begin with the day");
}

static bool is_refused(struct prn_host_rule rule)
{
	struct prn_error error = { 0 };

	return prn_host_rules_check(&rule, 1, &error) == PRN_E_ARGUMENT && error.text[0];
}

static void checks(void)
{
	ok(is_refused((struct prn_host_rule){ "", 1, 1, 0, 0, NULL }), "a rule for no host is refused");
	ok(is_refused((struct prn_host_rule){ "@", 1, 1, 0, 0, NULL }), "a rule for a group without a name is refused");
	ok(is_refused((struct prn_host_rule){ "night.example.org", 1, 1, 0, 0, NULL }), "a host's name as it is usually written is refused");
	ok(is_refused((struct prn_host_rule){ "http://a.example/", 1, 1, 0, 0, NULL }), "a URL is refused where a rule names hosts");
	ok(!is_refused((struct prn_host_rule){ "127.0.0.2", 1, 1, 0, 0, NULL }) && !is_refused((struct prn_host_rule){ "(org,example,", 1, 1, 0, 0, NULL }),
	   "a numeric address and a SURT prefix with its parenthesis are taken");
	ok(is_refused((struct prn_host_rule){ "example", NAN, 1, 0, 0, NULL }), "a delay that is no number is refused");
	ok(is_refused((struct prn_host_rule){ "example", INFINITY, 1, 0, 0, NULL }), "a delay without end is refused");
	ok(is_refused((struct prn_host_rule){ "example", 1, 1.5, 0, 0, NULL }), "half a page at a time is refused");
	ok(is_refused((struct prn_host_rule){ "example", 1, NAN, 0, 0, NULL }), "a limit that is no number is refused");
	ok(is_refused((struct prn_host_rule){ "example", 1, 1, -1, 0, NULL }), "hours before the day are refused");
	ok(is_refused((struct prn_host_rule){ "example", 1, 1, 0, 86401, NULL }), "hours after the day are refused");
	ok(is_refused((struct prn_host_rule){ NULL, 1, 1, 0, 0, "all" }), "a group of all hosts is refused");
	ok(is_refused((struct prn_host_rule){ "@a", 1, 1, 0, 0, "b" }), "a group of a group is refused");
	ok(is_refused((struct prn_host_rule){ "example", 1, 1, 0, 0, "" }), "a group without a name is refused");
}

int main(void)
{
	silent_rule();
	which_rule();
	hours();
	edges();
	checks();
	return done();
}
