/* Counts the loads of all pages. */
#include "decide/loads.h"

#include "store/shared.h"

struct counting {
	struct prn_decider *decider;
	struct prn_loads loads;
};

static int count_one(void *context, const struct prn_record *record, struct prn_error *error)
{
	struct counting *counting = context;
	int readable = prn_entry_try(&counting->decider->counted, record, NULL, error);

	if (readable == 1)
		prn_loads_count_page(counting->decider, &counting->decider->counted, true, &counting->loads);
	return readable < 0 ? readable : 0;
}

int prn_loads_of(struct prn_decider *decider, struct prn_view *view, struct prn_loads *loads, struct prn_error *error)
{
	struct counting counting = { .decider = decider };
	struct prn_record record;
	struct prn_walk *walk = NULL;
	bool whole;
	int got = 0, code = prn_view_freeze(view, error);

	if (!code)
		code = prn_walk_pages(&walk, view, NULL, error);
	while (!code && (got = prn_walk_pages_any(walk, &record, &whole, error)) == 1)
		code = whole ? count_one(&counting, &record, error) : 0;
	prn_walk_free(walk);
	*loads = counting.loads;
	return code ? code : got;
}

int prn_loads_count(struct prn_decider *decider, struct prn_error *error)
{
	struct counting counting = { .decider = decider };
	struct prn_view *view;
	int code;

	if (!prn_store_is_shared(decider->store)) {
		code = prn_decider_sweep(decider, count_one, &counting, NULL, error);
	} else {
		/* Where others write meanwhile, all pages are counted as they are at one moment, and the count is staged for that one. */
		code = prn_decider_commit_all(decider, error);
		if (!code)
			code = prn_decider_view(decider, &view, error);
		if (!code)
			code = prn_loads_of(decider, view, &counting.loads, error);
	}
	return code ? code : prn_loads_put(decider, &counting.loads, error);
}
