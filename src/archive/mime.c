#include "archive/mime.h"

#include "archive/fields.h"
#include "archive/quoted.h"
#include "base/ascii.h"
#include "base/base64.h"

#include <stdlib.h>
#include <string.h>

#define PIECE_BYTES ((size_t)4 << 10) /* bytes of a line that are read at a time: more than a boundary line has */

enum line_end { NO_END, LF, CRLF };

/* A line that is a boundary, or the end of the file. */
enum found {
	FOUND_NOTHING,
	FOUND_PART,  /* a part of the multipart at level begins */
	FOUND_CLOSE, /* that multipart ends */
	FOUND_END,   /* the file ends */
};

struct boundary {
	char text[PRN_MIME_BOUNDARY + 1];
	size_t length;
};

struct prn_mime {
	struct prn_stream *stream;
	struct prn_buffer message, header; /* header texts of the message and of the current part */
	struct prn_mime_header of_message, part;
	uint64_t number;

	struct boundary boundaries[PRN_MIME_DEPTH]; /* boundaries of the multiparts around the current position, … */
	size_t depth;                               /* … outermost first */
	bool begun;                                 /* the message's own header was returned */
	bool failed;                                /* the stream cannot be read further */
	bool is_lost;                               /* before the first boundary there is the header of a part */

	/* The current piece of a line. */
	struct prn_buffer piece;
	enum line_end end;
	bool is_start;      /* it begins a line */
	enum found found;   /* what the line is; it must be handled before reading on, … */
	size_t level;       /* … and the multipart it belongs to */
};

void prn_mime_free(struct prn_mime *mime)
{
	if (!mime)
		return;
	prn_buffer_release(&mime->message);
	prn_buffer_release(&mime->header);
	prn_buffer_release(&mime->piece);
	free(mime);
}

const struct prn_mime_header *prn_mime_message(const struct prn_mime *mime)
{
	return &mime->of_message;
}

uint64_t prn_mime_number(const struct prn_mime *mime)
{
	return mime->number;
}

/* Finds out whether the piece, a whole line, is a boundary of an open multipart, and of which. */
static enum found find_boundary(struct prn_mime *mime)
{
	const char *line = (const char *)mime->piece.data;
	size_t length = mime->piece.length;

	if (length < 3 || line[0] != '-' || line[1] != '-')
		return FOUND_NOTHING;
	while (length && (line[length - 1] == ' ' || line[length - 1] == '\t'))
		length--;
	for (size_t i = mime->depth; i-- > 0;) {
		const struct boundary *boundary = &mime->boundaries[i];
		size_t most = 2 + boundary->length;

		if (length < most || memcmp(line + 2, boundary->text, boundary->length))
			continue;
		mime->level = i;
		if (length == most)
			return FOUND_PART;
		if (length == most + 2 && !memcmp(line + most, "--", 2))
			return FOUND_CLOSE;
	}
	return FOUND_NOTHING;
}

/* Reads the next piece of a line, without its end, and classifies it. */
static int read_piece(struct prn_mime *mime, struct prn_error *error)
{
	const unsigned char *bytes, *end = NULL;
	size_t length;
	int code = 0;

	mime->is_start = mime->end != NO_END;
	mime->end = NO_END;
	prn_buffer_clear(&mime->piece);
	while (!end && mime->piece.length < PIECE_BYTES && (code = prn_stream_more(mime->stream, &bytes, &length, error)) > 0) {
		size_t room = PIECE_BYTES - mime->piece.length, taken = length < room ? length : room;

		end = memchr(bytes, '\n', taken);
		taken = end ? (size_t)(end - bytes) : taken;
		if (prn_buffer_append(&mime->piece, bytes, taken))
			return prn_error_memory(error);
		prn_stream_take(mime->stream, end ? taken + 1 : taken);
	}
	mime->failed = !end && code < 0;
	if (mime->failed)
		return code;
	if (end)
		mime->end = LF;
	if (end && mime->piece.length && mime->piece.data[mime->piece.length - 1] == '\r') {
		mime->piece.length--;
		mime->end = CRLF;
	}
	mime->found = FOUND_NOTHING;
	if (!end && !mime->piece.length)
		mime->found = FOUND_END;
	else if (mime->is_start && mime->piece.length < PIECE_BYTES)
		mime->found = find_boundary(mime);
	return 0;
}

/* Reads a header up to the blank line behind it, or up to a boundary, which becomes current. */
static int read_header(struct prn_mime *mime, struct prn_buffer *text, struct prn_error *error)
{
	bool fits = true;

	prn_buffer_clear(text);
	for (;;) {
		int code = read_piece(mime, error);

		if (code)
			return code;
		if (mime->found || (mime->is_start && !mime->piece.length))
			break;
		fits &= text->length + mime->piece.length < PRN_MIME_HEADER_BYTES;
		if (fits && (prn_buffer_append(text, mime->piece.data, mime->piece.length) ||
		             (mime->end != NO_END && prn_buffer_append(text, "\n", 1))))
			return prn_error_memory(error);
	}
	if (mime->found == FOUND_END)
		return prn_error_set(error, PRN_E_TRUNCATED, "the file ends within a header");
	if (!fits)
		return prn_error_set(error, PRN_E_INPUT, "its header has more than %zu bytes", PRN_MIME_HEADER_BYTES);
	/* A URL would end there, and be that of another page. */
	if (text->length && memchr(text->data, 0, text->length))
		return prn_error_set(error, PRN_E_INPUT, "its header has a zero byte in it");
	return prn_buffer_terminate(text) ? prn_error_memory(error) : 0;
}

/* Enters a multipart. */
static int enter(struct prn_mime *mime, const struct prn_mime_header *header, struct prn_error *error)
{
	struct boundary *boundary = &mime->boundaries[mime->depth];

	if (mime->depth == PRN_MIME_DEPTH)
		return prn_error_set(error, PRN_E_INPUT, "it stands in more than %d multiparts within each other", PRN_MIME_DEPTH);
	if (!prn_mime_boundary(header->content_type, boundary->text))
		return prn_error_set(error, PRN_E_INPUT, "a multipart that tells no boundary, or one of more than %d bytes", PRN_MIME_BOUNDARY);
	boundary->length = strlen(boundary->text);
	mime->depth++;
	return 0;
}

bool prn_mime_is(struct prn_stream *stream)
{
	const unsigned char *bytes;
	struct prn_mime_header header;
	size_t length, wanted = 1, end = 0;
	char *text;
	bool is;

	do {
		if (prn_stream_peek(stream, wanted, &bytes, &length, NULL) || !length || !prn_mime_header_starts(bytes, length))
			return false;
		end = prn_fields_end(bytes, length);
		wanted *= 2;
	} while (!end && length >= wanted / 2 && wanted <= PRN_MIME_HEADER_BYTES);
	text = malloc(length + 1);
	if (!text)
		return false;
	memcpy(text, bytes, length);
	prn_mime_header_parse(&header, text, end ? end : length);
	is = header.is_mime;
	free(text);
	return is;
}

int prn_mime_open(struct prn_mime **out, struct prn_stream *stream, struct prn_error *error)
{
	struct prn_mime *mime = calloc(1, sizeof *mime);
	int code;

	if (!mime)
		return prn_error_memory(error);
	mime->stream = stream;
	mime->end = LF;
	code = read_header(mime, &mime->message, error);
	if (!code) {
		prn_mime_header_parse(&mime->of_message, (char *)mime->message.data, mime->message.length);
		code = mime->of_message.is_multipart ? enter(mime, &mime->of_message, error) : 0;
	}
	if (code) {
		prn_mime_free(mime);
		return code;
	}
	*out = mime;
	return 0;
}

/* Text after the message is not part of it, but the end of the file shows whether the file is complete. */
static int pass_rest(struct prn_mime *mime, struct prn_error *error)
{
	const unsigned char *bytes;
	size_t length;
	int code;

	while ((code = prn_stream_more(mime->stream, &bytes, &length, error)) > 0)
		prn_stream_take(mime->stream, length);
	mime->failed = code < 0;
	return code;
}

/* What stands before the first boundary is a note to old mail programs, or a part whose boundary is damaged. */
static bool begins_part(const struct prn_mime *mime)
{
	static const char *const fields[] = { "Content-Type:", "Content-Location:", "Content-Transfer-Encoding:" };

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (mime->is_start && mime->piece.length >= strlen(fields[i]) &&
		    !prn_ascii_compare_n((const char *)mime->piece.data, fields[i], strlen(fields[i])))
			return true;
	return false;
}

int prn_mime_next(struct prn_mime *mime, const struct prn_mime_header **part, struct prn_error *error)
{
	if (!mime->depth && !mime->of_message.is_multipart && !mime->begun) {
		mime->begun = true;
		mime->number = 1;
		*part = &mime->of_message;
		return 1;
	}
	while (mime->depth && !mime->failed) {
		int code = 0;

		while (!code && !mime->found) {
			code = read_piece(mime, error);
			mime->is_lost |= !code && !mime->number && begins_part(mime);
		}
		if (code)
			return code;
		if (mime->found == FOUND_END)
			return prn_error_set(error, PRN_E_TRUNCATED, "the file ends before the last boundary");
		if (mime->is_lost && !mime->number) {
			mime->number++;
			return prn_error_set(error, PRN_E_INPUT, "it stands before the first boundary, so the one before it is damaged");
		}
		mime->depth = mime->found == FOUND_PART ? mime->level + 1 : mime->level;
		if (mime->found == FOUND_CLOSE) {
			mime->found = FOUND_NOTHING;
			continue;
		}
		mime->number++;
		code = read_header(mime, &mime->header, error);
		if (code)
			return code;
		prn_mime_header_parse(&mime->part, (char *)mime->header.data, mime->header.length);
		if (mime->part.is_multipart)
			code = enter(mime, &mime->part, error);
		if (code)
			return code;
		if (!mime->part.is_multipart) {
			*part = &mime->part;
			return 1;
		}
	}
	return mime->failed ? 0 : pass_rest(mime, error);
}

/* Appends an encoded piece; soft line breaks and those of base64 are dropped. */
static int decode(struct prn_mime *mime, enum prn_mime_encoding encoding, struct prn_base64 *base64, struct prn_quoted *quoted,
                  struct prn_buffer *body)
{
	const char *piece = (const char *)mime->piece.data;
	size_t length = mime->piece.length;

	if (encoding == PRN_MIME_BASE64)
		return prn_base64_add(base64, piece, length, body);
	if (encoding == PRN_MIME_QUOTED)
		return prn_quoted_add(quoted, piece, length, mime->end != NO_END, body);
	return prn_buffer_append(body, piece, length);
}

/*
 * Tells whether what the end of the file closes was cut by it.  A boundary, or the end of a line, shows that a writer meant to end
 * there: base64 is then as whole without its padding.
 */
static bool is_cut_by_end(const struct prn_mime *mime, enum prn_mime_encoding encoding, const struct prn_base64 *base64,
                          const struct prn_quoted *quoted)
{
	if (mime->found != FOUND_END)
		return false;
	if (mime->depth)
		return true;
	return !mime->is_start && ((encoding == PRN_MIME_BASE64 && !prn_base64_is_filled(base64)) ||
	                           (encoding == PRN_MIME_QUOTED && quoted->count));
}

/* Reads pieces up to the next boundary into *body. */
static int read_body(struct prn_mime *mime, enum prn_mime_encoding encoding, struct prn_buffer *body, size_t limit, bool *more,
                     struct prn_error *error)
{
	struct prn_base64 base64 = { 0 };
	struct prn_quoted quoted = { 0 };
	enum line_end owed = NO_END; /* the line end before a boundary belongs to the boundary */
	int code = 0;

	while (!code && !(code = read_piece(mime, error)) && !mime->found) {
		if (body->length > limit)
			continue;
		if (owed != NO_END && prn_buffer_append(body, owed == CRLF ? "\r\n" : "\n", owed == CRLF ? 2 : 1))
			return prn_error_memory(error);
		code = decode(mime, encoding, &base64, &quoted, body);
		owed = encoding == PRN_MIME_BASE64 || (encoding == PRN_MIME_QUOTED && quoted.is_soft) ? NO_END : mime->end;
		if (code == PRN_E_MEMORY)
			return prn_error_memory(error);
		if (code)
			prn_error_set(error, code, "it is not base64, as its Content-Transfer-Encoding says");
	}
	if (code)
		return code;
	*more = body->length > limit;
	if (*more)
		body->length = limit;
	else if (is_cut_by_end(mime, encoding, &base64, &quoted))
		return prn_error_set(error, PRN_E_TRUNCATED, "the file ends within a part");
	else if (encoding == PRN_MIME_BASE64 && !prn_base64_may_end(&base64))
		return prn_error_set(error, PRN_E_INPUT, "its base64 ends within a byte");
	return 0;
}

int prn_mime_body(struct prn_mime *mime, struct prn_buffer *body, size_t limit, bool *more, struct prn_error *error)
{
	enum prn_mime_encoding encoding = (mime->begun ? &mime->of_message : &mime->part)->encoding;

	*more = false;
	if (encoding == PRN_MIME_OTHER)
		return prn_error_set(error, PRN_E_INPUT, "its Content-Transfer-Encoding is not read here: quoted-printable, base64, binary, "
		                                         "8bit and 7bit are");
	/* A header that ended at a boundary has no content. */
	return mime->found ? 0 : read_body(mime, encoding, body, limit, more, error);
}
