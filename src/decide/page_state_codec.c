/*
 * The encoding of a page state.  Whole numbers of several bytes are big-endian, and variable ones are LEB128.
 *
 *	version		1 byte.  Bits 0-4 are the version:
 *			1	none of the following
 *			2	redirects led to the page
 *			3, 8	it has hints; 8: and hints have brought visits forward
 *			4, 5	of older programs: looks are counted; 5: and the page has hints
 *			6, 7, 9	looks are counted; 7: and the page has hints; 9: and these have brought visits forward
 *			Bit 5: the page has often failed before it answered.  Bit 6: a kept version is known by its digest.  Bit 7:
 *			the last of the redirects came from another site.
 *	head		1 byte: status in bits 0-1, reason in 2-5; bit 6: there is a body, bit 7: there is a media type
 *	counts		1 byte: failures in bits 0-3, gones in 4-7
 *	troubled	1 byte: 255ths, not 0; only if the version has bit 5
 *	redirects	1 byte; absent in version 1, not 0 in version 2
 *	hints		only in versions 3, 5, 7, 8 and 9: trust in 255ths, 1 byte; rate, 4 bytes (IEEE 754), above 0; count,
 *			variable; and in versions 8 and 9 ahead in 64ths, 1 byte, not 0
 *	cost		only in versions 4 to 7 and 9: 1 byte with looks in bits 0-3, and bit 4 if there are bytes; same in
 *			65535ths, 2 bytes (versions 4 and 5: in 255ths, 1 byte); and if there are bytes, 2048 times their binary
 *			logarithm, 2 bytes, not 0
 *	visits		variable
 *	attempted	variable, zigzag
 *	since visited	variable: attempted - visited; only if there were visits
 *	visited		variable, zigzag; only if there were no visits and the reason is the host
 *	body		8 bytes; only if head has bit 6
 *	media		3 bytes; only if head has bit 7
 *	usual		1 byte: 255ths
 *	slots		each of the policy's: variable, with used in bit 0, stand-in in 1, complete in 2, and the number of hashes
 *			in the bits above (if the version has bit 6, bit 3 is of-digest, and the number is one bit further up); if
 *			used, also moved in 255ths, 1 byte, and the hashes, 4 bytes each, ascending
 *	policy		the rest: prn_policy_pack
 */
#include "base/buffer.h"
#include "perennial/page_state.h"
#include "policy/policy_internal.h"

#include <math.h>
#include <string.h>

#define CODEC_VERSION 1
#define CODEC_REDIRECTS 2
#define CODEC_HINTS 3
#define CODEC_COST 4
#define CODEC_COST_HINTS 5
#define CODEC_COST_FINE 6
#define CODEC_COST_FINE_HINTS 7
#define CODEC_AHEAD 8
#define CODEC_COST_FINE_AHEAD 9
#define CODEC_LAST CODEC_COST_FINE_AHEAD
#define CODEC_ELSEWHERE 0x80u
#define CODEC_DIGESTS 0x40u
#define CODEC_TROUBLED 0x20u
#define CODEC_FLAGS (CODEC_ELSEWHERE | CODEC_DIGESTS | CODEC_TROUBLED)

#define HAS_BODY 0x40
#define HAS_MEDIA 0x80

#define USED 1u
#define STAND_IN 2u
#define COMPLETE 4u
#define COUNT_SHIFT 3
#define OF_DIGEST 8u /* only in states with CODEC_DIGESTS, whose counts are one bit further up */

#define HAS_BYTES 0x10

/* Where bytes are written to.  Bytes that do not fit are only counted. */
struct writer {
	unsigned char *out;
	size_t capacity, at;
};

static void put_integer(struct writer *writer, uint64_t value, unsigned bytes)
{
	for (unsigned i = bytes; i--; writer->at++)
		if (writer->at < writer->capacity)
			writer->out[writer->at] = (unsigned char)(value >> 8 * i);
}

static void put_variable(struct writer *writer, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		put_integer(writer, (value & 0x7f) | 0x80, 1);
	put_integer(writer, value, 1);
}

static uint64_t zigzag(int64_t value)
{
	return (uint64_t)value << 1 ^ (uint64_t)(value < 0 ? -1 : 0);
}

static int64_t unzigzag(uint64_t value)
{
	return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

static void put_share(struct writer *writer, double share)
{
	put_integer(writer, (uint64_t)round(share * 255), 1);
}

static void put_slot(struct writer *writer, const struct prn_page_slot *slot, bool digests)
{
	const struct prn_summary *summary = &slot->summary;

	if (!slot->used) {
		put_integer(writer, 0, 1);
		return;
	}
	put_variable(writer, summary->count << (COUNT_SHIFT + digests) | (summary->of_digest ? OF_DIGEST : 0) |
	                             (summary->complete ? COMPLETE : 0) | (slot->stand_in ? STAND_IN : 0) | USED);
	put_share(writer, slot->moved);
	for (size_t i = 0; i < summary->count; i++)
		put_integer(writer, summary->hashes[i] >> 32, 4);
}

static void put_hints(struct writer *writer, const struct prn_hints *hints)
{
	float rate = (float)hints->rate;
	uint32_t bits;

	memcpy(&bits, &rate, sizeof bits);
	put_share(writer, hints->trust);
	put_integer(writer, bits, 4);
	put_variable(writer, (uint64_t)hints->count);
	if (hints->ahead > 0)
		put_integer(writer, (uint64_t)round(hints->ahead * PRN_AHEAD_STEPS), 1);
}

static void put_cost(struct writer *writer, const struct prn_page_cost *cost)
{
	bool known = cost->bytes > 0;

	put_integer(writer, (cost->looks < PRN_PAGE_LOOKS ? cost->looks : PRN_PAGE_LOOKS) | (known ? HAS_BYTES : 0), 1);
	put_integer(writer, (uint64_t)round(cost->same * PRN_SAME_STEPS), 2);
	if (known)
		put_integer(writer, (uint64_t)round(log2(prn_page_bytes(cost->bytes)) * PRN_BYTES_STEPS), 2);
}

static unsigned version_of(const struct prn_page_state *state, bool hinted, bool counted)
{
	bool ahead = hinted && state->hints.ahead > 0;

	if (counted)
		return ahead ? CODEC_COST_FINE_AHEAD : hinted ? CODEC_COST_FINE_HINTS : CODEC_COST_FINE;
	return ahead ? CODEC_AHEAD : hinted ? CODEC_HINTS : state->redirects ? CODEC_REDIRECTS : CODEC_VERSION;
}

static bool has_digests(const struct prn_page_state *state)
{
	for (size_t i = 0; i < state->slot_count; i++)
		if (state->slots[i].used && state->slots[i].summary.of_digest)
			return true;
	return false;
}

static bool has_ahead(uint64_t version)
{
	return version == CODEC_AHEAD || version == CODEC_COST_FINE_AHEAD;
}

size_t prn_page_state_encode(const struct prn_page_state *state, void *out, size_t capacity)
{
	struct writer writer = { out, capacity, 0 };
	double now = state->visits ? prn_page_days(state->visited) : 0;
	bool hinted = state->hints.rate > 0, counted = state->cost.looks || state->cost.bytes > 0;
	bool digests = has_digests(state);
	unsigned elsewhere = state->redirects && state->from_elsewhere ? CODEC_ELSEWHERE : 0;
	unsigned version = version_of(state, hinted, counted);
	size_t left;

	put_integer(&writer, elsewhere | (digests ? CODEC_DIGESTS : 0) | (state->troubled > 0 ? CODEC_TROUBLED : 0) | version, 1);
	put_integer(&writer, (unsigned)state->status | (unsigned)state->reason << 2 | (state->body ? HAS_BODY : 0) |
	                             (state->media ? HAS_MEDIA : 0), 1);
	put_integer(&writer, state->failures | state->gones << 4, 1);
	if (state->troubled > 0)
		put_share(&writer, state->troubled);
	put_integer(&writer, state->redirects, version != CODEC_VERSION ? 1 : 0);
	if (hinted)
		put_hints(&writer, &state->hints);
	if (counted)
		put_cost(&writer, &state->cost);
	put_variable(&writer, state->visits);
	put_variable(&writer, zigzag(state->attempted));
	if (state->visits)
		put_variable(&writer, (uint64_t)state->attempted - (uint64_t)state->visited);
	else if (state->reason == PRN_NEXT_HOST)
		put_variable(&writer, zigzag(state->visited));
	put_integer(&writer, state->body, state->body ? 8 : 0);
	put_integer(&writer, state->media, state->media ? 3 : 0);
	put_share(&writer, state->usual);
	for (size_t i = 0; i < state->slot_count; i++)
		put_slot(&writer, &state->slots[i], digests);
	left = writer.at < capacity ? capacity - writer.at : 0;
	return writer.at + prn_policy_pack(state->policy, state->policy_state, now,
	                                   left ? writer.out + writer.at : NULL, left);
}

static int read_integer(struct prn_cursor *cursor, unsigned count, uint64_t *value)
{
	const unsigned char *bytes;
	int code = prn_cursor_bytes(cursor, count, &bytes);

	*value = 0;
	for (unsigned i = 0; !code && i < count; i++)
		*value = *value << 8 | bytes[i];
	return code;
}

static int take_share(struct prn_cursor *cursor, double *share)
{
	uint64_t value;
	int code = read_integer(cursor, 1, &value);

	*share = (double)value / 255;
	return code;
}

static int take_hashes(struct prn_cursor *cursor, size_t count, uint64_t *hashes)
{
	const unsigned char *bytes;

	if (prn_cursor_bytes(cursor, 4 * count, &bytes))
		return PRN_E_DAMAGED;
	for (size_t i = 0; i < count; i++, bytes += 4) {
		hashes[i] = (uint64_t)bytes[0] << 56 | (uint64_t)bytes[1] << 48 | (uint64_t)bytes[2] << 40 | (uint64_t)bytes[3] << 32;
		if (i && hashes[i] <= hashes[i - 1])
			return PRN_E_DAMAGED;
	}
	return 0;
}

static int take_slot(struct prn_cursor *cursor, struct prn_page_state *state, size_t i, bool digests)
{
	struct prn_page_slot *slot = &state->slots[i];
	unsigned shift = COUNT_SHIFT + digests;
	uint64_t head;

	if (prn_cursor_varint(cursor, &head) || head >> shift > state->summary_limit)
		return PRN_E_DAMAGED;
	if (!(head & USED))
		return head ? PRN_E_DAMAGED : 0;
	slot->used = true;
	slot->stand_in = head & STAND_IN;
	slot->summary.complete = head & COMPLETE;
	slot->summary.of_digest = digests && head & OF_DIGEST;
	slot->summary.count = (size_t)(head >> shift);
	if (take_share(cursor, &slot->moved))
		return PRN_E_DAMAGED;
	return take_hashes(cursor, slot->summary.count, state->hashes + i * state->summary_limit);
}

static int take_times(struct prn_cursor *cursor, struct prn_page_state *state)
{
	uint64_t visits, attempted, since = 0;

	if (prn_cursor_varint(cursor, &visits) || visits > UINT32_MAX || prn_cursor_varint(cursor, &attempted))
		return PRN_E_DAMAGED;
	state->visits = (uint32_t)visits;
	state->attempted = unzigzag(attempted);
	if (!visits && state->reason != PRN_NEXT_HOST)
		return 0;
	if (!visits) {
		if (prn_cursor_varint(cursor, &since))
			return PRN_E_DAMAGED;
		state->visited = unzigzag(since);
		return 0;
	}
	if (prn_cursor_varint(cursor, &since) || state->attempted == PRN_TIME_UNKNOWN ||
	    since > (uint64_t)state->attempted - (uint64_t)(PRN_TIME_UNKNOWN + 1))
		return PRN_E_DAMAGED;
	state->visited = (int64_t)((uint64_t)state->attempted - since);
	return 0;
}

static int take_hints(struct prn_cursor *cursor, uint64_t version, struct prn_hints *hints)
{
	uint64_t number, count, ahead = 0;
	uint32_t bits;
	float rate;

	if (take_share(cursor, &hints->trust) || read_integer(cursor, 4, &number) || prn_cursor_varint(cursor, &count) ||
	    count > UINT32_MAX)
		return PRN_E_DAMAGED;
	if (has_ahead(version) &&
	    (read_integer(cursor, 1, &ahead) || !ahead || ahead > PRN_HINTS_AHEAD_MOST * PRN_AHEAD_STEPS))
		return PRN_E_DAMAGED;
	bits = (uint32_t)number;
	memcpy(&rate, &bits, sizeof rate);
	hints->rate = rate;
	hints->count = (double)count;
	hints->ahead = (double)ahead / PRN_AHEAD_STEPS;
	return hints->rate > 0 && isfinite(hints->rate) ? 0 : PRN_E_DAMAGED;
}

static int take_cost(struct prn_cursor *cursor, uint64_t version, struct prn_page_cost *cost)
{
	bool fine = version >= CODEC_COST_FINE;
	uint64_t head, same, bytes = 0;

	if (read_integer(cursor, 1, &head) || head > (HAS_BYTES | PRN_PAGE_LOOKS) || !head ||
	    read_integer(cursor, fine ? 2 : 1, &same) || (head & HAS_BYTES && (read_integer(cursor, 2, &bytes) || !bytes)))
		return PRN_E_DAMAGED;
	cost->same = (double)same / (fine ? PRN_SAME_STEPS : 255);
	cost->looks = head & PRN_PAGE_LOOKS;
	cost->bytes = bytes ? exp2((double)bytes / PRN_BYTES_STEPS) : 0;
	return 0;
}

static int take_head(struct prn_cursor *cursor, uint64_t version, bool troubled, struct prn_page_state *state)
{
	bool has_cost = version >= CODEC_COST && version != CODEC_AHEAD;
	bool has_hints = version == CODEC_HINTS || version == CODEC_COST_HINTS || version == CODEC_COST_FINE_HINTS || has_ahead(version);
	uint64_t head, counts, redirects = 0, media = 0;

	if (read_integer(cursor, 1, &head) || read_integer(cursor, 1, &counts) ||
	    (troubled && (take_share(cursor, &state->troubled) || !(state->troubled > 0))) ||
	    (version != CODEC_VERSION && read_integer(cursor, 1, &redirects)) ||
	    (version == CODEC_REDIRECTS && !redirects) ||
	    (has_hints && take_hints(cursor, version, &state->hints)) ||
	    (has_cost && take_cost(cursor, version, &state->cost)))
		return PRN_E_DAMAGED;
	state->status = (enum prn_page_status)(head & 3);
	state->reason = (enum prn_next)(head >> 2 & 15);
	if (take_times(cursor, state))
		return PRN_E_DAMAGED;
	state->failures = counts & 15;
	state->gones = (uint32_t)counts >> 4;
	state->redirects = (uint32_t)redirects;
	if (state->from_elsewhere && !redirects)
		return PRN_E_DAMAGED;
	if ((unsigned)state->reason >= PRN_NEXTS)
		return PRN_E_DAMAGED;
	if ((head & HAS_BODY && (read_integer(cursor, 8, &state->body) || !state->body)) ||
	    (head & HAS_MEDIA && (read_integer(cursor, 3, &media) || !media)))
		return PRN_E_DAMAGED;
	state->media = (uint32_t)media;
	return take_share(cursor, &state->usual);
}

static int take_state(struct prn_cursor *cursor, uint64_t version, unsigned flags, struct prn_page_state *state)
{
	size_t left;

	if (take_head(cursor, version, flags & CODEC_TROUBLED, state))
		return PRN_E_DAMAGED;
	for (size_t i = 0; i < state->slot_count; i++)
		if (take_slot(cursor, state, i, flags & CODEC_DIGESTS))
			return PRN_E_DAMAGED;
	left = cursor->length - cursor->at;
	/*
	 * A page that brought content is live, suspect or retired, and its policy knows something of it if it has something to
	 * know.
	 */
	if ((state->status == PRN_PAGE_NEW || (!left && !prn_policy_may_be_blank(state->policy))) && state->visits)
		return PRN_E_DAMAGED;
	if ((state->status == PRN_PAGE_LIVE || state->status == PRN_PAGE_SUSPECT || left) && !state->visits)
		return PRN_E_DAMAGED;
	return prn_policy_unpack(state->policy, cursor->data + cursor->at, left,
	                         state->visits ? prn_page_days(state->visited) : 0, state->policy_state);
}

int prn_page_state_decode(struct prn_page_state *state, const void *bytes, size_t length, struct prn_error *error)
{
	struct prn_cursor cursor = { bytes, length, 0 };
	uint64_t version;
	unsigned flags;

	prn_page_state_clear(state);
	if (read_integer(&cursor, 1, &version))
		return prn_error_set(error, PRN_E_DAMAGED, "the page's state is empty");
	flags = (unsigned)version & CODEC_FLAGS;
	version &= ~(uint64_t)CODEC_FLAGS;
	state->from_elsewhere = flags & CODEC_ELSEWHERE;
	if (version < CODEC_VERSION || version > CODEC_LAST)
		return prn_error_set(error, PRN_E_VERSION,
		                     "the page's state has version %u, and this program reads versions up to %d",
		                     (unsigned)version, CODEC_LAST);
	if (!take_state(&cursor, version, flags, state))
		return 0;
	prn_page_state_clear(state);
	return prn_error_set(
		error, PRN_E_DAMAGED,
		"the page's state is damaged, or of another policy: 'perennial check --repair' has it begin anew");
}
