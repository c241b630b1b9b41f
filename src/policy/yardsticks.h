/*
 * The offline policies as they are listed.  How they decide is no matter of this room: an evaluation replays them with all that
 * it knows (evaluate/offline.h).
 */
#ifndef POLICY_YARDSTICKS_H
#define POLICY_YARDSTICKS_H

#include "perennial/policy.h"

/* The i of prn_yardstick_info. */
enum prn_yardstick {
	PRN_YARDSTICK_FS_S,
	PRN_YARDSTICK_HS_S,
	PRN_YARDSTICK_FS_D,
	PRN_YARDSTICK_HS_D,
	PRN_YARDSTICK_FS_L,
	PRN_YARDSTICK_FS_N,
};

#define PRN_YARDSTICKS 6

#endif
