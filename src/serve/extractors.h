/*
 * A pool of extractors: an extractor serves one thread at a time and is dear to make, so threads borrow them.
 */
#ifndef SERVE_EXTRACTORS_H
#define SERVE_EXTRACTORS_H

#include <stddef.h>

#include "perennial/error.h"
#include "perennial/extractor.h"

struct serve_extractors;

/* words and hashes: as prn_extractor_open takes them.  PRN_E_MEMORY */
int serve_extractors_open(struct serve_extractors **out, unsigned words, size_t hashes, struct prn_error *error);
void serve_extractors_free(struct serve_extractors *extractors); /* all must be back */

/* Lends one, opening it if all are out.  PRN_E_MEMORY */
int serve_extractors_borrow(struct serve_extractors *extractors, struct prn_extractor **out, struct prn_error *error);
void serve_extractors_return(struct serve_extractors *extractors, struct prn_extractor *extractor);

#endif
