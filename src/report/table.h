/*
 * Results as rows: how a table of them ends.
 */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "term/table.h"
#include "perennial/error.h"

/* Ends a table as term_table_close does.  PRN_E_IO: not all of it was written; PRN_E_MEMORY */
int report_table_close(struct term_table *table, const char *note, struct prn_error *error);

#endif
