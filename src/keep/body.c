#include "keep/body.h"

#include <stdbool.h>
#include <string.h>
#include <zstd.h>

#define MARK "prnbody\1"
#define MARK_BYTES 8
#define FIXED 56
#define LEVEL 3         /* zstd's own default */
#define WINDOW_LOG 23   /* the largest that is accepted, 8 MiB: LEVEL needs less, so a frame that wants more is not ours */
#define CHUNK ((size_t)1 << 16)

void keep_body_init(struct keep_body *body)
{
	*body = (struct keep_body){ .time = 0 };
}

void keep_body_release(struct keep_body *body)
{
	prn_buffer_release(&body->body);
	keep_body_init(body);
}

static size_t type_length(const char *type)
{
	return type ? strnlen(type, KEEP_TYPE_BYTES) : 0;
}

struct prn_digest keep_body_digest(const void *bytes, size_t length, const char *type)
{
	struct prn_digest of_body = prn_digest_bytes(bytes, length), of_type = prn_digest_bytes(type ? type : "", type_length(type));
	struct prn_digest both[2] = { of_body, of_type };

	return prn_digest_bytes(both, sizeof both);
}

/* The checksum of what stands before it in the head, of the URL and of the type. */
static uint64_t seal_of(const unsigned char *fixed, const void *texts, size_t length)
{
	struct prn_digest parts[2] = { prn_digest_bytes(fixed, FIXED - 8), prn_digest_bytes(texts, length) };

	return prn_digest_bytes(parts, sizeof parts).high;
}

static int append_head(struct prn_buffer *out, const char *url, int64_t time, const char *type, const void *bytes, size_t length)
{
	struct prn_digest digest = keep_body_digest(bytes, length, type);
	struct prn_buffer texts = { 0 };
	size_t at = out->length, url_length = strlen(url), of_type = type_length(type);
	int code = prn_buffer_append(out, MARK, MARK_BYTES);

	if (!code)
		code = prn_buffer_append_u64(out, (uint64_t)time);
	if (!code)
		code = prn_buffer_append_u64(out, length);
	if (!code)
		code = prn_buffer_append_u64(out, digest.high);
	if (!code)
		code = prn_buffer_append_u64(out, digest.low);
	if (!code)
		code = prn_buffer_append_u32(out, (uint32_t)url_length);
	if (!code)
		code = prn_buffer_append_u32(out, (uint32_t)of_type);
	if (!code)
		code = prn_buffer_append(&texts, url, url_length);
	if (!code && of_type)
		code = prn_buffer_append(&texts, type, of_type);
	if (!code)
		code = prn_buffer_append_u64(out, seal_of(out->data + at, texts.data, texts.length));
	if (!code)
		code = prn_buffer_append(out, texts.data, texts.length);
	prn_buffer_release(&texts);
	return code;
}

static int append_frame(struct prn_buffer *out, const void *bytes, size_t length)
{
	size_t room = ZSTD_compressBound(length), packed;
	int code = prn_buffer_reserve(out, room);

	if (code)
		return code;
	packed = ZSTD_compress(out->data + out->length, room, bytes, length, LEVEL);
	if (ZSTD_isError(packed))
		return PRN_E_MEMORY;
	out->length += packed;
	return 0;
}

int keep_body_pack(struct prn_buffer *out, const char *url, int64_t time, const char *type, const void *bytes, size_t length,
                   struct prn_error *error)
{
	size_t before = out->length;
	int code;

	if (length > KEEP_BODY_MOST)
		return prn_error_set(error, PRN_E_LIMIT, "%.300s: its body has %zu bytes, and one of more than %zu is not kept", url, length,
		                     KEEP_BODY_MOST);
	code = append_head(out, url, time, type, bytes, length);
	if (!code)
		code = append_frame(out, bytes, length);
	if (code)
		out->length = before;
	return code ? prn_error_memory(error) : 0;
}

static int refuse(struct prn_error *error, const char *why)
{
	return prn_error_set(error, PRN_E_INPUT, "it is no kept body: %s", why);
}

/* Copies a text of the head; false if it has a NUL, which would hide what comes after it. */
static bool take_text(char *out, const unsigned char *bytes, size_t length)
{
	memcpy(out, bytes, length);
	out[length] = '\0';
	return strlen(out) == length;
}

int keep_body_read_head(struct keep_body *body, const unsigned char *bytes, size_t length, size_t *head, struct prn_error *error)
{
	struct prn_cursor cursor = { bytes, length, MARK_BYTES };
	uint64_t time, seal;
	uint32_t url, type;

	if (length < FIXED || memcmp(bytes, MARK, MARK_BYTES) != 0)
		return refuse(error, "it does not begin as one");
	if (prn_cursor_u64(&cursor, &time) || prn_cursor_u64(&cursor, &body->length) || prn_cursor_u64(&cursor, &body->digest.high) ||
	    prn_cursor_u64(&cursor, &body->digest.low) || prn_cursor_u32(&cursor, &url) || prn_cursor_u32(&cursor, &type) ||
	    prn_cursor_u64(&cursor, &seal))
		return refuse(error, "it ends within its head");
	if (!url || url > PRN_URL_BYTES || type > KEEP_TYPE_BYTES || length - FIXED < (size_t)url + type)
		return refuse(error, "its head is damaged");
	if (seal != seal_of(bytes, bytes + FIXED, (size_t)url + type) || body->length > KEEP_BODY_MOST)
		return refuse(error, "its head is damaged");
	if (!take_text(body->url, bytes + FIXED, url) || !take_text(body->type, bytes + FIXED + url, type))
		return refuse(error, "its head is damaged");
	body->time = (int64_t)time;
	*head = FIXED + (size_t)url + type;
	return 0;
}

/* Unpacks the frame, a piece at a time, up to the length that the head gives. */
static int unpack(struct keep_body *body, ZSTD_DCtx *context, const unsigned char *bytes, size_t length, struct prn_error *error)
{
	ZSTD_inBuffer in = { bytes, length, 0 };
	size_t left = 1;

	while (left) {
		size_t wanted = (size_t)body->length - body->body.length, room = wanted < CHUNK ? wanted : CHUNK, before = in.pos;
		ZSTD_outBuffer out;

		if (prn_buffer_reserve(&body->body, room + 1))
			return prn_error_memory(error);
		/* There is room for one byte more than there may be, which shows whether there is too much. */
		out = (ZSTD_outBuffer){ body->body.data + body->body.length, room + 1, 0 };
		left = ZSTD_decompressStream(context, &out, &in);
		if (ZSTD_isError(left))
			return refuse(error, "its frame is damaged");
		if (out.pos > wanted)
			return refuse(error, "it has more bytes than its head says");
		body->body.length += out.pos;
		if (left && !out.pos && in.pos == before)
			return refuse(error, "its frame ends early");
	}
	return in.pos == length ? 0 : refuse(error, "something stands behind its frame");
}

int keep_body_read(struct keep_body *body, const unsigned char *bytes, size_t length, struct prn_error *error)
{
	struct prn_digest digest;
	ZSTD_DCtx *context;
	size_t head;
	int code = keep_body_read_head(body, bytes, length, &head, error);

	if (code)
		return code;
	prn_buffer_clear(&body->body);
	context = ZSTD_createDCtx();
	if (!context)
		return prn_error_memory(error);
	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG);
	code = unpack(body, context, bytes + head, length - head, error);
	ZSTD_freeDCtx(context);
	if (code)
		return code;
	digest = keep_body_digest(body->body.data, body->body.length, body->type);
	if (body->body.length != body->length || prn_digest_compare(&digest, &body->digest))
		return refuse(error, "its body is not the one that its head tells of");
	return 0;
}
