/* What a store has of a host's sources of hints: any bytes are read without harm, and what is read of them is whole. */
#include "decide/told.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prn_host_told told;

	if (prn_host_told_decode(&told, data, size))
		return 0;
	if (told.count > PRN_HOST_SOURCES)
		abort();
	for (size_t i = 0; i < told.count; i++) {
		const struct prn_host_source *source = &told.sources[i];
		double trust = prn_trust_degree(&source->trust);

		if (!*source->name || strlen(source->name) > PRN_SOURCE_BYTES || !(trust >= 0 && trust <= 1) ||
		    prn_host_told_find(&told, source->number) != source)
			abort();
	}
	return 0;
}
