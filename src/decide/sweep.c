/* Visits every page in turn, and changes it where needed. */
#include "decide/decider_internal.h"

/* Changes to a commit. */
#define BATCH 20000

/* Returns 1 if there may be more pages, from *last on. */
static int sweep_some(struct prn_decider *decider, struct prn_walk *walk, prn_sweep_fn *stage, void *context,
                      struct prn_digest *last, struct prn_error *error)
{
	struct prn_record record;
	int code = 1;

	while (prn_decider_staged(decider) < BATCH && (code = prn_walk_pages_next(walk, &record, error)) == 1) {
		int failed = stage(context, &record, error);

		if (failed)
			return failed;
		*last = record.key;
	}
	return code;
}

/* A view for each batch: one that stayed open would keep what is changed on the disk. */
int prn_decider_sweep(struct prn_decider *decider, prn_sweep_fn *stage, void *context, struct prn_error *error)
{
	struct prn_digest from = { 0, 0 };
	int more = prn_decider_commit(decider, error);

	more = more ? more : 1;
	while (more == 1) {
		struct prn_view *view = NULL;
		struct prn_walk *walk = NULL;
		int code = prn_view_open(&view, decider->store, error);

		if (!code)
			code = prn_walk_pages(&walk, view, &from, error);
		more = code ? code : sweep_some(decider, walk, stage, context, &from, error);
		prn_walk_free(walk);
		prn_view_close(view);
		if (more >= 0) {
			code = prn_decider_commit(decider, error);
			more = code ? code : more;
		}
	}
	return more;
}
