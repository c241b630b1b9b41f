/*
 * "rados:POOL/NAME" is the object NAME of a pool; "?conf=FILE" and "?id=USER" say how the cluster is found, otherwise librados looks
 * for it.
 */
#include "store/rados_internal.h"

#include <stdlib.h>
#include <string.h>

static int refuse(const char *place, const char *why, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_ARGUMENT, "rados:%.300s: %s", place, why);
}

static int read_options(struct prn_rados_address *address, const char *place, char *options, struct prn_error *error)
{
	char *rest = NULL;

	for (char *option = strtok_r(options, "&", &rest); option; option = strtok_r(NULL, "&", &rest)) {
		if (!strncmp(option, "conf=", 5) && option[5])
			address->conf = option + 5;
		else if (!strncmp(option, "id=", 3) && option[3])
			address->user = option + 3;
		else
			return refuse(place, "after '?' stand conf=FILE and id=USER, with '&' between them", error);
	}
	return 0;
}

int prn_rados_address_read(struct prn_rados_address *address, const char *place, struct prn_error *error)
{
	char *slash, *options;
	int code;

	*address = (struct prn_rados_address){ .copy = strdup(place), .user = "admin" };
	if (!address->copy)
		return prn_error_memory(error);
	options = strchr(address->copy, '?');
	if (options)
		*options++ = 0;
	slash = strchr(address->copy, '/');
	if (!slash || slash == address->copy || !slash[1])
		return refuse(place, "a store in RADOS is called rados:POOL/NAME", error);
	*slash = 0;
	address->pool = address->copy;
	address->object = slash + 1;
	if (strspn(address->object, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") !=
	            strlen(address->object) ||
	    strlen(address->object) > PRN_RADOS_NAME)
		return refuse(place, "the name of a store has letters, digits, '.', '_' and '-', 200 at most", error);
	if (options && (code = read_options(address, place, options, error)))
		return code;
	return strlen(address->user) > PRN_RADOS_NAME ? refuse(place, "the user's name is too long", error) : 0;
}
