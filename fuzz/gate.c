/*
 * Reads what a root keeps of a giant's gate (decide/giants.h): any bytes, and the same with the right checksum, so that what
 * follows it is read too.  What is read is written, and read again to the same.
 */
#include "base/checksum.h"
#include "decide/giant_gate.h"
#include "store/big_endian.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_same(const struct prn_giant_gate *a, const struct prn_giant_gate *b)
{
	bool same = a->count == b->count && a->host.asked == b->host.asked && a->host.until == b->host.until;

	for (size_t i = 0; same && i < a->count; i++)
		same = a->out[i].end == b->out[i].end && a->out[i].count == b->out[i].count;
	return same;
}

static void try(const uint8_t *data, size_t size)
{
	struct prn_giant_gate gate, again;
	struct prn_buffer bytes = { 0 };

	prn_giant_gate_init(&gate);
	prn_giant_gate_init(&again);
	if (!prn_giant_gate_decode(&gate, data, size)) {
		if (prn_giant_gate_encode(&gate, &bytes) || prn_giant_gate_decode(&again, bytes.data, bytes.length) || !is_same(&gate, &again))
			abort();
	} else if (gate.count || gate.out) {
		abort();
	}
	prn_buffer_release(&bytes);
	prn_giant_gate_release(&gate);
	prn_giant_gate_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char *sealed = malloc(size + PRN_CHECKSUM_BYTES), *at = sealed + size;

	if (!sealed)
		return 0;
	try(data, size);
	if (size)
		memcpy(sealed, data, size);
	prn_big_put(&at, PRN_CHECKSUM_BYTES, prn_checksum(sealed, size));
	try(sealed, size + PRN_CHECKSUM_BYTES);
	free(sealed);
	return 0;
}
