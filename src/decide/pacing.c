#include "decide/pacing.h"

#include "decide/loads.h"

#include <math.h>

/* A threshold that is nearer to the present one than this is the same: it is not written at every call. */
#define SAME 0.01

/* Pages that are looked at, when the threshold falls, with every call and with every page that it may hand out. */
#define REQUEUED 256
#define REQUEUED_EACH 4
#define REQUEUED_MOST 5000

/* The threshold at which the pages want what the budget has left for them. */
static int seek_threshold(struct prn_pacing *pacing, struct prn_decider *decider, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	const struct prn_budget aim = { prn_ledger_aim(&pacing->ledger, decider->budget_per_day), decider->costs.unit };
	double threshold;
	int code = prn_loads_threshold(&reader, &aim, &threshold, error);

	if (code || fabs(log(threshold / decider->threshold)) < SAME)
		return code;
	code = prn_decider_put_threshold(decider, threshold, error);
	if (!code)
		decider->threshold = threshold;
	return code;
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
	code = prn_loads_current(decider, &reader, &current, error);
	if (!code && !current)
		code = prn_loads_count(decider, error);
	if (!code)
		code = prn_ledger_read(&pacing->ledger, &reader, error);
	if (code)
		return code;
	prn_ledger_advance(&pacing->ledger, decider->budget_per_day, now);
	code = seek_threshold(pacing, decider, error);
	if (!code)
		code = prn_requeue_some(decider, &pacing->ledger.requeuing,
		                        REQUEUED + REQUEUED_EACH * (wanted < REQUEUED_MOST ? wanted : REQUEUED_MOST), error);
	/* What was queued anew is due in the view that follows. */
	if (!code)
		code = prn_decider_commit(decider, error);
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

int prn_pacing_end(struct prn_pacing *pacing, struct prn_decider *decider, double unmet, struct prn_error *error)
{
	if (!pacing->paced)
		return 0;
	prn_ledger_spend(&pacing->ledger, pacing->spent);
	pacing->ledger.thresholds[prn_ledger_place(pacing->ledger.slot)] = decider->threshold;
	/* Where there was no room, nothing was looked at. */
	if (pacing->room > 0)
		pacing->ledger.unmet = unmet;
	return prn_ledger_put(&pacing->ledger, decider->batch, error);
}

void prn_pacing_undo(const struct prn_pacing *pacing, struct prn_decider *decider)
{
	if (pacing->paced)
		decider->threshold = pacing->threshold_before;
}
