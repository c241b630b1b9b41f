#include "decide/held_internal.h"

#include "base/clock.h"
#include "decide/decider_internal.h"
#include "decide/ledger.h"

_Static_assert(PRN_HELD_KINDS == PRN_HELD_NOT, "PRN_HELD_KINDS counts what may hold a host");

const char *prn_held_name(enum prn_held held)
{
	static const char *const names[] = { "share", "retry-after", "limit", "delay", "hours" };

	return (unsigned)held < sizeof names / sizeof *names ? names[held] : "?";
}

enum prn_held prn_held_by(const struct prn_known_host *known, const struct prn_share *share, int64_t now, int64_t *until)
{
	const struct prn_host *host = &known->host;
	struct prn_host_settings always = known->settings;
	int64_t shared = prn_share_opens(share, host, now), opens = prn_host_opens(host, &known->settings, now), rested;
	bool full = prn_host_is_full(host, &known->settings, now, now);

	if (shared <= now && opens <= now && !full)
		return PRN_HELD_NOT;
	*until = prn_time_later(prn_time_later(shared, opens), full ? host->leased_until : now);
	if (shared > now)
		return PRN_HELD_SHARE;
	always.from_s = always.to_s = 0;
	rested = prn_host_opens(host, &always, now);
	if (rested > now && rested == host->until)
		return PRN_HELD_WISH;
	if (full)
		return PRN_HELD_LIMIT;
	return opens > rested ? PRN_HELD_HOURS : PRN_HELD_DELAY;
}

int prn_held_ledger(const struct prn_decider *decider, double budget_per_day, const struct prn_store_reader *reader,
                    struct prn_ledger *ledger, struct prn_error *error)
{
	struct prn_store_reader root = { 0 };
	int code;

	if (!decider->root)
		return prn_ledger_read(ledger, budget_per_day, reader, error);
	code = prn_view_open(&root.view, decider->root->store, error);
	if (code)
		return code;
	code = prn_ledger_read(ledger, budget_per_day, &root, error);
	prn_view_close(root.view);
	return code;
}

int prn_held_share(const struct prn_decider *decider, const struct prn_store_reader *reader, int64_t now,
                   struct prn_share *share, struct prn_error *error)
{
	struct prn_ledger ledger;
	struct prn_price price;
	double budget_per_day, host_share = decider->options.host_share;
	int code = prn_decider_price(decider, reader, &price, error);

	*share = prn_share_none();
	if (code || !(price.budget_per_day > 0))
		return code;
	budget_per_day = price.budget_per_day;
	code = prn_held_ledger(decider, budget_per_day, reader, &ledger, error);
	if (code)
		return code;
	prn_ledger_advance(&ledger, budget_per_day, now);
	*share = prn_share_of(host_share, budget_per_day, ledger.left, prn_ledger_is_shared(&ledger));
	return 0;
}
