/* Counts what a source skipped, by kind (struct prn_passed of source.h). */
#ifndef ARCHIVE_PASSED_H
#define ARCHIVE_PASSED_H

#include "perennial/source.h"

/*
 * Adds count to the kind named by length bytes at what, compared without case.  Bytes that are not printable
 * ASCII or do not fit are not distinguished.  When all places are taken, a new kind counts as "others".
 */
void prn_passed_add(struct prn_passed passed[PRN_PASSED_KINDS], const char *what, size_t length, uint64_t count);

/* Adds all counts of more. */
void prn_passed_join(struct prn_passed passed[PRN_PASSED_KINDS], const struct prn_passed more[PRN_PASSED_KINDS]);

#endif
