/* What ends a wait: a question that is asked as long as it lasts, a descriptor, and patience. */
#include "base/interrupt.h"
#include "base/monotonic.h"
#include "tap.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct asked {
	unsigned count, at; /* how often, and when it says yes: then, and at no other time */
};

static bool is_cancelled(void *context)
{
	struct asked *asked = context;

	return ++asked->count == asked->at;
}

static int ends[2], other[2];
static struct prn_error error;

static void must(bool holds, const char *what)
{
	if (holds)
		return;
	printf("Bail out! cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

/* The wait for a pipe with these bytes in it, and how many seconds it took. */
static int await(struct prn_interrupt *interrupt, unsigned patience_s, double *took)
{
	struct pollfd ready[2] = { { .fd = -1 }, { .fd = ends[0], .events = POLLIN } };
	double began = prn_monotonic();
	int got = prn_interrupt_await(interrupt, ready, 2, patience_s, &error);

	*took = prn_monotonic() - began;
	return got == 1 && !(ready[1].revents & POLLIN) ? 77 : got;
}

static void questions(void)
{
	struct asked asked = { .at = 3 };
	struct prn_interrupt interrupt = { .cancelled = is_cancelled, .context = &asked };
	double took;

	ok(await(&interrupt, 0, &took) == PRN_E_CANCELLED && asked.count == 3, "a wait ends when the question is answered with yes");
	same(error.text, prn_error_text(PRN_E_CANCELLED), "a wait that is cancelled says so");
	ok(prn_interrupt_ask(&interrupt, NULL) == PRN_E_CANCELLED && await(&interrupt, 0, &took) == PRN_E_CANCELLED && asked.count == 3,
	   "what was answered with yes is not asked again, and stays said");
	asked = (struct asked){ .at = 1 };
	interrupt = (struct prn_interrupt){ .cancelled = is_cancelled, .context = &asked };
	must(write(ends[1], "x", 1) == 1, "fill a pipe");
	ok(await(&interrupt, 0, &took) == PRN_E_CANCELLED && asked.count == 1, "the question is asked also where there is no need to wait");
	ok(!prn_interrupt_ask(NULL, NULL) && await(NULL, 0, &took) == 1, "nothing interrupts where there is no interrupt");
	must(read(ends[0], &(char){ 0 }, 1) == 1, "empty a pipe");
}

static void descriptors(void)
{
	struct asked asked = { .at = 0 };
	struct prn_interrupt interrupt = { .cancelled = is_cancelled, .context = &asked, .wake = other[0] };
	double took;

	must(write(other[1], "x", 1) == 1, "wake");
	ok(await(&interrupt, 0, &took) == PRN_E_CANCELLED && asked.count == 1, "a wait ends when its descriptor is readable");
	must(read(other[0], &(char){ 0 }, 1) == 1, "empty a pipe");
	ok(prn_interrupt_ask(&interrupt, NULL) == PRN_E_CANCELLED, "what a descriptor has said stays said");
}

static void patience(void)
{
	struct asked asked = { .at = 0 };
	struct prn_interrupt interrupt = { .cancelled = is_cancelled, .context = &asked };
	double took;

	int got = await(&interrupt, 1, &took);

	ok(!got && took >= 1, "a wait is over when its patience is, and not before: %.3f s", took);
	ok(asked.count > 3, "the question is asked while patience lasts: %u times", asked.count);
	got = await(NULL, 1, &took);
	ok(!got && took >= 1, "a wait of which nothing is asked is over when its patience is: %.3f s", took);
}

static void ignore(int number)
{
	(void)number;
}

/* A signal interrupts poll(), and is no end. */
static void signals(void)
{
	struct sigaction action = { .sa_handler = ignore };
	double took;
	int got;

	sigaction(SIGALRM, &action, NULL);
	ualarm(50000, 50000);
	got = await(NULL, 1, &took);
	ok(!got && took >= 1, "signals neither end nor lengthen a wait: %.3f s", took);
	ualarm(0, 0);
}

int main(void)
{
	must(!pipe(ends) && !pipe(other), "make pipes");
	questions();
	descriptors();
	patience();
	signals();
	return done();
}
