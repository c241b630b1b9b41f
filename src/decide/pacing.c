#include "decide/pacing.h"

#include "decide/loads.h"
#include "store/shared.h"

#include <math.h>
#include <string.h>

/* A threshold that differs by less than this share counts as the same, so that it is not written at every call. */
#define SAME 0.01

/* How many pages are considered for requeuing when the threshold falls: with each call, and for each page that it may hand out. */
#define REQUEUED 256
#define REQUEUED_EACH 4
#define REQUEUED_MOST 5000

/* T is never that of less than this part of the pages, however many wait for their hosts. */
#define LEAST_FREE 0.001

/*
 * The part of all pages that does not wait for a host.  Where hosts share the budget, pages that wait will not take what they
 * want: one large host that has had its share would raise T for all others.  Of several shards each leaves it out of the loads that
 * it tells the root, for which it is 1.
 */
static int find_free(const struct prn_pacing *pacing, const struct prn_decider *decider, double *part, struct prn_error *error)
{
	struct prn_store_totals totals;
	int code;

	*part = 1;
	if (decider->shards || !prn_ledger_is_shared(&pacing->ledger))
		return 0;
	code = prn_store_totals_one(decider->store, &totals, error);
	if (!code && totals.pages)
		*part = fmax(LEAST_FREE, 1 - (double)totals.waiting / (double)totals.pages);
	return code;
}

/*
 * The threshold at which the pages want what the budget has left for them.  When it was found is written with it, so that who asks often
 * and who asks seldom come to the same, also where a call is repeated.
 */
static int seek_threshold(struct prn_pacing *pacing, struct prn_decider *decider, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_ledger *ledger = &pacing->ledger;
	struct prn_budget aim = { prn_ledger_aim(ledger, decider->budget_per_day), decider->costs.unit };
	bool sought = ledger->sought_at != PRN_TIME_UNKNOWN, is_same;
	double before = sought ? decider->threshold : INFINITY, threshold, part,
	       days = sought ? fmax(0, ((double)ledger->at - (double)ledger->sought_at) / PRN_DAY_S) : 0;
	int code = find_free(pacing, decider, &part, error);

	if (code)
		return code;
	aim.per_day /= part;
	code = prn_loads_threshold(&reader, &aim, before, days, &threshold, &pacing->held, error);
	/* No shard was asked so far. */
	if (code == PRN_E_NOT_FOUND && decider->shards)
		return 0;
	if (code)
		return code;
	is_same = fabs(log(threshold / decider->threshold)) < SAME;
	if (!pacing->held || !is_same)
		ledger->sought_at = ledger->at;
	if (is_same)
		return 0;
	code = prn_decider_put_threshold(decider, threshold, error);
	if (!code)
		code = prn_ledger_put(ledger, decider->batch, error);
	if (!code)
		decider->threshold = threshold;
	return code;
}

int prn_pacing_hold(struct prn_decider *decider, const struct prn_budget *budget, double *threshold, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_budget aim = *budget;
	struct prn_ledger ledger;
	double most;
	bool held = false;
	int code = prn_ledger_read(&ledger, decider->budget_per_day, &reader, error);

	if (code || ledger.sought_at == PRN_TIME_UNKNOWN)
		return code;
	aim.per_day = prn_ledger_aim(&ledger, budget->per_day);
	code = prn_loads_threshold(&reader, &aim, decider->threshold, 0, &most, &held, error);
	if (held)
		*threshold = fmin(*threshold, most);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

static uint64_t requeued(uint64_t wanted)
{
	return REQUEUED + REQUEUED_EACH * (wanted < REQUEUED_MOST ? wanted : REQUEUED_MOST);
}

/* Requeues some of a shard's own pages.  The shard keeps how far that has come. */
static int requeue_shard(struct prn_decider *decider, uint64_t wanted, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	struct prn_ledger own;
	struct prn_requeuing before;
	int code = prn_ledger_read(&own, decider->budget_per_day, &reader, error);

	if (code)
		return code;
	own.settled = false;
	before = own.requeuing;
	code = prn_requeue_some(decider, &own.requeuing, requeued(wanted), error);
	return code || !memcmp(&before, &own.requeuing, sizeof before) ? code : prn_ledger_put(&own, decider->batch, error);
}

/* A shard hands out only what its lot allows. */
static int begin_lot(struct prn_pacing *pacing, struct prn_decider *decider, uint64_t wanted, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	const struct prn_lot *lot = decider->lot;
	bool current;
	int code = prn_loads_current(decider, &reader, &current, error);

	if (!code && !current)
		code = prn_loads_count(decider, error);
	if (!code)
		code = requeue_shard(decider, wanted, error);
	if (!code)
		code = prn_decider_commit_alone(decider, error);
	if (code)
		return code;
	pacing->ledger = lot->ledger;
	pacing->share = lot->share;
	pacing->room = lot->room;
	return 0;
}

/* The ledger is passed on to the next shard, and with it the answers that were counted. */
void prn_pacing_report(const struct prn_pacing *pacing, struct prn_lot *lot, double unmet, bool kept_back, double early)
{
	lot->kept_back = kept_back;
	if (!pacing->paced)
		return;
	lot->ledger = pacing->ledger;
	lot->room -= pacing->spent;
	lot->spent += pacing->spent;
	lot->unmet += unmet;
	lot->early += early;
	lot->loads = pacing->loads;
	prn_settled_add(&lot->settled, &pacing->settled);
}

/* Others may have spent since the commit, so the ledger that is written in the end must follow from one that is read after it. */
static int read_again(struct prn_pacing *pacing, struct prn_decider *decider, int64_t now, struct prn_error *error)
{
	const struct prn_requeuing requeuing = pacing->ledger.requeuing;
	int64_t sought_at = pacing->ledger.sought_at;
	struct prn_store_reader reader = prn_decider_reader(decider);
	int code = prn_ledger_read(&pacing->ledger, decider->budget_per_day, &reader, error);

	if (code)
		return code;
	prn_ledger_learn(&pacing->ledger, decider->budget_per_day, pacing->pages_days, 0, now);
	prn_ledger_advance(&pacing->ledger, decider->budget_per_day, now);
	pacing->ledger.requeuing = requeuing;
	pacing->ledger.sought_at = sought_at;
	return 0;
}

int prn_pacing_begin(struct prn_pacing *pacing, struct prn_decider *decider, uint64_t wanted, int64_t now,
                     struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	bool current;
	int code;

	*pacing = (struct prn_pacing){ .paced = decider->budget_per_day > 0, .room = INFINITY, .next = now,
		                       .share = prn_share_none(), .threshold_before = decider->threshold };
	if (!pacing->paced)
		return 0;
	if (decider->lot)
		return begin_lot(pacing, decider, wanted, error);
	code = decider->shards ? 0 : prn_loads_current(decider, &reader, &current, error);
	if (!code && !decider->shards && !current)
		code = prn_loads_count(decider, error);
	if (!code)
		code = prn_ledger_read(&pacing->ledger, decider->budget_per_day, &reader, error);
	if (code)
		return code;
	code = prn_loads_once(&reader, decider->costs.unit, &pacing->pages_days, error);
	if (code)
		return code;
	pacing->pages_days /= decider->budget_per_day;
	prn_ledger_learn(&pacing->ledger, decider->budget_per_day, pacing->pages_days, 0, now);
	prn_ledger_advance(&pacing->ledger, decider->budget_per_day, now);
	code = seek_threshold(pacing, decider, error);
	if (!code && !decider->shards)
		code = prn_requeue_some(decider, &pacing->ledger.requeuing, requeued(wanted), error);
	/*
	 * Pages that were queued again are due in the view that follows.  A root queues nothing, and spends what it has just
	 * read.
	 */
	if (!code && !decider->shards)
		code = prn_decider_commit_alone(decider, error);
	if (!code && !decider->shards && prn_store_is_shared(decider->store))
		code = read_again(pacing, decider, now, error);
	if (code)
		return code;
	pacing->threshold_before = decider->threshold;
	pacing->share = prn_share_of(decider->options.host_share, decider->budget_per_day, pacing->ledger.left,
	                             prn_ledger_is_shared(&pacing->ledger));
	pacing->room = (double)prn_ledger_room(&pacing->ledger, decider->budget_per_day, &pacing->next);
	return 0;
}

bool prn_pacing_has_room(const struct prn_pacing *pacing)
{
	/* A sum of shares is not quite one. */
	return pacing->room - pacing->spent >= 1 - 1e-9;
}

void prn_pacing_spend(struct prn_pacing *pacing, double cost)
{
	pacing->spent += cost;
}

/* What a shard tells its root: its loads, and what reports have settled. */
static int end_lot(struct prn_pacing *pacing, struct prn_decider *decider, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	double part = 1;
	int code = prn_loads_read(decider, &reader, &pacing->loads, error);

	if (!code)
		code = find_free(pacing, decider, &part, error);
	if (!code)
		prn_loads_scale(&pacing->loads, part);
	return code ? code : prn_ledger_take_settled(decider->batch, &pacing->settled, error);
}

int prn_pacing_end(struct prn_pacing *pacing, struct prn_decider *decider, double unmet, bool all_given, double early,
                   struct prn_error *error)
{
	struct prn_ledger *ledger = &pacing->ledger;

	if (!pacing->paced)
		return 0;
	if (decider->lot)
		return end_lot(pacing, decider, error);
	prn_ledger_spend(ledger, pacing->spent);
	prn_ledger_learn(ledger, decider->budget_per_day, pacing->pages_days, early, ledger->at);
	ledger->slots[prn_ledger_place(ledger->slot)].threshold = decider->threshold;
	/* Where there was no room, no pages were read, so nothing is known. */
	if (pacing->room > 0) {
		ledger->unmet = pacing->held ? 0 : unmet;
		ledger->spare = all_given ? prn_ledger_spare(ledger, decider->budget_per_day) : 0;
	}
	return prn_ledger_put(ledger, decider->batch, error);
}

void prn_pacing_undo(const struct prn_pacing *pacing, struct prn_decider *decider)
{
	if (pacing->paced)
		decider->threshold = pacing->threshold_before;
}
