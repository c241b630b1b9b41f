/*
 * Drift, our own policy (doc/theory.md §13): a straight line, its slope the lasting divergence per time.
 */
#include "perennial/policy_kind.h"

#include <math.h>
#include <stdbool.h>

/* Outside the range of clocks; keeps every sum finite. */
#define INTERVAL_MAX 1e100

/*
 * Pairs are consecutive visits that both found the page moved.  They fade more slowly than the sums, so that a
 * page that always churns stays known for it.  PAIRS_SCALE of them leave 1/e of the guess that movement lasts.
 * Few pairs mean little, as a page that is wholly new now and then has some too; but PAIRS_SCALE_ALL suffice
 * where every visit makes one.
 */
#define PAIRS_FORGETTING 0.97
#define PAIRS_SCALE 6
#define PAIRS_SCALE_ALL 4

/*
 * A visit that finds the page as it was before its last change counts as this many pairs: the change did not
 * last.  With 1, pages that alternate are recognised after 12 visits and not after 7; with 3, real pages are up
 * to 0.7 per cent staler.
 */
#define PAIRS_RETURN 2

/*
 * A version that this many visits in a row have found has lasted: a return of the page from it does not count
 * against the page.  Day and night alternate in this way, and content drawn at random for each answer seldom
 * does.
 */
#define RESTS_LASTING 2

/* The share of the prior's drift that remains for a page of which nothing lasts, or nothing moves. */
#define LEAST_SHARE 0.2

/* The limit of pairs for a page that moves at every visit and never returns is 33; the stored value is rounded. */
#define PAIRS_MOST 33
#define PAIRS_MAX 34

/* The limits of the said factor on a page's prior. */
#define SAID_LEAST 0.03
#define SAID_MOST 30.0
struct parameters {
	double alpha, beta; /* the prior: mean drift is α/β */
	double kappa;
	double forgetting; /* factor per visit, in (0, 1] */
	bool heeds_siblings;
	struct prn_bounds bounds;
};

struct state {
	double time;                        /* of the last visit */
	double moved, moved_time;           /* Σd, Στ */
	double lasting, lasting_time;       /* Σe, Στ' */
	double lasting_squared;             /* Σe² */
	double pairs;                       /* n */
	double last;                        /* d of the last visit */
	double apart;                       /* of the two versions kept: the last d that was not 0 */
	double said;                        /* said factor at the first visit; not packed: no store has it */
	double siblings;                    /* the rate that they predicted then; 0: they were not known, or are no longer heeded */
	double guess, prior;                /* of a page with visits: guess_left and prior_left of the members above; not packed */
	uint64_t visits;
	uint32_t rests; /* visits in a row, up to the last, that found no movement: at most RESTS_LASTING */
	uint32_t slot; /* slot of the version of the last visit; the other one has the last version that differed from its successor */
};

/* The weight of n visits that fade by a factor. */
static double faded(double factor, double n)
{
	return factor < 1 ? (1 - pow(factor, n)) / (1 - factor) : n;
}

/* The share that is left of the guess that movement lasts. */
static double guess_left(const struct state *state)
{
	double most, share, squared, pairs;

	if (!(state->pairs > 0))
		return 1;
	most = state->visits > 2 ? faded(PAIRS_FORGETTING, (double)state->visits - 2) : 1;
	share = fmin(state->pairs / most, 1);
	squared = share * share;
	pairs = state->pairs / (PAIRS_SCALE - (PAIRS_SCALE - PAIRS_SCALE_ALL) * squared * squared);
	return exp(-pairs * pairs * pairs);
}

/* The share that is left of the prior's time: where the lasting increments agree, the page's own history suffices. */
static double prior_left(const struct state *state)
{
	double sum = fmax(state->lasting, 0), squared = state->lasting_squared, guess = state->guess;
	bool agrees = guess < 1 && squared > 0 && sum * sum > squared;

	return guess + (1 - guess) * (agrees ? exp(1 - sum * sum / squared) : 1);
}

/* Two powers of e and one of another number: computed once for a visit, though a visit asks for them three times. */
static void conclude(struct state *state)
{
	state->guess = guess_left(state);
	state->prior = prior_left(state);
}

/* The share that is left of the siblings' prediction. */
static double siblings_left(const struct state *state)
{
	return prn_siblings_left(state->visits ? state->visits - 1 : 0);
}

/*
 * The prior's α for a page for which siblings predict a rate, or 0.  The prediction fades with the page's own
 * visits, in the logarithm, so that the prior of a page that is found unchanged does not soon rise faster than
 * its own visits lower the estimate.  The said factor enters as its square root: for few pages it is given with
 * care, and the frequency of changes says less than their size.
 */
static double prior_drift(const struct parameters *parameters, const struct state *state, double siblings)
{
	double mean = parameters->alpha / parameters->beta, left = siblings > 0 ? siblings_left(state) : 0;
	double drift = parameters->alpha;

	if (left > 0)
		drift *= pow(siblings / mean, left);
	if (state->said > 0)
		drift *= fmax(SAID_LEAST, fmin(sqrt(state->said), SAID_MOST));
	return drift;
}

/*
 * Churn and lasting changes move a page alike until the versions of three visits distinguish them.  So the
 * guess that everything lasts fades with the number of such visits, whatever their times.  The prior's time,
 * which would dominate short intervals for good, fades where the lasting increments agree with each other.
 */
static double slope(const struct parameters *parameters, const struct state *state, double siblings)
{
	double alpha = prior_drift(parameters, state, siblings);
	double beta = parameters->beta, pull = parameters->kappa * beta;
	double sum = fmax(state->lasting, 0), guess = state->visits ? state->guess : 1, prior = state->visits ? state->prior : 1;
	double all = (state->moved + alpha) / (state->moved_time + beta);
	double lasting = (sum + pull * guess * all) / (state->lasting_time + pull * prior);
	double most = (state->moved + alpha) / (state->moved_time + beta * prior);

	return fmax(fmin(lasting, most), LEAST_SHARE * alpha / (state->moved_time + beta));
}

static int curve(const void *parameters, const void *bytes, struct prn_curve *out)
{
	const struct state *state = bytes;

	if (!state->visits)
		return 0;
	*out = prn_curve_line(slope(parameters, state, state->siblings));
	return 1;
}

/*
 * The factor by which older visits fade.  Visits fade one by one, for they come as fast as a page moves; but
 * not within less than the prior's time, however many they are: a page that is looked at every hour, where a
 * look costs next to nothing, would otherwise be remembered for less than a day, and its prior would never be
 * outweighed.  Where lasting increments agree, the prior is outweighed, and visits fade as fast as they come:
 * weeks of history do not hide what the page has become.  On a page known to churn, a lasting increment larger
 * than all remembered ones together means that the page has changed its nature: long churn must not hide for
 * long a change that stays.
 */
static double fade(const struct parameters *parameters, const struct state *state, double lasting, double interval)
{
	double guess = state->guess, known = state->lasting_squared / (lasting * lasting);
	double f = parameters->forgetting, priors = interval / parameters->beta, left = state->prior;
	/* exp(-x) is at most 1/(1 + x), which mostly says that the other is larger. */
	double slowly = f * (1 + priors) >= 1 ? f : fmax(f, exp(-priors)), kept = left * slowly + (1 - left) * f;

	if (!(lasting > 0 && known < 1))
		return kept;
	return kept * (guess + (1 - guess) * known);
}

/* Returns the rate that the siblings of a visit predict; 0 where they are not heeded. */
static double divergence_of(const struct parameters *parameters, const struct prn_visit *visit)
{
	return parameters->heeds_siblings ? prn_siblings_rate(&visit->siblings, parameters->alpha / parameters->beta) : 0;
}

/*
 * Returns how strongly a visit that moved by `last` speaks against the guess that movement lasts; back: how
 * much closer the page is again to the version before the last change.
 */
static double pair_of(const struct state *state, double last, double back)
{
	double larger = fmax(last, state->last);

	return larger > 0 ? fmin(last, state->last) / larger + PAIRS_RETURN * back / fmax(last, state->apart) : 0;
}

/* After a rest all movement may last, except for a mere return. */
static void learn(const struct parameters *parameters, struct state *state, const struct prn_visit *now)
{
	double interval = fmin(fmax(now->time - state->time, 0), INTERVAL_MAX);
	double last = now->divergence[state->slot], other = state->visits >= 2 ? now->divergence[1 - state->slot] : 0;
	double back = state->visits >= 2 && last > 0 && state->rests < RESTS_LASTING ? fmax(state->apart - other, 0) : 0;
	double lasting = state->visits < 2 ? 0 : state->last > 0 ? other - state->last : last - back;
	double kept = fade(parameters, state, lasting, interval);

	state->moved = kept * state->moved + last;
	state->moved_time = kept * state->moved_time + interval;
	if (state->visits >= 2) {
		state->lasting = kept * state->lasting + lasting;
		state->lasting_squared = kept * state->lasting_squared + lasting * lasting;
		state->lasting_time = kept * state->lasting_time + interval;
		state->pairs = fmin(PAIRS_FORGETTING * state->pairs + pair_of(state, last, back), PAIRS_MOST);
	}
	state->last = last;
	if (last > 0)
		state->apart = last;
	if (last > 0)
		state->rests = 0;
	else if (state->rests < RESTS_LASTING)
		state->rests++;
}

/* A version that differed stays until another does: a return to it is seen however long the page rested in between. */
static int visit(const void *parameters, void *bytes, const struct prn_visit *now)
{
	struct state *state = bytes;

	if (state->visits) {
		learn(parameters, state, now);
		if (state->last > 0 || !(state->apart > 0))
			state->slot = 1 - state->slot;
	} else {
		state->said = now->said;
		state->siblings = divergence_of(parameters, now);
	}
	state->time = now->time;
	state->visits++;
	if (state->siblings > 0 && siblings_left(state) <= 0)
		state->siblings = 0;
	conclude(state);
	return (int)state->slot;
}

static void decide(const void *parameters, const void *bytes, const struct prn_visit *now,
                   struct prn_decision *decision)
{
	const struct parameters *own = parameters;
	const struct state *state = bytes;
	struct prn_curve line = prn_curve_line(slope(own, state, state->visits ? state->siblings : divergence_of(own, now)));

	prn_bounds_decide_curve(&own->bounds, &line, 1, now, decision);
}

/*
 * A page known to churn reports only what lasts: churn gains its siblings no visits, as it gains the page none.
 * A page that is no longer young reports nothing new: its sums forget as much as they learn, and new pages are
 * like other new pages.
 */
static int evidence(const void *parameters, const void *bytes, struct prn_evidence *evidence)
{
	const struct parameters *own = parameters;
	const struct state *state = bytes;
	double guess = state->guess, lasting = fmin(state->moved, fmax(state->lasting, 0));

	if (!own->heeds_siblings || !(state->moved_time > 0) || state->visits > PRN_SIBLINGS_INTERVALS + 1)
		return 0;
	*evidence = prn_evidence_of(guess * state->moved + (1 - guess) * lasting, state->moved_time, PRN_SIBLINGS_HALF * own->beta);
	return 1;
}

static int expects(const void *parameters, const void *bytes, const struct prn_visit *visit, double *rate, double *left)
{
	const struct state *state = bytes;
	double siblings = state->visits ? state->siblings : divergence_of(parameters, visit);

	if (!(siblings > 0))
		return 0;
	*rate = siblings;
	*left = siblings_left(state);
	return 1;
}

/*
 * Beyond two visits only two facts matter: the parity of their number, which gives the slot of most pages, and
 * that the page is known.
 */
#define VISITS_KEPT 126

/* Flags beside the number of visits, which is below them. */
#define RESTS 0x80u /* nothing moved at the last visit: the distance between the two versions is stored too, in few bits */
#define OTHER_SLOT 0x100u
#define RESTS_LONG 0x200u /* RESTS_LASTING visits in a row, and not one */
#define HEAD_MOST (RESTS_LONG | OTHER_SLOT | RESTS | (VISITS_KEPT + 1))

/*
 * Reconstructs the values that older versions did not store, as if all visits that moved the page had been like
 * the last one.
 */
static void supply(const struct parameters *parameters, struct state *state)
{
	double visits = (double)state->visits, alike = 0, remembered = faded(parameters->forgetting, visits - 1);

	if (state->visits > 2 && state->last > 0)
		alike = fmin(1, state->moved / state->last / remembered);
	state->pairs = fmin(alike * faded(PAIRS_FORGETTING, visits - 2), PAIRS_MAX);
	state->lasting_squared = state->lasting * state->lasting / fmax(alike * remembered, 1);
}

static uint32_t parity_slot(uint32_t visits)
{
	return (visits - 1) % 2;
}

/* Returns the number of visits with its flags. */
static uint32_t head_of(const struct state *state)
{
	uint32_t visits = (uint32_t)(state->visits > VISITS_KEPT ? VISITS_KEPT + state->visits % 2 : state->visits);
	bool rests = !(state->last > 0) && (float)state->apart > 0;

	return visits | (rests ? RESTS : 0) | (rests && state->rests >= RESTS_LASTING ? RESTS_LONG : 0) |
	       (state->slot == parity_slot(visits) ? 0 : OTHER_SLOT);
}

/* Older versions began with the number of visits, which is not 0, and ended without the pairs and Σe². */
static void pack(const void *parameters, void *bytes, struct prn_packing *packing)
{
	struct state *state = bytes;
	uint32_t older = 0, head = packing->in ? 0 : head_of(state), visits;
	float apart = (float)state->apart;

	prn_packing_count(packing, &older, VISITS_KEPT + 1);
	if (older)
		head = older;
	else
		prn_packing_count(packing, &head, HEAD_MOST);
	visits = head & (RESTS - 1);
	prn_packing_ago(packing, &state->time);
	prn_packing_number(packing, &state->moved);
	prn_packing_number(packing, &state->moved_time);
	prn_packing_signed(packing, &state->lasting);
	prn_packing_number(packing, &state->lasting_time);
	prn_packing_number(packing, &state->last);
	if (!older) {
		prn_packing_number(packing, &state->lasting_squared);
		prn_packing_number(packing, &state->pairs);
	}
	if (packing->in)
		state->apart = state->last;
	if (head & RESTS) {
		prn_packing_coarse(packing, &apart);
		state->apart = packing->in ? (double)apart : state->apart;
		prn_packing_require(packing, !(state->last > 0) && state->apart > 0);
	}
	/* Young pages of known sites have this field; older versions too may end without it. */
	if (!older && (packing->in ? packing->at < packing->length : state->siblings > 0)) {
		prn_packing_number(packing, &state->siblings);
		prn_packing_require(packing, state->siblings > 0 && visits <= PRN_SIBLINGS_INTERVALS);
	}
	prn_packing_require(packing, head & RESTS || !(head & RESTS_LONG));
	prn_packing_require(packing, visits && (visits > 2 || head == visits) && state->pairs <= PAIRS_MAX);
	if (packing->in) {
		state->visits = visits;
		state->rests = head & RESTS_LONG ? RESTS_LASTING : head & RESTS ? 1 : 0;
		state->slot = head & OTHER_SLOT ? 1 - parity_slot(visits) : parity_slot(visits);
	}
	if (older)
		supply(parameters, state);
	if (packing->in)
		conclude(state);
}

static const struct prn_policy_key keys[] = {
	{ .name = "alpha", .fallback = "0.15", .help = "prior: divergence seen, α; α/β is the mean drift",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, alpha), .above = true,
	  .kept = true },
	{ .name = "beta", .fallback = "12", .help = "prior: time seen, β, clock units",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, beta), .above = true,
	  .kept = true },
	{ .name = "kappa", .fallback = "2", .help = "how strongly lasting drift is shrunk to drift, κ",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, kappa), .above = true,
	  .kept = true },
	{ .name = "forgetting", .fallback = "0.9", .help = "factor on older visits, per visit",
	  .type = PRN_KEY_TYPE_NUMBER, .offset = offsetof(struct parameters, forgetting), .above = true, .most = 1,
	  .kept = true },
	PRN_KEY_RISK(struct parameters, bounds, "none"),
	PRN_KEY_HINTS(struct parameters, bounds),
	PRN_KEY_PRICE(struct parameters, bounds),
	{ .name = "siblings", .fallback = "yes", .help = "whether a new page is believed to be like others of its site",
	  .type = PRN_KEY_TYPE_FLAG, .offset = offsetof(struct parameters, heeds_siblings) },
	PRN_KEY_SUMMARY,
	PRN_KEYS_END,
};

const struct prn_policy_kind prn_policy_drift = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "drift",
	          .title = "lasting divergence per time, shrunk to the corpus",
	          .source = "this project",
	          .dial = PRN_DIAL_THRESHOLD,
	          .keys = keys,
	          .knows_weights = true,
	          .compared = true },
	.parameters_size = sizeof(struct parameters),
	.slots = 2,
	.state_size = sizeof(struct state),
	.visit = visit,
	.decide = decide,
	.pack = pack,
	.curve = curve,
	.evidence = evidence,
	.expects = expects,
};
