#include "perennial/page_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>


/* The part of a hash that states keep: its top 32 bits. */
#define COARSE 0xffffffff00000000u

const char *prn_page_status_name(enum prn_page_status status)
{
	static const char *const names[] = { "new", "live", "suspect", "retired" };

	return (unsigned)status < sizeof names / sizeof *names ? names[status] : "?";
}

const char *prn_next_name(enum prn_next next)
{
	static const char *const names[PRN_NEXTS] = { "rule", "learning", "risk", "never", "minimum", "maximum",
		                                      "new", "suspect", "retry", "host", "retired" };

	return (unsigned)next < PRN_NEXTS ? names[next] : "?";
}

int prn_page_state_init(struct prn_page_state *state, const struct prn_policy *policy, size_t limit)
{
	*state = (struct prn_page_state){ .policy = policy,
		                          .slot_count = prn_policy_slots(policy),
		                          .summary_limit = limit };
	if (limit < 1 || limit > PRN_PAGE_HASHES)
		return PRN_E_ARGUMENT;
	state->policy_state = malloc(prn_policy_state_size(policy));
	state->hashes = calloc(state->slot_count * limit + 1, sizeof *state->hashes);
	if (!state->policy_state || !state->hashes) {
		prn_page_state_release(state);
		return PRN_E_MEMORY;
	}
	prn_page_state_clear(state);
	return 0;
}

void prn_page_state_release(struct prn_page_state *state)
{
	free(state->policy_state);
	free(state->hashes);
	*state = (struct prn_page_state){ 0 };
}

void prn_page_state_clear(struct prn_page_state *state)
{
	state->status = PRN_PAGE_NEW;
	state->reason = PRN_NEXT_NEW;
	state->visits = state->failures = state->gones = 0;
	state->troubled = 0;
	state->attempted = state->visited = PRN_TIME_UNKNOWN;
	state->body = 0;
	state->media = 0;
	state->usual = 0;
	state->redirects = 0;
	state->from_elsewhere = false;
	state->hints = (struct prn_hints){ 0 };
	state->cost = (struct prn_page_cost){ 0 };
	memset(state->policy_state, 0, prn_policy_state_size(state->policy));
	for (size_t i = 0; i < state->slot_count; i++)
		state->slots[i] = (struct prn_page_slot){
			.summary = { .hashes = state->hashes + i * state->summary_limit,
			             .limit = state->summary_limit },
		};
}

struct prn_summary prn_summary_coarsen(const struct prn_summary *summary, size_t limit, uint64_t *hashes)
{
	struct prn_summary smallest = prn_summary_smallest(summary, limit < summary->limit ? limit : summary->limit);
	size_t n = 0;

	for (size_t i = 0; i < smallest.count; i++) {
		uint64_t coarse = smallest.hashes[i] & COARSE;

		if (!n || hashes[n - 1] != coarse)
			hashes[n++] = coarse;
	}
	return (struct prn_summary){ .hashes = hashes, .count = n, .limit = limit, .complete = smallest.complete,
	                             .of_digest = summary->of_digest };
}

void prn_page_state_keep(struct prn_page_state *state, size_t slot, const struct prn_summary *summary)
{
	uint64_t *hashes = state->hashes + slot * state->summary_limit;

	if (summary->count)
		memmove(hashes, summary->hashes, summary->count * sizeof *hashes);
	state->slots[slot] = (struct prn_page_slot){
		.used = true,
		.summary = { hashes, summary->count, state->summary_limit, summary->complete, summary->of_digest },
	};
}

double prn_page_share(double share)
{
	return share > 0 ? fmax(1, round(fmin(share, 1) * 255)) / 255 : 0;
}

double prn_page_same(double share)
{
	return round(fmin(fmax(share, 0), 1) * PRN_SAME_STEPS) / PRN_SAME_STEPS;
}

void prn_page_state_hint(struct prn_page_state *state, const struct prn_hints *hints)
{
	float rate = (float)hints->rate;

	state->hints = (struct prn_hints){ 0 };
	if (rate > 0 && isfinite(rate))
		state->hints = (struct prn_hints){ prn_page_share(hints->trust), rate, floor(fmin(hints->count, UINT32_MAX)),
			                           round(hints->ahead * PRN_AHEAD_STEPS) / PRN_AHEAD_STEPS };
}

double prn_page_bytes(double bytes)
{
	return bytes > 0 ? exp2(fmax(1, fmin(round(log2(fmax(bytes, 1)) * PRN_BYTES_STEPS), UINT16_MAX)) /
	                        PRN_BYTES_STEPS)
	                 : 0;
}

double prn_page_days(int64_t time)
{
	return (double)time / PRN_DAY_S;
}

/* Hashes length letters in lower case; the rest of a name that is longer than any type does not matter. */
static uint64_t hash_of(const char *text, size_t length)
{
	char lowered[128];

	length = length < sizeof lowered ? length : sizeof lowered;
	for (size_t i = 0; i < length; i++)
		lowered[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
	return XXH3_64bits(lowered, length);
}

/* The top byte is a hash of the type, the lower two one of the type and subtype. */
uint32_t prn_media_code(const char *content_type)
{
	size_t length;
	uint32_t whole;

	if (!content_type)
		return 0;
	content_type += strspn(content_type, " \t");
	length = strcspn(content_type, "; \t\r\n,");
	if (!length)
		return 0;
	whole = (uint32_t)hash_of(content_type, length) & 0xffff;
	return ((uint32_t)hash_of(content_type, strcspn(content_type, "/;")) & 0xff) << 16 | (whole ? whole : 1);
}

bool prn_media_under(uint32_t code, const char *type)
{
	size_t slash = strcspn(type, "/");

	if (!code)
		return false;
	if (!type[slash] || !type[slash + 1] || !strcmp(type + slash, "/*"))
		return code >> 16 == ((uint32_t)hash_of(type, slash) & 0xff);
	return code == prn_media_code(type);
}
