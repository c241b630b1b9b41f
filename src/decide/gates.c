#include "decide/gates.h"

#include "decide/decider_internal.h"
#include "perennial/url.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

#define FEWEST 64

void prn_gates_init(struct prn_gates *gates, const struct prn_decider_options *options, int64_t now, double lease_s)
{
	*gates = (struct prn_gates){ .options = options, .now = now, .lease_s = lease_s };
}

void prn_gates_release(struct prn_gates *gates)
{
	free(gates->places);
	gates->places = NULL;
}

/* The place of a hash, or the free one where it would stand. */
static struct prn_gate *place_of(struct prn_gate *places, size_t capacity, uint64_t hash)
{
	size_t at = hash & (capacity - 1);

	while (places[at].hash && places[at].hash != hash)
		at = (at + 1) & (capacity - 1);
	return &places[at];
}

static int make_room(struct prn_gates *gates)
{
	size_t capacity = gates->capacity ? gates->capacity * 2 : FEWEST;
	struct prn_gate *places;

	if (gates->count * 2 < gates->capacity)
		return 0;
	places = calloc(capacity, sizeof *places);
	if (!places)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < gates->capacity; i++)
		if (gates->places[i].hash)
			*place_of(places, capacity, gates->places[i].hash) = gates->places[i];
	free(gates->places);
	gates->places = places;
	gates->capacity = capacity;
	return 0;
}

int prn_gates_find(struct prn_gates *gates, const struct prn_shelf *shelf, const char *normal_url,
                   struct prn_gate **gate, struct prn_error *error)
{
	size_t length;
	const char *name = prn_url_host(normal_url, &length);
	uint64_t hash = XXH3_64bits(name, length);
	int code;

	hash = hash ? hash : 1;
	if (make_room(gates))
		return prn_error_memory(error);
	*gate = place_of(gates->places, gates->capacity, hash);
	if ((*gate)->hash)
		return 0;
	code = prn_host_read(&(*gate)->host, shelf, normal_url, error);
	if (code)
		return code;
	(*gate)->hash = hash;
	gates->count++;
	return 0;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* How long one URL of the host takes its place from another. */
static double spacing(const struct prn_gates *gates)
{
	const struct prn_decider_options *options = gates->options;
	double turn = options->host_limit ? gates->lease_s / options->host_limit : 0;

	return fmax(options->host_delay_s, turn);
}

static bool is_full(const struct prn_gates *gates, const struct prn_gate *gate)
{
	return gates->options->host_limit && gate->host.leased >= gates->options->host_limit;
}

bool prn_gates_pass(const struct prn_gates *gates, struct prn_gate *gate, int64_t *when)
{
	int64_t end = prn_time_after(gates->now, gates->lease_s);
	int64_t free_at = gates->options->host_delay_s > 0 ? later(gates->now, gate->host.free_at) : gates->now;
	bool full = is_full(gates, gate);

	if (!full && gate->host.until <= gates->now && free_at <= end) {
		*when = free_at;
		gate->host.free_at = prn_time_after(free_at, ceil(gates->options->host_delay_s));
		gate->host.leased += gates->lease_s > 0;
		return true;
	}
	free_at = later(later(free_at, gate->host.until), full ? end : gates->now);
	*when = later(prn_time_after(free_at, floor(gate->refused++ * spacing(gates))), gates->now + 1);
	return false;
}
