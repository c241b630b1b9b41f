/* Reads a page that was saved as MHTML, plain and packed. */
#include "archive/mime_header.h"
#include "saved_pages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size && prn_mime_header_starts(data, size))
		read_both_ways(data, size);
	return 0;
}
