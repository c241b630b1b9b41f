#include "perennial/synth.h"

#include "base/buffer.h"
#include "base/number.h"
#include "history/synth_walk.h"
#include "perennial/curve.h"
#include "perennial/extractor.h"
#include "perennial/time.h"
#include "perennial/trace.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGES_PER_HOST 10
#define ITEM_FRAGMENTS_LEAST 5
#define UPDATES_PER_INTERVAL 1e4

void prn_synth_defaults(struct prn_synth_options *options)
{
	*options = (struct prn_synth_options){ .seed = 1, .pages = 100, .captures = 60, .start = 1767225600,
		                               .interval = PRN_DAY_S, .static_share = PRN_SYNTH_DRAWN,
		                               .rate_per_day = PRN_SYNTH_DRAWN };
}

static bool drawn(double value)
{
	return value < 0;
}

static const char *check(const struct prn_synth_options *options)
{
	double rate = options->rate_per_day * (double)options->interval / PRN_DAY_S;

	if (!options->pages || options->pages > 10000000)
		return "pages must be 1 to 10 million";
	if (!options->captures || options->captures > 1000000)
		return "captures must be 1 to 1 million";
	if (options->interval < 1 || options->interval > INT64_C(100) * 365 * PRN_DAY_S)
		return "interval must be from 1 second to 100 years";
	if (options->start < INT64_C(-62135596800) ||
	    (double)options->start + (double)options->captures * (double)options->interval > (double)PRN_TIME_LAST)
		return "start and interval must stay within the years 1 to 9999";
	if (options->fragments > 1000000)
		return "fragments must be at most 1 million";
	if (!(options->static_share <= 1) || (drawn(options->static_share) && options->static_share > PRN_SYNTH_DRAWN))
		return "static share must be from 0 to 1";
	if (!(rate <= UPDATES_PER_INTERVAL) || (drawn(options->rate_per_day) && options->rate_per_day > PRN_SYNTH_DRAWN))
		return "rate must be from 0 to 10000 updates per capture interval";
	if (options->regions > PRN_SYNTH_REGIONS)
		return "regions must be 1 to 4";
	if (options->items > PRN_CURVE_ITEMS)
		return "items must be 1 to 1024";
	return NULL;
}

int prn_synth_open(struct prn_synth **out, const struct prn_synth_options *options, struct prn_error *error)
{
	const char *fault = check(options);
	struct prn_synth *synth;

	if (fault)
		return prn_error_set(error, PRN_E_ARGUMENT, "%s", fault);
	synth = malloc(sizeof *synth);
	if (!synth)
		return prn_error_memory(error);
	synth->options = *options;
	*out = synth;
	return 0;
}

void prn_synth_free(struct prn_synth *synth)
{
	free(synth);
}

static double log_uniform(struct prn_random *random, double from, double to)
{
	return from * pow(to / from, prn_random_unit(random));
}

static uint32_t draw_items(struct prn_random *random)
{
	bool churn = prn_random_unit(random) < 0.5;
	unsigned doublings = 1 + (unsigned)prn_random_below(random, 5);

	return churn ? 1 : (uint32_t)1 << doublings;
}

static uint32_t at_least(double value, uint32_t least)
{
	return value < least ? least : (uint32_t)lround(value);
}

/* The number of random draws does not depend on fixed options, so fixing one leaves the others as they were. */
void prn_synth_page(const struct prn_synth *synth, size_t i, struct prn_synth_page *page)
{
	const struct prn_synth_options *options = &synth->options;
	struct prn_random random;
	double fragments, still;
	bool wholly_static, two;

	prn_random_seed(&random, options->seed, 2 * i);
	*page = (struct prn_synth_page){ 0 };
	snprintf(page->url, sizeof page->url, "http://h%07zu.example/p%zu", i / PAGES_PER_HOST, i % PAGES_PER_HOST);
	fragments = log_uniform(&random, 100, 2000);
	wholly_static = prn_random_unit(&random) < 0.25;
	still = 0.05 + 0.9 * prn_random_unit(&random);
	two = prn_random_unit(&random) < 0.3;
	if (options->fragments)
		fragments = (double)options->fragments;
	if (wholly_static)
		still = 1;
	if (!drawn(options->static_share))
		still = options->static_share;
	page->region_count = options->regions ? options->regions : two ? 2 : 1;
	if (still >= 1)
		page->region_count = 0;
	page->static_fragments = still > 0 ? at_least(still * fragments, ITEM_FRAGMENTS_LEAST) : 0;
	page->fragments = page->static_fragments;
	for (unsigned r = 0; r < page->region_count; r++) {
		struct prn_synth_region *region = &page->regions[r];
		double rate = log_uniform(&random, 1 / 64.0, 4);

		region->items = draw_items(&random);
		if (options->items)
			region->items = options->items;
		region->rate_per_day =
			drawn(options->rate_per_day) ? rate * PRN_DAY_S / (double)options->interval : options->rate_per_day;
		region->item_fragments =
			at_least((1 - still) * fragments / page->region_count / region->items, ITEM_FRAGMENTS_LEAST);
		page->fragments += region->items * region->item_fragments;
	}
	for (unsigned r = 0; r < page->region_count; r++)
		page->regions[r].share =
			(double)(page->regions[r].items * page->regions[r].item_fragments) / page->fragments;
}

static double wait(struct prn_random *random, double rate_per_day)
{
	return rate_per_day > 0 ? prn_random_exponential(random, 1 / rate_per_day) : INFINITY;
}

void prn_synth_walk_init(const struct prn_synth *synth, size_t i, struct prn_synth_walk *walk)
{
	prn_synth_page(synth, i, &walk->page);
	for (unsigned r = 0; r < walk->page.region_count; r++) {
		struct prn_synth_region_walk *region = &walk->regions[r];

		prn_random_seed(&region->random, synth->options.seed + r, 2 * i + 1);
		region->next_day = wait(&region->random, walk->page.regions[r].rate_per_day);
		region->updates = walk->page.regions[r].items - 1;
	}
}

bool prn_synth_walk_to(const struct prn_synth *synth, struct prn_synth_walk *walk, size_t c)
{
	double day = (double)c * (double)synth->options.interval / PRN_DAY_S;
	bool changed = false;

	for (unsigned r = 0; r < walk->page.region_count; r++) {
		struct prn_synth_region_walk *region = &walk->regions[r];

		for (; region->next_day <= day; changed = true) {
			region->updates++;
			region->next_day += wait(&region->random, walk->page.regions[r].rate_per_day);
		}
	}
	return changed;
}

static void put_option(char *text, size_t size, const char *name, bool given, double value)
{
	size_t length = strlen(text);

	if (given)
		prn_number_print(text + length, size - length, " %s=%.17g", name, value);
	else
		snprintf(text + length, size - length, " %s=drawn", name);
}

char *prn_synth_provenance(const struct prn_synth *synth)
{
	const struct prn_synth_options *options = &synth->options;
	char text[400], start[PRN_TIME_TEXT];

	snprintf(text, sizeof text, "synth seed=%llu pages=%zu captures=%zu start=%s interval=%llds",
	         (unsigned long long)options->seed, options->pages, options->captures,
	         prn_time_format(options->start, start), (long long)options->interval);
	put_option(text, sizeof text, "fragments", options->fragments, (double)options->fragments);
	put_option(text, sizeof text, "static-share", !drawn(options->static_share), options->static_share);
	put_option(text, sizeof text, "rate", !drawn(options->rate_per_day), options->rate_per_day);
	put_option(text, sizeof text, "regions", options->regions, options->regions);
	put_option(text, sizeof text, "items", options->items, options->items);
	return strdup(text);
}
