/* The times of lines: their numbers, which only grow, are minutes from a start, like the captures of a fetcher. */
#ifndef SOAK_LINES_H
#define SOAK_LINES_H

#include <stdint.h>

#define SOAK_START 1767225600 /* 2026-01-01 */
#define SOAK_STEP_S 60

static inline int64_t soak_time(unsigned number)
{
	return SOAK_START + (int64_t)number * SOAK_STEP_S;
}

static inline unsigned soak_number(int64_t time)
{
	return time < SOAK_START ? 0 : (unsigned)((time - SOAK_START) / SOAK_STEP_S);
}

#endif
