/*
 * The records are little-endian, and their numbers are IEEE 754 in 4 bytes.
 *
 * The record of a page: the format, 1 byte, which is 1 plus some of the bits 1, 2 and 4; watched, 2 numbers; with bit 1 the key of its
 * index, 16 bytes, as PRN_SIDE_PAGE_SOURCES has keys; with bit 2 the digest of its text, 8 bytes; each source: number, stamp and counted,
 * 8 bytes each, and the hints before and since the last visit, 2 numbers; with bit 4, which older programs did not set, a checksum
 * (sides.h).
 *
 * The record of a host in format 4: the format, 1 byte; added and added_below, 4 bytes each; a checksum of these; each source: its length,
 * variable, then number, named and day, 8 bytes each; today, 4; depth, 1; the length of its trust, 1, and that as prn_trust_pack writes it;
 * its name; a checksum.  Format 2 has no checksums, and there is no format 3.  Format 1 has no added_below either, and of each source named,
 * day, today, its trust, the length of its name, 1 byte, and its name.
 */
#include "decide/hint_sources.h"

#include "base/buffer.h"
#include "decide/side_validators.h"
#include "decide/sides.h"
#include "perennial/url.h"
#include "store/record.h"

#include <math.h>
#include <string.h>

#define PAGE_FORMAT 1
#define PAGE_FORMAT_LAST 8
#define PAGE_HAS_INDEX 1u /* bits of the format's number, less 1 */
#define PAGE_HAS_TEXT 2u
#define PAGE_HAS_SUM 4u
#define HOST_FORMAT_1 1
#define HOST_FORMAT_2 2
#define HOST_FORMAT 4 /* no flipped bit makes it another */
#define HOST_HEAD_BYTES 9

/* A source that has given no hint for so long is dropped. */
#define SILENT_S (90.0 * PRN_DAY_S)

uint64_t prn_source_number(const char *name)
{
	return prn_digest_bytes(name, strlen(name)).low;
}

unsigned prn_source_depth(const char *name)
{
	const char *path;
	unsigned depth = 0;

	if (strncmp(name, "http://", 7) && strncmp(name, "https://", 8))
		return 0;
	path = name + strcspn(name, ":") + strlen("://");
	path += strcspn(path, "/?#");
	for (path += *path == '/'; *path && *path != '?' && *path != '#'; path++)
		depth += *path == '/' && depth < PRN_SOURCE_DEPTH - 1;
	return depth + (*path == '?');
}

static int append_number(struct prn_buffer *out, double number)
{
	float single = (float)number;
	uint32_t bits;

	memcpy(&bits, &single, sizeof bits);
	return prn_buffer_append_u32(out, bits);
}

/* Takes a count or a time, from 0 up. */
static int take_number(struct prn_cursor *cursor, double *number)
{
	uint32_t bits;
	float single;

	if (prn_cursor_u32(cursor, &bits))
		return PRN_E_DAMAGED;
	memcpy(&single, &bits, sizeof single);
	*number = single;
	return single >= 0 && isfinite(single) ? 0 : PRN_E_DAMAGED;
}

static int take_byte(struct prn_cursor *cursor, unsigned *byte)
{
	const unsigned char *bytes;
	int code = prn_cursor_bytes(cursor, 1, &bytes);

	*byte = code ? 0 : *bytes;
	return code;
}

static int append_byte(struct prn_buffer *out, size_t byte)
{
	unsigned char bytes[1] = { (unsigned char)byte };

	return prn_buffer_append(out, bytes, 1);
}

static int decode_page(struct prn_page_sources *page, struct prn_cursor *cursor)
{
	const unsigned char *index;
	unsigned format = cursor->length ? *cursor->data : 0;

	if ((format - PAGE_FORMAT) & PAGE_HAS_SUM && !prn_sides_unseal(cursor))
		return PRN_E_DAMAGED;
	if (take_byte(cursor, &format) || format < PAGE_FORMAT || format > PAGE_FORMAT_LAST ||
	    take_number(cursor, &page->watched.time) || take_number(cursor, &page->watched.changes))
		return PRN_E_DAMAGED;
	if ((format - PAGE_FORMAT) & PAGE_HAS_INDEX) {
		if (prn_cursor_bytes(cursor, PRN_KEY_BYTES, &index))
			return PRN_E_DAMAGED;
		page->index = prn_key_read(index);
	}
	if ((format - PAGE_FORMAT) & PAGE_HAS_TEXT && prn_cursor_u64(cursor, &page->text))
		return PRN_E_DAMAGED;
	for (; cursor->at < cursor->length; page->count++) {
		struct prn_page_source *source = &page->sources[page->count];

		if (page->count == PRN_PAGE_SOURCES || prn_cursor_u64(cursor, &source->number) || prn_cursor_i64(cursor, &source->stamp) ||
		    prn_cursor_i64(cursor, &source->counted) || take_number(cursor, &source->counts.before) ||
		    take_number(cursor, &source->counts.since))
			return PRN_E_DAMAGED;
	}
	return 0;
}

static int take_trust(struct prn_cursor *cursor, struct prn_trust *trust)
{
	const unsigned char *bytes;
	unsigned length;

	return take_byte(cursor, &length) || prn_cursor_bytes(cursor, length, &bytes) || prn_trust_unpack(trust, bytes, length);
}

static int take_name(struct prn_cursor *cursor, size_t length, char name[PRN_SOURCE_BYTES + 1])
{
	const unsigned char *bytes;

	if (!length || length > PRN_SOURCE_BYTES || prn_cursor_bytes(cursor, length, &bytes) || memchr(bytes, 0, length))
		return PRN_E_DAMAGED;
	memcpy(name, bytes, length);
	name[length] = 0;
	return 0;
}

static int take_source_1(struct prn_cursor *cursor, struct prn_host_source *source)
{
	unsigned length;

	if (prn_cursor_i64(cursor, &source->named) || prn_cursor_i64(cursor, &source->day) || prn_cursor_u32(cursor, &source->today) ||
	    take_trust(cursor, &source->trust) || take_byte(cursor, &length) || take_name(cursor, length, source->name))
		return PRN_E_DAMAGED;
	source->number = prn_source_number(source->name);
	source->depth = prn_source_depth(source->name);
	return 0;
}

static int take_source(struct prn_cursor *cursor, struct prn_host_source *source)
{
	return prn_cursor_u64(cursor, &source->number) || prn_cursor_i64(cursor, &source->named) ||
	       prn_cursor_i64(cursor, &source->day) || prn_cursor_u32(cursor, &source->today) ||
	       take_byte(cursor, &source->depth) || take_trust(cursor, &source->trust) ||
	       take_name(cursor, cursor->length - cursor->at, source->name);
}

/* Takes the bytes of the next source, behind their length.  Returns false if the length is damaged, so that the rest cannot be read. */
static bool take_part(struct prn_cursor *cursor, struct prn_cursor *part)
{
	uint64_t length;

	if (prn_cursor_varint(cursor, &length) || length > cursor->length - cursor->at)
		return false;
	*part = (struct prn_cursor){ cursor->data + cursor->at, (size_t)length, 0 };
	cursor->at += (size_t)length;
	return true;
}

static void decode_sources(struct prn_host_sources *host, struct prn_cursor *cursor, unsigned format)
{
	bool goes_on = true;

	while (goes_on && cursor->at < cursor->length) {
		struct prn_host_source source = { 0 };
		struct prn_cursor part;
		bool good;

		if (format == HOST_FORMAT_1)
			good = goes_on = !take_source_1(cursor, &source);
		else
			good = (goes_on = take_part(cursor, &part)) && (format == HOST_FORMAT_2 || prn_sides_unseal(&part)) &&
			       !take_source(&part, &source);
		if (good && host->count < PRN_HOST_SOURCES && !prn_host_sources_find(host, source.number))
			host->sources[host->count++] = source;
		else
			host->damaged++;
	}
}

int prn_host_sources_decode(struct prn_host_sources *host, const void *bytes, size_t count)
{
	struct prn_cursor cursor = { bytes, count, 0 }, head = { bytes, HOST_HEAD_BYTES + PRN_CHECKSUM_BYTES, 0 };
	unsigned format;

	*host = (struct prn_host_sources){ 0 };
	if (take_byte(&cursor, &format) || format < HOST_FORMAT_1 || (format > HOST_FORMAT_2 && format != HOST_FORMAT) ||
	    prn_cursor_u32(&cursor, &host->added) || (format > HOST_FORMAT_1 && prn_cursor_u32(&cursor, &host->added_below)))
		return PRN_E_DAMAGED;
	if (format > HOST_FORMAT_2) {
		cursor.at += PRN_CHECKSUM_BYTES;
		if (cursor.at > cursor.length || !prn_sides_unseal(&head))
			return PRN_E_DAMAGED;
	}
	decode_sources(host, &cursor, format);
	return 0;
}

bool prn_page_sources_are_whole(const void *bytes, size_t count)
{
	struct prn_page_sources page = { 0 };

	return !decode_page(&page, &(struct prn_cursor){ bytes, count, 0 });
}

int prn_page_sources_read(struct prn_page_sources *page, const struct prn_store_reader *reader, const struct prn_digest *key,
                       struct prn_error *error)
{
	const void *bytes = NULL;
	size_t count = 0;
	int code = prn_sides_read(reader, PRN_SIDE_PAGE_SOURCES, key, &bytes, &count, error);

	*page = (struct prn_page_sources){ 0 };
	if (!code && decode_page(page, &(struct prn_cursor){ bytes, count, 0 }))
		*page = (struct prn_page_sources){ 0 };
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_host_sources_read(struct prn_host_sources *host, const struct prn_store_reader *reader, struct prn_host_name name,
                       struct prn_error *error)
{
	const void *bytes = NULL;
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_HOST_SOURCES, name.text, name.length, &bytes, &count, error);

	*host = (struct prn_host_sources){ 0 };
	if (!code && prn_host_sources_decode(host, bytes, count))
		*host = (struct prn_host_sources){ .damaged = 1 };
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

static int encode_page(const struct prn_page_sources *page, struct prn_buffer *out)
{
	bool listed = prn_page_sources_is_listed(page);
	unsigned format = PAGE_FORMAT + (listed ? PAGE_HAS_INDEX : 0) + (page->text ? PAGE_HAS_TEXT : 0) + PAGE_HAS_SUM;
	unsigned char index[PRN_KEY_BYTES];

	prn_key_bytes(&page->index, index);
	if (append_byte(out, format) || append_number(out, page->watched.time) || append_number(out, page->watched.changes) ||
	    (listed && prn_buffer_append(out, index, sizeof index)) || (page->text && prn_buffer_append_u64(out, page->text)))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < page->count; i++) {
		const struct prn_page_source *source = &page->sources[i];

		if (prn_buffer_append_u64(out, source->number) || prn_buffer_append_u64(out, (uint64_t)source->stamp) ||
		    prn_buffer_append_u64(out, (uint64_t)source->counted) || append_number(out, source->counts.before) ||
		    append_number(out, source->counts.since))
			return PRN_E_MEMORY;
	}
	return prn_sides_seal(out, 0);
}

int prn_page_sources_put(const struct prn_page_sources *page, struct prn_batch *batch, const struct prn_digest *key,
                      struct prn_error *error)
{
	struct prn_buffer out = { 0 };
	int code = encode_page(page, &out) ? prn_error_memory(error)
	                                   : prn_sides_put(batch, PRN_SIDE_PAGE_SOURCES, key, out.data, out.length, error);

	prn_buffer_release(&out);
	return code;
}

static int encode_source(const struct prn_host_source *source, struct prn_buffer *out)
{
	unsigned char trust[PRN_TRUST_BYTES];
	size_t packed = prn_trust_pack(&source->trust, trust, sizeof trust);

	prn_buffer_clear(out);
	return prn_buffer_append_u64(out, source->number) || prn_buffer_append_u64(out, (uint64_t)source->named) ||
	       prn_buffer_append_u64(out, (uint64_t)source->day) || prn_buffer_append_u32(out, source->today) ||
	       append_byte(out, source->depth) || append_byte(out, packed) || prn_buffer_append(out, trust, packed) ||
	       prn_buffer_append(out, source->name, strlen(source->name)) || prn_sides_seal(out, 0);
}

int prn_host_sources_put(const struct prn_host_sources *host, struct prn_batch *batch, struct prn_host_name name,
                      struct prn_error *error)
{
	struct prn_buffer out = { 0 }, part = { 0 };
	bool empty = !host->count && !host->added;
	bool failed = append_byte(&out, HOST_FORMAT) || prn_buffer_append_u32(&out, host->added) ||
	              prn_buffer_append_u32(&out, host->added_below) || prn_sides_seal(&out, 0);
	int code;

	for (size_t i = 0; i < host->count && !failed; i++)
		failed = encode_source(&host->sources[i], &part) || prn_buffer_append_varint(&out, part.length) ||
		         prn_buffer_append(&out, part.data, part.length);
	code = failed ? prn_error_memory(error)
	              : prn_batch_side_put(batch, PRN_SIDE_HOST_SOURCES, name.text, name.length, empty ? NULL : out.data,
	                                   empty ? 0 : out.length, error);
	prn_buffer_release(&out);
	prn_buffer_release(&part);
	return code;
}

bool prn_host_sources_prune(struct prn_host_sources *host, int64_t now)
{
	size_t kept = 0;
	bool pruned;

	for (size_t i = 0; i < host->count; i++)
		if ((double)now - (double)host->sources[i].named <= SILENT_S)
			host->sources[kept++] = host->sources[i];
	pruned = kept < host->count || host->damaged;
	host->count = kept;
	host->damaged = 0;
	return pruned;
}

bool prn_page_sources_is_listed(const struct prn_page_sources *page)
{
	return page->index.high || page->index.low;
}

struct prn_page_source *prn_page_sources_find(struct prn_page_sources *page, uint64_t number)
{
	for (size_t i = 0; i < page->count; i++)
		if (page->sources[i].number == number)
			return &page->sources[i];
	return NULL;
}

struct prn_host_source *prn_host_sources_find(struct prn_host_sources *host, uint64_t number)
{
	for (size_t i = 0; i < host->count; i++)
		if (host->sources[i].number == number)
			return &host->sources[i];
	return NULL;
}

struct prn_hints prn_sources_hints(const struct prn_page_sources *page, struct prn_host_sources *host, size_t *whose)
{
	struct prn_hints best = { 0 }, hints;

	*whose = page->count;
	for (size_t i = 0; i < page->count; i++) {
		const struct prn_host_source *source = prn_host_sources_find(host, page->sources[i].number);

		if (!source)
			continue;
		prn_trust_hints(&source->trust, &page->sources[i].counts, &page->watched, &hints);
		if (hints.trust > best.trust || !(best.rate > 0)) {
			best = hints;
			*whose = i;
		}
	}
	return best;
}

/*
 * Counts the visit for one source.  A hint that was counted after the visit stays for the next one; if there were several since the
 * visit before, only the last one is known to have come after.
 */
static void prove(struct prn_page_source *source, struct prn_trust *trust, const struct prn_watched *watched,
                  const struct prn_sources_visit *visit, double days)
{
	double after = source->counted > visit->time && source->counted <= visit->now ? fmin(source->counts.since, 1) : 0;

	source->counts.since -= after;
	prn_trust_visit(trust, &source->counts, watched, days, visit->changed);
	source->counts.since = after;
}

int prn_sources_visit(struct prn_batch *batch, struct prn_entry *entry, const struct prn_sources_visit *visit,
                   struct prn_error *error)
{
	struct prn_store_reader reader = { .batch = batch };
	struct prn_host_name name = prn_host_name(prn_entry_normal(entry));
	double days = ((double)visit->time - (double)entry->state.visited) / PRN_DAY_S;
	bool was_due = entry->due != PRN_TIME_UNKNOWN && entry->due <= visit->time;
	struct prn_page_sources page;
	struct prn_host_sources host;
	struct prn_sources_visit seen = *visit;
	struct prn_validators validators;
	struct prn_hints hints;
	uint64_t before;
	size_t whose;
	int code;

	if (!entry->state.visits || !(entry->state.hints.rate > 0) || !(days > 0))
		return 0;
	code = prn_page_sources_read(&page, &reader, &entry->key, error);
	if (!code)
		code = prn_host_sources_read(&host, &reader, name, error);
	if (code)
		return code;
	before = page.text;
	/* At the first visit since the page was named, its text before is the one that is kept with its validators, unless that is suspect. */
	if (!before && entry->state.status == PRN_PAGE_LIVE)
		code = prn_side_validators_read(&validators, &before, &reader, &entry->key, error);
	if (code)
		return code;
	if (visit->text && before)
		seen.changed = visit->text != before;
	if (visit->text || seen.changed)
		page.text = visit->text;
	for (size_t i = 0; i < page.count; i++) {
		struct prn_host_source *source = prn_host_sources_find(&host, page.sources[i].number);

		if (source)
			prove(&page.sources[i], &source->trust, &page.watched, &seen, days);
	}
	prn_watched_visit(&page.watched, days, seen.changed);
	prn_host_sources_prune(&host, visit->now);
	hints = prn_sources_hints(&page, &host, &whose);
	hints.ahead = prn_hints_ahead(entry->state.hints.ahead, was_due, days, visit->earning);
	prn_page_state_hint(&entry->state, &hints);
	code = prn_page_sources_put(&page, batch, &entry->key, error);
	return code ? code : prn_host_sources_put(&host, batch, name, error);
}
