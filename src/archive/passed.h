/*
 * What a source passed over, counted by what it is (struct prn_passed of source.h).
 */
#ifndef ARCHIVE_PASSED_H
#define ARCHIVE_PASSED_H

#include "perennial/source.h"

/*
 * Adds count to those of what, length bytes in any case, of which what is neither printed ASCII nor fits is told apart no more.
 * Where all places are taken, they count as "others".
 */
void prn_passed_add(struct prn_passed passed[PRN_PASSED_KINDS], const char *what, size_t length, uint64_t count);

/* Adds all of more. */
void prn_passed_join(struct prn_passed passed[PRN_PASSED_KINDS], const struct prn_passed more[PRN_PASSED_KINDS]);

#endif
