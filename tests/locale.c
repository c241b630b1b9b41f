/*
 * A store goes from hand to hand between programs of which some write fractions with a comma, as a program does that has called
 * setlocale: what is kept and read has points.  The locale is made here, of nothing but its comma.
 */
#include "desk.h"

#include "base/number.h"
#include "perennial/time.h"

#include <locale.h>

#define COMMA "xx_XX.UTF-8"
#define BUDGET 240.5

static bool make_locale(void)
{
	static const char definition[] = "comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \"<U002C>\"\n"
	                                 "thousands_sep \"<U002E>\"\ngrouping -1\nEND LC_NUMERIC\n";
	char command[2048];

	put_file("comma", definition, sizeof definition - 1);
	snprintf(command, sizeof command, "cd '%s' && localedef -c -i ./comma -f UTF-8 ./" COMMA " >/dev/null 2>&1", scratch);
	/* Of the other categories it has nothing, which localedef warns of with its code. */
	if (system(command) < 0)
		return false;
	setenv("LOCPATH", scratch, 1);
	return setlocale(LC_NUMERIC, COMMA) && *localeconv()->decimal_point == ',';
}

static void point(void)
{
	setlocale(LC_NUMERIC, "C");
}

static void comma(void)
{
	must(setlocale(LC_NUMERIC, COMMA) != NULL, "set the locale");
}

static size_t hand_out(struct desk *desk, int64_t now)
{
	const struct prn_due_request request = { .now = now, .limit = 1000, .lease_s = 3600 };
	struct prn_due_list list;
	size_t count;

	prn_due_list_init(&list);
	must(!prn_decider_due(desk->decider, &request, &list, NULL), "ask what is due");
	count = list.count;
	prn_due_list_release(&list);
	return count;
}

static void test_numbers(void)
{
	char text[32], *end;
	double number = 0;

	comma();
	prn_number_print(text, sizeof text, "%.3g of %d", 0.25, 7);
	same(text, "0.25 of 7", "a number that is kept is written with a point");
	near(prn_number_scan("0.25,5", &end), 0.25, 0, "a number that is kept is read with a point");
	same(end, ",5", "a number that is kept is read up to a comma");
	ok(prn_number_read("1.5", &number) && number == 1.5, "a number of a setting is read with a point");
	ok(!prn_duration_parse("1.5h", &number) && number == 5400, "a duration is read with a point");
	snprintf(text, sizeof text, "%.2f", 0.25);
	same(text, "0,25", "the program's own locale stays as it is");
	point();
}

static void test_store(void)
{
	const struct prn_decider_settings settings = { .policy = "drift:kappa=2.5", .threshold = 0.0625, .budget_per_day = BUDGET };
	struct desk desk = { 0 };
	size_t given[4];

	snprintf(desk.path, sizeof desk.path, "%s/store", scratch);
	desk_create(&desk, &settings);
	desk_add_pages(&desk, "a.example", 900);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	given[0] = hand_out(&desk, T0 + DAY);
	comma();
	desk_reopen(&desk);
	same(prn_decider_specification(desk.decider), "drift:kappa=2.5", "a program whose locale has a comma opens a store of one that has none");
	near(prn_decider_budget(desk.decider), BUDGET, 0,
	     "a store of a program whose locale has a point has the same budget where it has a comma");
	given[1] = hand_out(&desk, T0 + DAY + 1);
	point();
	given[2] = hand_out(&desk, T0 + DAY + 2);
	comma();
	given[3] = hand_out(&desk, T0 + DAY + 3);
	ok(given[0] > 0 && given[1] + given[2] + given[3] <= 1,
	   "what was handed out counts for whoever asks next: %zu, then %zu, %zu, %zu", given[0], given[1], given[2], given[3]);
	desk_release(&desk);
	snprintf(desk.path, sizeof desk.path, "%s/other", scratch);
	desk_create(&desk, &settings);
	point();
	desk_reopen(&desk);
	near(prn_decider_budget(desk.decider), BUDGET, 0, "a program whose locale has a point opens a store of one that has a comma");
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	if (!make_locale()) {
		skip("localedef makes no locale here");
		return done();
	}
	test_numbers();
	test_store();
	return done();
}
