/* Policies that a program brings with it: doc/examples/patient.c, and others that are refused. */
#include "perennial/policy_kind.h"

#include "drive.h"
#include "perennial/contender.h"
#include "evaluate/contender_internal.h"
#include "policy/policy_internal.h"
#include "tap.h"

#include <pthread.h>

extern const struct prn_policy_kind *const prn_plugin_policies[];

static size_t count_named(const char *name)
{
	size_t n = 0;

	for (size_t i = 0; prn_policy_info(i); i++)
		n += !strcmp(prn_policy_info(i)->name, name);
	return n;
}

static double told(const void *context, double from, double to)
{
	(void)from;
	(void)to;
	return *(const double *)context;
}

static void test_patient(void)
{
	const struct prn_policy_kind *patient = prn_plugin_policies[0];
	struct prn_contender *contender = NULL;
	struct prn_error error = { 0 };
	struct drive drive, back;
	unsigned char bytes[8];
	double divergence = 0;
	size_t built_in = 0, length;

	while (prn_policy_info(built_in))
		built_in++;
	ok(!drive_open(&drive, "patient", told, &divergence), "before it is registered there is no policy 'patient'");
	ok(!prn_policy_register(patient, &error), "a policy can be registered");
	ok(prn_policy_info(built_in) == &patient->info && !prn_policy_info(built_in + 1),
	   "a registered policy is listed after the library's, and once");
	ok(!prn_policy_register(patient, &error) && count_named("patient") == 1,
	   "the same policy may be registered again, and is listed once");
	ok(!prn_contender_open(&contender, "patient:days=2", NULL, &error), "an evaluation opens a registered policy");
	prn_contender_free(contender);
	ok(prn_policy_open(&drive.policy, "patient:patience=0.5", NULL, &error) == PRN_E_ARGUMENT,
	   "the range of a registered policy's key is kept");
	same(error.text, "key 'patience' takes a number from 1 to 1000, not '0.5'",
	     "the error for a value outside a key's range tells the range");

	ok(drive_open(&drive, "patient:days=3", told, &divergence), "a registered policy opens with its keys");
	near(drive_visit(&drive, 0, 1, 2), 6, 0, "days = 3 at scale 2: a new page comes again after 6");
	near(drive_visit(&drive, 6, 1, 2), 24, 0,
	     "days = 3 at scale 2: an unchanged page comes again after four times as long");
	divergence = 0.1;
	near(drive_visit(&drive, 30, 1, 2), 6, 0, "days = 3 at scale 2: a changed page comes again after 6");
	length = prn_policy_pack(drive.policy, drive.state, 30, bytes, sizeof bytes);
	drive_open(&back, "patient:days=3", told, &divergence);
	ok(length == 2, "the state of a registered policy packs to two bytes");
	ok(!prn_policy_unpack(back.policy, bytes, length, 30, back.state) &&
	           !memcmp(back.state, drive.state, prn_policy_state_size(drive.policy)),
	   "the state of a registered policy comes back");
	drive_close(&drive);
	drive_close(&back);
}

/* What the kinds under test are made of; one policy at a time. */
struct parameters {
	double number;
	size_t count;
	bool flag;
};

static int opened;

static int positive(void *bytes, struct prn_error *error)
{
	(void)bytes;
	(void)error;
	return 5;
}

static int wordless(void *bytes, struct prn_error *error)
{
	(void)bytes;
	(void)error;
	return PRN_E_ARGUMENT;
}

static int count_open(void *bytes, struct prn_error *error)
{
	const struct parameters *parameters = bytes;

	if (parameters->count == 13)
		return prn_error_set(error, PRN_E_ARGUMENT, "thirteen brings bad luck");
	opened++;
	return 0;
}

static void count_release(void *bytes)
{
	(void)bytes;
	opened--;
}

static void too_many_slots(const void *parameters, size_t *slots, size_t *state_size)
{
	(void)parameters;
	*slots = PRN_POLICY_SLOTS + 1;
	*state_size = 8;
}

static int visit(const void *parameters, void *state, const struct prn_visit *now)
{
	(void)parameters;
	(void)state;
	(void)now;
	return -1;
}

static void decide(const void *parameters, const void *state, const struct prn_visit *now, struct prn_decision *decision)
{
	const struct parameters *own = parameters;

	(void)state;
	prn_bounds_decide(NULL, own->number, 1, now, decision);
}

static void pack(const void *parameters, void *state, struct prn_packing *packing)
{
	(void)parameters;
	(void)state;
	(void)packing;
}

static const struct prn_policy_key keys[] = {
	{ .name = "number", .fallback = "3", .help = "n", .type = PRN_KEY_TYPE_NUMBER,
	  .offset = offsetof(struct parameters, number), .least = 2, .most = 5, .below = true, .word = "ever" },
	{ .name = "count", .fallback = "7", .help = "c", .type = PRN_KEY_TYPE_COUNT,
	  .offset = offsetof(struct parameters, count), .least = 1, .most = 99, .word = "many" },
	{ .name = "flag", .fallback = "no", .help = "f", .type = PRN_KEY_TYPE_FLAG,
	  .offset = offsetof(struct parameters, flag) },
	PRN_KEYS_END,
};

static const struct prn_policy_kind plain = {
	.version = PRN_POLICY_KIND_VERSION,
	.info = { .name = "plain-1", .title = "t", .source = "s", .dial = PRN_DIAL_SCALE, .keys = keys },
	.parameters_size = sizeof(struct parameters),
	.init = count_open,
	.release = count_release,
	.visit = visit,
	.decide = decide,
};

static void must_open(struct prn_policy **policy, const char *specification)
{
	if (prn_policy_open(policy, specification, NULL, NULL))
		abort();
}

static void refused(const struct prn_policy_kind *kind, int code, const char *text, const char *what)
{
	struct prn_error error = { 0 };
	size_t before = 0, after = 0;

	while (prn_policy_info(before))
		before++;
	ok(prn_policy_register(kind, &error) == code && strstr(error.text, text), "%s is refused: %s", what, error.text);
	while (prn_policy_info(after))
		after++;
	ok(before == after, "%s is not listed", what);
}

/* Asks for as many bytes of a state as its key says, in whole words of memory that would come to none. */
static void too_much_state(const void *parameters, size_t *slots, size_t *state_size)
{
	(void)parameters;
	*slots = 0;
	*state_size = SIZE_MAX;
}

static void test_sizes(void)
{
	struct prn_policy_kind kind = plain;
	struct prn_policy *policy;

	kind.pack = pack;
	kind.state_size = SIZE_MAX;
	refused(&kind, PRN_E_ARGUMENT, "wants a state of", "a state of so many bytes that they are rounded up to none");
	kind.state_size = PRN_POLICY_STATE_BYTES + 1;
	refused(&kind, PRN_E_ARGUMENT, "it may have 65536", "a state of more bytes than it may have");
	kind.state_size = 8;
	kind.sizes = too_much_state;
	refused(&kind, PRN_E_ARGUMENT, "wants a state of", "a policy that asks for a state of more bytes than it may have");
	kind = plain;
	kind.parameters_size = SIZE_MAX;
	refused(&kind, PRN_E_ARGUMENT, "of parameters", "parameters of more bytes than they may have");
	must_open(&policy, "curve-fitting:history=32");
	ok(prn_policy_state_size(policy) <= PRN_POLICY_STATE_BYTES, "the largest state of the library's policies is one that any may have");
	prn_policy_free(policy);
	for (size_t i = 0; prn_yardstick_info(i); i++) {
		kind = plain;
		kind.info.name = prn_yardstick_info(i)->name;
		refused(&kind, PRN_E_ARGUMENT, "there is an offline policy", "the name of an offline policy");
	}
}

static void test_refusals(void)
{
	static const char *const names[] = { "", "Plain", "a:b", "a b", "a-name-of-more-than-31-characters" };
	struct prn_policy_kind kind = plain;

	kind.version += 1 << 16;
	refused(&kind, PRN_E_VERSION, "build it anew", "a policy of other headers");
	kind.version = PRN_POLICY_KIND_VERSION + 8;
	refused(&kind, PRN_E_VERSION, "build it anew", "a policy of another size");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		kind = plain;
		kind.info.name = names[i];
		refused(&kind, PRN_E_ARGUMENT, "small letters, digits and '-'", "a name that cannot be written in a specification");
	}
	kind = plain;
	kind.info.name = "drift";
	refused(&kind, PRN_E_ARGUMENT, "there is a policy 'drift' already", "the name of a policy that there is");
	kind = plain;
	kind.info.title = NULL;
	refused(&kind, PRN_E_ARGUMENT, "wants a title", "a policy without a title");
	kind = plain;
	kind.visit = NULL;
	refused(&kind, PRN_E_ARGUMENT, "wants the functions", "a policy without the function visit");
	kind = plain;
	kind.decide = NULL;
	refused(&kind, PRN_E_ARGUMENT, "wants the functions", "a policy without the function decide");
	kind = plain;
	kind.state_size = 8;
	refused(&kind, PRN_E_ARGUMENT, "pack where it has a state", "a policy with a state that nobody packs");
	kind = plain;
	kind.slots = PRN_POLICY_SLOTS + 1;
	refused(&kind, PRN_E_ARGUMENT, "33 slots", "a policy with more slots than there are");
	kind = plain;
	kind.sizes = too_many_slots;
	kind.pack = pack;
	refused(&kind, PRN_E_ARGUMENT, "33 slots", "a policy that asks for more slots than there are");
}

static void test_refused_keys(void)
{
	static const struct prn_policy_key outside[] = {
		{ .name = "k", .fallback = "1", .help = "", .type = PRN_KEY_TYPE_NUMBER,
		  .offset = sizeof(struct parameters) - 4 },
		PRN_KEYS_END,
	}, misfit[] = {
		{ .name = "k", .fallback = "0", .help = "", .type = PRN_KEY_TYPE_NUMBER, .above = true }, PRN_KEYS_END,
	}, unread[] = {
		{ .name = "k", .fallback = "0", .help = "", .type = PRN_KEY_TYPE_OWN, .fits = "x" }, PRN_KEYS_END,
	}, misnamed[] = {
		{ .name = "K", .fallback = "0", .help = "", .type = PRN_KEY_TYPE_NUMBER }, PRN_KEYS_END,
	}, unlucky[] = {
		{ .name = "count", .fallback = "13", .help = "c", .type = PRN_KEY_TYPE_COUNT,
		  .offset = offsetof(struct parameters, count) },
		PRN_KEYS_END,
	};
	struct prn_policy_kind kind = plain;

	kind.info.keys = outside;
	refused(&kind, PRN_E_ARGUMENT, "outside its parameters", "a key that writes beyond the parameters");
	kind.info.keys = misfit;
	refused(&kind, PRN_E_ARGUMENT, "takes a number above 0, not '0'", "a key whose fallback does not fit");
	kind.info.keys = unread;
	refused(&kind, PRN_E_ARGUMENT, "how it is read", "a key of its own that nobody reads");
	kind.info.keys = misnamed;
	refused(&kind, PRN_E_ARGUMENT, "the key 'K'", "a key that cannot be written in a specification");
	kind.info.keys = unlucky;
	refused(&kind, PRN_E_ARGUMENT, "thirteen brings bad luck", "a policy that does not open with its fallbacks");
	kind.info.keys = keys;
	kind.init = positive;
	refused(&kind, PRN_E_ARGUMENT, "returned 5", "a policy whose init returns a positive number");
	kind.init = wordless;
	refused(&kind, PRN_E_ARGUMENT, "init of the policy", "a policy whose init fails without a word");
	ok(!opened, "a policy that was opened to be looked at is released, and one whose init fails is not");
}

static size_t too_many(const void *parameters, const void *state, struct prn_point *points)
{
	(void)parameters;
	(void)state;
	for (size_t i = 0; i < PRN_FIT_POINTS; i++)
		points[i] = (struct prn_point){ .lag = (float)i + 1 };
	return 5000;
}

/* Whoever asks for a profile has room for so many points, whatever a policy says. */
static void test_profile(void)
{
	static struct prn_policy_kind kind;
	static struct prn_point points[PRN_FIT_POINTS];
	struct prn_error error = { 0 };
	struct drive drive;
	double divergence = 0;

	kind = plain;
	kind.info.name = "talker";
	kind.profile = too_many;
	if (!ok(!prn_policy_register(&kind, &error) && drive_open(&drive, "talker", told, &divergence), "a policy with a profile is registered %s", error.text))
		return;
	ok(prn_policy_profile(drive.policy, drive.state, points) == PRN_FIT_POINTS,
	   "a profile of more points than there is room for has as many as there is room for");
	drive_close(&drive);
}

static void key_refused(const char *specification, const char *text)
{
	struct prn_policy *policy;
	struct prn_error error = { 0 };

	ok(prn_policy_open(&policy, specification, NULL, &error) == PRN_E_ARGUMENT && !strcmp(error.text, text),
	   "'%s' is refused: %s", specification, error.text);
}

static double period_of(const char *specification)
{
	struct drive drive;
	double period;

	if (!drive_open(&drive, specification, told, NULL))
		return 0;
	period = drive_visit(&drive, 0, 1, 1);
	drive_close(&drive);
	return period;
}

static void test_keys(void)
{
	struct prn_policy *policy;
	struct prn_error error = { 0 };

	ok(!prn_policy_register(&plain, NULL), "a policy without a state is registered");
	near(period_of("plain-1"), 3, 0, "a key of a registered policy has its fallback");
	near(period_of("plain-1:number=4.5"), 4.5, 0,
	     "a key of a registered policy has the value that is written");
	ok(isinf(period_of("plain-1:number=ever:count=many:flag")),
	   "the word that a key takes for a number is INFINITY");
	key_refused("plain-1:number=5", "key 'number' takes a number from 2 and below 5, or 'ever', not '5'");
	key_refused("plain-1:number=1.9", "key 'number' takes a number from 2 and below 5, or 'ever', not '1.9'");
	key_refused("plain-1:count=2.5", "key 'count' takes a whole number from 1 to 99, or 'many', not '2.5'");
	key_refused("plain-1:count=100", "key 'count' takes a whole number from 1 to 99, or 'many', not '100'");
	key_refused("plain-1:flag=perhaps", "key 'flag' takes 'yes' or 'no', not 'perhaps'");
	ok(prn_policy_open(&policy, "plain-1:count=13", NULL, &error) == PRN_E_ARGUMENT &&
	           !strcmp(error.text, "thirteen brings bad luck"),
	   "values that do not go together are refused with what init says of them");
	ok(!opened, "each policy that was opened has been released");
	ok(!prn_policy_open(&policy, "drift", "days=2:flag=yes", NULL), "keys of registered policies may be defaults for all");
	prn_policy_free(policy);
}

/* Those of the library are held to the same rules: registering one that there is checks it, and changes nothing. */
static void test_library(void)
{
	for (size_t i = 0; prn_policy_table[i]; i++) {
		struct prn_error error = { 0 };

		ok(!prn_policy_register(prn_policy_table[i], &error), "%s is as a registered policy has to be %s",
		   prn_policy_table[i]->info.name, error.text);
	}
}

#define THREADS 4
#define EACH 20

static struct prn_policy_kind many[THREADS][EACH];
static char names[THREADS][EACH][8];

static void *register_many(void *context)
{
	size_t thread = *(const size_t *)context, failed = 0;

	for (size_t i = 0; i < EACH; i++) {
		snprintf(names[thread][i], sizeof names[thread][i], "m%zu-%zu", thread, i);
		many[thread][i] = plain;
		many[thread][i].init = NULL;
		many[thread][i].release = NULL;
		many[thread][i].info.name = names[thread][i];
		if (prn_policy_register(&many[thread][i], NULL) == PRN_E_LIMIT)
			failed++;
		for (size_t j = 0; prn_policy_info(j); j++)
			failed += !prn_policy_info(j)->name ? 1000 : 0;
	}
	return (void *)(uintptr_t)failed;
}

static void test_threads(void)
{
	pthread_t threads[THREADS];
	size_t numbers[THREADS], failed = 0, built_in = 0, all = 0;
	void *result;

	while (prn_policy_table[built_in])
		built_in++;
	for (size_t i = 0; i < THREADS; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, register_many, &numbers[i]))
			abort();
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &result);
		failed += (size_t)(uintptr_t)result;
	}
	while (prn_policy_info(all))
		all++;
	ok(all - built_in == PRN_POLICIES_REGISTERED,
	   "four threads that register and list policies at once fill the list to its end");
	ok(failed == THREADS * EACH + 3 - PRN_POLICIES_REGISTERED,
	   "threads that register policies are told of each for which there is no room");
}

int main(void)
{
	test_patient();
	test_refusals();
	test_refused_keys();
	test_sizes();
	test_keys();
	test_profile();
	test_library();
	test_threads();
	return done();
}
