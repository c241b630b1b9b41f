#include "report/defaults.h"

#include "perennial/priors.h"

#include <stdio.h>
#include <stdlib.h>

/* Appends to each corpus's defaults the prior that was learned without it. */
static int add_priors(struct report_defaults *defaults, const struct term_inputs *under_test,
                      const struct prn_pages *pages, const struct prn_priors *priors, struct prn_error *error)
{
	for (size_t i = 0; i < defaults->count; i++) {
		struct prn_learned_prior learned;
		char keys[PRN_PRIOR_DEFAULTS], *longer, *text = defaults->texts[i];
		int code = prn_priors_learn(priors, pages, i, &learned, error);

		if (code == PRN_E_NOT_FOUND)
			return prn_error_set(error, code,
			                     "%s is under test, and a prior for it cannot be learned from itself: name "
			                     "another corpus with --learn-prior",
			                     under_test->paths[i]);
		if (code)
			return code;
		prn_prior_defaults(&learned.prior, keys);
		if (asprintf(&longer, "%s%s%s", text, *text ? ":" : "", keys) < 0)
			return prn_error_memory(error);
		free(text);
		defaults->texts[i] = longer;
	}
	return 0;
}

static int learn_priors(struct report_defaults *defaults, const struct term_inputs *under_test,
                        const struct prn_pages *pages, const struct term_list *paths, enum prn_clock clock,
                        size_t threads, struct prn_error *error)
{
	struct term_inputs inputs = { 0 };
	struct prn_trace_pool pool = { 0 };
	struct prn_priors *priors = NULL;
	struct prn_pages to_learn;
	int code = term_inputs_open(&inputs, paths->items, paths->count, NULL, threads, error);

	if (code)
		goto out;
	code = prn_trace_pool_init(&pool, inputs.traces, inputs.count, &to_learn);
	if (code) {
		prn_error_set(error, code, "%s", prn_error_text(code));
		goto out;
	}
	code = prn_priors_open(&priors, &to_learn, clock, threads, error);
	if (!code)
		code = add_priors(defaults, under_test, pages, priors, error);
out:
	prn_priors_free(priors);
	prn_trace_pool_release(&pool);
	term_inputs_release(&inputs);
	return code;
}

int report_defaults_make(struct report_defaults *defaults, const char *common, const struct term_inputs *under_test,
                         const struct prn_pages *pages, const struct term_list *paths, enum prn_clock clock,
                         size_t threads, struct prn_error *error)
{
	*defaults = (struct report_defaults){ .texts = calloc(under_test->count + 1, sizeof *defaults->texts) };
	if (!defaults->texts)
		return prn_error_memory(error);
	for (; defaults->count < under_test->count; defaults->count++)
		if (asprintf(&defaults->texts[defaults->count], "%s", common) < 0)
			return prn_error_memory(error);
	return paths->count ? learn_priors(defaults, under_test, pages, paths, clock, threads, error) : 0;
}

void report_defaults_release(struct report_defaults *defaults)
{
	for (size_t i = 0; i < defaults->count; i++)
		free(defaults->texts[i]);
	free(defaults->texts);
	*defaults = (struct report_defaults){ 0 };
}
