/* What a shard has noted of a target: a name of a length, its bytes, and the value's. */
#include "decide/target_note.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAME_BYTES 39 /* as a note's name has */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t name_bytes = size < NAME_BYTES ? size : NAME_BYTES;
	struct prn_target target;

	if (prn_target_note_read(&target, data, name_bytes, data + name_bytes, size - name_bytes))
		return 0;
	if (!*target.url || !isfinite(target.weight) || target.weight < 0 || target.is_refused || !target.is_noted)
		abort();
	free(target.url);
	return 0;
}
