/* All entries of tables at once. */
#include "base/buffer.h"
#include "store/tables.h"

#include <stdlib.h>

int prn_tables_read_all(struct prn_view *view, struct prn_change **changes, size_t *count, struct prn_error *error)
{
	const struct prn_tables_kind *kind = view->tables->kind;
	struct prn_change *all = NULL;
	size_t taken = 0, capacity = 0;
	int code = kind->freeze ? kind->freeze(view, error) : 0;

	for (enum prn_table table = 0; table < PRN_TABLES && !code; table++) {
		struct prn_change change = { .table = table };
		struct prn_walk *walk = NULL;
		int got = 0;

		code = kind->scan(&walk, view, table, (struct prn_bytes){ NULL, 0 }, error);
		while (!code && (got = kind->next(walk, &change.key, &change.value, error)) == 1) {
			struct prn_change *grown = prn_array_grow(all, &capacity, taken + 1, sizeof *grown);

			if (grown) {
				all = grown;
				all[taken++] = change;
			} else {
				code = prn_error_memory(error);
			}
		}
		if (!code)
			code = got;
		if (walk)
			kind->end(walk);
	}
	if (code) {
		free(all);
		return code;
	}
	*changes = all;
	*count = taken;
	return 0;
}
