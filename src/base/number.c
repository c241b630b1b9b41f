#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool prn_number_read(const char *text, double *number)
{
	double value;
	char *end;

	errno = 0;
	value = strtod(text, &end);
	if (!*text || *end || errno || !isfinite(value))
		return false;
	*number = value;
	return true;
}
