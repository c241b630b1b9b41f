/* perennial allocate: rates on stdin → the frequencies that a budget buys, on stdout. */
#include "base/buffer.h"
#include "base/text_lines.h"
#include "cli/command.h"
#include "term/options.h"
#include "term/table.h"
#include "term/words.h"
#include "perennial/allocate.h"
#include "perennial/error.h"
#include "perennial/source.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pages {
	double *rates, *weights, *frequencies;
	struct prn_digest *hosts; /* digests of their names; zero: the page has none */
	size_t count, rate_capacity, weight_capacity, host_capacity;
	size_t host_count, at_limit; /* different hosts, and how many of them have all that they may */
};

#define OBJECTIVES "freshness|age|binary|harmonic" /* in the order of enum prn_objective */
#define ORDERS "fixed|random|purely-random"        /* in that of enum prn_order */
#define POLICIES "optimal|uniform|proportional"
#define COLLECTIONS "steady,batch,in-place,shadow"

struct allocate_options {
	const char *objective, *policy, *order;
	struct term_list collection;
	double budget, freshness, price, batch, limit;
};

/* The options after they were checked. */
struct request {
	enum prn_objective objective;
	int policy; /* index into the policies below */
	enum prn_order order;
	const char *order_name;
	bool shadow;
	double share; /* what share of the time between two crawls a crawl takes */
	double budget, freshness, price; /* two of them are 0 */
	double limit; /* refreshes that a host may have; 0: any number */
};

static bool can_divide(double number)
{
	return number >= PRN_ALLOCATE_LEAST && number <= PRN_ALLOCATE_MOST;
}

/* "rate [weight [host]]"; the weight is 1 when left out. */
static bool parse_line(const char *line, double *rate, double *weight, struct prn_digest *host)
{
	static const char blank[] = " \t\r\n";
	size_t length;
	char *end;

	*weight = 1;
	*host = (struct prn_digest){ 0 };
	*rate = strtod(line, &end);
	if (end == line || !strchr(blank, *end) || (*rate != 0 && !can_divide(*rate)))
		return false;
	line = end + strspn(end, blank);
	if (!*line)
		return true;
	*weight = strtod(line, &end);
	if (end == line || !strchr(blank, *end) || !can_divide(*weight) || *weight > PRN_WEIGHT_MOST)
		return false;
	line = end + strspn(end, blank);
	length = strcspn(line, blank);
	if (length)
		*host = prn_digest_bytes(line, length);
	return !line[length + strspn(line + length, blank)];
}

static int add_page(struct pages *pages, double rate, double weight, const struct prn_digest *host)
{
	double *rates, *weights;
	struct prn_digest *hosts;

	rates = prn_array_grow(pages->rates, &pages->rate_capacity, pages->count + 1, sizeof *rates);
	if (!rates)
		return PRN_E_MEMORY;
	pages->rates = rates;
	weights = prn_array_grow(pages->weights, &pages->weight_capacity, pages->count + 1, sizeof *weights);
	if (!weights)
		return PRN_E_MEMORY;
	pages->weights = weights;
	hosts = prn_array_grow(pages->hosts, &pages->host_capacity, pages->count + 1, sizeof *hosts);
	if (!hosts)
		return PRN_E_MEMORY;
	pages->hosts = hosts;
	hosts[pages->count] = *host;
	rates[pages->count] = rate;
	weights[pages->count++] = weight;
	return 0;
}

static int read_pages(struct pages *pages, struct prn_error *error)
{
	struct prn_digest host;
	double rate, weight;
	struct prn_text_lines lines = { .file = stdin, .name = "standard input" };
	int code = 0;

	while (!code && (code = prn_text_lines_need(&lines, error)) > 0) {
		code = 0;
		if (!parse_line(lines.line, &rate, &weight, &host))
			code = prn_error_set(error, PRN_E_INPUT,
			                     "standard input, line %llu: expected \"rate [weight [host]]\", 0 or from 1e-100 to 1e100, and from 1e-100 to 1e9",
			                     lines.number);
		else if (add_page(pages, rate, weight, &host))
			code = prn_error_memory(error);
	}
	prn_buffer_release(&lines.text);
	return code;
}

/* Cho's two simple divisions: the same for all, or in proportion to the rate. */
static void divide_simply(struct pages *pages, double budget, bool proportional)
{
	double sum = 0;

	for (size_t i = 0; i < pages->count; i++)
		sum += pages->rates[i];
	for (size_t i = 0; i < pages->count; i++)
		pages->frequencies[i] = proportional && sum > 0 ? budget * pages->rates[i] / sum
		                                                : budget / (double)pages->count;
}

static double mean_freshness(const struct pages *pages, const struct request *request)
{
	double freshness = 0, weights = 0;

	for (size_t i = 0; i < pages->count; i++) {
		double rate = pages->rates[i], frequency = pages->frequencies[i];

		weights += pages->weights[i];
		freshness += pages->weights[i] * (request->shadow ? prn_shadow_freshness(rate, frequency, request->share)
		                                                  : prn_freshness(request->order, rate, frequency));
	}
	return freshness / weights;
}

static void say_outcome(const struct pages *pages, const struct request *request, double multiplier)
{
	double age = 0, weights = 0, budget = 0;
	char text[4][32];

	for (size_t i = 0; i < pages->count; i++) {
		double rate = pages->rates[i], frequency = pages->frequencies[i];

		weights += pages->weights[i];
		budget += frequency;
		age += pages->weights[i] * (request->shadow ? prn_shadow_age(rate, frequency, request->share)
		                                            : prn_age(request->order, rate, frequency));
	}
	term_number_exact(mean_freshness(pages, request), text[0]);
	term_number_exact(age / weights, text[1]);
	term_number_exact(multiplier, text[2]);
	term_number_exact(budget, text[3]);
	fprintf(stderr, "pages %zu, %s: freshness %s, age %s, multiplier %s", pages->count, request->order_name, text[0], text[1],
	        isnan(multiplier) ? "none" : text[2]);
	if (request->limit > 0 || !(request->budget > 0))
		fprintf(stderr, ", budget %s", text[3]);
	if (request->limit > 0)
		fprintf(stderr, ", hosts %zu, at their limit %zu", pages->host_count, pages->at_limit);
	fputc('\n', stderr);
}

/* Finds the budget with which a simple division is as fresh as is wanted; 0 if it is that without any. */
static double simple_budget(struct pages *pages, const struct request *request)
{
	double low = 1e-100, high = 1e100;

	divide_simply(pages, low, request->policy == 2);
	if (mean_freshness(pages, request) >= request->freshness)
		return 0;
	while (high / low > 1 + 1e-12) {
		double middle = sqrt(low) * sqrt(high);

		divide_simply(pages, middle, request->policy == 2);
		*(mean_freshness(pages, request) < request->freshness ? &low : &high) = middle;
	}
	return high;
}

struct named {
	struct prn_digest host;
	size_t page;
};

static int by_host(const void *a, const void *b)
{
	return prn_digest_compare(&((const struct named *)a)->host, &((const struct named *)b)->host);
}

/* Numbers the hosts in the order of their digests.  Pages without a host, which have no limit, come first. */
static int number_hosts(const struct pages *pages, const struct request *request, size_t *hosts, double *limits, size_t *count)
{
	static const struct prn_digest none = { 0 };
	struct named *named = calloc(pages->count, sizeof *named);

	if (!named)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < pages->count; i++)
		named[i] = (struct named){ pages->hosts[i], i };
	qsort(named, pages->count, sizeof *named, by_host);
	*count = 0;
	for (size_t i = 0; i < pages->count; i++) {
		if (!i || prn_digest_compare(&named[i].host, &named[i - 1].host))
			limits[(*count)++] = prn_digest_compare(&named[i].host, &none) ? request->limit : INFINITY;
		hosts[named[i].page] = *count - 1;
	}
	free(named);
	return 0;
}

static int divide_politely(struct pages *pages, const struct request *request, double *multiplier)
{
	size_t *hosts = calloc(pages->count, sizeof *hosts);
	double *limits = calloc(pages->count, sizeof *limits), *loads = calloc(pages->count, sizeof *loads);
	int code = hosts && limits && loads ? number_hosts(pages, request, hosts, limits, &pages->host_count) : PRN_E_MEMORY;

	if (!code)
		code = prn_allocate_polite(request->objective, pages->rates, pages->weights, hosts, pages->count, limits, pages->host_count,
		                           request->budget, pages->frequencies, multiplier);
	for (size_t i = 0; i < pages->count && !code; i++)
		loads[hosts[i]] += pages->frequencies[i];
	/* A load that rounding has left a little below its limit is at it. */
	for (size_t h = 0; h < pages->host_count && !code; h++)
		pages->at_limit += loads[h] >= limits[h] * (1 - 1e-9);
	free(hosts);
	free(limits);
	free(loads);
	return code;
}

static int divide(struct pages *pages, const struct request *request, double *multiplier)
{
	double budget;

	if (request->policy) {
		divide_simply(pages, request->budget > 0 ? request->budget : simple_budget(pages, request), request->policy == 2);
		return 0;
	}
	if (request->freshness > 0)
		return prn_allocate_target(request->objective, request->order, pages->rates, pages->weights, pages->count,
		                           request->freshness, pages->frequencies, multiplier, &budget);
	if (request->limit > 0)
		return divide_politely(pages, request, multiplier);
	if (request->budget > 0)
		return prn_allocate(request->objective, pages->rates, pages->weights, pages->count, request->budget,
		                    pages->frequencies, multiplier);
	*multiplier = request->price;
	return prn_allocate_price(request->objective, pages->rates, pages->weights, pages->count, request->price,
	                          pages->frequencies);
}

/* Reads pages, divides refreshes among them, and prints what each gets. */
static int allocate(const struct request *request, struct prn_error *error)
{
	struct pages pages = { 0 };
	double multiplier = NAN;
	char text[32];
	int code = read_pages(&pages, error);

	if (code || !pages.count)
		goto out;
	pages.frequencies = calloc(pages.count, sizeof *pages.frequencies);
	if (!pages.frequencies)
		code = PRN_E_MEMORY;
	else
		code = divide(&pages, request, &multiplier);
	if (code)
		goto out;
	for (size_t i = 0; i < pages.count; i++) {
		term_number_exact(pages.frequencies[i], text);
		puts(text);
	}
	say_outcome(&pages, request, multiplier);
	if (fflush(stdout) || ferror(stdout))
		code = prn_error_set(error, PRN_E_IO, "standard output: %s", strerror(errno));
out:
	free(pages.rates);
	free(pages.weights);
	free(pages.hosts);
	free(pages.frequencies);
	return code;
}

/* Reads "steady" or "batch" and "in-place" or "shadow", in either order, or one of them. */
static int check_collection(const struct allocate_options *given, struct request *request, struct prn_error *error)
{
	bool said[4] = { false };

	for (size_t i = 0; i < given->collection.count; i++) {
		int w = term_words_find(COLLECTIONS, given->collection.items[i]);

		if (said[w ^ 1])
			return term_usage_error(error, "--collection takes steady or batch, and in-place or shadow, not '%s' as well",
			                        given->collection.items[i]);
		said[w] = true;
	}
	if (!(given->batch > 0 && given->batch <= 1))
		return term_usage_error(error, "--batch takes a share of the time, above 0, at most 1");
	if (given->collection.count && given->order && request->order != PRN_ORDER_FIXED)
		return term_usage_error(error, "--collection is of fixed order: leave out --order");
	request->shadow = said[3];
	request->share = said[1] ? given->batch : 1;
	if (said[3])
		request->order_name = said[1] ? "collection batch, shadow" : "collection steady, shadow";
	else if (given->collection.count)
		request->order_name = said[1] ? "collection batch, in-place" : "collection steady, in-place";
	if (given->collection.count)
		request->order = PRN_ORDER_FIXED;
	return 0;
}

/* Checks that there is exactly one of a budget, a freshness and a price. */
static int check_goal(const struct request *request, struct prn_error *error)
{
	int goals = (request->budget != 0) + (request->freshness != 0) + (request->price != 0);

	if (goals > 1)
		return term_usage_error(error, "--budget, --target-freshness and --price are three goals: one at a time");
	if (request->freshness != 0 && !(request->freshness > 0 && request->freshness < 1))
		return term_usage_error(error, "--target-freshness takes a share of the time, above 0 and below 1");
	if (request->price != 0 && !can_divide(request->price))
		return term_usage_error(error, "--price takes what a refresh costs in units of stale time, from 1e-100 to 1e100");
	if (request->limit != 0 && !can_divide(request->limit))
		return term_usage_error(error, "--host-limit takes refreshes of a host per unit of time, from 1e-100 to 1e100");
	if (request->limit > 0 && (request->policy || !(request->budget > 0)))
		return term_usage_error(error, "--host-limit goes with --budget and the optimal policy");
	if (request->price > 0 && request->policy)
		return term_usage_error(error, "--price is for the optimal policy");
	if (request->freshness > 0 && !request->policy && request->shadow)
		return term_usage_error(error, "what is optimal is so in place: --target-freshness of a shadow goes with "
		                        "--policy=uniform or proportional");
	if (!(request->price > 0) && !(request->freshness > 0) && !can_divide(request->budget))
		return term_usage_error(error, "--budget=R is required: refreshes per unit of time, more than 0, at least 1e-100 and "
		                        "at most 1e100; or --target-freshness, or --price");
	return 0;
}

static int check_and_allocate(const struct allocate_options *given, struct prn_error *error)
{
	static const char *const order_names[] = { "order fixed", "order random", "order purely-random" };
	int objective = term_words_find(OBJECTIVES, given->objective), policy = term_words_find(POLICIES, given->policy);
	/* The randomised objectives are freshness in purely random order: that is the order to judge them by. */
	int order = given->order ? term_words_find(ORDERS, given->order) : objective >= 2 ? 2 : 0, code;
	struct request request = { .policy = policy, .budget = given->budget, .freshness = given->freshness,
		                   .price = given->price, .limit = given->limit };

	request.objective = (enum prn_objective)objective;
	request.order = (enum prn_order)order;
	request.order_name = order_names[order];
	code = check_collection(given, &request, error);
	if (!code)
		code = check_goal(&request, error);
	return code ? code : allocate(&request, error);
}

int cli_allocate(int argc, char **argv, struct prn_error *error)
{
	struct allocate_options given = { .objective = "freshness", .policy = "optimal", .batch = 0.25 };
	const struct term_option options[] = {
		{ TERM_OPTION_TEXT, "objective", 0, &given.objective, OBJECTIVES, "what is best (default: freshness)" },
		{ TERM_OPTION_NUMBER, "budget", 0, &given.budget, "R", "refreshes per unit of time, in all; or" },
		{ TERM_OPTION_NUMBER, "target-freshness", 0, &given.freshness, "F",
		  "as few as make copies up to date for this share of the time, or" },
		{ TERM_OPTION_NUMBER, "price", 0, &given.price, "P",
		  "as many as are worth it, where one costs as much as so much stale time" },
		{ TERM_OPTION_NUMBER, "host-limit", 0, &given.limit, "B", "of the budget, at most so many to the pages of each host" },
		{ TERM_OPTION_TEXT, "policy", 0, &given.policy, POLICIES,
		  "optimal (default), or one of the others for comparison" },
		{ TERM_OPTION_TEXT, "order", 0, &given.order, ORDERS, "the order whose freshness and age are told" },
		{ TERM_OPTION_LIST, "collection", 0, &given.collection, COLLECTIONS,
		  "how it is crawled, and how it is updated: of which they are told" },
		{ TERM_OPTION_NUMBER, "batch", 0, &given.batch, "SHARE",
		  "of the time from one crawl to the next that a batch takes (default 0.25)" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"allocate", "--budget=R [OPTION]… <RATES",
		"Reads one page a line, \"rate [weight [host]]\", and prints one line a page: how often to refresh it.\n"
		"Rates and frequencies are per any one unit of time.  What the division is expected to reach goes to\n"
		"standard error.  (Cho ch. 5, 7; FGT; Azar et al. 2018; Kolobov et al. 2019, twice.)",
		options,
	};
	int first, code = term_options_parse(&usage, argc, argv, &first, error);

	if (!code && first < argc)
		code = term_usage_error(error, "unexpected operand '%s': rates are read from standard input", argv[first]);
	if (!code)
		code = check_and_allocate(&given, error);
	term_list_release(&given.collection);
	return code;
}
