/* Reads the note that a shard keeps of a target: a length, a name of that length, and the value. */
#include "decide/target_note.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 39 /* the bytes of the name of a note */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t name_bytes = size < NAME_BYTES ? size : NAME_BYTES;
	struct prn_shard_message target;

	if (prn_target_note_read(&target, data, name_bytes, data + name_bytes, size - name_bytes))
		return 0;
	if (!*target.url || !isfinite(target.target.weight) || target.target.weight < 0 || target.kind != PRN_MESSAGE_TARGET || !target.is_noted)
		abort();
	free(target.url);
	return 0;
}
