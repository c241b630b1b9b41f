#include "perennial/policy.h"
#include "tap.h"
#include <stdlib.h>
#include "base/random.h"

int main(void)
{
	for (size_t i = 0; prn_policy_info(i); i++) {
		struct prn_policy *policy = NULL;
		struct prn_error error = { 0 };
		struct prn_random random;
		bool fine = true;

		ok(!prn_policy_open(&policy, prn_policy_info(i)->name, NULL, &error), "%s opens", prn_policy_info(i)->name);
		for (int mode = 0; mode < 4; mode++) {
			void *state = calloc(1, prn_policy_state_size(policy));
			double time = 0, sum = 0, divergence[PRN_POLICY_SLOTS];
			struct prn_decision decision;

			prn_random_seed(&random, 1, (uint64_t)mode);
			for (int n = 0; n < 2000; n++) {
				for (size_t k = 0; k < PRN_POLICY_SLOTS; k++)
					divergence[k] = mode < 2 ? mode : mode == 2 ? prn_random_unit(&random) : fmin(1, 0.02 * n);
				prn_policy_visit(policy, state, &(struct prn_visit){ time, 1, 2, divergence }, &decision);
				fine &= decision.period > 0 && decision.keep < (int)prn_policy_slots(policy);
				if (n < 30) sum += decision.period;
				time += fmin(100, decision.period);
			}
			printf("# %s mode %d mean period %g last %g\n", prn_policy_info(i)->name, mode, sum / 30, decision.period);
			free(state);
		}
		ok(fine, "periods positive");
		prn_policy_free(policy);
	}
	return done();
}
