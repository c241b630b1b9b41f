/* Runs tasks in portions, each with its own commit; a sweep changes all pages in this way. */
#include "decide/decider_internal.h"
#include "store/shared.h"

#include <string.h>

/* How many changes are staged for one commit. */
#define BATCH 20000

int prn_decider_in_portions(struct prn_decider *decider, prn_portion_fn *stage, void *context, size_t context_bytes,
                            struct prn_error *error)
{
	unsigned char before[PRN_PORTION_CONTEXT];
	unsigned tries = 0;
	int more;

	do {
		int code;

		memcpy(before, context, context_bytes);
		more = stage(decider, context, error);
		code = more < 0 ? more : prn_decider_commit_all(decider, error);
		if (code)
			more = code;
		if (prn_decider_again(decider, code, &tries)) {
			memcpy(context, before, context_bytes);
			more = 1;
		}
	} while (more == 1);
	return more;
}

struct sweep {
	prn_sweep_fn *stage;
	void *context;
	struct prn_digest from;   /* the last page that was handed to stage */
	uint64_t *count, counted; /* what stage counts, or NULL; counted: that before the present portion */
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

/* The count is reset first, so that a portion that is repeated is counted once. */
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
	int code = prn_decider_commit_all(decider, error);

	return code ? code : prn_decider_in_portions(decider, sweep_some, &sweep, sizeof sweep, error);
}
