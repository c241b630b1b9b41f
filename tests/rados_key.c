/* Names of entries within an object: in the order of their keys, and read back as they were. */
#include "base/random.h"
#include "store/rados_key.h"
#include "tap.h"

#include "perennial/error.h"

#include <string.h>

#define ROUNDS 20000

struct key {
	enum prn_table table;
	unsigned char bytes[PRN_TABLE_KEY_BYTES];
	size_t length;
};

/* Of few different bytes, so that keys have beginnings in common. */
static void draw(struct prn_random *random, struct key *key)
{
	static const unsigned char bytes[] = { 0, 1, 2, 0x7f, 0x80, 0xff };

	key->table = (enum prn_table)prn_random_below(random, PRN_TABLES);
	key->length = 1 + (size_t)prn_random_below(random, 6);
	if (!prn_random_below(random, 50))
		key->length = PRN_TABLE_KEY_BYTES;
	for (size_t i = 0; i < key->length; i++)
		key->bytes[i] = bytes[prn_random_below(random, sizeof bytes)];
}

static int sign(int order)
{
	return (order > 0) - (order < 0);
}

static int compare_keys(const struct key *a, const struct key *b)
{
	const struct prn_change x = { a->table, false, { a->bytes, a->length }, { "", 0 } };
	const struct prn_change y = { b->table, false, { b->bytes, b->length }, { "", 0 } };

	return sign(prn_change_compare(&x, &y));
}

int main(void)
{
	static const char *const bad[] = { "", "p", "#", "!", "`x", "{x", "p\x01", "p\x01\x03", "px\x01\x01\x01" };
	char name[2][PRN_RADOS_NAME_BYTES], long_name[1 + PRN_TABLE_KEY_BYTES + 1];
	unsigned char bytes[PRN_TABLE_KEY_BYTES];
	size_t length[2], count, ordered = 0, same_again = 0, zeros = 0, refused = 0;
	char letters[PRN_TABLES + 1] = "";
	struct prn_random random;
	enum prn_table table;
	struct key key[2];

	prn_random_seed(&random, 7, 0);
	for (unsigned i = 0; i < ROUNDS; i++) {
		for (int j = 0; j < 2; j++) {
			draw(&random, &key[j]);
			length[j] = prn_rados_name(key[j].table, (struct prn_bytes){ key[j].bytes, key[j].length }, name[j]);
			zeros += memchr(name[j], 0, length[j]) != NULL;
		}
		/* Within a table. */
		key[1].table = key[0].table;
		length[1] = prn_rados_name(key[1].table, (struct prn_bytes){ key[1].bytes, key[1].length }, name[1]);
		ordered += sign(prn_bytes_compare((struct prn_bytes){ name[0], length[0] }, (struct prn_bytes){ name[1], length[1] })) ==
		           compare_keys(&key[0], &key[1]);
		same_again += !prn_rados_name_read((struct prn_bytes){ name[0], length[0] }, &table, bytes, &count) &&
		              table == key[0].table && count == key[0].length && !memcmp(bytes, key[0].bytes, count);
	}
	ok(ordered == ROUNDS, "names of a table are in the order of its keys: %zu of %d pairs", ordered, ROUNDS);
	ok(same_again == ROUNDS, "a name that is read is its table and its key: %zu of %d", same_again, ROUNDS);
	ok(!zeros, "no name has a NUL");
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		refused += prn_rados_name_read((struct prn_bytes){ bad[i], strlen(bad[i]) }, &table, bytes, &count) == PRN_E_DAMAGED;
	ok(refused == sizeof bad / sizeof *bad, "what is no name of an entry is refused: %zu of %zu", refused, sizeof bad / sizeof *bad);
	for (int i = 0; i < PRN_TABLES; i++)
		letters[i] = prn_rados_letter((enum prn_table)i);
	same(letters, "pdlwhtsvorbm", "each table has the letter that it has always had, and no other has it");
	ok(prn_rados_name_read((struct prn_bytes){ "zx", 2 }, &table, bytes, &count) == PRN_E_VERSION,
	   "a letter that no table has may be of a program to come");
	memset(long_name, 'p', sizeof long_name);
	ok(prn_rados_name_read((struct prn_bytes){ long_name, sizeof long_name }, &table, bytes, &count) == PRN_E_DAMAGED,
	   "the name of a longer key than tables have is refused");
	return done();
}
