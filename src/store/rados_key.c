#include "store/rados_key.h"

#include "perennial/error.h"

size_t prn_rados_name(enum prn_table table, struct prn_bytes key, char name[PRN_RADOS_NAME_BYTES])
{
	const unsigned char *bytes = key.data;
	size_t length = 0;

	name[length++] = PRN_RADOS_TABLE(table);
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
	size_t count = 0;

	if (name.length < 2 || bytes[0] < PRN_RADOS_TABLE(0) || bytes[0] >= PRN_RADOS_TABLE(PRN_TABLES))
		return PRN_E_DAMAGED;
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
	*table = (enum prn_table)(bytes[0] - PRN_RADOS_TABLE(0));
	*key_bytes = count;
	return 0;
}
