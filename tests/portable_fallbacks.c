/* tests/portable.c of what stands in where a system has no better: this program has the file itself, and takes none of the library's. */
#include <errno.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

/* By how much the system's time was changed after a wait began: it is told as it was before. */
static time_t stepped;

static int told_time(clockid_t which, struct timespec *time)
{
	int code = clock_gettime(which, time);

	if (which == CLOCK_REALTIME)
		time->tv_sec -= stepped;
	return code;
}

/* A disk that takes nothing. */
static bool fails_to_sync;
static unsigned synced;

static int told_sync(int file)
{
	synced++;
	errno = EIO;
	return fails_to_sync ? -1 : fsync(file);
}

#define PRN_FALLBACKS
#define clock_gettime told_time
#define fsync told_sync
#include "base/portable.c"
#undef clock_gettime
#undef fsync

#include "portable.c"
