#include "decide/giant_gate.h"

#include "base/checksum.h"
#include "base/clock.h"
#include "perennial/error.h"
#include "store/big_endian.h"
#include "store/host_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PERMIT_BYTES 12

void prn_giant_gate_init(struct prn_giant_gate *gate)
{
	*gate = (struct prn_giant_gate){ 0 };
	prn_host_init(&gate->host);
}

void prn_giant_gate_release(struct prn_giant_gate *gate)
{
	free(gate->out);
	prn_giant_gate_init(gate);
}

int prn_giant_gate_copy(struct prn_giant_gate *to, const struct prn_giant_gate *from)
{
	struct prn_permits_out *grown = prn_array_grow(to->out, &to->capacity, from->count + 1, sizeof *grown);

	if (!grown)
		return PRN_E_MEMORY;
	to->out = grown;
	if (from->count)
		memcpy(grown, from->out, from->count * sizeof *grown);
	to->count = from->count;
	to->host = from->host;
	return 0;
}

int prn_giant_gate_encode(const struct prn_giant_gate *gate, struct prn_buffer *bytes)
{
	unsigned char host[PRN_HOST_BYTES], permit[PERMIT_BYTES], length, *at = permit;
	size_t begin = bytes->length;

	length = (unsigned char)prn_host_encode(&gate->host, host);
	if (prn_buffer_append(bytes, &length, 1) || prn_buffer_append(bytes, host, length))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < gate->count; i++) {
		at = permit;
		prn_big_put_time(&at, gate->out[i].end);
		prn_big_put(&at, 4, gate->out[i].count);
		if (prn_buffer_append(bytes, permit, sizeof permit))
			return PRN_E_MEMORY;
	}
	at = permit;
	prn_big_put(&at, PRN_CHECKSUM_BYTES, prn_checksum(bytes->data + begin, bytes->length - begin));
	return prn_buffer_append(bytes, permit, PRN_CHECKSUM_BYTES);
}

int prn_giant_gate_decode(struct prn_giant_gate *gate, const void *bytes, size_t length)
{
	const unsigned char *at = bytes, *sum;
	struct prn_permits_out *grown;
	struct prn_host host;
	size_t count;

	if (length < 1 + PRN_CHECKSUM_BYTES)
		return PRN_E_DAMAGED;
	length -= PRN_CHECKSUM_BYTES;
	sum = at + length;
	if (length < 1u + at[0] || (length - 1 - at[0]) % PERMIT_BYTES ||
	    prn_big_take(&sum, PRN_CHECKSUM_BYTES) != prn_checksum(at, length) || prn_host_decode(&host, at + 1, at[0]))
		return PRN_E_DAMAGED;
	count = (length - 1 - at[0]) / PERMIT_BYTES;
	at += 1 + at[0];
	grown = prn_array_grow(gate->out, &gate->capacity, count + 1, sizeof *grown);
	if (!grown)
		return PRN_E_MEMORY;
	gate->out = grown;
	gate->host = host;
	for (gate->count = 0; gate->count < count; gate->count++) {
		gate->out[gate->count].end = prn_big_take_time(&at);
		gate->out[gate->count].count = (uint32_t)prn_big_take(&at, 4);
	}
	return 0;
}

/* Permits that were written by a clock that ran far ahead do not count. */
static bool counts(const struct prn_permits_out *out, const struct prn_giant_wish *wish)
{
	return out->end > wish->now && out->end <= prn_time_after(wish->leased_from, PRN_LEASE_END_MOST_S);
}

uint64_t prn_giant_gate_out(const struct prn_giant_gate *gate, const struct prn_giant_wish *wish)
{
	uint64_t count = 0;

	for (size_t i = 0; i < gate->count; i++)
		count += counts(&gate->out[i], wish) ? gate->out[i].count : 0;
	return count;
}

/* A permit that has run out was not given back, so its page may have been fetched up to its end. */
void prn_giant_gate_drop_ended(struct prn_giant_gate *gate, int64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < gate->count; i++) {
		if (gate->out[i].end > now)
			gate->out[kept++] = gate->out[i];
		else
			prn_host_was_asked(&gate->host, gate->out[i].end, now);
	}
	gate->count = kept;
}

int64_t prn_giant_opens(const struct prn_giant_gate *gate, const struct prn_giant_wish *wish)
{
	int64_t opens = prn_time_later(prn_host_opens(&gate->host, &wish->settings, wish->now),
	                               prn_share_opens(wish->share, &gate->host, wish->now)),
	        first = INT64_MAX, last = PRN_TIME_UNKNOWN;
	double delay_s = fmax(wish->settings.delay_s, gate->host.crawl_delay_s);
	bool full = wish->settings.limit && (prn_giant_gate_out(gate, wish) >= wish->settings.limit || gate->count >= PRN_PERMIT_ENDS);

	for (size_t i = 0; i < gate->count; i++) {
		if (gate->out[i].end <= wish->now)
			last = prn_time_later(last, gate->out[i].end);
		else if (counts(&gate->out[i], wish) && gate->out[i].end < first)
			first = gate->out[i].end;
	}
	if (last != PRN_TIME_UNKNOWN && delay_s > 0 && (double)wish->now - (double)last < delay_s)
		opens = prn_time_later(opens, prn_host_settings_open(&wish->settings, prn_time_after(last, ceil(delay_s))));
	if (full)
		opens = prn_time_later(opens, first < INT64_MAX ? first : wish->now + 1);
	return opens;
}

/* Permits are in the order of their ends. */
int prn_giant_gate_add(struct prn_giant_gate *gate, int64_t end, uint32_t count)
{
	struct prn_permits_out *grown = prn_array_grow(gate->out, &gate->capacity, gate->count + 1, sizeof *grown);
	size_t at = 0;

	if (!grown)
		return PRN_E_MEMORY;
	gate->out = grown;
	while (at < gate->count && grown[at].end < end)
		at++;
	if (at < gate->count && grown[at].end == end) {
		grown[at].count += count;
		return 0;
	}
	memmove(grown + at + 1, grown + at, (gate->count - at) * sizeof *grown);
	grown[at] = (struct prn_permits_out){ end, count };
	gate->count++;
	return 0;
}

/* Removes up to count permits that end at a time.  Returns how many there were. */
uint32_t prn_giant_gate_take(struct prn_giant_gate *gate, int64_t end, uint32_t count)
{
	for (size_t i = 0; i < gate->count; i++) {
		if (gate->out[i].end != end)
			continue;
		count = count < gate->out[i].count ? count : gate->out[i].count;
		gate->out[i].count -= count;
		if (!gate->out[i].count) {
			memmove(gate->out + i, gate->out + i + 1, (gate->count - i - 1) * sizeof *gate->out);
			gate->count--;
		}
		return count;
	}
	return 0;
}

int prn_giant_pass(struct prn_giant_gate *gate, const struct prn_giant_wish *wish, bool *passed)
{
	*passed = false;
	prn_giant_gate_drop_ended(gate, wish->now);
	if (prn_giant_opens(gate, wish) > wish->now)
		return 0;
	/* For a host that may have any number of pages out nothing is counted, so their return needs no message either. */
	if (wish->settings.limit && prn_giant_gate_add(gate, wish->end, 1))
		return PRN_E_MEMORY;
	gate->host.asked = prn_time_later(gate->host.asked, wish->now);
	prn_share_spend(wish->share, &gate->host, wish->cost, wish->now);
	*passed = true;
	return 0;
}
