/*
 * Kills a writer at random points, hundreds of times, while lines stream into it.  After each kill every line that it
 * acknowledged must be in the store, none that was never sent may be, and all indexes must agree.
 *
 * 	soak/kill SUBJECT ROUNDS SEED
 */
#include "base/random.h"
#include "soak/subject.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGES 3000 /* the least number of pages */
#define PENDING_BYTES 65536

struct page {
	unsigned sent, acknowledged; /* the highest number, 0: none */
};

struct counts {
	unsigned long kills;
	unsigned long lines, acknowledged, early; /* early: killed before the first acknowledgement */
	unsigned long in_flight;                  /* lines that were sent and not acknowledged when the writer died */
	unsigned long kept;                       /* of these, lines that are in the store afterwards */
	unsigned long again;                      /* acknowledged although it was in the store before */
};

struct soak {
	const struct subject *subject;
	char store[64];
	struct page *pages;
	unsigned page_count;
	double longest_ms; /* the longest life of a writer */
	struct prn_random random;
	unsigned number; /* number of the last line */
	struct counts counts;
};

/* A process with pipes to its input and from its output. */
struct process {
	pid_t pid;
	int in, out;
};

static void die(const char *what)
{
	fprintf(stderr, "soak/kill: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct process start(const char *command)
{
	struct process process;
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		die("no pipes");
	process.pid = fork();
	if (process.pid < 0)
		die("cannot fork");
	if (!process.pid) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		signal(SIGPIPE, SIG_DFL);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	process.in = in[1];
	process.out = out[0];
	return process;
}

typedef bool says_fn(const char *line, unsigned *page, unsigned *number);
typedef void take_fn(struct soak *soak, unsigned page, unsigned number);

static void take_lines(struct soak *soak, struct prn_buffer *text, says_fn *says, take_fn *take)
{
	size_t at = 0;

	for (;;) {
		char *line = (char *)text->data + at, *end = text->length > at ? memchr(line, '\n', text->length - at) : NULL;
		unsigned page, number;

		if (!end)
			break;
		*end = 0;
		if (says(line, &page, &number) && page < soak->page_count)
			take(soak, page, number);
		at += (size_t)(end - line) + 1;
	}
	if (at)
		memmove(text->data, text->data + at, text->length - at);
	text->length -= at;
}

/* Reads what has arrived; returns false at the end. */
static bool hear(struct soak *soak, int out, struct prn_buffer *text, says_fn *says, take_fn *take)
{
	ssize_t got;

	if (prn_buffer_reserve(text, PENDING_BYTES))
		die("no memory");
	got = read(out, text->data + text->length, PENDING_BYTES);
	if (got <= 0)
		return false;
	text->length += (size_t)got;
	take_lines(soak, text, says, take);
	return true;
}

static void acknowledge(struct soak *soak, unsigned page, unsigned number)
{
	soak->counts.acknowledged++;
	if (number > soak->pages[page].acknowledged)
		soak->pages[page].acknowledged = number;
	else
		soak->counts.again++;
}

/* Keeps the pipe full.  A line counts as sent when it was made: later it is not known how much of it the pipe took. */
static void feed(struct soak *soak, int in, struct prn_buffer *pending)
{
	ssize_t written;

	while (pending->length < PENDING_BYTES) {
		unsigned page = (unsigned)prn_random_below(&soak->random, soak->page_count);

		soak->subject->line(page, ++soak->number, pending);
		soak->pages[page].sent = soak->number;
		soak->counts.lines++;
	}
	written = write(in, pending->data, pending->length);
	if (written > 0) {
		memmove(pending->data, pending->data + written, pending->length - (size_t)written);
		pending->length -= (size_t)written;
	}
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

/* Streams lines in and acknowledgements out until the time is up. */
static void stream(struct soak *soak, struct process *process, struct prn_buffer *heard, double until)
{
	struct prn_buffer pending = { 0 };
	struct pollfd files[2] = { { process->in, POLLOUT, 0 }, { process->out, POLLIN, 0 } };

	fcntl(process->in, F_SETFL, O_NONBLOCK);
	if (!soak->subject->line)
		files[0].fd = -1;
	for (double left; (left = until - now_ms()) > 0;) {
		if (poll(files, 2, (int)left + 1) < 0)
			break;
		if (files[0].revents)
			feed(soak, process->in, &pending);
		if (files[1].revents && !hear(soak, process->out, heard, soak->subject->acknowledged, acknowledge))
			break;
	}
	prn_buffer_release(&pending);
}

/*
 * The lives of writers are adjusted to the load of the machine: of those that end by themselves a quarter should end, and of
 * the others at most a sixth should be killed before they have acknowledged anything.
 */
static void follow_life(struct soak *soak, bool killed, bool early)
{
	double least = soak->subject->longest_ms;

	if (least > 0)
		soak->longest_ms = early ? 1.1 * soak->longest_ms : fmax(least, 0.98 * soak->longest_ms);
	else
		soak->longest_ms *= killed ? 1.01 : 0.97;
}

/* Returns whether the writer lived until it was killed, or ended as it may. */
static bool write_and_kill(struct soak *soak)
{
	unsigned long before = soak->counts.acknowledged;
	struct process process = start(soak->subject->write);
	struct prn_buffer heard = { 0 };
	int status;

	stream(soak, &process, &heard, now_ms() + prn_random_unit(&soak->random) * soak->longest_ms);
	kill(process.pid, SIGKILL);
	waitpid(process.pid, &status, 0);
	while (hear(soak, process.out, &heard, soak->subject->acknowledged, acknowledge))
		;
	close(process.in);
	close(process.out);
	prn_buffer_release(&heard);
	soak->counts.early += soak->counts.acknowledged == before;
	soak->counts.kills += WIFSIGNALED(status);
	follow_life(soak, WIFSIGNALED(status), soak->counts.acknowledged == before);
	return WIFSIGNALED(status) || (!soak->subject->longest_ms && !status);
}

static unsigned *found;

static void find(struct soak *soak, unsigned page, unsigned number)
{
	(void)soak;
	found[page] = number;
}

static int run_to_end(struct soak *soak, const char *command, says_fn *says, take_fn *take)
{
	struct process process = start(command);
	struct prn_buffer heard = { 0 };
	int status;

	while (hear(soak, process.out, &heard, says, take))
		;
	prn_buffer_release(&heard);
	close(process.in);
	close(process.out);
	waitpid(process.pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static bool says_nothing(const char *line, unsigned *page, unsigned *number)
{
	(void)line, (void)page, (void)number;
	return false;
}

/* Counts the pages that are not as they must be. */
static unsigned long compare(struct soak *soak)
{
	unsigned long wrong = 0;

	for (unsigned i = 0; i < soak->page_count; i++) {
		struct page *page = &soak->pages[i];

		wrong += found[i] < page->acknowledged || found[i] > page->sent;
		soak->counts.in_flight += page->sent > page->acknowledged;
		soak->counts.kept += found[i] > page->acknowledged;
		page->acknowledged = found[i];
	}
	return wrong;
}

static bool verify(struct soak *soak, unsigned round)
{
	unsigned long wrong;
	int read_code, check_code;

	memset(found, 0, soak->page_count * sizeof *found);
	read_code = run_to_end(soak, soak->subject->read, soak->subject->found, find);
	check_code = run_to_end(soak, soak->subject->check, says_nothing, find);
	wrong = compare(soak);
	if (read_code || check_code || wrong)
		printf("round %u: reading exits with %d, checking with %d; %lu pages are not as acknowledged\n", round, read_code,
		       check_code, wrong);
	return !read_code && !check_code && !wrong;
}

static const struct subject *subject_named(const char *name)
{
	const struct subject *subject;

	for (unsigned i = 0; (subject = subject_at(i)); i++)
		if (!strcmp(subject->name, name))
			return subject;
	fprintf(stderr, "soak/kill: no subject '%s'\n", name);
	exit(2);
}

static unsigned long soak_rounds(struct soak *soak, unsigned rounds)
{
	unsigned long bad = 0;

	for (unsigned round = 1; round <= rounds; round++) {
		unsigned long again = soak->counts.again;
		bool killed = write_and_kill(soak);

		if (!killed)
			printf("round %u: the writer ended by itself\n", round);
		bad += !verify(soak, round) || !killed || again != soak->counts.again;
	}
	return bad;
}

static void print_counts(const struct soak *soak, unsigned rounds, unsigned long bad)
{
	const struct counts *counts = &soak->counts;

	printf("%s: %lu kills in %u rounds, %lu of them before the first acknowledgement; %lu lines sent, %lu acknowledged; "
	       "of %lu pages with a line in flight %lu had it; %lu acknowledged again; %lu bad rounds\n",
	       soak->subject->name, counts->kills, rounds, counts->early, counts->lines, counts->acknowledged, counts->in_flight,
	       counts->kept, counts->again, bad);
}

/*
 * Rounds that killed nothing or acknowledged nothing show nothing.  On an idle machine most do; only a tenth is required,
 * because on a busy one many writers die before they have begun.
 */
static bool did_enough(const struct soak *soak, unsigned rounds)
{
	const struct counts *counts = &soak->counts;
	unsigned long least = 1 + rounds / 10;
	bool enough = counts->kills >= least && counts->early + least <= rounds && (!soak->subject->line || counts->in_flight >= least);

	if (!enough)
		printf("%s: too little was done to show anything: %lu kills, %lu rounds with an acknowledgement%s; at least %lu of each "
		       "are needed\n",
		       soak->subject->name, counts->kills, rounds - counts->early, soak->subject->line ? ", or lines in flight" : "", least);
	return enough;
}

/* Sets the environment of the commands of subjects, and what a page without lines may be. */
static void prepare(struct soak *soak, const char *name, unsigned rounds)
{
	char pages[16];

	soak->subject = subject_named(name);
	soak->longest_ms = soak->subject->longest_ms;
	soak->page_count = (rounds + 1) * soak->subject->takes > PAGES ? (rounds + 1) * soak->subject->takes : PAGES;
	soak->pages = calloc(soak->page_count, sizeof *soak->pages);
	found = calloc(soak->page_count, sizeof *found);
	if (!soak->pages || !found)
		die("no memory");
	snprintf(soak->store, sizeof soak->store, "soak-%s-%ld", name, (long)getpid());
	snprintf(pages, sizeof pages, "%u", soak->page_count);
	if (setenv("STORE", soak->store, 1) || setenv("PAGES", pages, 1))
		die("cannot tell the store");
	for (unsigned i = 0; i < soak->page_count && !soak->subject->line; i++)
		soak->pages[i].sent = 1;
}

int main(int argc, char **argv)
{
	struct soak soak = { 0 };
	unsigned rounds = argc == 4 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	unsigned long bad;

	if (!rounds) {
		fprintf(stderr, "Usage: soak/kill SUBJECT ROUNDS SEED\n");
		return 2;
	}
	prepare(&soak, argv[1], rounds);
	prn_random_seed(&soak.random, strtoul(argv[3], NULL, 10), 0);
	signal(SIGPIPE, SIG_IGN);
	if (run_to_end(&soak, soak.subject->make, says_nothing, find))
		die("cannot make a store");
	/*
	 * A writer that ends by itself is to be killed at any moment of its life, however slow the machine is: how long it lives is
	 * measured once, and adjusted from then on (follow_life).
	 */
	if (!soak.longest_ms) {
		double start_ms = now_ms();

		if (run_to_end(&soak, soak.subject->write, soak.subject->acknowledged, acknowledge))
			die("the writer fails by itself");
		soak.longest_ms = 1.25 * (now_ms() - start_ms);
	}
	bad = soak_rounds(&soak, rounds);
	print_counts(&soak, rounds, bad);
	bad += !did_enough(&soak, rounds);
	if (bad)
		printf("%s: the store is left in %s\n", soak.subject->name, soak.store);
	else
		run_to_end(&soak, "rm -r $STORE", says_nothing, find);
	free(soak.pages);
	free(found);
	return bad ? 1 : 0;
}
