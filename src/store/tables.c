#include "store/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first engine is that of addresses that name none. */
static const struct prn_tables_kind *const kinds[] = { &prn_tables_lmdb, &prn_tables_memory, &prn_tables_rados };

const struct prn_tables_kind *prn_tables_find(const char *address, const char **place)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t length = strlen(kinds[i]->scheme);

		if (strncmp(address, kinds[i]->scheme, length) != 0 || address[length] != ':')
			continue;
		*place = address + length + 1;
		return kinds[i];
	}
	*place = address;
	return kinds[0];
}

int prn_tables_look(const char *address, bool remove_begun, enum prn_standing *standing, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(address, &place);

	*standing = PRN_STANDING_TABLES;
	return kind->look ? kind->look(place, remove_begun, standing, error) : 0;
}

static void list_engines(char *text, size_t bytes)
{
	size_t length = 0;

	*text = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && length < bytes; i++)
		length += (size_t)snprintf(text + length, bytes - length, "%s%s", i ? ", " : "", kinds[i]->scheme);
}

int prn_tables_check(const char *address, struct prn_error *error)
{
	char engines[100];
	const char *place;
	size_t letters = strspn(address, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
	const struct prn_tables_kind *kind = prn_tables_find(address, &place);

	/* A slip in the name of an engine would otherwise make a folder, and no store where one was meant. */
	if (place == address && letters && address[letters] == ':') {
		list_engines(engines, sizeof engines);
		return prn_error_set(error, PRN_E_ARGUMENT, "'%s': there is no engine '%.*s': there is %s; a folder of that name is ./%s",
		                     address, (int)letters, address, engines, address);
	}
	return *place ? 0 : prn_error_set(error, PRN_E_ARGUMENT, kind->in_folder ? "'%s' names no store: name the folder that it is kept in"
	                                                  : "'%s' names no store: name it behind the colon",
	                                  address);
}

/* beside NULL: reached by itself. */
static int open_tables(struct prn_tables **out, struct prn_tables *beside, const char *address, bool writable,
                       double lock_wait_s, struct prn_error *error)
{
	const char *place;
	const struct prn_tables_kind *kind = prn_tables_find(address, &place);
	struct prn_tables *tables;
	int code = prn_tables_check(address, error);
	char *copy = code ? NULL : strdup(address);

	if (!code && !copy)
		code = prn_error_memory(error);
	if (!code)
		code = beside && kind->open_beside ? kind->open_beside(&tables, beside, place, writable, error)
		                                   : kind->open(&tables, place, writable, lock_wait_s, error);
	if (code) {
		free(copy);
		return code;
	}
	tables->kind = kind;
	tables->address = copy;
	tables->writable = writable;
	tables->process = getpid();
	*out = tables;
	return 0;
}

int prn_tables_check_process(const struct prn_tables *tables, struct prn_error *error)
{
	if (!tables->process || tables->process == getpid())
		return 0;
	return prn_error_set(error, PRN_E_ARGUMENT,
	                     "%s: process %ld opened it, and this one is a fork of that: it has to open the store itself, once the other has closed it or "
	                     "only to read", tables->address, (long)tables->process);
}

int prn_tables_open(struct prn_tables **out, const char *address, bool writable, double lock_wait_s,
                    struct prn_error *error)
{
	return open_tables(out, NULL, address, writable, lock_wait_s, error);
}

int prn_tables_open_beside(struct prn_tables **out, struct prn_tables *tables, const char *address, bool writable,
                           double lock_wait_s, struct prn_error *error)
{
	return open_tables(out, tables, address, writable, lock_wait_s, error);
}

int prn_tables_create_beside(struct prn_tables *tables, const char *address, const struct prn_change *changes, size_t count,
                             struct prn_error *error)
{
	const struct prn_tables_kind *kind = tables->kind;
	const char *place;

	prn_tables_find(address, &place);
	return kind->create_beside ? kind->create_beside(tables, place, changes, count, error)
	                           : kind->create(place, changes, count, error);
}

void prn_tables_free(struct prn_tables *tables)
{
	char *address;

	if (!tables)
		return;
	address = tables->address;
	tables->kind->free(tables);
	free(address);
}
