/* The rule by which the fragments in a store were made.  Hashes of different rules are not compared unless the user asks for it. */
#include "decide/decider_internal.h"

#include "perennial/extractor.h"

int prn_decider_check_rule(const struct prn_decider *decider, struct prn_error *error)
{
	unsigned rule = decider->root ? decider->root->fragment_rule : decider->fragment_rule;

	if (rule == PRN_FRAGMENT_RULE)
		return 0;
	return prn_error_set(error, PRN_E_VERSION,
	                     "the store's fragments are made by rule %u, and this program makes them by rule %d: to go on with these, "
	                     "say so, by --new-fragments or prn_decider_take_rule; of a page that the rules read in other words, the "
	                     "next version then looks changed",
	                     rule, PRN_FRAGMENT_RULE);
}

int prn_decider_take_rule(struct prn_decider *decider, struct prn_error *error)
{
	int code;

	decider = decider->root ? decider->root : decider;
	code = prn_decider_check_writer(decider, error);
	if (code || decider->fragment_rule == PRN_FRAGMENT_RULE)
		return code;
	code = prn_decider_put_rule(decider, error);
	if (!code)
		code = prn_decider_commit_all(decider, error);
	if (!code)
		decider->fragment_rule = PRN_FRAGMENT_RULE;
	return code;
}
