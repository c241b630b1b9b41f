#include "store/rados_key.h"

#include "perennial/error.h"

#include <string.h>

static const char letters[PRN_TABLES] = {
	[PRN_TABLE_PAGES] = 'p',    [PRN_TABLE_DUE] = 'd',      [PRN_TABLE_LEASES] = 'l', [PRN_TABLE_WAITING] = 'w',
	[PRN_TABLE_HOSTS] = 'h',    [PRN_TABLE_TURNS] = 't',    [PRN_TABLE_SUSPECTS] = 's', [PRN_TABLE_VALIDATORS] = 'v',
	[PRN_TABLE_PAGE_SOURCES] = 'o',     [PRN_TABLE_HOST_SOURCES] = 'r',  [PRN_TABLE_SIBLINGS] = 'b', [PRN_TABLE_META] = 'm',
};

_Static_assert(PRN_TABLES == 12, "a table has a letter");

char prn_rados_letter(enum prn_table table)
{
	return letters[table];
}

size_t prn_rados_name(enum prn_table table, struct prn_bytes key, char name[PRN_RADOS_NAME_BYTES])
{
	const unsigned char *bytes = key.data;
	size_t length = 0;

	name[length++] = letters[table];
	for (size_t i = 0; i < key.length; i++) {
		if (bytes[i] <= 1) {
			name[length++] = 1;
			name[length++] = (char)(bytes[i] + 1);
		} else {
			name[length++] = (char)bytes[i];
		}
	}
	return length;
}

int prn_rados_name_read(struct prn_bytes name, enum prn_table *table, unsigned char *key, size_t *key_bytes)
{
	const unsigned char *bytes = name.data;
	const char *letter;
	size_t count = 0;

	if (name.length < 2 || bytes[0] < 'a' || bytes[0] > 'z')
		return PRN_E_DAMAGED;
	letter = memchr(letters, bytes[0], sizeof letters);
	if (!letter)
		return PRN_E_VERSION;
	for (size_t i = 1; i < name.length; i++) {
		unsigned char byte = bytes[i];

		if (byte == 1) {
			if (++i == name.length || bytes[i] < 1 || bytes[i] > 2)
				return PRN_E_DAMAGED;
			byte = (unsigned char)(bytes[i] - 1);
		}
		if (!bytes[i] || count == PRN_TABLE_KEY_BYTES)
			return PRN_E_DAMAGED;
		key[count++] = byte;
	}
	*table = (enum prn_table)(letter - letters);
	*key_bytes = count;
	return 0;
}
