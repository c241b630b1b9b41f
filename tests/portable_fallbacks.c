/* tests/portable.c of what stands in where a system has no better: this program has the file itself, and takes none of the library's. */
#include <time.h>

/* By how much the system's time was changed after a wait began: it is told as it was before. */
static time_t stepped;

static int told_time(clockid_t which, struct timespec *time)
{
	int code = clock_gettime(which, time);

	if (which == CLOCK_REALTIME)
		time->tv_sec -= stepped;
	return code;
}

#define PRN_FALLBACKS
#define clock_gettime told_time
#include "base/portable.c"
#undef clock_gettime

#include "portable.c"
