#include "archive/warc.h"
#include "base/buffer.h"
#include "archive/fields.h"
#include "archive/span.h"
#include "archive/stream.h"
#include "archive/warc_header.h"
#include "perennial/hint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_TAKEN 1024 /* bytes of a header that are read at a time: most headers are no longer */
#define BELIEVED_BYTES 4096 /* bytes of a header within a damaged record */
#define TOO_LONG "its header does not end within 65536 bytes"
#define NEWLINES_MAX 64  /* line ends skipped between records; two are required */

struct prn_warc {
	struct prn_stream *stream;
	char *path;
	struct prn_buffer header;
	uint64_t member, position; /* where the current record starts */
	uint64_t left;             /* bytes of its block left */
	const char *url;           /* the record's URL, in header, or NULL */
	bool inside;               /* a block is being read */
	bool cut;                  /* the last record is complete, but the file was truncated after it */
	bool ended;

	uint64_t first;   /* the first member of the file */
	uint64_t gave;    /* the last member that went on after a whole record, or UINT64_MAX */
	bool pieces;      /* members end inside records, so that they say nothing of where records begin */
	bool headless;    /* what stands there does not begin with WARC/ */
	bool bad;         /* the current record's header cannot be read, but for its length */

	bool claims;      /* the header of a record was read, and its end is not confirmed yet: */
	uint64_t claimed; /* … bytes of the block, as the header says */
	struct prn_span span; /* the bytes that a failed record claimed to hold */
	uint64_t taken;   /* bytes of the block that were read */
	uint64_t block;   /* where the block starts, as position */
	uint64_t kept;    /* for a failed record: bytes of its block before the next one, … */
	bool is_partial;  /* … which are good: its length is wrong, or its end is missing */
};

static int fault(const struct prn_warc *warc, struct prn_error *error, int code, const char *text)
{
	prn_error_set(error, code, "%s", text);
	prn_warc_locate(warc, error);
	return code;
}

void prn_warc_locate(const struct prn_warc *warc, struct prn_error *error)
{
	char place[96];

	if (prn_stream_is_plain(warc->stream) || !warc->position)
		snprintf(place, sizeof place, "%llu", (unsigned long long)(warc->member + warc->position));
	else
		snprintf(place, sizeof place, "%llu, %llu bytes into its member", (unsigned long long)warc->member,
		         (unsigned long long)warc->position);
	if (warc->url)
		prn_error_prefix(error, "record at offset %s (%.200s)", place, warc->url);
	else
		prn_error_prefix(error, "record at offset %s", place);
	prn_error_prefix(error, "%s", warc->path);
}

/* "WARC/1.1", or "WARC/0.18", and a line end: a record begins with this, and hardly anything else contains it. */
static bool is_version_line(const unsigned char *bytes)
{
	size_t digits = bytes[5] == '1' ? 1 : bytes[5] == '0' && bytes[7] == '1' ? 2 : 0;

	return digits && bytes[6] == '.' && bytes[6 + digits] >= '0' && bytes[6 + digits] <= '9' &&
	       (bytes[7 + digits] == '\r' || bytes[7 + digits] == '\n');
}

/*
 * Searches the rest of the member for a version line: 1, or 0 if there is none.  It need not be at a line
 * start: the line end before it may be what was damaged.
 */
static int find_record(struct prn_warc *warc, struct prn_error *error)
{
	static const char mark[] = "WARC/";
	const size_t length = sizeof mark - 1, line = length + 5;

	for (;;) {
		const unsigned char *bytes, *found;
		size_t there;
		int code = prn_stream_peek(warc->stream, line, &bytes, &there, error);

		if (code)
			return code;
		if (there < line)
			return 0;
		found = memmem(bytes, there - 5, mark, length);
		if (found) {
			prn_stream_take(warc->stream, (size_t)(found - bytes));
			if (is_version_line(found))
				return 1;
		}
		prn_stream_take(warc->stream, found ? 1 : there - line + 1);
	}
}

static bool begins_record(const unsigned char *bytes, size_t length)
{
	return length >= 5 && !memcmp(bytes, "WARC/", 5);
}

/*
 * Tells whether a record that begins here is to be accepted: it is outside the range that a damaged record
 * claims, or of its host.
 */
static bool is_acceptable(struct prn_warc *warc)
{
	uint64_t position = prn_stream_position(warc->stream);
	struct prn_warc_record record;
	const unsigned char *bytes;
	struct prn_buffer header = { 0 };
	size_t length, end;
	bool is = false;

	if (!prn_stream_is_plain(warc->stream) || position >= warc->span.end)
		return true;
	/* There may be one at every few bytes, so only short headers are tried, each with little work. */
	if (prn_stream_peek(warc->stream, BELIEVED_BYTES, &bytes, &length, NULL))
		return false;
	end = prn_fields_end(bytes, length < BELIEVED_BYTES ? length : BELIEVED_BYTES);
	if (end && !prn_buffer_append(&header, bytes, end) && !prn_buffer_terminate(&header))
		is = !prn_warc_header_parse(&record, (char *)header.data, end) &&
		     prn_span_believes(&warc->span, position, record.target_uri);
	prn_buffer_release(&header);
	return is;
}

/* Tells whether the bytes read need no verification, or the compressed data were verified to the end of their member. */
static bool is_sure(struct prn_warc *warc)
{
	const unsigned char *bytes;
	size_t length;

	if (prn_stream_is_plain(warc->stream))
		return true;
	return !prn_stream_peek(warc->stream, PRN_STREAM_WINDOW, &bytes, &length, NULL) && length < PRN_STREAM_WINDOW;
}

/*
 * Tells whether records may follow in the rest of the member.  Where each record is a member of its own, what looks like one
 * there is text of the damaged record's page.
 */
static bool may_hold_more(struct prn_warc *warc)
{
	uint64_t member = prn_stream_member(warc->stream);

	return prn_stream_is_plain(warc->stream) || warc->pieces || member == warc->first || member == warc->gave ||
	       (warc->headless && is_sure(warc));
}

/* Takes the rest of the member: 0, or the error in it. */
static int drop_member(struct prn_warc *warc, struct prn_error *error)
{
	const unsigned char *bytes;
	size_t length = 1;
	int code = 0;

	while (!code && length) {
		code = prn_stream_peek(warc->stream, 1, &bytes, &length, error);
		if (!code)
			prn_stream_take(warc->stream, length);
	}
	return code;
}

/* Moves to the next position that seems to be a record: 1, or 0 at the end. */
static int resync(struct prn_warc *warc, struct prn_error *error)
{
	int code;

	if (!may_hold_more(warc)) {
		code = drop_member(warc, error);
		goto dropped;
	}
	/* The length that a damaged record claims may cover whole records after it. */
	if (prn_stream_is_plain(warc->stream))
		prn_stream_rewind(warc->stream, warc->position + 1);
	while ((code = find_record(warc, error)) > 0 && !is_acceptable(warc))
		prn_stream_take(warc->stream, 1);
dropped:
	/* A member that continues with another record counts as damaged too: both begin with WARC/. */
	if (!code)
		code = prn_stream_next_member(warc->stream, error);
	if (code == PRN_E_INPUT || code == PRN_E_TRUNCATED)
		code = prn_stream_resync(warc->stream, begins_record, error);
	return code;
}

static void claim(struct prn_warc *warc)
{
	uint64_t end = warc->claimed < UINT64_MAX - warc->block ? warc->block + warc->claimed : UINT64_MAX;

	if (warc->bad)
		prn_span_claim_unknown(&warc->span, warc->stream, end, warc->url, true);
	else
		prn_span_claim(&warc->span, warc->stream, end, warc->url, true);
}

/*
 * The end of every failure: *error was filled with code.  A file that seems truncated, but has records further
 * on, was damaged.
 */
static int fail(struct prn_warc *warc, int code, struct prn_error *error)
{
	struct prn_error other = { 0 };
	uint64_t member = prn_stream_member(warc->stream), end = prn_stream_position(warc->stream);
	int found;

	if (warc->claims && prn_stream_is_plain(warc->stream))
		claim(warc);
	warc->claims = false;
	warc->inside = false;
	if (code != PRN_E_INPUT && code != PRN_E_TRUNCATED) {
		warc->ended = true;
		return code;
	}
	found = resync(warc, &other);
	warc->headless = false;
	/* The next record may lie within the length that this one claimed. */
	if (found > 0 && prn_stream_is_plain(warc->stream) && prn_stream_member(warc->stream) == member &&
	    prn_stream_position(warc->stream) < end)
		warc->kept = prn_stream_position(warc->stream) > warc->block ? prn_stream_position(warc->stream) - warc->block : 0;
	warc->ended = found <= 0;
	if (found < 0) {
		prn_error_prefix(&other, "%s", warc->path);
		if (error)
			*error = other;
		return found;
	}
	if (!found || code == PRN_E_INPUT)
		return code;
	if (error) {
		error->code = PRN_E_INPUT;
		strncat(error->text, ", or it is damaged: records follow", sizeof error->text - strlen(error->text) - 1);
	}
	return PRN_E_INPUT;
}

static int fail_here(struct prn_warc *warc, int code, const char *text, struct prn_error *error)
{
	return fail(warc, fault(warc, error, code, text), error);
}

/* The length of the record is wrong, or its end is missing; the bytes read of it are good. */
static void note_partial(struct prn_warc *warc)
{
	warc->is_partial = warc->inside;
	warc->kept = warc->taken;
}

static int fail_stream(struct prn_warc *warc, int code, struct prn_error *error)
{
	bool ends = code == PRN_E_TRUNCATED;

	/*
	 * Nothing verifies truncated compressed data.  If records follow, the data were damaged, and no record
	 * came of them.
	 */
	if (ends)
		note_partial(warc);
	if (warc->url || (warc->position && !prn_stream_is_plain(warc->stream)))
		prn_warc_locate(warc, error);
	else
		prn_error_prefix(error, "%s", warc->path);
	code = fail(warc, code, error);
	warc->is_partial &= !ends || code == PRN_E_TRUNCATED;
	return code;
}

/*
 * Shows more bytes of the current record.  A member may end inside it, as in files compressed in pieces of
 * fixed size; but a member that begins with a record of its own is not its continuation.
 */
static int more(struct prn_warc *warc, const unsigned char **bytes, size_t *length, struct prn_error *error)
{
	for (;;) {
		int code = prn_stream_peek(warc->stream, 1, bytes, length, error);

		if (code)
			return fail_stream(warc, code, error);
		if (*length)
			return 0;
		code = prn_stream_next_member(warc->stream, error);
		if (code < 0)
			return fail_stream(warc, code, error);
		if (!code) {
			note_partial(warc);
			return fail_here(warc, PRN_E_TRUNCATED, "the file ends inside it", error);
		}
		if (prn_stream_peek(warc->stream, 5, bytes, length, NULL) || !begins_record(*bytes, *length))
			continue;
		fault(warc, error, PRN_E_INPUT, "the next one begins before its end: its Content-Length is wrong");
		note_partial(warc);
		warc->inside = false;
		return PRN_E_INPUT;
	}
}

static int read_header(struct prn_warc *warc, struct prn_error *error)
{
	struct prn_buffer *header = &warc->header;
	size_t end = 0;

	prn_buffer_clear(header);
	while (!end) {
		const unsigned char *bytes;
		size_t old = header->length, length, most = old > LEAST_TAKEN ? old : LEAST_TAKEN;
		int code = more(warc, &bytes, &length, error);

		if (code)
			return code;
		if (length > most)
			length = most;
		if (prn_buffer_append(header, bytes, length) || prn_buffer_terminate(header))
			return fail_here(warc, PRN_E_MEMORY, prn_error_text(PRN_E_MEMORY), error);
		warc->headless = memcmp(header->data, "WARC/", header->length < 5 ? header->length : 5) && !warc->position;
		if (memcmp(header->data, "WARC/", header->length < 5 ? header->length : 5))
			return fail_here(warc, PRN_E_INPUT, "there is none: it does not begin with WARC/", error);
		end = prn_fields_end(header->data, header->length);
		prn_stream_take(warc->stream, end ? end - old : length);
		if ((end ? end : header->length) > PRN_WARC_HEADER_PASSED)
			return fail_here(warc, PRN_E_INPUT, TOO_LONG, error);
	}
	header->length = end;
	return 0;
}

/* Skips the line ends after a block: *count of them, and whether they are the two that are required. */
static int pass_newlines(struct prn_warc *warc, unsigned *count, bool *due, struct prn_error *error)
{
	char seen[4] = "";
	unsigned n = 0, lines = 0;

	while (n < NEWLINES_MAX) {
		const unsigned char *bytes;
		size_t length;
		int code = prn_stream_peek(warc->stream, 1, &bytes, &length, error);

		if (code)
			return code;
		if (!length || (*bytes != '\r' && *bytes != '\n'))
			break;
		if (n < sizeof seen)
			seen[n] = (char)*bytes;
		lines += *bytes == '\n';
		n++;
		prn_stream_take(warc->stream, 1);
	}
	*count = lines;
	*due = !memcmp(seen, "\r\n\r\n", 4);
	return 0;
}

/* After a whole record: what it tells of how the file is packed. */
static void note_packing(struct prn_warc *warc, bool goes_on)
{
	if (warc->bad)
		return;
	warc->pieces |= prn_stream_member(warc->stream) != warc->member;
	if (goes_on)
		warc->gave = prn_stream_member(warc->stream);
}

/* After the block, the end of the record must follow. */
static int finish(struct prn_warc *warc, struct prn_error *error)
{
	const unsigned char *bytes;
	unsigned lines;
	size_t length;
	bool due;
	int code = pass_newlines(warc, &lines, &due, error);

	if (!code)
		code = prn_stream_peek(warc->stream, 1, &bytes, &length, error);
	if (code)
		return fail_stream(warc, code, error);
	if (!due && length && memcmp(bytes, "WARC/", length < 5 ? length : 5) && is_sure(warc))
		note_partial(warc);
	warc->inside = false;
	warc->cut = !length && lines < 2 && prn_stream_is_plain(warc->stream);
	if (!length || due || !memcmp(bytes, "WARC/", length < 5 ? length : 5)) {
		warc->claims = false;
		note_packing(warc, length);
		return 0;
	}
	return fail_here(warc, PRN_E_INPUT, "no record follows where it ends: its Content-Length is wrong", error);
}

int prn_warc_block(struct prn_warc *warc, const unsigned char **bytes, size_t *length, struct prn_error *error)
{
	int code;

	if (!warc->inside)
		return 0;
	if (!warc->left)
		return finish(warc, error);
	code = more(warc, bytes, length, error);
	if (code)
		return code;
	if (*length > warc->left)
		*length = (size_t)warc->left;
	warc->left -= *length;
	warc->taken += *length;
	prn_stream_take(warc->stream, *length);
	return 1;
}

bool prn_warc_partial(const struct prn_warc *warc, uint64_t *bytes)
{
	*bytes = warc->kept;
	return warc->is_partial;
}

static int pass_block(struct prn_warc *warc, struct prn_error *error)
{
	const unsigned char *bytes;
	size_t length;
	int code;

	if (warc->inside)
		warc->left -= prn_stream_pass(warc->stream, warc->left);
	while ((code = prn_warc_block(warc, &bytes, &length, error)) > 0)
		;
	return code;
}

/* Moves to the start of a record: 1, or 0 at the end. */
static int find_start(struct prn_warc *warc, struct prn_error *error)
{
	for (;;) {
		const unsigned char *bytes;
		size_t length;
		unsigned lines;
		bool due;
		int code = pass_newlines(warc, &lines, &due, error);

		if (!code)
			code = prn_stream_peek(warc->stream, 1, &bytes, &length, error);
		if (code)
			return code;
		if (length)
			return 1;
		code = prn_stream_next_member(warc->stream, error);
		if (code <= 0)
			return code;
	}
}

static void begin_block(struct prn_warc *warc, uint64_t length)
{
	warc->inside = true;
	warc->claims = true;
	warc->claimed = length;
	warc->is_partial = false;
	warc->left = length;
	warc->taken = 0;
	warc->block = prn_stream_position(warc->stream);
}

/*
 * A record with a bad header is passed by its length where that can be read, and leads to its end: within it there may be what
 * looks like a record.  Returns the error, after which a record is found or the end.
 */
static int pass_bad(struct prn_warc *warc, const struct prn_warc_record *read, const char *wrong, struct prn_error *error)
{
	struct prn_error other = { 0 };
	int code;

	if (!read->has_length)
		return fail_here(warc, PRN_E_INPUT, wrong, error);
	fault(warc, error, PRN_E_INPUT, wrong);
	warc->bad = true;
	begin_block(warc, read->block_bytes);
	code = pass_block(warc, &other);
	warc->bad = false;
	warc->is_partial = false;
	if (!code || code == PRN_E_INPUT || code == PRN_E_TRUNCATED)
		return PRN_E_INPUT;
	if (error)
		*error = other;
	return code;
}

int prn_warc_next(struct prn_warc *warc, struct prn_warc_record *record, struct prn_error *error)
{
	struct prn_warc_record read;
	const char *wrong;
	int code = pass_block(warc, error);

	if (code)
		return code;
	if (warc->ended)
		return 0;
	if (warc->cut) {
		/* That record was complete and was returned: nothing is searched inside it. */
		warc->ended = true;
		return fault(warc, error, PRN_E_TRUNCATED, "the file ends before the blank lines after it");
	}
	code = find_start(warc, error);
	warc->member = prn_stream_member(warc->stream);
	warc->position = prn_stream_position(warc->stream);
	warc->url = NULL;
	if (prn_stream_had_zeros(warc->stream, error)) {
		prn_error_prefix(error, "%s", warc->path);
		return PRN_E_INPUT;
	}
	if (code < 0) {
		prn_error_prefix(error, "%s", warc->path);
		return fail(warc, code, error);
	}
	warc->ended = !code;
	if (!code)
		return 0;
	code = read_header(warc, error);
	if (code)
		return code;
	wrong = prn_warc_header_parse(&read, (char *)warc->header.data, warc->header.length);
	warc->url = read.target_uri;
	if (warc->header.length > PRN_WARC_HEADER_BYTES)
		wrong = TOO_LONG;
	if (wrong)
		return pass_bad(warc, &read, wrong, error);
	if (prn_stream_is_plain(warc->stream) && !prn_span_believes(&warc->span, warc->position, read.target_uri))
		return fail_here(warc, PRN_E_INPUT, "it stands within a damaged one of another host, and is not believed", error);
	begin_block(warc, read.block_bytes);
	*record = read;
	return 1;
}

/* Formats of compression that are not read here, by their first bytes; the text says what to do, or is NULL. */
static const char *other_packing(const unsigned char *bytes, size_t length)
{
	static const struct {
		const char *start, *text;
	} packings[] = {
		{ "PK\3\4", "a zip file, such as WACZ is, within another or from a pipe: it is read from a file of its own" },
		{ "PRNTRACE", "a trace: what takes traces reads them from files of their own, not packed and not from a pipe" },
		{ "\xfd" "7zXZ", "packed by xz, which is not read: unpack it first" },
		{ "BZh", "packed by bzip2, which is not read: unpack it first" },
		{ "7z\xbc\xaf", "packed by 7z, which is not read: unpack it first" },
		{ "Rar!", "packed by rar, which is not read: unpack it first" },
	};

	for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
		if (length >= strlen(packings[i].start) && !memcmp(bytes, packings[i].start, strlen(packings[i].start)))
			return packings[i].text;
	return NULL;
}

static int not_warc(const struct prn_warc *warc, const unsigned char *bytes, size_t length, struct prn_error *error)
{
	const char *packing = other_packing(bytes, length);
	enum prn_hint_format format;

	if (packing)
		return prn_error_set(error, PRN_E_INPUT, "%s", packing);
	if (strstr(warc->path, ".warc"))
		return 0;
	if (prn_hint_sniff(bytes, length, NULL, &format))
		return prn_error_set(error, PRN_E_INPUT, "this is a %s, which has no captures: 'perennial hint' takes it",
		                     format == PRN_HINT_RSS || format == PRN_HINT_ATOM ? "feed" : prn_hint_format_name(format));
	return prn_error_set(error, PRN_E_INPUT,
	                     "this is not a WARC or ARC file, CDX or JSON lines (plain, gzip, zstd or lz4), WACZ, a page saved as MHTML or by "
	                     "SingleFile, a folder of these or of dated snapshots, a manifest or a git repository (git:FOLDER); import takes traces too");
}

/*
 * Refuses a file of another known format.  A file that is damaged at its start may have records further on,
 * which prn_warc_next finds.
 */
static int check_start(struct prn_warc *warc, struct prn_error *error)
{
	const unsigned char *bytes;
	size_t length;

	if (prn_stream_peek(warc->stream, 5, &bytes, &length, NULL))
		return 0;
	if (!memcmp(bytes, "WARC/", length < 5 ? length : 5))
		return 0;
	return not_warc(warc, bytes, length, error);
}

int prn_warc_open_take(struct prn_warc **out, struct prn_stream *stream, const char *path, struct prn_error *error)
{
	struct prn_warc *warc = calloc(1, sizeof *warc);
	int code;

	if (!warc) {
		prn_stream_free(stream);
		return prn_error_memory(error);
	}
	warc->stream = stream;
	warc->first = prn_stream_member(stream);
	warc->gave = UINT64_MAX;
	warc->path = strdup(path);
	code = warc->path ? check_start(warc, error)
	                  : prn_error_memory(error);
	if (!code) {
		*out = warc;
		return 0;
	}
	prn_warc_free(warc);
	return code;
}

void prn_warc_free(struct prn_warc *warc)
{
	if (!warc)
		return;
	prn_stream_free(warc->stream);
	prn_buffer_release(&warc->header);
	prn_span_release(&warc->span);
	free(warc->path);
	free(warc);
}

uint64_t prn_warc_input_bytes(const struct prn_warc *warc)
{
	return prn_stream_input_bytes(warc->stream);
}

bool prn_warc_is_plain(const struct prn_warc *warc)
{
	return prn_stream_is_plain(warc->stream);
}
