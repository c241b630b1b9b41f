/*
 * The right to write to a store: one process has it, until it gives it back or dies.
 */
#ifndef STORE_WRITER_LOCK_H
#define STORE_WRITER_LOCK_H

#include "perennial/error.h"

/*
 * Waits up to wait_s seconds for it; *lock is then a descriptor to be closed, which gives it back.
 *
 * PRN_E_LIMIT	another process has it; the text names its pid
 * PRN_E_IO, PRN_E_MEMORY
 */
int prn_writer_lock(const char *path, double wait_s, int *lock, struct prn_error *error);

#endif
