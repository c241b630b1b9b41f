/*
 * The processes.  A new one needs its functions, an info, and a line in the table at the end.
 *
 * All random numbers of a page come from one sequence, in the order of its changes.
 */
#include "perennial/process.h"

#include "base/random.h"
#include "simulate/specification.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct prn_process_kind {
	struct prn_simulation_info info;
	/* Draws the page's rate, which is λ before the call, and its next changes.  The process has gone on for ever before. */
	void (*begin)(const struct prn_process *process, struct prn_process_page *page, struct prn_random *random);
	/* Returns the time of a region's next change after the one at time t. */
	double (*after)(const struct prn_process *process, const struct prn_process_page *page, unsigned region, double t,
	                struct prn_random *random);
	/* Returns the rate at time t.  NULL: it is always page->rate. */
	double (*rate)(const struct prn_process *process, const struct prn_process_page *page, double t);
};

/* --- Poisson, and pages of several rates --- */

static double poisson_after(const struct prn_process *process, const struct prn_process_page *page, unsigned region,
                            double t, struct prn_random *random)
{
	(void)process, (void)region;
	return t + prn_random_exponential(random, 1 / page->rate);
}

static void poisson_begin(const struct prn_process *process, struct prn_process_page *page, struct prn_random *random)
{
	page->next[0] = poisson_after(process, page, 0, 0, random);
}

static void mixture_begin(const struct prn_process *process, struct prn_process_page *page, struct prn_random *random)
{
	double sum = 0, at;
	size_t i = 0;

	for (size_t j = 0; j < process->share_count; j++)
		sum += process->shares[j];
	at = sum * prn_random_unit(random);
	while (i + 1 < process->share_count && at >= process->shares[i])
		at -= process->shares[i++];
	page->rate *= process->factors[i];
	poisson_begin(process, page, random);
}

/* --- Gamma: a renewal process --- */

static double normal(struct prn_random *random)
{
	double radius = sqrt(2 * prn_random_exponential(random, 1));

	return radius * cos(6.283185307179586 * prn_random_unit(random));
}

/*
 * Draws from the gamma distribution of mean shape (Marsaglia and Tsang 2000).  If shape < 1, a draw of shape + 1 is multiplied
 * by a power of a uniform one.
 */
static double gamma_draw(double shape, struct prn_random *random)
{
	double boost = shape < 1 ? exp(-prn_random_exponential(random, 1) / shape) : 1;
	double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3, c = 1 / sqrt(9 * d);

	for (;;) {
		double x = normal(random), v = 1 + c * x, u = 1 - prn_random_unit(random);

		v = v * v * v;
		if (v > 0 && log(u) < x * x / 2 + d - d * v + d * log(v))
			return boost * d * v;
	}
}

static double gamma_after(const struct prn_process *process, const struct prn_process_page *page, unsigned region,
                          double t, struct prn_random *random)
{
	(void)region;
	return t + gamma_draw(process->shape, random) / (process->shape * page->rate);
}

/* The interval around time 0 is drawn in proportion to its length; 0 lies uniformly in it. */
static void gamma_begin(const struct prn_process *process, struct prn_process_page *page, struct prn_random *random)
{
	double around = gamma_draw(process->shape + 1, random) / (process->shape * page->rate);

	page->next[0] = around * (1 - prn_random_unit(random));
}

/* --- A rate that changes at one time --- */

static double shift_rate(const struct prn_process *process, const struct prn_process_page *page, double t)
{
	return page->rate * (t >= process->at ? process->factor : 1);
}

/* The part of a wait after the shift passes faster. */
static double shift_after(const struct prn_process *process, const struct prn_process_page *page, unsigned region,
                          double t, struct prn_random *random)
{
	double next = t + prn_random_exponential(random, 1 / shift_rate(process, page, t));

	(void)region;
	if (t < process->at && next > process->at)
		next = process->at + (next - process->at) / process->factor;
	return next;
}

static void shift_begin(const struct prn_process *process, struct prn_process_page *page, struct prn_random *random)
{
	page->next[0] = shift_after(process, page, 0, 0, random);
}

/* --- Two regions, one fast --- */

static double two_speed_after(const struct prn_process *process, const struct prn_process_page *page, unsigned region,
                              double t, struct prn_random *random)
{
	return t + prn_random_exponential(random, 1 / (page->rate * (region ? process->fast : 1)));
}

static void two_speed_begin(const struct prn_process *process, struct prn_process_page *page, struct prn_random *random)
{
	for (unsigned region = 0; region < PRN_PROCESS_REGIONS; region++)
		page->next[region] = two_speed_after(process, page, region, 0, random);
}

static double two_speed_rate(const struct prn_process *process, const struct prn_process_page *page, double t)
{
	(void)t;
	return page->rate * (1 + process->fast);
}

static const struct prn_simulation_key no_keys[] = { { NULL, NULL, NULL } };
static const struct prn_simulation_key gamma_keys[] = {
	{ "shape", "0.5", "of the times between changes: below 1 in bursts, 1 is Poisson, above nearly regular" },
	{ NULL, NULL, NULL },
};
static const struct prn_simulation_key mixture_keys[] = {
	{ "factors", "0.2/1/5", "the rates of its classes of pages, as multiples of λ, at most 8" },
	{ "shares", "1/1/1", "how many of the pages are in each class" },
	{ NULL, NULL, NULL },
};
static const struct prn_simulation_key shift_keys[] = {
	{ "factor", "20", "what λ is multiplied by" },
	{ "at", "100", "the time from which on it is" },
	{ NULL, NULL, NULL },
};
static const struct prn_simulation_key two_speed_keys[] = {
	{ "share", "0.1", "how much of the content is in the fast region, λ being the rate of the rest" },
	{ "fast", "20", "how many times as often that changes" },
	{ NULL, NULL, NULL },
};

static const struct prn_process_kind kinds[] = {
	{ { "poisson", "changes at the times of a Poisson process", "Cho §6.2", no_keys }, poisson_begin, poisson_after,
	  NULL },
	{ { "gamma", "times between changes have a gamma distribution", "Cho ch. 6", gamma_keys }, gamma_begin, gamma_after,
	  NULL },
	{ { "mixture", "Poisson pages of several rates", "Cho ch. 5", mixture_keys }, mixture_begin, poisson_after, NULL },
	{ { "shift", "a Poisson rate that is another from some time on", "Cho §6.7", shift_keys }, shift_begin, shift_after,
	  shift_rate },
	{ { "two-speed", "a small region that changes often, a large one that does not", "OP §3.3", two_speed_keys },
	  two_speed_begin, two_speed_after, two_speed_rate },
};

#define KINDS (sizeof kinds / sizeof *kinds)

const struct prn_simulation_info *prn_process_info(size_t i)
{
	return i < KINDS ? &kinds[i].info : NULL;
}

#define ABOVE_0 "a number above 0, from 1e-9 to 1e9"

static const struct prn_specified_key settings[] = {
	{ "shape", offsetof(struct prn_process, shape), 0.01, 1e6, false, 0, 0, "a number from 0.01 to 1000000" },
	{ "factors", offsetof(struct prn_process, factors), 1e-9, 1e9, false, PRN_PROCESS_CLASSES,
	  offsetof(struct prn_process, factor_count), "numbers from 1e-9 to 1e9 with '/' between them, at most 8" },
	{ "shares", offsetof(struct prn_process, shares), 1e-9, 1e9, false, PRN_PROCESS_CLASSES,
	  offsetof(struct prn_process, share_count), "numbers from 1e-9 to 1e9 with '/' between them, at most 8" },
	{ "factor", offsetof(struct prn_process, factor), 1e-9, 1e9, false, 0, 0, ABOVE_0 },
	{ "at", offsetof(struct prn_process, at), 0, 1e30, false, 0, 0, "a number from 0" },
	{ "share", offsetof(struct prn_process, share), 0, 1, false, 0, 0, "a number from 0 to 1" },
	{ "fast", offsetof(struct prn_process, fast), 1e-9, 1e9, false, 0, 0, ABOVE_0 },
	{ NULL, 0, 0, 0, false, 0, 0, NULL },
};

int prn_process_init(struct prn_process *process, const char *specification, struct prn_error *error)
{
	const struct prn_simulation_info *infos[KINDS + 1] = { NULL };
	struct prn_process made = { 0 };
	size_t chosen;
	int code;

	for (size_t i = 0; i < KINDS; i++)
		infos[i] = &kinds[i].info;
	code = prn_specification_read(&(struct prn_specified){ "process", infos, settings }, specification, &made, &chosen,
	                              error);
	if (code)
		return code;
	if (made.factor_count != made.share_count)
		return prn_error_set(error, PRN_E_ARGUMENT, "%zu factors, and %zu shares: as many of both", made.factor_count,
		                     made.share_count);
	made.kind = &kinds[chosen];
	*process = made;
	return 0;
}

/* The page holds its random sequence as numbers. */
static void keep(const struct prn_random *random, struct prn_process_page *page)
{
	memcpy(page->random, random->words, sizeof page->random);
}

void prn_process_begin(const struct prn_process *process, double rate, uint64_t seed, uint64_t number,
                       struct prn_process_page *page)
{
	struct prn_random random;

	*page = (struct prn_process_page){ .rate = rate };
	for (unsigned region = 0; region < PRN_PROCESS_REGIONS; region++)
		page->next[region] = INFINITY;
	prn_random_seed(&random, seed, number);
	process->kind->begin(process, page, &random);
	keep(&random, page);
}

static unsigned first_region(const struct prn_process_page *page)
{
	unsigned first = 0;

	for (unsigned region = 1; region < PRN_PROCESS_REGIONS; region++)
		if (page->next[region] < page->next[first])
			first = region;
	return first;
}

double prn_process_next(const struct prn_process_page *page)
{
	return page->next[first_region(page)];
}

unsigned prn_process_change(const struct prn_process *process, struct prn_process_page *page)
{
	unsigned region = first_region(page);
	double now = page->next[region];
	struct prn_random random;

	memcpy(random.words, page->random, sizeof page->random);
	page->next[region] = fmax(process->kind->after(process, page, region, now, &random), nextafter(now, INFINITY));
	keep(&random, page);
	return region;
}

double prn_process_rate(const struct prn_process *process, const struct prn_process_page *page, double t)
{
	return process->kind->rate ? process->kind->rate(process, page, t) : page->rate;
}

double prn_process_rate_most(const struct prn_process *process, double rate)
{
	double most = 1;

	if (process->kind->begin == mixture_begin)
		for (size_t i = 0; i < process->factor_count; i++)
			most = fmax(i ? most : 0, process->factors[i]);
	else if (process->kind->begin == shift_begin)
		most = fmax(1, process->factor);
	else if (process->kind->begin == two_speed_begin)
		most = 1 + process->fast;
	return rate * most;
}

double prn_process_share(const struct prn_process *process, unsigned region)
{
	if (process->kind->begin != two_speed_begin)
		return region ? 0 : 1;
	return region ? process->share : 1 - process->share;
}
