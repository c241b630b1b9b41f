/*
 * Little-endian.  Of a page: the format's number, 1 byte; watched, 2 x 4 bytes (IEEE 754, as all numbers here); each source,
 * 32 bytes: number, stamp, counted, 8 each; hints before and since the last visit, 4 each.
 *
 * Of a host: the format's number, 1 byte; pages added, 4; each source: told and day, 8 each; today, 4; how long its trust
 * is, 1 byte, and that as prn_trust_pack has it; how long its name is, 1 byte, and that.
 */
#include "decide/told.h"

#include "base/buffer.h"
#include "perennial/url.h"

#include <math.h>
#include <string.h>

#define FORMAT 1

uint64_t prn_source_number(const char *name)
{
	return prn_digest_bytes(name, strlen(name)).low;
}

static int append_number(struct prn_buffer *out, double number)
{
	float single = (float)number;
	uint32_t bits;

	memcpy(&bits, &single, sizeof bits);
	return prn_buffer_append_u32(out, bits);
}

/* A count or a time, from 0 up. */
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

static int take_time(struct prn_cursor *cursor, int64_t *time)
{
	uint64_t bits;
	int code = prn_cursor_u64(cursor, &bits);

	*time = (int64_t)bits;
	return code;
}

static int take_format(struct prn_cursor *cursor)
{
	const unsigned char *format;

	return prn_cursor_bytes(cursor, 1, &format) || *format != FORMAT ? PRN_E_DAMAGED : 0;
}

static int append_byte(struct prn_buffer *out, size_t byte)
{
	unsigned char bytes[1] = { (unsigned char)byte };

	return prn_buffer_append(out, bytes, 1);
}

static int take_page_source(struct prn_cursor *cursor, struct prn_page_source *source)
{
	if (prn_cursor_u64(cursor, &source->number) || take_time(cursor, &source->stamp) ||
	    take_time(cursor, &source->counted) || take_number(cursor, &source->told.before) ||
	    take_number(cursor, &source->told.since))
		return PRN_E_DAMAGED;
	return 0;
}

static int decode_page(struct prn_page_told *told, struct prn_cursor *cursor)
{
	if (take_format(cursor) || take_number(cursor, &told->watched.time) ||
	    take_number(cursor, &told->watched.changes))
		return PRN_E_DAMAGED;
	for (; cursor->at < cursor->length; told->count++)
		if (told->count == PRN_PAGE_SOURCES || take_page_source(cursor, &told->sources[told->count]))
			return PRN_E_DAMAGED;
	return 0;
}

static int take_host_source(struct prn_cursor *cursor, struct prn_host_source *source)
{
	const unsigned char *length, *bytes;

	if (take_time(cursor, &source->told) || take_time(cursor, &source->day) ||
	    prn_cursor_u32(cursor, &source->today) || prn_cursor_bytes(cursor, 1, &length) ||
	    prn_cursor_bytes(cursor, *length, &bytes) || prn_trust_unpack(&source->trust, bytes, *length) ||
	    prn_cursor_bytes(cursor, 1, &length) || *length > PRN_SOURCE_BYTES || !*length ||
	    prn_cursor_bytes(cursor, *length, &bytes) || memchr(bytes, 0, *length))
		return PRN_E_DAMAGED;
	memcpy(source->name, bytes, *length);
	source->name[*length] = 0;
	return 0;
}

int prn_host_told_decode(struct prn_host_told *told, const void *bytes, size_t count)
{
	struct prn_cursor cursor = { bytes, count, 0 };

	*told = (struct prn_host_told){ 0 };
	if (take_format(&cursor) || prn_cursor_u32(&cursor, &told->added))
		return PRN_E_DAMAGED;
	for (; cursor.at < cursor.length; told->count++)
		if (told->count == PRN_HOST_SOURCES || take_host_source(&cursor, &told->sources[told->count]))
			return PRN_E_DAMAGED;
	return 0;
}

int prn_page_told_read(struct prn_page_told *told, const struct prn_store_reader *reader, const struct prn_digest *key,
                       struct prn_error *error)
{
	unsigned char name[16];
	const void *bytes = NULL;
	size_t count = 0;
	int code;

	*told = (struct prn_page_told){ 0 };
	prn_key_bytes(key, name);
	code = prn_store_reader_side(reader, PRN_SIDE_TOLD, name, sizeof name, &bytes, &count, error);
	if (!code && decode_page(told, &(struct prn_cursor){ bytes, count, 0 }))
		*told = (struct prn_page_told){ 0 };
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_host_told_read(struct prn_host_told *told, const struct prn_store_reader *reader, struct prn_host_name host,
                       struct prn_error *error)
{
	const void *bytes = NULL;
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_SOURCES, host.text, host.length, &bytes, &count, error);

	*told = (struct prn_host_told){ 0 };
	if (!code && prn_host_told_decode(told, bytes, count))
		*told = (struct prn_host_told){ 0 };
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_page_told_put(const struct prn_page_told *told, struct prn_batch *batch, const struct prn_digest *key,
                      struct prn_error *error)
{
	struct prn_buffer out = { 0 };
	unsigned char name[16];
	int code = append_byte(&out, FORMAT);

	prn_key_bytes(key, name);
	if (!code)
		code = append_number(&out, told->watched.time);
	if (!code)
		code = append_number(&out, told->watched.changes);
	for (size_t i = 0; i < told->count && !code; i++) {
		const struct prn_page_source *source = &told->sources[i];

		if (prn_buffer_append_u64(&out, source->number) || prn_buffer_append_u64(&out, (uint64_t)source->stamp) ||
		    prn_buffer_append_u64(&out, (uint64_t)source->counted) || append_number(&out, source->told.before) ||
		    append_number(&out, source->told.since))
			code = PRN_E_MEMORY;
	}
	if (code)
		prn_error_memory(error);
	else
		code = prn_batch_side_put(batch, PRN_SIDE_TOLD, name, sizeof name, out.data, out.length, error);
	prn_buffer_release(&out);
	return code;
}

static int append_source(struct prn_buffer *out, const struct prn_host_source *source)
{
	unsigned char trust[PRN_TRUST_BYTES];
	size_t packed = prn_trust_pack(&source->trust, trust, sizeof trust), length = strlen(source->name);

	return prn_buffer_append_u64(out, (uint64_t)source->told) || prn_buffer_append_u64(out, (uint64_t)source->day) ||
	       prn_buffer_append_u32(out, source->today) || append_byte(out, packed) ||
	       prn_buffer_append(out, trust, packed) || append_byte(out, length) ||
	       prn_buffer_append(out, source->name, length);
}

int prn_host_told_put(const struct prn_host_told *told, struct prn_batch *batch, struct prn_host_name host,
                      struct prn_error *error)
{
	struct prn_buffer out = { 0 };
	bool failed = append_byte(&out, FORMAT) || prn_buffer_append_u32(&out, told->added);
	int code;

	for (size_t i = 0; i < told->count && !failed; i++)
		failed = append_source(&out, &told->sources[i]);
	code = failed ? prn_error_memory(error)
	              : prn_batch_side_put(batch, PRN_SIDE_SOURCES, host.text, host.length, out.data, out.length, error);
	prn_buffer_release(&out);
	return code;
}

struct prn_page_source *prn_page_told_find(struct prn_page_told *told, uint64_t number)
{
	for (size_t i = 0; i < told->count; i++)
		if (told->sources[i].number == number)
			return &told->sources[i];
	return NULL;
}

struct prn_host_source *prn_host_told_find(struct prn_host_told *told, uint64_t number)
{
	for (size_t i = 0; i < told->count; i++)
		if (prn_source_number(told->sources[i].name) == number)
			return &told->sources[i];
	return NULL;
}

struct prn_hints prn_told_hints(const struct prn_page_told *page, struct prn_host_told *host)
{
	struct prn_hints best = { 0 }, hints;

	for (size_t i = 0; i < page->count; i++) {
		const struct prn_host_source *source = prn_host_told_find(host, page->sources[i].number);

		if (!source)
			continue;
		prn_trust_hints(&source->trust, &page->sources[i].told, &page->watched, &hints);
		if (hints.trust > best.trust || !(best.rate > 0))
			best = hints;
	}
	return best;
}

int prn_told_visit(struct prn_batch *batch, struct prn_entry *entry, double interval_s, bool changed,
                   struct prn_error *error)
{
	struct prn_store_reader reader = { .batch = batch };
	struct prn_host_name name = prn_host_name(prn_entry_normal(entry));
	double days = interval_s / PRN_DAY_S;
	struct prn_page_told page;
	struct prn_host_told host;
	struct prn_hints hints;
	int code;

	if (!(entry->state.hints.rate > 0) || !(days > 0))
		return 0;
	code = prn_page_told_read(&page, &reader, &entry->key, error);
	if (!code)
		code = prn_host_told_read(&host, &reader, name, error);
	if (code)
		return code;
	for (size_t i = 0; i < page.count; i++) {
		struct prn_host_source *source = prn_host_told_find(&host, page.sources[i].number);

		if (source)
			prn_trust_visit(&source->trust, &page.sources[i].told, &page.watched, days, changed);
	}
	prn_watched_visit(&page.watched, days, changed);
	hints = prn_told_hints(&page, &host);
	prn_page_state_hint(&entry->state, &hints);
	code = prn_page_told_put(&page, batch, &entry->key, error);
	return code ? code : prn_host_told_put(&host, batch, name, error);
}
