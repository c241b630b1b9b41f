/* Visits every page in turn, and changes it where needed. */
#include "decide/decider_internal.h"
#include "store/shared.h"

#include <string.h>

/* Changes to a commit. */
#define BATCH 20000

static int do_portion(struct prn_decider *decider, prn_portion_fn *stage, void *context, struct prn_error *error)
{
	int more = stage(decider, context, error), code;

	if (more < 0)
		return more;
	code = prn_decider_commit(decider, error);
	return code ? code : more;
}

int prn_decider_in_portions(struct prn_decider *decider, prn_portion_fn *stage, void *context, size_t context_bytes,
                            struct prn_error *error)
{
	unsigned char before[PRN_PORTION_CONTEXT];
	unsigned tries = 0;
	int more;

	do {
		memcpy(before, context, context_bytes);
		more = do_portion(decider, stage, context, error);
		if (prn_decider_again(decider, more, &tries)) {
			memcpy(context, before, context_bytes);
			more = 1;
		}
	} while (more == 1);
	return more;
}

struct sweep {
	prn_sweep_fn *stage;
	void *context;
	struct prn_digest from; /* the last page that was looked at */
	uint64_t *count, counted; /* by stage, before this portion; NULL: it counts nothing */
};

static int walk_pages(struct prn_decider *decider, struct prn_walk *walk, struct sweep *sweep, struct prn_error *error)
{
	struct prn_record record;
	bool whole;
	int code = 1;

	while (prn_decider_staged(decider) < BATCH && (code = prn_walk_pages_any(walk, &record, &whole, error)) == 1) {
		int failed = whole ? sweep->stage(sweep->context, &record, error) : 0;

		if (failed)
			return failed;
		sweep->from = record.key;
	}
	return code;
}

/* What stage counts is counted here once its portion is durable. */
static int sweep_some(struct prn_decider *decider, void *context, struct prn_error *error)
{
	struct sweep *sweep = context;
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	int code = prn_decider_view(decider, &view, error);

	if (sweep->count)
		*sweep->count = sweep->counted;
	if (!code)
		code = prn_walk_pages(&walk, view, &sweep->from, error);
	if (!code)
		code = walk_pages(decider, walk, sweep, error);
	prn_walk_free(walk);
	if (sweep->count)
		sweep->counted = *sweep->count;
	return code;
}

int prn_decider_sweep(struct prn_decider *decider, prn_sweep_fn *stage, void *context, uint64_t *count,
                      struct prn_error *error)
{
	struct sweep sweep = { stage, context, { 0, 0 }, count, count ? *count : 0 };
	int code = prn_decider_commit(decider, error);

	return code ? code : prn_decider_in_portions(decider, sweep_some, &sweep, sizeof sweep, error);
}
