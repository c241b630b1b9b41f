/*
 * How a host may be asked for pages (decider.h, struct prn_host_rule).
 */
#ifndef DECIDE_HOST_SETTINGS_H
#define DECIDE_HOST_SETTINGS_H

#include "perennial/decider.h"
#include "store/turn.h"

struct prn_host_settings {
	double delay_s;
	unsigned limit;      /* 0: any number */
	double from_s, to_s; /* the hours in which it may be asked, as seconds of the UTC day; equal: at any time */
	const char *group;   /* NULL: none */
};

/* Checks that rules are in range and parse; the error's text names the rule.  PRN_E_ARGUMENT */
int prn_host_rules_check(const struct prn_host_rule *rules, size_t count, struct prn_error *error);

/* Sets matched[count] for the rules of a SURT prefix that the host is under; those of other rules are unchanged. */
void prn_host_rules_match(const struct prn_host_rule *rules, size_t count, struct prn_host_name name, bool *matched);

/* The settings of a host, or of a group by its name with PRN_HOST_GROUP before it. */
struct prn_host_settings prn_host_settings_find(const struct prn_decider_options *options, struct prn_host_name name);

/* The first second at or after time at which the hours of the day allow a visit. */
int64_t prn_host_settings_open(const struct prn_host_settings *settings, int64_t time);

#endif
