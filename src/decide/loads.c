#include "decide/loads.h"
#include "decide/patience.h"
#include "decide/shards.h"

#include "perennial/version.h"
#include "store/big_endian.h"
#include "store/schema.h"
#include "store/shared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#define KEY PRN_COUNTS_NAME
#define FORMAT 2
/* Follows the version of the program, and grows when loads are computed otherwise within one: 2: pages that fail are fewer; 3: new pages apart. */
#define REVISION "+3"
#define UNITS 1048576.0 /* of a visit a day, or of a kilobyte */
#define KILOBYTE 1000.0

#define MOST_S (180.0 * PRN_DAY_S)

/* The part of the rate at which known pages grow late. */
#define LATE 0.5

/* Known pages that the budget pays for in a shorter time are too few to hold the threshold of all. */
#define FEWEST_DAYS (1 / 24.0)

#define NUMBERS_BYTES (8 + PRN_LOADS_BYTES)
#define ROOM (NUMBERS_BYTES + 3000)

/* Writes the program and policy by which loads are computed.  It is cut if it is too long, and still tells policies apart. */
static size_t write_maker(const struct prn_decider *decider, const struct prn_costs *costs, char *text, size_t size)
{
	int length = snprintf(text, size, "%s" REVISION " %s", prn_version(), decider->specification);

	if (prn_costs_are_counted(costs) && length < (int)size)
		length += snprintf(text + length, size - (size_t)length, " %s %s", prn_unit_name(costs->unit), costs->text);

	return length < (int)size ? (size_t)length : size - 1;
}

void prn_loads_encode(const struct prn_loads *loads, unsigned char **at)
{
	prn_big_put(at, 8, loads->pages);
	for (size_t i = 0; i < PRN_LOADS; i++)
		prn_big_put(at, 8, loads->at[i]);
	for (size_t i = 0; i < PRN_LOADS; i++)
		prn_big_put(at, 8, loads->fresh[i]);
}

void prn_loads_decode(struct prn_loads *loads, const unsigned char **at)
{
	loads->pages = prn_big_take(at, 8);
	for (size_t i = 0; i < PRN_LOADS; i++)
		loads->at[i] = prn_big_take(at, 8);
	for (size_t i = 0; i < PRN_LOADS; i++)
		loads->fresh[i] = prn_big_take(at, 8);
}

static size_t encode(const struct prn_decider *decider, const struct prn_loads *loads, unsigned char bytes[ROOM])
{
	unsigned char *at = bytes;

	prn_big_put(&at, 8, FORMAT);
	prn_loads_encode(loads, &at);
	return NUMBERS_BYTES + write_maker(decider, &decider->costs, (char *)at, ROOM - NUMBERS_BYTES);
}

/* Reads the store's loads; PRN_E_NOT_FOUND where it has none.  *maker points to length bytes. */
static int read_loads(const struct prn_store_reader *reader, struct prn_loads *loads, const char **maker, size_t *length,
                      struct prn_error *error)
{
	const void *found;
	const unsigned char *bytes;
	size_t count;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, KEY, strlen(KEY), &found, &count, error);

	if (code)
		return code;
	bytes = found;
	if (count < NUMBERS_BYTES || prn_big_take(&bytes, 8) != FORMAT)
		return PRN_E_NOT_FOUND;
	prn_loads_decode(loads, &bytes);
	*maker = (const char *)bytes;
	*length = count - NUMBERS_BYTES;
	return 0;
}

static bool is_maker(const struct prn_decider *decider, const struct prn_costs *costs, const char *maker, size_t length)
{
	char own[ROOM - NUMBERS_BYTES];

	return length == write_maker(decider, costs, own, sizeof own) && !memcmp(own, maker, length);
}

/* Reads the store's loads; PRN_E_NOT_FOUND also where they are of another program or policy. */
static int read_current(const struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_loads *loads,
                        struct prn_error *error)
{
	const char *maker;
	size_t length;
	int code = read_loads(reader, loads, &maker, &length, error);

	return code || is_maker(decider, &decider->costs, maker, length) ? code : PRN_E_NOT_FOUND;
}

int prn_loads_read(const struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_loads *loads,
                   struct prn_error *error)
{
	int code;

	*loads = (struct prn_loads){ 0 };
	code = read_current(decider, reader, loads, error);
	if (code == PRN_E_NOT_FOUND)
		*loads = (struct prn_loads){ 0 };
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

uint64_t prn_loads_maker(const struct prn_decider *decider)
{
	char own[ROOM - NUMBERS_BYTES];
	size_t length = write_maker(decider, &decider->costs, own, sizeof own);

	return XXH3_64bits(own, length);
}

int prn_loads_current(const struct prn_decider *decider, const struct prn_store_reader *reader, bool *current,
                      struct prn_error *error)
{
	struct prn_loads loads;
	int code = read_current(decider, reader, &loads, error);

	*current = !code;
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

static double threshold_at(size_t i)
{
	return PRN_LOADS_FIRST * pow(PRN_LOADS_RATIO, (double)i);
}

/* The size of the unit in which loads are counted, in the budget's unit. */
static double step_of(enum prn_unit unit)
{
	return unit == PRN_UNIT_BYTES ? KILOBYTE : 1;
}

/* Adds a load to a sum, or subtracts it. */
static void count(uint64_t *sum, uint64_t load, bool add)
{
	*sum = add ? *sum + load : *sum - (load < *sum ? load : *sum);
}

void prn_loads_count_page(const struct prn_decider *decider, const struct prn_entry *entry, bool add, struct prn_loads *loads)
{
	double cost = prn_cost_expected(&decider->costs, &entry->state) / step_of(decider->costs.unit);

	/* When a page is tried that never answered does not go by the threshold alone. */
	if (entry->state.status == PRN_PAGE_RETIRED || (!entry->state.visits && prn_patience_intervals(&entry->state, true)))
		return;
	loads->pages += add ? 1 : loads->pages ? UINT64_MAX : 0;
	for (size_t i = 0; i < PRN_LOADS; i++) {
		struct prn_decision decision;
		double seconds;
		uint64_t load;

		prn_decider_decide(decider, entry, threshold_at(i), &decision);
		seconds = prn_patience_days(&entry->state, true, decision.expected) * PRN_DAY_S;
		load = (uint64_t)(cost * UNITS * PRN_DAY_S / fmax(PRN_LOADS_LEAST_S, fmin(seconds, MOST_S)));
		count(&loads->at[i], load, add);
		if (!entry->state.visits)
			count(&loads->fresh[i], load, add);
	}
}

int prn_loads_put_to(const struct prn_decider *decider, struct prn_batch *batch, const struct prn_loads *loads, struct prn_error *error)
{
	unsigned char bytes[ROOM];
	size_t length = encode(decider, loads, bytes);

	return prn_batch_side_put(batch, PRN_SIDE_META, KEY, strlen(KEY), bytes, length, error);
}

int prn_loads_put(struct prn_decider *decider, const struct prn_loads *loads, struct prn_error *error)
{
	return prn_loads_put_to(decider, decider->batch, loads, error);
}

void prn_loads_add(struct prn_loads *to, const struct prn_loads *loads)
{
	to->pages += loads->pages;
	for (size_t i = 0; i < PRN_LOADS; i++) {
		to->at[i] += loads->at[i];
		to->fresh[i] += loads->fresh[i];
	}
}

void prn_loads_subtract(struct prn_loads *from, const struct prn_loads *loads)
{
	count(&from->pages, loads->pages, false);
	for (size_t i = 0; i < PRN_LOADS; i++) {
		count(&from->at[i], loads->at[i], false);
		count(&from->fresh[i], loads->fresh[i], false);
	}
}

/* Subtracts the mean load of a page. */
static void take_mean(struct prn_loads *loads)
{
	if (!loads->pages)
		return;
	for (size_t i = 0; i < PRN_LOADS; i++) {
		loads->at[i] -= loads->at[i] / loads->pages;
		loads->fresh[i] -= loads->fresh[i] / loads->pages;
	}
	loads->pages--;
}

/*
 * Counts the load of a page's record as it is stored, so that the load that is added is the one that is subtracted later.  The
 * load of a page that cannot be read is not known any more, and is taken to have been the mean.
 */
static int count_stored(struct prn_decider *decider, const struct prn_digest *key, bool add, struct prn_loads *loads,
                        struct prn_error *error)
{
	struct prn_record record;
	bool spoilt;
	int code = prn_batch_get(decider->batch, key, &record, NULL), readable;

	if (code == PRN_E_NOT_FOUND)
		return 0;
	if (code == PRN_E_DAMAGED) {
		code = prn_batch_is_spoilt(decider->batch, key, &spoilt, error);
		if (!code && spoilt && !add)
			take_mean(loads);
		if (code || spoilt)
			return code;
	}
	/* An error that is not of this page alone is reported. */
	if (code)
		return prn_batch_get(decider->batch, key, &record, error);
	readable = prn_entry_try(&decider->counted, &record, NULL, error);
	if (readable == 1)
		prn_loads_count_page(decider, &decider->counted, add, loads);
	else if (!readable && !add)
		take_mean(loads);
	return readable < 0 ? readable : 0;
}

int prn_loads_drop(struct prn_decider *decider, struct prn_error *error)
{
	return prn_batch_side_put(decider->batch, PRN_SIDE_META, KEY, strlen(KEY), NULL, 0, error);
}

/*
 * Finds whether loads are kept, and reads them.  Loads of another maker are dropped, because this change is not counted in
 * them: otherwise they would be taken for those of all pages when a change of policy or of unit is undone.
 */
static int are_kept(struct prn_decider *decider, bool *kept, struct prn_loads *loads, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);
	const char *maker;
	size_t length;
	int code = PRN_E_NOT_FOUND;

	*kept = false;
	if (decider->budget_per_day > 0)
		code = read_loads(&reader, loads, &maker, &length, error);
	if (code)
		return code == PRN_E_NOT_FOUND ? 0 : code;
	*kept = is_maker(decider, &decider->costs, maker, length);
	return *kept ? 0 : prn_loads_drop(decider, error);
}

int prn_decider_put(struct prn_decider *decider, struct prn_entry *entry, struct prn_error *error)
{
	struct prn_loads loads;
	bool kept;
	int code = are_kept(decider, &kept, &loads, error);

	/* If the page's state could not be read, the suspect version that was kept with it is dropped too. */
	if (!code && entry->anew)
		code = prn_suspect_put(NULL, decider->batch, &entry->key, error);
	if (!code && kept && entry->known)
		code = count_stored(decider, &entry->key, false, &loads, error);
	if (!code)
		code = prn_entry_put(entry, decider->batch, error);
	if (!code && kept)
		code = count_stored(decider, &entry->key, true, &loads, error);
	return !code && kept ? prn_loads_put(decider, &loads, error) : code;
}

int prn_decider_delete(struct prn_decider *decider, const struct prn_digest *key, struct prn_error *error)
{
	struct prn_loads loads;
	bool kept;
	int code = are_kept(decider, &kept, &loads, error);

	if (!code && kept)
		code = count_stored(decider, key, false, &loads, error);
	if (!code && kept)
		code = prn_loads_put(decider, &loads, error);
	return code ? code : prn_batch_delete(decider->batch, key, error);
}

/* The logarithm of a load is about linear in that of T between neighbouring thresholds.  1 is added because a load may be 0. */
static double log_load(const struct prn_loads *loads, size_t i)
{
	return log(((double)loads->at[i] + 1) / UNITS);
}

void prn_loads_scale(struct prn_loads *loads, double part)
{
	for (size_t i = 0; i < PRN_LOADS && part < 1; i++) {
		loads->at[i] = (uint64_t)((double)loads->at[i] * part);
		loads->fresh[i] = (uint64_t)((double)loads->fresh[i] * part);
	}
}

/* What pages want at a threshold, as a logarithm. */
static double log_load_at(const struct prn_loads *loads, double threshold)
{
	double place = fmax(0, fmin(log(threshold / PRN_LOADS_FIRST) / log(PRN_LOADS_RATIO), PRN_LOADS - 1));
	size_t i = place < PRN_LOADS - 1 ? (size_t)place : PRN_LOADS - 2;

	return log_load(loads, i) + (log_load(loads, i + 1) - log_load(loads, i)) * (place - (double)i);
}

/* The threshold at which pages want as much, the logarithm of what they want. */
static double threshold_of(const struct prn_loads *loads, double wanted)
{
	double above, below;
	size_t i = 0;

	while (i < PRN_LOADS && log_load(loads, i) >= wanted)
		i++;
	if (!i || i == PRN_LOADS)
		return threshold_at(i ? PRN_LOADS - 1 : 0);
	above = log_load(loads, i - 1);
	below = log_load(loads, i);
	return threshold_at(i - 1) * pow(PRN_LOADS_RATIO, (above - wanted) / (above - below));
}

static double once(const struct prn_loads *loads, enum prn_unit unit)
{
	return step_of(unit) * (double)loads->at[0] / UNITS * PRN_LOADS_LEAST_S / PRN_DAY_S;
}

/*
 * How far new pages may raise a threshold that was found days before.  Pages of which half are visited when it is time grow late by half
 * a day a day, and their utility grows with the square of the time: by 1/P of itself a day, where P is the mean time between visits
 * at that threshold; half of that leaves enough of them due whatever their periods are.
 */
static double highest(const struct prn_loads *known, const struct prn_budget *aim, double before, double days)
{
	double wanted = log(aim->per_day / step_of(aim->unit)), all = once(known, aim->unit), late;

	if (all < FEWEST_DAYS * aim->per_day)
		return INFINITY;
	late = before * exp(LATE * days * step_of(aim->unit) * exp(log_load_at(known, before)) / all);
	return fmax(before, fmax(threshold_of(known, wanted), fmin(threshold_of(known, wanted - log(2)), late)));
}

int prn_loads_threshold(const struct prn_store_reader *reader, const struct prn_budget *aim, double before, double days, double *threshold,
                        bool *held, struct prn_error *error)
{
	double most;
	struct prn_loads loads;
	const char *maker;
	size_t length;
	int code = read_loads(reader, &loads, &maker, &length, error);

	*held = false;
	if (code)
		return code;
	*threshold = threshold_of(&loads, log(aim->per_day / step_of(aim->unit)));
	if (*threshold <= before)
		return 0;
	for (size_t i = 0; i < PRN_LOADS; i++)
		count(&loads.at[i], loads.fresh[i], false);
	most = highest(&loads, aim, before, days);
	*held = most < *threshold;
	*threshold = fmin(*threshold, most);
	return 0;
}

int prn_loads_once(const struct prn_store_reader *reader, enum prn_unit unit, double *cost, struct prn_error *error)
{
	struct prn_loads loads = { 0 };
	const char *maker;
	size_t length;
	int code = read_loads(reader, &loads, &maker, &length, error);

	*cost = once(&loads, unit);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_loads_round(const struct prn_decider *decider, const struct prn_store_reader *reader, double *days, struct prn_error *error)
{
	struct prn_loads loads = { 0 };
	const char *maker;
	size_t length;
	double cost;
	int code;

	*days = PRN_PATIENCE_DAYS;
	if (!(decider->budget_per_day > 0))
		return 0;
	code = read_loads(reader, &loads, &maker, &length, error);
	if (code || !loads.pages)
		return code == PRN_E_NOT_FOUND ? 0 : code;
	/* Few policies would ever have a page that they have not seen visited at the shortest interval. */
	cost = decider->costs.unit == PRN_UNIT_VISITS ? (double)loads.pages : once(&loads, decider->costs.unit);
	*days = cost * (decider->root ? (double)decider->root->shards->count : 1) / decider->budget_per_day;
	*days = fmax(*days, 1.0 / PRN_DAY_S);
	return 0;
}

int prn_loads_at(const struct prn_decider *decider, const struct prn_costs *costs, const struct prn_store_reader *reader,
                 double threshold, double *per_day, double *new_per_day, struct prn_error *error)
{
	struct prn_loads loads;
	const char *maker;
	size_t length;
	int code = read_loads(reader, &loads, &maker, &length, error);

	if (code || !is_maker(decider, costs, maker, length))
		return code ? code : PRN_E_NOT_FOUND;
	*per_day = step_of(costs->unit) * exp(log_load_at(&loads, threshold));
	if (!new_per_day)
		return 0;
	memcpy(loads.at, loads.fresh, sizeof loads.at);
	*new_per_day = loads.fresh[0] ? fmin(step_of(costs->unit) * exp(log_load_at(&loads, threshold)), *per_day) : 0;
	return 0;
}
