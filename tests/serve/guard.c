/* Wrong tokens: how often each client sent one, whom that is told, and answers that wait. */
#include "../tap.h"
#include "serve/guard.h"

#include <stdatomic.h>
#include <stdint.h>

static atomic_uint answered;
static char told[200];
static uint64_t told_count;
static unsigned tellings;

static void tell(void *context, const char *client, uint64_t count)
{
	(void)context;
	snprintf(told, sizeof told, "%s", client);
	told_count = count;
	tellings++;
}

/* The guard knows requests as pointers only. */
static void answer(struct serve_request *request)
{
	(void)request;
	answered++;
}

static struct serve_request *request_of(int i)
{
	static char places[10];

	return (struct serve_request *)&places[i];
}

static void counts(struct serve_guard *guard)
{
	double first = serve_guard_count(guard, "192.0.2.1", 1000), second = serve_guard_count(guard, "192.0.2.1", 1000.1),
	       other = serve_guard_count(guard, "192.0.2.2", 1000.2), last = 0;
	char name[20];

	ok(first > 0 && second > first, "the answer to a client's second wrong token is later than to its first");
	near(other, first, 0, "a client does not wait for the wrong tokens of another");
	for (int i = 0; i < 100; i++)
		last = serve_guard_count(guard, "192.0.2.1", 1000.2);
	near(last, SERVE_GUARD_MOST_S, 0, "no answer waits longer than there is a most");
	near(serve_guard_count(guard, "192.0.2.1", 1060), SERVE_GUARD_MOST_S, 0,
	     "a client that sent a wrong token within a minute waits as long");
	near(serve_guard_count(guard, "192.0.2.1", 1121), first, 0,
	     "a client that sent no wrong token for a minute begins anew");
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof name, "client %d", i);
		serve_guard_count(guard, name, 2000 + i);
	}
	near(serve_guard_count(guard, "client 999", 3000), 2 * first, 0, "of many clients the latest are remembered");
	ok(serve_guard_count(guard, "", 3000) > 0, "a client without a name is counted as well");
}

static void tellings_a_second(struct serve_guard *guard)
{
	tellings = 0;
	serve_guard_count(guard, "192.0.2.9", 5000);
	ok(tellings == 1 && told_count == 1, "the first wrong token of a client is told");
	same(told, "192.0.2.9", "a wrong token is told with its client");
	for (int i = 0; i < 50; i++)
		serve_guard_count(guard, "192.0.2.9", 5000.5);
	ok(tellings == 1, "wrong tokens of the same client are not told again within a second");
	serve_guard_count(guard, "192.0.2.9", 5001);
	ok(tellings == 2 && told_count == 51, "wrong tokens that were not told are counted in the next telling");
}

static void waiting(void)
{
	struct serve_guard *guard;

	if (!ok(!serve_guard_open(&guard, 3, NULL, NULL, NULL), "a guard opens for three answers that wait"))
		return;
	for (int i = 0; i < 3; i++)
		ok(serve_guard_hold(guard, request_of(i), 3600, answer),
		   "as many answers wait as there is room for: %d of 3", i + 1);
	ok(!serve_guard_hold(guard, request_of(3), 3600, answer),
	   "an answer that there is no room for does not wait");
	ok(answered == 0, "answers that wait are not given at once");
	serve_guard_end(guard);
	ok(answered == 3, "a guard that ends gives all answers that wait");
	ok(!serve_guard_hold(guard, request_of(4), 3600, answer), "a guard that ended lets no answer wait");
	serve_guard_free(guard);
	serve_guard_free(NULL);

	answered = 0;
	if (serve_guard_open(&guard, 3, NULL, NULL, NULL))
		return;
	serve_guard_hold(guard, request_of(0), 3600, answer);
	serve_guard_hold(guard, request_of(1), 0, answer);
	while (!answered)
		;
	ok(answered == 1, "an answer whose time has come is given, and one that waits longer is not");
	serve_guard_free(guard);
	ok(answered == 2, "a guard that is freed gives what still waits");
}

int main(void)
{
	struct serve_guard *guard;

	if (!ok(!serve_guard_open(&guard, 0, tell, NULL, NULL), "a guard opens"))
		return done();
	counts(guard);
	tellings_a_second(guard);
	serve_guard_free(guard);
	waiting();
	return done();
}
