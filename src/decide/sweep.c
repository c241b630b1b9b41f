/* Visits every page in turn, and changes it where needed. */
#include "decide/decider_internal.h"

/* Changes to a commit. */
#define BATCH 20000

int prn_decider_in_portions(struct prn_decider *decider, prn_portion_fn *stage, void *context, struct prn_error *error)
{
	int more = 1;

	while (more == 1) {
		int code;

		more = stage(decider, context, error);
		if (more < 0)
			return more;
		code = prn_decider_commit(decider, error);
		if (code)
			return code;
	}
	return more;
}

struct sweep {
	prn_sweep_fn *stage;
	void *context;
	struct prn_digest from; /* the last page that was looked at */
};

static int walk_pages(struct prn_decider *decider, struct prn_walk *walk, struct sweep *sweep, struct prn_error *error)
{
	struct prn_record record;
	int code = 1;

	while (prn_decider_staged(decider) < BATCH && (code = prn_walk_pages_next(walk, &record, error)) == 1) {
		int failed = sweep->stage(sweep->context, &record, error);

		if (failed)
			return failed;
		sweep->from = record.key;
	}
	return code;
}

static int sweep_some(struct prn_decider *decider, void *context, struct prn_error *error)
{
	struct sweep *sweep = context;
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	int code = prn_view_open(&view, decider->store, error);

	if (!code)
		code = prn_walk_pages(&walk, view, &sweep->from, error);
	if (!code)
		code = walk_pages(decider, walk, sweep, error);
	prn_walk_free(walk);
	prn_view_close(view);
	return code;
}

int prn_decider_sweep(struct prn_decider *decider, prn_sweep_fn *stage, void *context, struct prn_error *error)
{
	struct sweep sweep = { stage, context, { 0, 0 } };
	int code = prn_decider_commit(decider, error);

	return code ? code : prn_decider_in_portions(decider, sweep_some, &sweep, error);
}
