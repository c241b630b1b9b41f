/* What a store of pages is made with: what is refused, and stores whose settings are not what was written. */
#include "desk.h"

#include "base/random.h"
#include "perennial/settings_change.h"
#include "perennial/tuning.h"
#include "store/tables.h"

#include <float.h>

static int create(const struct prn_decider_settings *settings, const char *name, struct prn_error *error)
{
	return prn_decider_create(in_scratch(name), settings, error);
}

static void refusals(void)
{
	static const struct {
		struct prn_decider_settings settings;
		int code;
		const char *what;
	} refused[] = {
		{ { .threshold = -1 }, PRN_E_ARGUMENT, "a threshold below 0" },
		{ { .threshold = INFINITY }, PRN_E_ARGUMENT, "a threshold without end" },
		{ { .threshold = NAN }, PRN_E_ARGUMENT, "a threshold that is no number" },
		{ { .threshold = 1e-310 }, PRN_E_ARGUMENT, "a threshold of less than numbers of full precision" },
		{ { .threshold = 1e301 }, PRN_E_ARGUMENT, "a threshold that arithmetic has no room for" },
		{ { .budget_per_day = -1 }, PRN_E_ARGUMENT, "a budget below 0" },
		{ { .budget_per_day = INFINITY }, PRN_E_ARGUMENT, "a budget without end" },
		{ { .budget_per_day = NAN }, PRN_E_ARGUMENT, "a budget that is no number" },
		{ { .budget_per_day = 1e-308 }, PRN_E_ARGUMENT, "a budget of less than a visit in 10000 years" },
		{ { .budget_per_day = 1e-8, .unit = PRN_UNIT_BYTES }, PRN_E_ARGUMENT, "a budget of less than a byte in 10000 years" },
		{ { .shingle_words = 65 }, PRN_E_ARGUMENT, "shingles of 65 words" },
		{ { .policy = "drift:summary=all" }, PRN_E_ARGUMENT, "a policy that wants to keep all hashes" },
		{ { .policy = "no-such-policy" }, PRN_E_NOT_FOUND, "a policy that there is not" },
	};
	struct prn_error error;

	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		ok(create(&refused[i].settings, "refused", &error) == refused[i].code && access(in_scratch("refused"), F_OK),
		   "%s makes no store: %s", refused[i].what, error.text);
	ok(!create(&(struct prn_decider_settings){ .shingle_words = 64, .policy = "drift:summary=1024" }, "largest", NULL),
	   "the longest shingles and the largest summary make a store");
}

/* What programs did that knew no unit: the setting's text is a number, or the store is damaged. */
static bool older_read_budget(const char *path)
{
	struct prn_store *store;
	struct prn_view *view;
	const void *bytes;
	char text[64], *end;
	size_t count;

	must(!prn_store_open(&store, path, PRN_STORE_READ, 0, NULL) && !prn_view_open(&view, store, NULL), "open a store");
	must(!prn_view_side(view, PRN_SIDE_META, "budget-per-day", 14, &bytes, &count, NULL) && count < sizeof text, "read a budget");
	snprintf(text, sizeof text, "%.*s", (int)count, (const char *)bytes);
	prn_view_close(view);
	prn_store_free(store);
	return strtod(text, &end) >= 0 && end != text && !*end;
}

static void older_programs(void)
{
	const struct prn_decider_settings visits = { .budget_per_day = 100 },
	                                  bytes = { .budget_per_day = 100, .unit = PRN_UNIT_BYTES };
	const struct prn_tuning_request to_bytes = { .budget = { 1e6, PRN_UNIT_BYTES }, .apply = true };
	struct prn_tuning tuning;
	enum prn_added added;
	struct prn_decider *decider;

	must(!prn_decider_create(in_scratch("visits"), &visits, NULL) && !prn_decider_create(in_scratch("bytes"), &bytes, NULL), "make stores");
	ok(older_read_budget(in_scratch("visits")), "an older program reads a budget in visits as a number");
	ok(!older_read_budget(in_scratch("bytes")), "an older program refuses a store with a budget in bytes, which it would take for visits");
	must(!prn_decider_open(&decider, in_scratch("visits"), PRN_STORE_WRITE, NULL, NULL), "open a store");
	must(!prn_decider_add(decider, PAGE, 1, T0, &added, NULL) && !prn_decider_commit(decider, NULL), "add");
	must(!prn_decider_tune(decider, &to_bytes, &tuning, NULL), "tune");
	prn_decider_free(decider);
	ok(!older_read_budget(in_scratch("visits")),
	   "a program of before budgets in bytes does not take a store whose budget came to be in bytes later");
}

/* Opens a store whose setting has been overwritten; NULL takes it out. */
static int open_with(const char *key, const char *value, struct prn_error *error)
{
	struct prn_change change = { PRN_TABLE_META, !value, { key, strlen(key) }, { value, value ? strlen(value) : 0 } };
	struct prn_decider *decider;
	struct prn_tables *tables;
	struct desk desk;
	int code;

	desk_open(&desk, NULL, 0);
	desk_release(&desk);
	must(!prn_tables_open(&tables, desk.path, true, 0, NULL) && !tables->kind->write(tables, &change, 1, NULL), "tamper");
	prn_tables_free(tables);
	code = prn_decider_open(&decider, desk.path, PRN_STORE_READ, NULL, error);
	if (!code)
		prn_decider_free(decider);
	return code;
}

static void others(void)
{
	static const struct {
		const char *key, *value;
		int code;
		const char *what;
	} settings[] = {
		{ "fragment-rule", "0", PRN_E_VERSION, "fragments of no rule" },
		{ "fragment-rule", "1", 0, "fragments of an older rule" },
		{ "fragment-rule", "1000", PRN_E_VERSION, "fragments of a newer rule" },
		{ "policy", "no-such-policy", PRN_E_VERSION, "a policy that this program does not know" },
		{ "policy", "drift:colour=red", PRN_E_VERSION, "a policy with a key that this program does not know" },
		{ "policy", NULL, PRN_E_DAMAGED, "no policy" },
		{ "threshold", "0", PRN_E_DAMAGED, "a threshold of 0" },
		{ "threshold", "-1", PRN_E_DAMAGED, "a threshold below 0" },
		{ "threshold", "much", PRN_E_DAMAGED, "a threshold that is no number" },
		{ "threshold", NULL, PRN_E_DAMAGED, "no threshold" },
		{ "shingle-words", "0", PRN_E_DAMAGED, "shingles of no words" },
		{ "shingle-words", "65", PRN_E_DAMAGED, "shingles of 65 words" },
		{ "shingle-words", "64", 0, "shingles of 64 words" },
		{ "budget-per-day", "x", PRN_E_DAMAGED, "a budget that is no number" },
		{ "budget-per-day", "5 bytes", 0, "a budget in bytes" },
		{ "budget-per-day", "9.9999999999999991e-309", 0, "a budget that older programs took, too small to be set" },
		{ "budget-per-day", "1e-309 bytes", 0, "such a budget in bytes" },
		{ "budget-per-day", "1e999", PRN_E_DAMAGED, "a budget without end" },
		{ "threshold", "9.9999999999999991e-309", 0, "a threshold too small to be set" },
		{ "budget-per-day", "5 words", PRN_E_DAMAGED, "a budget in a unit that this program does not know" },
		{ "cost-304", "2", PRN_E_DAMAGED, "a 304 that costs more than a fetch" },
		{ "cost-304", "0.1,text/html=0.2", 0, "304s that cost a share of a fetch" },
	};

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		struct prn_error error = { 0 };

		ok(open_with(settings[i].key, settings[i].value, &error) == settings[i].code, "a store with %s is %s: %s",
		   settings[i].what, settings[i].code ? "refused" : "opened", error.text);
	}
}

/* Any double that there is, and mostly such as nobody thinks of. */
static double any_number(struct prn_random *random)
{
	double sign = prn_random_below(random, 8) ? 1 : -1, least = prn_random_below(random, 4) ? 1 : 0x1p-52;

	return sign * ldexp(prn_random_unit(random) + least, (int)prn_random_below(random, 2200) - 1100);
}

static double near_bound(struct prn_random *random)
{
	static const double bounds[] = { PRN_BUDGET_LEAST, 1e-300, 1e300, DBL_MIN, DBL_MAX, 5e-324, 0 };
	double bound = bounds[prn_random_below(random, sizeof bounds / sizeof *bounds)];

	return nextafter(bound, prn_random_below(random, 2) ? INFINITY : 0);
}

static double draw(struct prn_random *random)
{
	return prn_random_below(random, 2) ? any_number(random) : near_bound(random);
}

static bool opens(const char *path, double *threshold, double *budget)
{
	struct prn_decider *decider;

	if (prn_decider_open(&decider, path, PRN_STORE_READ, NULL, NULL))
		return false;
	*threshold = prn_decider_threshold(decider);
	*budget = prn_decider_budget(decider);
	prn_decider_free(decider);
	return true;
}

/* Whether a budget was taken that is not read again, or as another. */
static bool loses_budget(const char *path, double budget)
{
	const struct prn_tuning_request request = { .budget = { budget, PRN_UNIT_VISITS }, .apply = true };
	double threshold, read;
	struct prn_tuning tuning;
	struct prn_decider *decider;
	int code;

	must(!prn_decider_open(&decider, path, PRN_STORE_WRITE, NULL, NULL), "open the store whose budget is to be set");
	code = prn_decider_tune(decider, &request, &tuning, NULL);
	prn_decider_free(decider);
	return !opens(path, &threshold, &read) || (!code && (read < budget || read > budget));
}

static void all_numbers(void)
{
	struct prn_random random;
	struct desk desk;
	unsigned made = 0, unread = 0, lost_thresholds = 0, lost_budgets = 0, kept = 0;
	double threshold, budget;
	char name[20];
	enum prn_added added;

	prn_random_seed(&random, 1, 0);
	desk_open(&desk, NULL, 0);
	must(!prn_decider_add(desk.decider, PAGE, 1, T0, &added, NULL) && !prn_decider_commit(desk.decider, NULL), "add");
	desk_release(&desk);
	for (int i = 0; i < 300; i++) {
		const struct prn_decider_settings settings = { .threshold = i % 2 ? draw(&random) : 0, .budget_per_day = i % 2 ? 0 : draw(&random) };
		struct prn_settings_change change = { .threshold = draw(&random) };

		snprintf(name, sizeof name, "made-%d", i);
		if (!create(&settings, name, NULL)) {
			made++;
			unread += !opens(in_scratch(name), &threshold, &budget);
		}
		if (!prn_settings_change(desk.path, &change, NULL, NULL)) {
			kept++;
			lost_thresholds += !opens(desk.path, &threshold, &budget) || threshold < change.threshold || threshold > change.threshold;
		}
		lost_budgets += loses_budget(desk.path, draw(&random));
	}
	ok(made > 50 && !unread, "whatever threshold and budget a store is made with is read again: %u made, %u unreadable", made, unread);
	ok(kept > 50 && !lost_thresholds, "whatever threshold a store is given is read again as it was: %u given, %u lost", kept, lost_thresholds);
	ok(!lost_budgets, "whatever budget a store is tuned to is read again as it was: %u lost", lost_budgets);
}

/* A store whose budget is smaller than any that can be set, as older programs made them. */
static void mended(void)
{
	struct prn_change change = { PRN_TABLE_META, false, { "budget-per-day", 14 }, { "9.9999999999999991e-309", 23 } };
	struct prn_tables *tables;
	struct desk desk;
	enum prn_added added;

	desk_open(&desk, NULL, 0);
	must(!prn_decider_add(desk.decider, PAGE, 1, T0, &added, NULL) && !prn_decider_commit(desk.decider, NULL), "add");
	desk_release(&desk);
	must(!prn_tables_open(&tables, desk.path, true, 0, NULL) && !tables->kind->write(tables, &change, 1, NULL), "tamper");
	prn_tables_free(tables);
	ok(!loses_budget(desk.path, 24), "a store with a budget that was too small to be read is given another");
}

/* The longest policy that can be set is one that can be read. */
static void long_policies(void)
{
	static const char *const keys[] = { "prior-changed", "prior-unchanged", "damping", "exponent", "forgetting", "lengths", "learning" };
	double threshold, budget;
	unsigned made = 0, refused = 0, unread = 0;
	struct desk desk;

	desk_open(&desk, NULL, 0);
	desk_release(&desk);
	for (int zeros = 120; zeros < 150; zeros++) {
		char policy[1400] = "cgm";
		struct prn_settings_change change = { .policy = policy };

		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
			size_t length = strlen(policy);

			snprintf(policy + length, sizeof policy - length, ":%s=1.%0*d", keys[i], zeros, 0);
		}
		if (prn_settings_change(desk.path, &change, NULL, NULL)) {
			refused++;
			continue;
		}
		made++;
		unread += !opens(desk.path, &threshold, &budget);
	}
	ok(made && refused,
	   "of policies of every length a store takes some, and refuses some: %u given, %u refused", made, refused);
	ok(!unread, "whatever policy a store is given, however long, is read again: %u unread", unread);
}

int main(void)
{
	make_scratch();
	refusals();
	older_programs();
	others();
	all_numbers();
	mended();
	long_policies();
	return done();
}
