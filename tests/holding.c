/* What is held for a while is asked for again, until it is let go, or another has had it. */
#include "store/holding.h"

#include "tap.h"

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define EVERY_S .01

static atomic_int asked, answer;

static int hold(struct prn_tables *tables, struct prn_error *error)
{
	(void)tables;
	asked++;
	return answer ? prn_error_set(error, answer, "answer %d", (int)answer) : 0;
}

static void wait_for(int times)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; asked < times && i < 20000; i++)
		nanosleep(&pause, NULL);
}

static void pause_for(double seconds)
{
	const struct timespec pause = { .tv_nsec = (long)(seconds * 1e9) };

	nanosleep(&pause, NULL);
}

int main(void)
{
	struct prn_tables_kind kind = prn_tables_memory;
	struct prn_tables tables = { .kind = &kind, .writable = true };
	const struct prn_store store = { .tables = &tables };
	struct prn_holding *holding = NULL;
	struct prn_error error = { 0 };
	int before;

	kind.hold = NULL;
	ok(!prn_holding_begin(&holding, &store, EVERY_S, &error) && !prn_holding_check(holding, &error),
	   "a writer that is alone anyway asks for nothing");
	prn_holding_end(holding);

	kind.hold = hold;
	ok(!prn_holding_begin(&holding, &store, EVERY_S, &error) && asked == 1, "what is held is asked for at once");
	wait_for(5);
	ok(asked >= 5, "what is held is asked for again and again, while nobody calls");
	answer = PRN_E_BUSY;
	before = asked;
	wait_for(before + 2);
	ok(prn_holding_check(holding, &error) == PRN_E_BUSY && strstr(error.text, "answer"), "who asks after a holding learns that there was no answer");
	answer = 0;
	ok(!prn_holding_check(holding, &error), "after no answer an answer counts");
	answer = PRN_E_LIMIT;
	before = asked;
	wait_for(before + 1);
	pause_for(3 * EVERY_S);
	answer = 0;
	before = asked;
	ok(prn_holding_check(holding, &error) == PRN_E_LIMIT, "what another has had is not held again, though nobody has it now");
	pause_for(5 * EVERY_S);
	ok(asked == before, "what another has had is not asked for any more");
	prn_holding_end(holding);

	ok(!prn_holding_begin(&holding, &store, EVERY_S, &error), "what another has had is held again by who begins anew");
	prn_holding_end(holding);
	before = asked;
	pause_for(5 * EVERY_S);
	ok(asked == before, "what was let go is not asked for any more");

	answer = PRN_E_LIMIT;
	holding = NULL;
	before = asked;
	ok(prn_holding_begin(&holding, &store, EVERY_S, &error) == PRN_E_LIMIT && !holding, "what another holds is not held");
	pause_for(3 * EVERY_S);
	ok(asked == before + 1, "what another holds is asked for once");
	prn_holding_end(NULL);
	return done();
}
