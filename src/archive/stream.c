#include "archive/stream.h"
#include "archive/format.h"
#include "base/interrupt.h"

#include <stdlib.h>
#include <string.h>

/* The first format whose start matches is used; plain matches anything, so it is last. */
static const struct prn_format *const formats[] = { &prn_format_zstd, &prn_format_gzip, &prn_format_lz4,
	                                             &prn_format_plain };

#define FORMATS (sizeof formats / sizeof *formats)
#define MAGIC_BYTES 4
#define ASK_EVERY ((uint64_t)64 << 10) /* bytes of a search between two questions whether it is cancelled */
#define CHECKSUM_BYTES 8 /* what ends a gzip member, and more than what ends a zstd frame */

struct prn_stream {
	const struct prn_format *format;
	void *decoder; /* decoder of the format */
	struct prn_input input;
	uint64_t member, position;

	/* Of bytes, at … end-1 are decoded and not taken.  They are the window's, or the whole member's, which the decoder holds. */
	const unsigned char *bytes;
	size_t at, end;
	unsigned char *window; /* [PRN_STREAM_WINDOW] */
	bool fresh;            /* nothing of the member was decoded so far */
	bool over;              /* the member ends with the bytes in the window */
	uint64_t zeros, zeros_at; /* zero bytes that were passed in place of members, and not told: 0, or how many, and where */
	bool goes_on;             /* they were told by the last prn_stream_more */
	uint64_t searched;        /* bytes, in all searches */
	struct prn_error fault; /* code 0, or the error that follows the bytes in the window */
};

static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name), wanted = strlen(suffix);

	return length > wanted && !strcmp(name + length - wanted, suffix);
}

static const struct prn_format *format_of(const struct prn_input *input, const char *name)
{
	size_t i = 0;

	while (!formats[i]->starts(prn_input_at(input), prn_input_left(input)) && i + 1 < FORMATS)
		i++;
	if (formats[i] != &prn_format_plain)
		return formats[i];
	/* A .gz that does not begin like one is damaged there, unless it was never compressed. */
	if (prn_input_left(input) >= MAGIC_BYTES && !memcmp(prn_input_at(input), "WARC", MAGIC_BYTES))
		return formats[i];
	for (i = 0; i + 1 < FORMATS && !has_suffix(name, formats[i]->suffix);)
		i++;
	return formats[i];
}

static int open_decoder(struct prn_stream *stream, const char *name, struct prn_error *error)
{
	int code = prn_input_ensure(&stream->input, MAGIC_BYTES, error);

	if (code)
		return code;
	stream->format = format_of(&stream->input, name);
	code = stream->format->open(&stream->decoder);
	if (code == PRN_E_UNSUPPORTED) {
		stream->format = NULL;
		return prn_error_set(error, PRN_E_UNSUPPORTED, "it is packed by lz4, and this program was built without lz4 (liblz4)");
	}
	if (code)
		return prn_error_memory(error);
	/* The dictionary is read now: without it nothing can be decoded. */
	return stream->format->prepare ? stream->format->prepare(stream->decoder, &stream->input, error) : 0;
}

int prn_stream_open(struct prn_stream **out, const struct prn_stream_from *from, struct prn_error *error)
{
	struct prn_stream *stream = calloc(1, sizeof *stream);
	int code;

	if (!stream)
		return prn_error_memory(error);
	stream->over = true;
	stream->bytes = stream->window = malloc(PRN_STREAM_WINDOW);
	code = prn_input_open(&stream->input, &from->input, error);
	if (!code && !stream->window)
		code = prn_error_memory(error);
	if (!code)
		code = open_decoder(stream, from->name, error);
	if (code)
		prn_stream_free(stream);
	else
		*out = stream;
	return code;
}

void prn_stream_free(struct prn_stream *stream)
{
	if (!stream)
		return;
	if (stream->format)
		stream->format->free(stream->decoder);
	prn_input_release(&stream->input);
	free(stream->window);
	free(stream);
}

static void begin_member(struct prn_stream *stream)
{
	stream->format->begin(stream->decoder);
	stream->member = stream->input.offset;
	stream->position = 0;
	stream->bytes = stream->window;
	stream->at = stream->end = 0;
	stream->fresh = true;
	stream->over = false;
	stream->fault.code = 0;
}

static int ask(struct prn_stream *stream, struct prn_error *error)
{
	return prn_interrupt_ask(stream->input.interrupt, error);
}

static void note_zeros(struct prn_stream *stream, uint64_t from)
{
	uint64_t end = stream->input.offset, count = end - from;
	uint64_t padding = end % PRN_STREAM_TAPE_PADDING ? PRN_STREAM_PADDING : PRN_STREAM_TAPE_PADDING;

	if (!count || (!prn_input_left(&stream->input) && count < padding))
		return;
	if (!stream->zeros)
		stream->zeros_at = from;
	stream->zeros += count;
}

static int pass_zeros(struct prn_stream *stream, struct prn_error *error)
{
	struct prn_input *input = &stream->input;
	uint64_t from = input->offset;
	size_t zeros, left;

	do {
		int code = prn_input_ensure(input, MAGIC_BYTES, error);
		const unsigned char *bytes = prn_input_at(input);

		left = prn_input_left(input);
		for (zeros = 0; !code && zeros < left && !bytes[zeros];)
			zeros++;
		if (!code && zeros && zeros == left)
			code = ask(stream, error);
		if (code)
			return code;
		prn_input_skip(input, zeros);
	} while (zeros && zeros == left);
	note_zeros(stream, from);
	return 0;
}

bool prn_stream_had_zeros(struct prn_stream *stream, struct prn_error *error)
{
	if (!stream->zeros)
		return false;
	prn_error_set(error, PRN_E_INPUT, "%llu byte%s of zeros at offset %llu where a %s should be", (unsigned long long)stream->zeros,
	              stream->zeros == 1 ? "" : "s", (unsigned long long)stream->zeros_at, stream->format->member);
	stream->zeros = 0;
	return true;
}

static int look_for_member(struct prn_stream *stream, struct prn_error *error)
{
	struct prn_input *input = &stream->input;
	int code = 0;

	if (stream->format->prepare)
		code = stream->format->prepare(stream->decoder, input, error);
	if (!code && stream->format->zeros)
		code = pass_zeros(stream, error);
	if (!code)
		code = prn_input_ensure(input, MAGIC_BYTES, error);
	if (code || !prn_input_left(input))
		return code;
	if (stream->format->starts(prn_input_at(input), prn_input_left(input)))
		return 1;
	if (prn_input_left(input) < MAGIC_BYTES)
		return prn_error_set(error, PRN_E_TRUNCATED, "the file ends inside it");
	return prn_error_set(error, PRN_E_INPUT, "it does not begin like one");
}

int prn_stream_next_member(struct prn_stream *stream, struct prn_error *error)
{
	uint64_t offset = stream->input.offset;
	int code = look_for_member(stream, error);

	if (code > 0) {
		begin_member(stream);
		return 1;
	}
	stream->at = stream->end = 0;
	stream->over = true;
	if (code) {
		stream->member = offset;
		stream->position = 0;
		if (code == PRN_E_INPUT || code == PRN_E_TRUNCATED)
			prn_error_prefix(error, "%s at offset %llu", stream->format->member,
			                 (unsigned long long)offset);
	}
	return code;
}

/* Most members are small enough to be decoded at once; they are not copied into the window. */
static bool take_whole(struct prn_stream *stream)
{
	bool fresh = stream->fresh;
	const unsigned char *bytes;
	size_t length;

	stream->fresh = false;
	if (!fresh || !stream->format->whole || !stream->format->whole(stream->decoder, &stream->input, &bytes, &length))
		return false;
	stream->bytes = bytes;
	stream->end = length;
	stream->over = true;
	return true;
}

static void decode_more(struct prn_stream *stream)
{
	size_t produced = 0;
	int code;

	if (ask(stream, &stream->fault) || take_whole(stream))
		return;
	if (stream->at == stream->end || PRN_STREAM_WINDOW - stream->end < PRN_STREAM_WINDOW / 2) {
		memmove(stream->window, stream->window + stream->at, stream->end - stream->at);
		stream->end -= stream->at;
		stream->at = 0;
	}
	code = stream->format->decode(stream->decoder, &stream->input, stream->window + stream->end,
	                              PRN_STREAM_WINDOW - stream->end, &produced, &stream->over, &stream->fault);
	if (!code)
		stream->end += produced;
	else if (code == PRN_E_INPUT || code == PRN_E_TRUNCATED)
		prn_error_prefix(&stream->fault, "%s at offset %llu", stream->format->member,
		                 (unsigned long long)stream->member);
}

int prn_stream_peek(struct prn_stream *stream, size_t wanted, const unsigned char **bytes, size_t *length,
                    struct prn_error *error)
{
	while (stream->end - stream->at < wanted && !stream->over && !stream->fault.code)
		decode_more(stream);
	if (stream->end - stream->at < wanted && stream->fault.code) {
		if (error)
			*error = stream->fault;
		return stream->fault.code;
	}
	*bytes = stream->bytes + stream->at;
	*length = stream->end - stream->at;
	return 0;
}

void prn_stream_take(struct prn_stream *stream, size_t length)
{
	stream->at += length;
	stream->position += length;
}

uint64_t prn_stream_pass(struct prn_stream *stream, uint64_t length)
{
	uint64_t left = stream->end - stream->at, passed = length < left ? length : left;

	prn_stream_take(stream, (size_t)passed);
	if (passed < length && prn_stream_is_plain(stream)) {
		uint64_t more = prn_input_pass(&stream->input, length - passed);

		stream->position += more;
		passed += more;
	}
	return passed;
}

/* Moves to where a member seems to start: 1, or 0 at the end. */
static int find_start(struct prn_stream *stream, struct prn_error *error)
{
	struct prn_input *input = &stream->input;

	for (;;) {
		int code = prn_input_ensure(input, stream->format->look_ahead, error);

		if (code)
			return code;
		if (prn_input_left(input) < MAGIC_BYTES)
			return 0;
		if (stream->format->starts(prn_input_at(input), prn_input_left(input)))
			return 1;
		prn_input_skip(input, 1);
		if (++stream->searched % ASK_EVERY == 0 && (code = ask(stream, error)))
			return code;
	}
}

/* Tells whether the member that starts here can be decoded to this point, and begins a record. */
static bool is_record(struct prn_stream *stream, prn_stream_begins_fn *begins)
{
	size_t produced;

	begin_member(stream);
	stream->fresh = false;
	/* Only these bytes are decoded, so that no more of the input is used up than they need. */
	while (stream->end < PRN_STREAM_START && !stream->over && !stream->fault.code) {
		stream->fault.code = stream->format->decode(stream->decoder, &stream->input,
		                                            stream->window + stream->end, PRN_STREAM_START - stream->end,
		                                            &produced, &stream->over, NULL);
		if (!stream->fault.code)
			stream->end += produced;
	}
	return !stream->fault.code && begins(stream->window, stream->end);
}

/* An error that is no damage, and ends the search. */
static bool is_end(int code)
{
	return code == PRN_E_IO || code == PRN_E_MEMORY || code == PRN_E_CANCELLED;
}

/*
 * A member that could be decoded to its end and has a wrong checksum ends at most these bytes behind where decoding stopped.
 * Tells whether another one stands there: then this one's own bytes need not be searched, in which its page may have put
 * what looks like a member.
 */
static bool goes_on_behind(struct prn_stream *stream, prn_stream_begins_fn *begins)
{
	struct prn_input *input = &stream->input;

	if (stream->fault.code != PRN_E_INPUT || prn_stream_is_plain(stream))
		return false;
	for (size_t n = 0; n <= CHECKSUM_BYTES; n++) {
		if (prn_input_ensure(input, MAGIC_BYTES, NULL) || prn_input_left(input) < MAGIC_BYTES)
			return false;
		if (stream->format->starts(prn_input_at(input), prn_input_left(input)))
			return is_record(stream, begins);
		prn_input_skip(input, 1);
	}
	return false;
}

int prn_stream_resync(struct prn_stream *stream, prn_stream_begins_fn *begins, struct prn_error *error)
{
	uint64_t from = stream->member + 1;

	if (goes_on_behind(stream, begins))
		return 1;
	for (;;) {
		int code;

		/* The search begins at the byte after the member's start, because a damaged member can swallow the
		 * next ones.  An input that cannot go back is searched from here. */
		if (stream->input.offset > from)
			prn_input_rewind(&stream->input, from);
		else if (stream->input.offset < from && prn_input_left(&stream->input))
			prn_input_skip(&stream->input, 1);
		code = find_start(stream, error);
		/* Each of many starts may be of a member that takes long to be decoded. */
		if (code > 0 && ask(stream, error))
			code = PRN_E_CANCELLED;
		if (code <= 0) {
			stream->at = stream->end = 0;
			stream->over = true;
			return code;
		}
		if (is_record(stream, begins))
			return 1;
		if (is_end(stream->fault.code))
			return prn_error_set(error, stream->fault.code, "%s", prn_error_text(stream->fault.code));
		from = stream->member + 1;
	}
}

bool prn_stream_tail(const struct prn_stream *stream, unsigned char tail[2], uint64_t *size)
{
	return prn_input_tail(&stream->input, tail, size);
}

bool prn_stream_rewind(struct prn_stream *stream, uint64_t position)
{
	if (!prn_stream_is_plain(stream) || position > stream->position ||
	    !prn_input_rewind(&stream->input, stream->member + position))
		return false;
	stream->position = position;
	stream->at = stream->end = 0;
	stream->over = false;
	stream->fault.code = 0;
	return true;
}

uint64_t prn_stream_member(const struct prn_stream *stream)
{
	return stream->member;
}

uint64_t prn_stream_position(const struct prn_stream *stream)
{
	return stream->position;
}

bool prn_stream_is_plain(const struct prn_stream *stream)
{
	return stream->format == &prn_format_plain;
}

uint64_t prn_stream_input_bytes(const struct prn_stream *stream)
{
	return stream->input.furthest;
}

int prn_stream_more(struct prn_stream *stream, const unsigned char **bytes, size_t *length, struct prn_error *error)
{
	int code = 1;

	for (;;) {
		stream->goes_on = prn_stream_had_zeros(stream, error);
		if (stream->goes_on)
			return PRN_E_INPUT;
		if (code <= 0)
			return code;
		code = prn_stream_peek(stream, 1, bytes, length, error);
		if (!code && *length)
			return 1;
		if (!code)
			code = prn_stream_next_member(stream, error);
	}
}

bool prn_stream_goes_on(const struct prn_stream *stream)
{
	return stream->goes_on;
}
