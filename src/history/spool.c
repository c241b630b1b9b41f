#include "history/spool.h"

#include "base/temporary.h"
#include "history/links.h"

#include <stdlib.h>
#include <string.h>

#define WAYS 4 /* places for a body; the oldest is replaced */
#define ROWS_FIRST 256

struct known {
	struct prn_digest body;
	uint64_t media;
	struct prn_spool_set set;
	bool used;
};

/*
 * A row of places for the bodies whose digests lead to it, newest first.  The rows double before one of them would forget a body:
 * bodies of a few pages then lie close together, where a row each in all the memory that is allowed would touch a page of it each.
 */
struct prn_spool {
	struct prn_temporary file;
	pthread_mutex_t lock; /* protects everything below */
	uint64_t end;
	struct known (*rows)[WAYS];
	size_t row_count, row_most; /* powers of two */
};

int prn_spool_open(struct prn_spool **out, const char *folder, size_t memory_bytes, struct prn_error *error)
{
	struct prn_spool *spool = calloc(1, sizeof *spool);
	int code;

	if (!spool)
		return prn_error_memory(error);
	spool->row_most = 1;
	while (2 * spool->row_most * sizeof *spool->rows <= memory_bytes)
		spool->row_most *= 2;
	spool->row_count = spool->row_most < ROWS_FIRST ? spool->row_most : ROWS_FIRST;
	spool->rows = calloc(spool->row_count, sizeof *spool->rows);
	code = spool->rows ? prn_temporary_open(&spool->file, folder, error)
	                   : prn_error_memory(error);
	if (!code && pthread_mutex_init(&spool->lock, NULL)) {
		prn_temporary_close(&spool->file);
		code = prn_error_memory(error);
	}
	if (code) {
		free(spool->rows);
		free(spool);
		return code;
	}
	*out = spool;
	return 0;
}

void prn_spool_free(struct prn_spool *spool)
{
	if (!spool)
		return;
	pthread_mutex_destroy(&spool->lock);
	prn_temporary_close(&spool->file);
	free(spool->rows);
	free(spool);
}

static struct known *row_of(const struct prn_spool *spool, const struct prn_digest *body, uint64_t media)
{
	return spool->rows[(body->low ^ media) & (spool->row_count - 1)];
}

bool prn_spool_recall(struct prn_spool *spool, const struct prn_digest *body, uint64_t media, struct prn_spool_set *set)
{
	const struct known *row;
	bool found = false;

	pthread_mutex_lock(&spool->lock);
	row = row_of(spool, body, media);
	for (size_t i = 0; i < WAYS && !found; i++) {
		found = row[i].used && row[i].media == media && !prn_digest_compare(&row[i].body, body);
		if (found)
			*set = row[i].set;
	}
	pthread_mutex_unlock(&spool->lock);
	return found;
}

/* Moves those bodies of a row, of count, that lead to another row now that there are twice as many. */
static void divide(const struct prn_spool *spool, size_t which, size_t count)
{
	struct known *from = spool->rows[which], *other = spool->rows[which + count], *to = from;

	memset(other, 0, sizeof *spool->rows);
	for (size_t i = 0; i < WAYS; i++) {
		struct known known = from[i];

		from[i].used = false;
		if (!known.used)
			break;
		if (row_of(spool, &known.body, known.media) == spool->rows[which])
			*to++ = known;
		else
			*other++ = known;
	}
}

/* Under the lock.  Without memory there remain as many rows as there are. */
static bool double_rows(struct prn_spool *spool)
{
	size_t count = spool->row_count;
	struct known (*rows)[WAYS] = count < spool->row_most ? realloc(spool->rows, 2 * count * sizeof *rows) : NULL;

	if (!rows)
		return false;
	spool->rows = rows;
	spool->row_count = 2 * count;
	for (size_t i = 0; i < count; i++)
		divide(spool, i, count);
	return true;
}

/* Under the lock. */
static void remember(struct prn_spool *spool, const struct known *known)
{
	struct known *row = row_of(spool, &known->body, known->media);

	while (row[WAYS - 1].used && double_rows(spool))
		row = row_of(spool, &known->body, known->media);
	for (size_t i = WAYS - 1; i; i--)
		row[i] = row[i - 1];
	row[0] = *known;
}

/* Writes the number of links and the links behind a set. */
static int write_links(const struct prn_spool *spool, uint64_t offset, const struct prn_links *links, struct prn_error *error)
{
	uint64_t count = links->count;
	int code = prn_temporary_write(&spool->file, offset, &count, sizeof count, error);

	return code || !count ? code
	                      : prn_temporary_write(&spool->file, offset + sizeof count, links->keys, links->count * sizeof *links->keys, error);
}

int prn_spool_add(struct prn_spool *spool, const struct prn_digest *body, uint64_t media, const uint64_t *hashes,
                  size_t count, const struct prn_links *links, struct prn_spool_set *set, struct prn_error *error)
{
	struct known known = { .body = *body, .media = media, .used = true };
	size_t behind = links ? links->count + 1 : 0;
	int code;

	if (count > UINT32_MAX)
		return prn_error_set(error, PRN_E_LIMIT, "too many fragments in one body");
	pthread_mutex_lock(&spool->lock);
	known.set = (struct prn_spool_set){ .offset = spool->end, .count = (uint32_t)count };
	spool->end += (count + behind) * sizeof *hashes;
	pthread_mutex_unlock(&spool->lock);
	code = prn_temporary_write(&spool->file, known.set.offset, hashes, count * sizeof *hashes, error);
	if (!code && links)
		code = write_links(spool, known.set.offset + count * sizeof *hashes, links, error);
	if (code)
		return code;
	pthread_mutex_lock(&spool->lock);
	remember(spool, &known);
	pthread_mutex_unlock(&spool->lock);
	*set = known.set;
	return 0;
}

int prn_spool_read(const struct prn_spool *spool, const struct prn_spool_set *set, uint64_t *hashes,
                   struct prn_error *error)
{
	return prn_temporary_read(&spool->file, set->offset, hashes, set->count * sizeof *hashes, error);
}

int prn_spool_read_links(const struct prn_spool *spool, const struct prn_spool_set *set, struct prn_links *links,
                         struct prn_error *error)
{
	uint64_t offset = set->offset + set->count * sizeof *links->keys, count = 0;
	int code = prn_temporary_read(&spool->file, offset, &count, sizeof count, error);

	if (code)
		return code;
	if (prn_links_reserve(links, (size_t)count))
		return prn_error_memory(error);
	links->count = (size_t)count;
	return count ? prn_temporary_read(&spool->file, offset + sizeof count, links->keys, links->count * sizeof *links->keys, error) : 0;
}
