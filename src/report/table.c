#include "report/table.h"

int report_table_close(struct term_table *table, const char *note, struct prn_error *error)
{
	if (term_table_close(table, note))
		return prn_error_set(error, PRN_E_IO, "the output cannot be written");
	return 0;
}
