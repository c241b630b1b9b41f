/*
 * A file of page weights: lines "URL TAB weight"; empty ones are skipped.
 */
#ifndef CORPUS_WEIGHTS_H
#define CORPUS_WEIGHTS_H

#include "corpus/page_table.h"
#include "perennial/error.h"

/*
 * Adds the file's URLs to the table with their weights; of a URL given twice the last weight counts.
 *
 * PRN_E_IO	cannot be opened or read
 * PRN_E_INPUT	a line is not a URL, a tab and a positive finite number; the text has its number
 * PRN_E_MEMORY
 */
int prn_weights_read(const char *path, struct prn_page_table *pages, struct prn_error *error);

#endif
