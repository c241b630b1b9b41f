/* Pages and their nodes.  Numbers lie as the machine has them: LMDB's files are not for other kinds of machines. */
#include "store/lmdb_pages.h"

#include <lmdb.h>
#include <string.h>

_Static_assert(MDB_VERSION_MAJOR == 0 && MDB_VERSION_MINOR == 9, "files of another LMDB may lie otherwise");

#define MAGIC 0xBEEFC0DE
#define FILE_VERSION 1
#define LARGEST_PAGE 0x8000

/* A page's head: its number, two bytes, its flags, and where its free space begins and ends. */
#define HEAD_BYTES (sizeof(size_t) + 8)
#define FLAGS_AT (sizeof(size_t) + 2)
#define LOWER_AT (sizeof(size_t) + 4)
#define UPPER_AT (sizeof(size_t) + 6)

enum { BRANCH = 1, LEAF = 2, OVERFLOW = 4, HEAD = 8 };

/*
 * A node's: the halves of a size or of a page, the high one first where the machine has its numbers so; two bytes more
 * of it or flags; the length of its key.
 */
#define NODE_BYTES 8
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define LOW_AT 2
#define HIGH_AT 0
#else
#define LOW_AT 0
#define HIGH_AT 2
#endif

enum { LONG_VALUE = 1, SUBTREE = 2 };

static uint16_t short_at(const unsigned char *bytes)
{
	uint16_t value;

	memcpy(&value, bytes, sizeof value);
	return value;
}

static size_t number_at(const unsigned char *bytes)
{
	size_t value;

	memcpy(&value, bytes, sizeof value);
	return value;
}

bool prn_file_head_read(const unsigned char *bytes, size_t length, struct prn_file_head *head)
{
	struct prn_file_head read;
	size_t page_bytes;

	if (length < HEAD_BYTES + sizeof read || short_at(bytes + FLAGS_AT) != HEAD)
		return false;
	memcpy(&read, bytes + HEAD_BYTES, sizeof read);
	page_bytes = read.free.page_bytes;
	if (read.magic != MAGIC || read.version != FILE_VERSION || page_bytes < 256 || page_bytes > LARGEST_PAGE ||
	    page_bytes & (page_bytes - 1) || read.last < 1 || read.last > SIZE_MAX / 4 / page_bytes)
		return false;
	*head = read;
	return true;
}

bool prn_file_heads_agree(const struct prn_file_head heads[2])
{
	size_t first = heads[0].commit, second = heads[1].commit;

	if (heads[0].free.page_bytes != heads[1].free.page_bytes)
		return false;
	return (!first && !second) || (!(first & 1) && (second + 1 == first || first + 1 == second));
}

bool prn_lmdb_page_read(const struct prn_lmdb_pages *pages, size_t number, struct prn_lmdb_page *page)
{
	const unsigned char *bytes;
	unsigned flags, lower, upper;

	if (number < 2 || number >= pages->count)
		return false;
	bytes = pages->map + number * pages->page_bytes;
	flags = short_at(bytes + FLAGS_AT);
	lower = short_at(bytes + LOWER_AT);
	upper = short_at(bytes + UPPER_AT);
	if (number_at(bytes) != number || (flags != BRANCH && flags != LEAF) || lower <= HEAD_BYTES || lower % 2 ||
	    lower > upper || upper > pages->page_bytes)
		return false;
	*page = (struct prn_lmdb_page){ bytes, number, flags == LEAF, (lower - (unsigned)HEAD_BYTES) / 2, upper };
	return true;
}

struct prn_lmdb_page prn_lmdb_page_guess(const struct prn_lmdb_pages *pages, size_t number)
{
	const unsigned char *bytes = pages->map + number * pages->page_bytes;
	unsigned lower = short_at(bytes + LOWER_AT), upper = short_at(bytes + UPPER_AT);

	if (lower <= HEAD_BYTES || lower % 2 || lower > upper || upper > pages->page_bytes) {
		lower = (unsigned)pages->page_bytes;
		upper = HEAD_BYTES;
	}
	return (struct prn_lmdb_page){ bytes, number, true, (lower - (unsigned)HEAD_BYTES) / 2, upper };
}

/* A value that begins on a page of its own and takes as many as it needs. */
static bool read_long(const struct prn_lmdb_pages *pages, size_t number, size_t size, struct prn_node *node)
{
	size_t needed = (HEAD_BYTES - 1 + size) / pages->page_bytes + 1;
	const unsigned char *bytes;
	uint32_t there;

	if (number < 2 || number >= pages->count || needed > pages->count - number)
		return false;
	bytes = pages->map + number * pages->page_bytes;
	memcpy(&there, bytes + LOWER_AT, sizeof there);
	if (number_at(bytes) != number || short_at(bytes + FLAGS_AT) != OVERFLOW || there < needed ||
	    there > pages->count - number)
		return false;
	node->page = number;
	node->page_count = there;
	node->value = (struct prn_bytes){ bytes + HEAD_BYTES, size };
	return true;
}

static bool read_value(const struct prn_lmdb_pages *pages, size_t room, unsigned flags, size_t size, struct prn_node *node)
{
	const unsigned char *value = (const unsigned char *)node->key.data + node->key.length;

	node->page = node->page_count = 0;
	node->is_tree = flags == SUBTREE;
	if (flags == LONG_VALUE) {
		node->space = NODE_BYTES + node->key.length + sizeof(size_t);
		return room >= sizeof(size_t) && read_long(pages, number_at(value), size, node);
	}
	node->space = NODE_BYTES + node->key.length + size;
	node->value = (struct prn_bytes){ value, size };
	return size <= room && (!flags || (node->is_tree && size == sizeof(struct prn_tree)));
}

/* The key of node i of count, and where the node begins: false if they are not within their page. */
static inline bool read_key(const struct prn_lmdb_pages *pages, const struct prn_lmdb_page *page, unsigned i, unsigned *at,
                            struct prn_bytes *key)
{
	const unsigned char *bytes;

	*at = short_at(page->bytes + HEAD_BYTES + 2 * (size_t)i);
	if (*at < page->first || *at % 2 || *at + NODE_BYTES > pages->page_bytes)
		return false;
	bytes = page->bytes + *at;
	*key = (struct prn_bytes){ bytes + NODE_BYTES, short_at(bytes + 6) };
	return key->length <= PRN_TABLE_KEY_BYTES && key->length <= pages->page_bytes - *at - NODE_BYTES;
}

bool prn_lmdb_page_node(const struct prn_lmdb_pages *pages, const struct prn_lmdb_page *page, unsigned i, struct prn_node *node)
{
	const unsigned char *bytes;
	unsigned at, flags;
	size_t low;
	bool whole = true;

	if (!read_key(pages, page, i, &at, &node->key))
		return false;
	bytes = page->bytes + at;
	low = short_at(bytes + LOW_AT) | (size_t)short_at(bytes + HIGH_AT) << 16;
	flags = short_at(bytes + 4);
	if (page->leaf) {
		whole = read_value(pages, pages->page_bytes - at - NODE_BYTES - node->key.length, flags, low, node);
	} else {
		node->page = low | (sizeof(size_t) > 4 ? (size_t)flags << 16 << 16 : 0);
		node->page_count = 0;
		node->value = (struct prn_bytes){ NULL, 0 };
		node->is_tree = false;
		node->space = NODE_BYTES + node->key.length;
	}
	node->space += node->space % 2;
	return whole;
}

/* The first bytes of a key as the number in whose order keys are: in one load, for it is done at every step. */
static inline uint32_t leading(struct prn_bytes key)
{
	const unsigned char *bytes = key.data;

	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

int prn_lmdb_page_compare(struct prn_bytes a, struct prn_bytes b, bool numeric)
{
	size_t x, y;

	/* Keys that are digests nearly always differ in what comes first. */
	if (!numeric && a.length >= 4 && b.length >= 4 && leading(a) != leading(b))
		return leading(a) < leading(b) ? -1 : 1;
	if (!numeric)
		return prn_bytes_compare(a, b);
	x = a.length == sizeof x ? number_at(a.data) : 0;
	y = b.length == sizeof y ? number_at(b.data) : 0;
	return (x > y) - (x < y);
}

bool prn_lmdb_page_search(const struct prn_lmdb_pages *pages, const struct prn_lmdb_page *page, struct prn_bytes key, bool numeric,
                     unsigned *at)
{
	unsigned first = page->leaf ? 0 : 1, end = page->count, place;
	bool is_long = !numeric && key.length >= 4;
	uint32_t begins = is_long ? leading(key) : 0;
	struct prn_bytes found;

	while (first < end) {
		unsigned middle = first + (end - first) / 2;
		int order;

		if (!read_key(pages, page, middle, &place, &found))
			return false;
		/* Keys that are digests nearly always differ in what comes first. */
		if (is_long && found.length >= 4 && leading(found) != begins)
			order = leading(found) < begins ? -1 : 1;
		else
			order = prn_lmdb_page_compare(found, key, numeric);
		if (order < 0 || (!order && !page->leaf))
			first = middle + 1;
		else
			end = middle;
	}
	*at = page->leaf ? first : first - 1;
	return true;
}

bool prn_lmdb_page_is_sound(const struct prn_lmdb_pages *pages, const struct prn_lmdb_page *page, bool numeric)
{
	struct prn_bytes before = { NULL, 0 };
	struct prn_node node;
	size_t space = 0;

	for (unsigned i = 0; i < page->count; i++) {
		if (!prn_lmdb_page_node(pages, page, i, &node))
			return false;
		space += node.space;
		/* The first key of a branch stands for all that is less than the second. */
		if (!i && !page->leaf)
			continue;
		if (!node.key.length || (numeric && node.key.length != sizeof(size_t)) ||
		    (before.length && prn_lmdb_page_compare(before, node.key, numeric) >= 0))
			return false;
		before = node.key;
	}
	return space == pages->page_bytes - page->first;
}

struct prn_tree prn_tree_read(struct prn_bytes value)
{
	struct prn_tree tree;

	memcpy(&tree, value.data, sizeof tree);
	return tree;
}

bool prn_free_list_read(struct prn_bytes value, size_t *count, const unsigned char **numbers)
{
	if (value.length < sizeof(size_t))
		return false;
	*count = number_at(value.data);
	*numbers = (const unsigned char *)value.data + sizeof(size_t);
	return *count <= value.length / sizeof(size_t) - 1;
}

size_t prn_free_list_at(const unsigned char *numbers, size_t i)
{
	return number_at(numbers + i * sizeof(size_t));
}
