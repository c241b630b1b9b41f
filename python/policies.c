/*
 * What the package has in C beside the library: policies whose functions are Python's, and pages that are no longer read once
 * somebody has said so.
 *
 * The library calls a policy's functions from threads of its own.  Those below call Python's, which cffi has take the
 * interpreter's lock.  A policy that has raised an exception is stopped: from then on no Python of it is run, and pages and
 * commits end with PRN_E_CANCELLED, so that what drives it ends soon, and nothing lasts of what it did not decide.
 */
#include <math.h>
#include <string.h>

#include "perennial/perennial.h"

#define BINDING_VISIT_NUMBERS 4

/* An open policy.  It is Python's, which keeps it until the policy is closed. */
struct binding_policy {
	int stopped;
	void *handle;
};

/* Whether somebody wants a run to end. */
struct binding_stop {
	int stopped;
};

/* Other pages, which are borrowed as stop is. */
struct binding_pages {
	const struct prn_pages *whole;
	const struct binding_stop *stop;
};

/* What the library keeps of an open policy: the keys' values stand behind it. */
struct parameters {
	struct binding_policy *policy;
	size_t slots, numbers; /* that are kept; and of a state */
};

static int binding_policy_open(size_t number, void *parameters, struct prn_error *error);
static void binding_policy_close(void *handle);
static int binding_policy_visit(void *handle, double *state, const double *visit, uint64_t page);
static double binding_policy_decide(void *handle, const double *state, const double *visit, uint64_t page);

static int read_flag(const int *flag)
{
	return __atomic_load_n(flag, __ATOMIC_RELAXED);
}

static void binding_stop(struct binding_stop *stop)
{
	__atomic_store_n(&stop->stopped, 1, __ATOMIC_RELAXED);
}

static void binding_policy_stop(struct binding_policy *policy)
{
	__atomic_store_n(&policy->stopped, 1, __ATOMIC_RELAXED);
}

/* Once nothing runs any more: both may begin again. */
static void binding_begin(struct binding_stop *stop)
{
	__atomic_store_n(&stop->stopped, 0, __ATOMIC_RELAXED);
}

static void binding_policy_begin(struct binding_policy *policy)
{
	__atomic_store_n(&policy->stopped, 0, __ATOMIC_RELAXED);
}

/* A visit as the numbers that Python takes at once; as many divergences as there are follow them. */
static void write_visit(const struct prn_visit *visit, double numbers[BINDING_VISIT_NUMBERS])
{
	numbers[0] = visit->time;
	numbers[1] = visit->weight;
	numbers[2] = visit->threshold;
	numbers[3] = visit->since_modified;
}

static int visit(const void *parameters, void *state, const struct prn_visit *now)
{
	const struct parameters *own = parameters;
	double numbers[BINDING_VISIT_NUMBERS + PRN_POLICY_SLOTS];

	if (read_flag(&own->policy->stopped))
		return -1;
	write_visit(now, numbers);
	if (own->slots)
		memcpy(numbers + BINDING_VISIT_NUMBERS, now->divergence, own->slots * sizeof *numbers);
	return binding_policy_visit(own->policy->handle, state, numbers, now->page);
}

static void decide(const void *parameters, const void *state, const struct prn_visit *now, struct prn_decision *decision)
{
	const struct parameters *own = parameters;
	double numbers[BINDING_VISIT_NUMBERS], period = INFINITY;

	write_visit(now, numbers);
	if (!read_flag(&own->policy->stopped))
		period = binding_policy_decide(own->policy->handle, state, numbers, now->page);
	*decision = (struct prn_decision){ period, period, -1, isinf(period) ? PRN_REASON_NEVER : PRN_REASON_RULE };
}

/* A state is numbers as they are. */
static void pack(const void *parameters, void *state, struct prn_packing *packing)
{
	const struct parameters *own = parameters;

	for (size_t i = 0; i < own->numbers; i++)
		prn_packing_exact(packing, (double *)state + i);
}

static void release(void *parameters)
{
	struct parameters *own = parameters;

	binding_policy_close(own->policy->handle);
}

/*
 * A kind's init is given the parameters alone, and not the kind: each has a function of its own, which knows its number.
 */
#define INIT(n) \
	static int init_##n(void *parameters, struct prn_error *error) \
	{ \
		return binding_policy_open(n, parameters, error); \
	}
#define EIGHT(of, t) of(t##0) of(t##1) of(t##2) of(t##3) of(t##4) of(t##5) of(t##6) of(t##7)
#define ALL(of) EIGHT(of, 0) EIGHT(of, 01) EIGHT(of, 02) EIGHT(of, 03) EIGHT(of, 04) EIGHT(of, 05) EIGHT(of, 06) EIGHT(of, 07)
ALL(INIT)

#define NAME(n) init_##n,
static int (*const inits[])(void *parameters, struct prn_error *error) = { ALL(NAME) };

_Static_assert(sizeof inits / sizeof *inits == PRN_POLICIES_REGISTERED, "a function for each policy that may be registered");

/* As many as the class has that the policy was opened of. */
static void sizes(const void *parameters, size_t *slots, size_t *state_size)
{
	const struct parameters *own = parameters;

	*slots = own->slots;
	*state_size = own->numbers * sizeof(double);
}

/* Fills in the functions of kind number < PRN_POLICIES_REGISTERED, which has so many keys of numbers; info is the caller's. */
static void binding_kind(struct prn_policy_kind *kind, size_t number, size_t keys)
{
	kind->version = PRN_POLICY_KIND_VERSION;
	kind->parameters_size = sizeof(struct parameters) + keys * sizeof(double);
	kind->init = inits[number];
	kind->release = release;
	kind->sizes = sizes;
	kind->visit = visit;
	kind->decide = decide;
	kind->pack = pack;
}

static size_t binding_key_offset(size_t i)
{
	return sizeof(struct parameters) + i * sizeof(double);
}

/* The key that every policy has that keeps a version: how small a store keeps it. */
static void binding_summary_key(struct prn_policy_key *key)
{
	static const struct prn_policy_key summary = PRN_KEY_SUMMARY;

	*key = summary;
}

static void binding_policy_bind(void *parameters, struct binding_policy *policy, size_t slots, size_t numbers)
{
	struct parameters *own = parameters;

	own->policy = policy;
	own->slots = slots;
	own->numbers = numbers;
}

static const double *binding_policy_keys(const void *parameters)
{
	return (const double *)((const char *)parameters + binding_key_offset(0));
}

static const char *url(void *context, size_t i)
{
	const struct binding_pages *own = context;

	return own->whole->url(own->whole->context, i);
}

static size_t corpus(void *context, size_t i)
{
	const struct binding_pages *own = context;

	return own->whole->corpus(own->whole->context, i);
}

static int read_page(void *context, size_t i, struct prn_page *page, struct prn_error *error)
{
	const struct binding_pages *own = context;

	if (read_flag(&own->stop->stopped))
		return prn_error_set(error, PRN_E_CANCELLED, "it was stopped");
	return own->whole->read(own->whole->context, i, page, error);
}

/* Fills *pages, whose context is *context, with those of whole until it is stopped. */
static void binding_pages_init(struct binding_pages *context, const struct prn_pages *whole, const struct binding_stop *stop,
                               struct prn_pages *pages)
{
	*context = (struct binding_pages){ whole, stop };
	*pages = *whole;
	pages->context = context;
	pages->url = url;
	pages->corpus = corpus;
	pages->read = read_page;
}

/* A prn_import_progress_fn, whose context is a struct binding_stop. */
static int binding_progress(void *context, const struct prn_import_counts *counts)
{
	const struct binding_stop *stop = context;

	(void)counts;
	return read_flag(&stop->stopped);
}

/* A prn_decider_guard_fn, whose context is a struct binding_stop. */
static int binding_guard(void *context, struct prn_error *error)
{
	const struct binding_stop *stop = context;

	return read_flag(&stop->stopped) ? prn_error_set(error, PRN_E_CANCELLED, "a policy raised an exception") : 0;
}
