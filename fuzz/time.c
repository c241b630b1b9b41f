/* Reads times and durations from any text; what is read can be printed, and reads back to the same. */
#include "perennial/time.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char text[256], printed[PRN_TIME_TEXT];
	int64_t time, again;
	double seconds;

	if (size >= sizeof text)
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	if (!prn_time_parse(text, &time))
		if (prn_time_parse(prn_time_format(time, printed), &again) || again != time)
			abort();
	if (!prn_time_parse_http(text, &time))
		prn_time_format(time, printed);
	if (!prn_duration_parse(text, &seconds))
		prn_duration_format(seconds, printed);
	return 0;
}
