/* Counts what a source skipped, by kind (struct prn_passed of source.h). */
#ifndef ARCHIVE_PASSED_H
#define ARCHIVE_PASSED_H

#include "perennial/source.h"

#include <stdbool.h>

/* Folders of folders of archives that would be sources if they were named: kinds that are not counted as ignored. */
#define PRN_PASSED_DATES "folder of dates"
#define PRN_PASSED_GIT "git repository"

/* Tells whether a kind is that of files or folders which are sources if they are named by themselves. */
bool prn_passed_is_source(const char *what);

/*
 * Adds count to the kind named by length bytes at what, compared without case.  Bytes that are not printable
 * ASCII or do not fit are not distinguished.  When all places are taken, a new kind counts as "others".
 */
void prn_passed_add(struct prn_passed passed[PRN_PASSED_KINDS], const char *what, size_t length, uint64_t count);

/* Adds all counts of more. */
void prn_passed_join(struct prn_passed passed[PRN_PASSED_KINDS], const struct prn_passed more[PRN_PASSED_KINDS]);

#endif
