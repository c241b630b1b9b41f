#include "keep/keep.h"

#include "perennial/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int keep_place(const char *store, const char *given, char **folder, struct prn_error *error)
{
	const char *place = prn_store_folder(store);

	if (given) {
		*folder = strdup(given);
		return *folder ? 0 : prn_error_memory(error);
	}
	if (!place)
		return prn_error_set(error, PRN_E_ARGUMENT, "%.300s: a store without a folder has no place for bodies: name one with --keep-in=DIR",
		                     store);
	if (asprintf(folder, "%s/bodies", place) >= 0)
		return 0;
	*folder = NULL;
	return prn_error_memory(error);
}
