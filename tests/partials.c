/* Partial results: joined, they are the result on all pages to the last bit; and what cannot be joined is refused. */
#include "history/partial_file.h"
#include "perennial/longevity.h"
#include "perennial/partial.h"
#include "synthetic.h"
#include "tap.h"

#include <fcntl.h>
#include <unistd.h>

#define SWEEPS 3
#define SETTINGS 3
#define PARTS_MOST 16
#define RESAMPLES 40

static char folder[] = "/tmp/perennial-partials-XXXXXX";
static const struct prn_setting settings[SETTINGS] = { { 0.5, false }, { 2, false }, { 8, false } };
static const struct prn_setting periods[SETTINGS] = { { 2, false }, { 100000, true }, { 5, false } };
static struct prn_contender *contenders[SWEEPS];
static struct prn_sweep sweeps[SWEEPS];

static void open_sweeps(void)
{
	static const char *const names[SWEEPS] = { "uniform", "drift", "fs-s" };

	for (size_t i = 0; i < SWEEPS; i++) {
		if (prn_contender_open(&contenders[i], names[i], NULL, NULL))
			abort();
		sweeps[i] = (struct prn_sweep){ (const struct prn_contender *const *)&contenders[i], i ? settings : periods, SETTINGS,
			                        false };
	}
}

static const char *path_of(uint32_t number)
{
	static char path[64];

	snprintf(path, sizeof path, "%s/%u", folder, number);
	return path;
}

/* From the beginning, and from the third capture on. */
static struct prn_evaluation *evaluate(const struct prn_pages *pages)
{
	struct prn_evaluation *early, *late;
	struct prn_pages_part part;
	struct prn_pages later;

	prn_pages_part_init(&part, pages, NULL, 0, 3, &later);
	if (prn_evaluation_run(&early, pages, sweeps, SWEEPS, PRN_CLOCK_STEPS, 2, NULL) ||
	    prn_evaluation_run(&late, &later, sweeps, SWEEPS, PRN_CLOCK_STEPS, 2, NULL) || prn_evaluation_merge(early, late))
		abort();
	prn_evaluation_free(late);
	return early;
}

static const struct prn_longevity_options options = { .seed = 3, .resamples = RESAMPLES, .draws = 20 };

static struct prn_longevity *measure(const struct prn_pages *pages)
{
	struct prn_longevity *longevity;

	if (prn_longevity_run(&longevity, pages, &options, NULL))
		abort();
	return longevity;
}

/* What of pages is in a part. */
struct selection {
	struct prn_pages_part part;
	struct prn_pages pages;
	size_t *members;
};

static void select_part(struct selection *selection, const struct prn_pages *pages, uint32_t number, uint32_t of)
{
	const struct prn_part part = { number, of };
	size_t count;

	if (prn_pages_in_part(pages, &part, &selection->members, &count))
		abort();
	prn_pages_part_init(&selection->part, pages, selection->members, count, 0, &selection->pages);
	selection->pages.part = part;
}

typedef void save_fn(const struct prn_pages *pages, const char *path);

static const struct prn_partial_about about = { .settings = "clock=steps\npolicy=drift\n", .extra = (const unsigned char *)"x", .extra_bytes = 1 };

static void save_evaluation(const struct prn_pages *pages, const char *path)
{
	struct prn_evaluation *evaluation = evaluate(pages);

	if (prn_evaluation_save(evaluation, path, &about, NULL))
		abort();
	prn_evaluation_free(evaluation);
}

static void save_longevity(const struct prn_pages *pages, const char *path)
{
	struct prn_longevity *longevity = measure(pages);

	if (prn_longevity_save(longevity, path, &about, NULL))
		abort();
	prn_longevity_free(longevity);
}

/* Saves all parts, and opens them in an order that goes up and down. */
static void save_parts(const struct prn_pages *pages, uint32_t of, save_fn *save, struct prn_partial **partials)
{
	for (uint32_t i = 0; i < of; i++) {
		struct selection selection;

		select_part(&selection, pages, i + 1, of);
		save(&selection.pages, path_of(i));
		free(selection.members);
	}
	for (uint32_t i = 0; i < of; i++)
		if (prn_partial_open(&partials[i], path_of((i * 5 + 3) % of), NULL))
			abort();
}

static void close_parts(struct prn_partial **partials, uint32_t of)
{
	for (uint32_t i = 0; i < of; i++)
		prn_partial_free(partials[i]);
}

/* Bit by bit, and all that is not a number the same. */
static bool same_bits(double a, double b)
{
	return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof a);
}

static bool same_interval(struct prn_interval a, struct prn_interval b)
{
	return same_bits(a.value, b.value) && same_bits(a.low, b.low) && same_bits(a.high, b.high);
}

static bool same_evaluation(const struct prn_evaluation *a, const struct prn_evaluation *b)
{
	return same_scores(a, b, SWEEPS, SETTINGS) && prn_evaluation_pages(a) == prn_evaluation_pages(b) &&
	       prn_evaluation_left_out(a) == prn_evaluation_left_out(b) && prn_evaluation_captures(a) == prn_evaluation_captures(b) &&
	       prn_evaluation_changes_are_whole(a) == prn_evaluation_changes_are_whole(b);
}

static bool same_comparison(const struct prn_evaluation *a, const struct prn_evaluation *b, bool *has_intervals)
{
	const double targets[] = { 0.15, 0.35 };
	const struct prn_comparison comparison = { .window = PRN_WINDOW_STEADY, .targets = targets, .target_count = 2, .reference = 0,
		                                   .seed = 7, .resamples = RESAMPLES, .threads = 2 };
	struct prn_compared x[2 * SWEEPS], y[2 * SWEEPS];

	if (prn_evaluation_compare(a, &comparison, x) || prn_evaluation_compare(b, &comparison, y))
		return false;
	for (size_t i = 0; i < 2 * SWEEPS; i++)
		*has_intervals |= !isnan(x[i].value.low);
	for (size_t i = 0; i < 2 * SWEEPS; i++)
		if (!same_interval(x[i].value, y[i].value) || !same_interval(x[i].ratio, y[i].ratio))
			return false;
	return true;
}

static void join_evaluations(const struct prn_pages *pages, const struct prn_evaluation *whole, uint32_t of, const char *what)
{
	struct prn_partial *partials[PARTS_MOST];
	struct prn_evaluation *joined = NULL;
	struct prn_error error = { 0 };
	bool has_intervals = false;

	save_parts(pages, of, save_evaluation, partials);
	if (ok(!prn_evaluation_of_partials(&joined, sweeps, SWEEPS, (const struct prn_partial *const *)partials, of, &error),
	       "evaluations of %u parts of %s are joined: %s", of, what, error.text)) {
		ok(same_evaluation(whole, joined), "%u parts of %s give the scores of all pages to the last bit", of, what);
		ok(same_comparison(whole, joined, &has_intervals) && has_intervals,
		   "%u parts of %s give its intervals to the last bit", of, what);
	}
	prn_evaluation_free(joined);
	close_parts(partials, of);
}

static bool same_survival(const struct prn_survival *a, const struct prn_survival *b)
{
	const struct prn_survival_point *x = prn_survival_points(a), *y = prn_survival_points(b);

	if (prn_survival_count(a) != prn_survival_count(b) || !same_interval(prn_survival_median(a), prn_survival_median(b)))
		return false;
	for (size_t i = 0; i < prn_survival_count(a); i++)
		if (!same_bits(x[i].duration, y[i].duration) || memcmp(x[i].counts, y[i].counts, sizeof x[i].counts) ||
		    x[i].at_risk != y[i].at_risk || !same_interval(x[i].survival, y[i].survival) ||
		    !same_bits(x[i].known_only, y[i].known_only))
			return false;
	return true;
}

static bool same_scope(const struct prn_longevity *a, const struct prn_longevity *b, size_t scope)
{
	static const enum prn_nature natures[] = { PRN_NATURE_CHURN, PRN_NATURE_SCROLL };
	const struct prn_change_times *x = prn_longevity_change_times(a, scope), *y = prn_longevity_change_times(b, scope);
	bool same = prn_longevity_pages(a, scope) == prn_longevity_pages(b, scope) &&
	            prn_longevity_left_out(a, scope) == prn_longevity_left_out(b, scope) &&
	            same_survival(prn_longevity_lifetimes(a, scope), prn_longevity_lifetimes(b, scope)) &&
	            same_survival(prn_longevity_unchanged(a, scope), prn_longevity_unchanged(b, scope)) &&
	            same_survival(prn_longevity_k(a, scope), prn_longevity_k(b, scope));

	for (size_t i = 0; prn_statistic_info(i); i++)
		same &= same_interval(prn_longevity_statistic(a, scope, i), prn_longevity_statistic(b, scope, i));
	for (size_t i = 0; i < 2; i++)
		same &= same_survival(prn_longevity_scaled(a, scope, natures[i]), prn_longevity_scaled(b, scope, natures[i])) &&
		        same_bits(prn_longevity_scaled_model(a, scope, natures[i], 1.5),
		                  prn_longevity_scaled_model(b, scope, natures[i], 1.5));
	for (size_t i = 0; i < PRN_CHANGE_TIMES; i++)
		same &= x[i].seen == y[i].seen && same_bits(x[i].share, y[i].share) && same_bits(x[i].low, y[i].low) &&
		        same_bits(x[i].high, y[i].high);
	return same;
}

static void join_longevities(const struct prn_pages *pages, const struct prn_longevity *whole, uint32_t of, const char *what)
{
	struct prn_partial *partials[PARTS_MOST];
	struct prn_longevity *joined = NULL;
	struct prn_error error = { 0 };
	size_t same = 0;

	save_parts(pages, of, save_longevity, partials);
	if (ok(!prn_longevity_of_partials(&joined, &options, (const struct prn_partial *const *)partials, of, &error),
	       "longevities of %u parts of %s are joined: %s", of, what, error.text)) {
		for (size_t i = 0; i < prn_longevity_scopes(whole); i++)
			same += same_scope(whole, joined, i);
		ok(same == prn_longevity_scopes(whole) && same == prn_longevity_scopes(joined),
		   "%u parts of %s have the longevity of all pages to the last bit, by corpus and together", of, what);
		prn_longevity_free(joined);
	}
	close_parts(partials, of);
}

static size_t two_corpora(void *context, size_t i)
{
	(void)context;
	return i / 2 % 2;
}

/* Pages are drawn one by one, by host, or by slot; of parts of the latter it is not yet known. */
static void joined(size_t page_count, size_t hosts, const uint32_t *parts, size_t count, const char *what)
{
	struct synthetic synthetic = { .pages = page_count, .hosts = hosts };
	struct prn_pages pages = synthetic_pages(&synthetic), dealt = pages;
	struct prn_evaluation *evaluation = evaluate(&pages);
	struct prn_longevity *longevity;

	dealt.corpora = 2;
	dealt.corpus = two_corpora;
	longevity = measure(&dealt);
	for (size_t i = 0; i < count; i++) {
		join_evaluations(&pages, evaluation, parts[i], what);
		join_longevities(&dealt, longevity, parts[i], what);
	}
	prn_evaluation_free(evaluation);
	prn_longevity_free(longevity);
	free(synthetic.urls);
}

static void refused(const char *what, const char *names, struct prn_partial *const *partials, size_t count)
{
	struct prn_error error = { 0 };

	ok(prn_partials_check((const struct prn_partial *const *)partials, count, &error) == PRN_E_ARGUMENT && strstr(error.text, names),
	   "%s: %s", what, error.text);
}

static struct prn_partial *write_one(uint32_t number, uint32_t of, const char *text, enum prn_partial_kind kind)
{
	const struct prn_partial_about own = { kind, { number, of }, text, NULL, 0 };
	struct prn_buffer nothing = { 0 };
	struct prn_partial *partial;
	char path[80];

	snprintf(path, sizeof path, "%s/%uof%u", folder, number, of);
	if (prn_partial_write(path, &own, &nothing, NULL) || prn_partial_open(&partial, path, NULL))
		abort();
	return partial;
}

static void unfit(void)
{
	struct prn_partial *a = write_one(1, 3, "clock=steps\nseed=1\n", PRN_PARTIAL_EVALUATION), *b, *c, *d, *e, *f;
	struct prn_evaluation *evaluation;
	struct prn_error error = { 0 };

	b = write_one(2, 3, "clock=steps\nseed=1\n", PRN_PARTIAL_EVALUATION);
	c = write_one(3, 3, "clock=steps\nseed=2\n", PRN_PARTIAL_EVALUATION);
	d = write_one(3, 4, "clock=steps\nseed=1\n", PRN_PARTIAL_EVALUATION);
	e = write_one(4, 4, "clock=steps\nseed=1\n", PRN_PARTIAL_LONGEVITY);
	f = write_one(3, 3, "clock=steps\n", PRN_PARTIAL_EVALUATION);
	refused("parts that are missing are named", "of 3 parts 1 is missing: 3", (struct prn_partial *[]){ b, a }, 2);
	refused("several parts that are missing are named", "of 3 parts 2 are missing: 1, 3", (struct prn_partial *[]){ b }, 1);
	refused("a part that is given twice is named", "part 1 is given twice", (struct prn_partial *[]){ a, b, a }, 3);
	refused("other settings are told", "seed=1, and", (struct prn_partial *[]){ a, b, c }, 3);
	refused("settings that are missing are told", "seed=1, and", (struct prn_partial *[]){ a, b, f }, 3);
	refused("parts of other numbers are told", "one of 3 parts, and", (struct prn_partial *[]){ a, b, d }, 3);
	refused("results of another kind are told", "of evaluate or of measure", (struct prn_partial *[]){ d, e }, 2);
	refused("nothing cannot be joined", "no partial results", NULL, 0);
	prn_partial_free(f);
	f = write_one(1, 1, "", PRN_PARTIAL_LONGEVITY);
	ok(prn_evaluation_of_partials(&evaluation, sweeps, SWEEPS, (const struct prn_partial *const *)&f, 1, &error) == PRN_E_ARGUMENT,
	   "what was measured is no evaluation: %s", error.text);
	prn_partial_free(a);
	prn_partial_free(b);
	prn_partial_free(c);
	prn_partial_free(d);
	prn_partial_free(e);
	prn_partial_free(f);
}

static int overwrite(const char *path, long at, unsigned char bits, long length)
{
	FILE *file = fopen(path, "r+b");
	int byte;

	if (!file || fseek(file, at, SEEK_SET) || (byte = fgetc(file)) == EOF || fseek(file, at, SEEK_SET))
		abort();
	fputc(byte ^ bits, file);
	return fclose(file) || (length && truncate(path, length)) ? PRN_E_IO : 0;
}

/* Every byte that is changed is noticed, and every place where a file is cut off. */
static void damage(void)
{
	struct synthetic synthetic = { .pages = 4, .hosts = 2 };
	struct prn_pages pages = synthetic_pages(&synthetic);
	struct prn_partial *partial = NULL;
	struct prn_error error = { 0 };
	size_t changed = 0, cut = 0;
	long length;
	FILE *file;

	save_evaluation(&pages, path_of(0));
	file = fopen(path_of(0), "rb");
	fseek(file, 0, SEEK_END);
	length = ftell(file);
	fclose(file);
	for (long at = 0; at < length; at++) {
		overwrite(path_of(0), at, 0x10, 0);
		changed += prn_partial_open(&partial, path_of(0), NULL) != 0;
		overwrite(path_of(0), at, 0x10, 0);
	}
	ok(changed == (size_t)length, "every byte that is changed is noticed: %zu of %ld", changed, length);
	overwrite(path_of(0), 8, PRN_PARTIAL_VERSION ^ 1, 0);
	ok(prn_partial_open(&partial, path_of(0), &error) == PRN_E_VERSION && strstr(error.text, "make it again"),
	   "a partial result of an older version is told as that: %s", error.text);
	overwrite(path_of(0), 8, PRN_PARTIAL_VERSION ^ 1, 0);
	for (long at = length - 1; at > 0; at--) {
		overwrite(path_of(0), 0, 0, at);
		cut += prn_partial_open(&partial, path_of(0), NULL) == (at < 8 ? PRN_E_INPUT : PRN_E_TRUNCATED);
	}
	ok(cut == (size_t)length - 1, "a partial result that is cut off is told as that, wherever it is: %zu of %ld", cut, length - 1);
	free(synthetic.urls);
}

/* A host that is not of its part would be counted twice. */
static void foreign_hosts(void)
{
	struct synthetic synthetic = { .pages = 40, .hosts = 8 };
	struct prn_pages pages = synthetic_pages(&synthetic);
	struct prn_partial *partials[2];
	struct prn_evaluation *evaluation;
	struct prn_longevity *longevity;
	struct prn_error error = { 0 };

	for (uint32_t i = 0; i < 2; i++) {
		pages.part = (struct prn_part){ i + 1, 2 };
		save_evaluation(&pages, path_of(i));
		if (prn_partial_open(&partials[i], path_of(i), NULL))
			abort();
	}
	ok(prn_evaluation_of_partials(&evaluation, sweeps, SWEEPS, (const struct prn_partial *const *)partials, 2, &error) == PRN_E_INPUT,
	   "an evaluation with hosts that are not of its part is refused: %s", error.text);
	close_parts(partials, 2);
	for (uint32_t i = 0; i < 2; i++) {
		pages.part = (struct prn_part){ i + 1, 2 };
		save_longevity(&pages, path_of(i));
		if (prn_partial_open(&partials[i], path_of(i), NULL))
			abort();
	}
	ok(prn_longevity_of_partials(&longevity, &options, (const struct prn_partial *const *)partials, 2, &error) == PRN_E_INPUT,
	   "a longevity with hosts that are not of its part is refused: %s", error.text);
	close_parts(partials, 2);
	free(synthetic.urls);
}

static void nothing(void)
{
	struct synthetic synthetic = { .pages = 10, .hosts = 1 };
	struct prn_pages pages = synthetic_pages(&synthetic);
	struct prn_partial *partials[PARTS_MOST];
	struct prn_evaluation *evaluation;
	struct prn_longevity *longevity;
	struct prn_error error = { 0 };

	pages.count = 0;
	save_parts(&pages, 2, save_evaluation, partials);
	ok(prn_evaluation_of_partials(&evaluation, sweeps, SWEEPS, (const struct prn_partial *const *)partials, 2, &error) == PRN_E_NOT_FOUND,
	   "parts without any page tell that there is none: %s", error.text);
	close_parts(partials, 2);
	save_parts(&pages, 2, save_longevity, partials);
	ok(prn_longevity_of_partials(&longevity, &options, (const struct prn_partial *const *)partials, 2, &error) == PRN_E_NOT_FOUND,
	   "parts without any page have no longevity: %s", error.text);
	close_parts(partials, 2);
	free(synthetic.urls);
}

int main(void)
{
	static const uint32_t some[] = { 1, 2, 3, 7 }, two[] = { 2, 16 };
	char command[100];

	if (!mkdtemp(folder))
		return 1;
	open_sweeps();
	joined(200, 40, some, 4, "40 hosts");
	joined(60, 1, some, 4, "one host");
	joined(60, 2, some, 4, "two hosts");
	joined(9000, 4500, two, 2, "more hosts than are drawn by themselves");
	unfit();
	damage();
	foreign_hosts();
	nothing();
	for (size_t i = 0; i < SWEEPS; i++)
		prn_contender_free(contenders[i]);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	ok(!system(command), "the scratch folder is removed");
	return done();
}
