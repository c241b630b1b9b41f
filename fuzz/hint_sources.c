/*
 * Reads what a store keeps of the sources of hints of a host: any bytes are read without harm, and what is read of them is
 * complete.
 */
#include "decide/hint_sources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prn_host_sources sources;

	if (prn_host_sources_decode(&sources, data, size))
		return 0;
	if (sources.count > PRN_HOST_SOURCES)
		abort();
	for (size_t i = 0; i < sources.count; i++) {
		const struct prn_host_source *source = &sources.sources[i];
		double trust = prn_trust_degree(&source->trust);

		if (!*source->name || strlen(source->name) > PRN_SOURCE_BYTES || !(trust >= 0 && trust <= 1) ||
		    prn_host_sources_find(&sources, source->number) != source)
			abort();
	}
	return 0;
}
