#include "archive/members_ahead.h"

#include "base/buffer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SEGMENT_BYTES ((size_t)64 << 10) /* bytes of a file that are searched at a time for members that begin in them */
#define READ_BYTES ((size_t)128 << 10)   /* bytes read, including what follows: most members that begin in the segment end there */
#define OUT_BYTES (3 * PRN_AHEAD_BYTES)  /* decoded bytes of its members; further members are left to the reader */
#define SEGMENTS_BESIDE 2                /* segments besides those of the threads: the one being read, and the next one */

struct member {
	uint64_t offset;
	size_t packed, at, length; /* at: offset in the segment's out */
};

enum stage {
	FREE,
	UNPACKING,
	READY,
};

/* SEGMENT_BYTES of the file, and the members that begin in them.  One thread owns it while it decodes. */
struct segment {
	enum stage stage;
	uint64_t start;
	void *unpacker;
	unsigned char *in, *out; /* [PRN_AHEAD_PACKED_BYTES], [OUT_BYTES] */
	size_t in_length, out_length;
	struct member *members;
	size_t count, capacity, taken; /* taken: those before the reader's position */
};

struct prn_ahead {
	const struct prn_ahead_kind *kind;
	int file;
	struct prn_spare *spare;

	pthread_mutex_t lock; /* protects everything below */
	pthread_cond_t ready; /* a segment was finished */
	struct segment *segments;
	size_t segment_count;
	uint64_t next; /* where the next segment starts; 0: nothing was requested yet */
	bool ended;    /* the file ended */
};

/* Reads more, up to length bytes in total; fewer at the end of the file, or after a read error. */
static void read_up_to(const struct prn_ahead *ahead, struct segment *segment, size_t length)
{
	while (segment->in_length < length) {
		ssize_t got = pread(ahead->file, segment->in + segment->in_length, length - segment->in_length,
		                    (off_t)(segment->start + segment->in_length));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return;
		segment->in_length += (size_t)got;
	}
}

/* Returns where the next member seems to start, or SEGMENT_BYTES. */
static size_t find_start(const struct prn_ahead *ahead, const struct segment *segment, size_t from)
{
	size_t end = segment->in_length < SEGMENT_BYTES ? segment->in_length : SEGMENT_BYTES;

	while (from < end) {
		const unsigned char *found = memchr(segment->in + from, ahead->kind->first, end - from);

		if (!found)
			break;
		from = (size_t)(found - segment->in);
		if (ahead->kind->starts(found, segment->in_length - from))
			return from;
		from++;
	}
	return SEGMENT_BYTES;
}

/*
 * Decodes the member that starts at a position of the segment; returns whether it is one.  For a long member
 * more of the file is read.
 */
static bool unpack(const struct prn_ahead *ahead, struct segment *segment, size_t from, struct member *member)
{
	bool is = false;

	for (size_t length = READ_BYTES; !is && length <= PRN_AHEAD_PACKED_BYTES; length += PRN_AHEAD_PACKED_BYTES - READ_BYTES) {
		size_t had = segment->in_length;

		read_up_to(ahead, segment, length);
		if (length > READ_BYTES && segment->in_length == had)
			break;
		is = ahead->kind->unpack(segment->unpacker, segment->in + from, segment->in_length - from,
		                         segment->out + segment->out_length, PRN_AHEAD_BYTES, &member->packed, &member->length);
	}
	return is;
}

static int make_room(const struct prn_ahead *ahead, struct segment *segment)
{
	if (!segment->unpacker)
		segment->unpacker = ahead->kind->open();
	if (!segment->in)
		segment->in = malloc(PRN_AHEAD_PACKED_BYTES);
	if (!segment->out)
		segment->out = malloc(OUT_BYTES);
	return segment->unpacker && segment->in && segment->out ? 0 : -1;
}

/* Decodes the members that begin in the segment, as far as memory allows. */
static void fill(const struct prn_ahead *ahead, struct segment *segment)
{
	size_t at;

	if (make_room(ahead, segment))
		return;
	read_up_to(ahead, segment, READ_BYTES);
	at = find_start(ahead, segment, 0);
	while (at < SEGMENT_BYTES && segment->out_length + PRN_AHEAD_BYTES <= OUT_BYTES) {
		struct member *members = prn_array_grow(segment->members, &segment->capacity, segment->count + 1, sizeof *members);
		struct member member = { .offset = segment->start + at, .at = segment->out_length };

		if (!members)
			return;
		segment->members = members;
		if (unpack(ahead, segment, at, &member)) {
			members[segment->count++] = member;
			segment->out_length += member.length;
			at += member.packed;
		} else {
			at++;
		}
		/* A member follows immediately, or after padding. */
		at = find_start(ahead, segment, at);
	}
}

/* Under the lock: returns a new segment for the caller to decode; NULL: there is none, or no room. */
static struct segment *begin_segment(struct prn_ahead *ahead)
{
	if (!ahead->next || ahead->ended)
		return NULL;
	for (size_t i = 0; i < ahead->segment_count; i++) {
		struct segment *segment = &ahead->segments[i];

		if (segment->stage != FREE)
			continue;
		segment->stage = UNPACKING;
		segment->start = ahead->next;
		segment->in_length = segment->out_length = segment->count = segment->taken = 0;
		ahead->next += SEGMENT_BYTES;
		return segment;
	}
	return NULL;
}

/* Called under the lock, which is released while the segment is decoded. */
static void unpack_segment(struct prn_ahead *ahead, struct segment *segment)
{
	pthread_mutex_unlock(&ahead->lock);
	fill(ahead, segment);
	pthread_mutex_lock(&ahead->lock);
	segment->stage = READY;
	ahead->ended |= segment->in && !segment->in_length;
	pthread_cond_broadcast(&ahead->ready);
}

static bool unpack_one(void *context)
{
	struct prn_ahead *ahead = context;
	struct segment *segment;

	pthread_mutex_lock(&ahead->lock);
	segment = begin_segment(ahead);
	if (segment)
		unpack_segment(ahead, segment);
	pthread_mutex_unlock(&ahead->lock);
	return segment;
}

struct prn_ahead *prn_ahead_open(const struct prn_ahead_kind *kind, int file, struct prn_spare *spare)
{
	struct prn_ahead *ahead = calloc(1, sizeof *ahead);

	if (!ahead)
		return NULL;
	ahead->kind = kind;
	ahead->file = file;
	ahead->segment_count = prn_spare_threads(spare) + SEGMENTS_BESIDE;
	ahead->segments = calloc(ahead->segment_count, sizeof *ahead->segments);
	pthread_mutex_init(&ahead->lock, NULL);
	pthread_cond_init(&ahead->ready, NULL);
	if (ahead->segments && prn_spare_offer(spare, unpack_one, ahead))
		ahead->spare = prn_spare_hold(spare);
	if (ahead->spare)
		return ahead;
	prn_ahead_free(ahead);
	return NULL;
}

void prn_ahead_free(struct prn_ahead *ahead)
{
	if (!ahead)
		return;
	if (ahead->spare)
		prn_spare_withdraw(ahead->spare);
	prn_spare_drop(ahead->spare);
	for (size_t i = 0; ahead->segments && i < ahead->segment_count; i++) {
		struct segment *segment = &ahead->segments[i];

		if (segment->unpacker)
			ahead->kind->free(segment->unpacker);
		free(segment->in);
		free(segment->out);
		free(segment->members);
	}
	pthread_cond_destroy(&ahead->ready);
	pthread_mutex_destroy(&ahead->lock);
	free(ahead->segments);
	free(ahead);
}

/* Under the lock: frees segments before the reader's position.  Returns how many segments became free. */
static size_t free_passed(struct prn_ahead *ahead, uint64_t offset)
{
	size_t count = 0;

	for (size_t i = 0; i < ahead->segment_count; i++) {
		struct segment *segment = &ahead->segments[i];

		if (segment->stage == READY && segment->start + SEGMENT_BYTES <= offset) {
			segment->stage = FREE;
			count++;
		}
	}
	return count;
}

/*
 * Under the lock: returns the decoded segment that contains the offset, or NULL.  While it is not ready, the
 * reader decodes another one.
 */
static struct segment *await_segment(struct prn_ahead *ahead, uint64_t offset)
{
	for (size_t i = 0; i < ahead->segment_count; i++) {
		struct segment *segment = &ahead->segments[i], *other;

		if (segment->stage == FREE || offset < segment->start || offset - segment->start >= SEGMENT_BYTES)
			continue;
		while (segment->stage == UNPACKING) {
			other = begin_segment(ahead);
			if (other)
				unpack_segment(ahead, other);
			else
				pthread_cond_wait(&ahead->ready, &ahead->lock);
		}
		return segment;
	}
	return NULL;
}

static const struct member *find_member(struct segment *segment, uint64_t offset)
{
	while (segment->taken < segment->count && segment->members[segment->taken].offset < offset)
		segment->taken++;
	if (segment->taken == segment->count || segment->members[segment->taken].offset > offset)
		return NULL;
	return &segment->members[segment->taken];
}

bool prn_ahead_take(struct prn_ahead *ahead, uint64_t offset, size_t *packed, const unsigned char **bytes, size_t *length)
{
	const struct member *member;
	struct segment *segment;
	size_t pieces;

	pthread_mutex_lock(&ahead->lock);
	pieces = ahead->next ? free_passed(ahead, offset) : ahead->segment_count;
	/* No thread has come so far: the reader decodes this piece, others what follows. */
	if (offset >= ahead->next)
		ahead->next = offset + SEGMENT_BYTES;
	segment = await_segment(ahead, offset);
	member = segment ? find_member(segment, offset) : NULL;
	if (member) {
		*packed = member->packed;
		*bytes = segment->out + member->at;
		*length = member->length;
	}
	pthread_mutex_unlock(&ahead->lock);
	while (pieces--)
		prn_spare_notify(ahead->spare);
	return member;
}
