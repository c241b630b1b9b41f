/* What a store of pages is made with: what is refused, and stores whose settings are not what was written. */
#include "desk.h"

#include "perennial/tuning.h"
#include "store/tables.h"

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
		{ { .budget_per_day = -1 }, PRN_E_ARGUMENT, "a budget below 0" },
		{ { .budget_per_day = INFINITY }, PRN_E_ARGUMENT, "a budget without end" },
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
	const struct prn_tuning_request to_bytes = { { 1e6, PRN_UNIT_BYTES }, NULL, true };
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
	ok(!older_read_budget(in_scratch("visits")), "nor does it take a store whose budget came to be in bytes later");
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

int main(void)
{
	make_scratch();
	refusals();
	older_programs();
	others();
	return done();
}
