#include "fragment/decode.h"
#include "fragment/charset.h"
#include "fragment/utf8.h"
#include "perennial/error.h"

#include <errno.h>
#include <string.h>

static const char utf8[] = "UTF-8", windows_1252[] = "WINDOWS-1252";

void prn_decoder_init(struct prn_decoder *decoder)
{
	*decoder = (struct prn_decoder){ 0 };
}

void prn_decoder_release(struct prn_decoder *decoder)
{
	if (decoder->converter_name)
		iconv_close(decoder->converter);
	prn_buffer_release(&decoder->text);
	prn_decoder_init(decoder);
}

static const char *charset_of_mark(const unsigned char *bytes, size_t length, size_t *mark_bytes)
{
	*mark_bytes = 0;
	if (length >= 3 && !memcmp(bytes, "\xef\xbb\xbf", 3)) {
		*mark_bytes = 3;
		return utf8;
	}
	if (length >= 2 && (!memcmp(bytes, "\xff\xfe", 2) || !memcmp(bytes, "\xfe\xff", 2))) {
		*mark_bytes = 2;
		return bytes[0] == 0xff ? "UTF-16LE" : "UTF-16BE";
	}
	/* "<?" in 16 bits identifies a document that has no byte order mark (XML, appendix F). */
	if (length >= 4 && !memcmp(bytes, "<\0?", 4))
		return "UTF-16LE";
	if (length >= 4 && !memcmp(bytes, "\0<\0?", 4))
		return "UTF-16BE";
	return NULL;
}

/*
 * Looks up a label that was found inside the bytes.  They were read as ASCII to find it, so it cannot name a
 * 16-bit charset.
 */
static const char *charset_inside(const char *text, size_t length)
{
	char label[PRN_CHARSET_NAME];
	const char *name;

	if (!prn_media_label(text, length, label))
		return NULL;
	name = prn_charset_of(label);
	return name && !strncmp(name, "UTF-16", 6) ? utf8 : name;
}

/* Finds the next occurrence in [at, end) of a lower-case word, in any case; NULL if there is none. */
static const char *find(const char *at, const char *end, const char *word)
{
	size_t length = strlen(word);

	for (; (size_t)(end - at) >= length; at++)
		if (prn_media_is(at, length, word))
			return at;
	return NULL;
}

/* Finds the value of "name = value", from behind the name, in [at, end): *length is 0 if there is none. */
static const char *value_after(const char *at, const char *end, size_t *length)
{
	const char *start;
	char quote = 0;

	*length = 0;
	while (at < end && (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r' || *at == '='))
		at++;
	if (at < end && (*at == '"' || *at == '\''))
		quote = *at++;
	for (start = at; at < end; at++)
		if (quote ? *at == quote : strchr(" \t\r\n;\"'/>", *at) != NULL)
			break;
	*length = (size_t)(at - start);
	return start;
}

static const char *charset_of_declaration(const char *text, const char *end)
{
	const char *close, *name;
	size_t length;

	if (end - text < 5 || memcmp(text, "<?xml", 5))
		return NULL;
	close = memchr(text, '>', (size_t)(end - text));
	name = close ? find(text, close, "encoding") : NULL;
	if (!name)
		return NULL;
	name = value_after(name + 8, close, &length);
	return charset_inside(name, length);
}

/* A description may contain the word "charset", so it counts only as an attribute or together with http-equiv. */
static const char *charset_of_meta_tag(const char *tag, const char *close)
{
	const char *name = find(tag, close, "charset");
	size_t length;

	if (!name || (!find(tag, close, "http-equiv") && !strchr(" \t\r\n/\"'", name[-1])))
		return NULL;
	name = value_after(name + 7, close, &length);
	return charset_inside(name, length);
}

static const char *charset_of_meta(const char *at, const char *end)
{
	const char *name = NULL;

	while (!name && at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
		const char *close;

		if (end - at >= 4 && !memcmp(at, "<!--", 4)) {
			close = find(at + 4, end, "-->");
			at = close ? close : end;
			continue;
		}
		if (end - at > 5 && prn_media_is(at, 5, "<meta")) {
			close = memchr(at, '>', (size_t)(end - at));
			name = charset_of_meta_tag(at + 5, close ? close : end);
		}
		at++;
	}
	return name;
}

const char *prn_decode_charset(const void *bytes, size_t length, enum prn_media media,
                               const char *content_type, size_t *mark_bytes)
{
	const char *name = charset_of_mark(bytes, length, mark_bytes);
	char label[PRN_CHARSET_NAME];
	const char *text = bytes,
		   *end = text + (length < PRN_DECODE_PRESCAN ? length : PRN_DECODE_PRESCAN);

	if (!name && prn_media_charset(content_type, label))
		name = prn_charset_of(label);
	if (!name && (media == PRN_MEDIA_XML || media == PRN_MEDIA_HTML))
		name = charset_of_declaration(text, end);
	if (!name && media == PRN_MEDIA_HTML)
		name = charset_of_meta(text, end);
	if (!name)
		name = prn_utf8_is_valid(bytes, length) ? utf8 : windows_1252;
	return name;
}

/* Returns 1 with the converter of this charset open, 0 if this system has none. */
static int open_converter(struct prn_decoder *decoder, const char *name)
{
	if (decoder->converter_name && !strcmp(decoder->converter_name, name)) {
		iconv(decoder->converter, NULL, NULL, NULL, NULL);
		return 1;
	}
	if (decoder->converter_name)
		iconv_close(decoder->converter);
	decoder->converter_name = NULL;
	decoder->converter = iconv_open(utf8, name);
	if (decoder->converter == (iconv_t)-1)
		return 0;
	decoder->converter_name = name;
	return 1;
}

/*
 * Makes the converter write the letter it holds back, which an accent may follow (windows-1258).  The converter
 * is then in its initial state.
 */
static int flush(struct prn_decoder *decoder)
{
	struct prn_buffer *text = &decoder->text;
	size_t room;
	char *out;

	if (prn_buffer_reserve(text, 64))
		return PRN_E_MEMORY;
	out = (char *)text->data + text->length;
	room = text->capacity - text->length;
	iconv(decoder->converter, NULL, NULL, &out, &room);
	text->length = text->capacity - room;
	return 0;
}

/*
 * Each unit that iconv cannot read becomes U+FFFD; the last sequence may be cut off.  In charsets that shift to
 * and from ASCII nothing is held back, and a fault does not change the shift state.
 */
static int decode_converted(struct prn_decoder *decoder, const unsigned char *bytes, size_t length)
{
	size_t unit = strncmp(decoder->converter_name, "UTF-16", 6) ? 1 : 2;
	bool shifts = !strncmp(decoder->converter_name, "ISO-2022", 8);
	struct prn_buffer *text = &decoder->text;
	char *in = (char *)(uintptr_t)bytes;

	while (length) {
		size_t room, status;
		char *out;

		if (prn_buffer_reserve(text, length + 64))
			return PRN_E_MEMORY;
		out = (char *)text->data + text->length;
		room = text->capacity - text->length;
		status = iconv(decoder->converter, &in, &length, &out, &room);
		text->length = text->capacity - room;
		if (status != (size_t)-1 || errno == E2BIG)
			continue;
		if ((!shifts && flush(decoder)) || prn_utf8_append(text, 0xfffd))
			return PRN_E_MEMORY;
		unit = unit < length ? unit : length;
		in += unit;
		length -= unit;
	}
	return flush(decoder);
}

/* UTF-8 input is returned as it is if it is valid, else as a repaired copy. */
static int decode_utf8(struct prn_decoder *decoder, const unsigned char *bytes, size_t length,
                       const unsigned char **text, size_t *text_length)
{
	if (!prn_utf8_faults(bytes, length)) {
		*text = bytes;
		*text_length = length;
		return 0;
	}
	if (prn_utf8_append_repaired(&decoder->text, bytes, length))
		return PRN_E_MEMORY;
	*text = decoder->text.data;
	*text_length = decoder->text.length;
	return 0;
}

int prn_decoder_decode(struct prn_decoder *decoder, const void *bytes, size_t length,
                       enum prn_media media, const char *content_type, const unsigned char **text,
                       size_t *text_length)
{
	size_t mark;
	const char *name = prn_decode_charset(bytes, length, media, content_type, &mark);
	const unsigned char *from = (const unsigned char *)bytes + mark;
	struct prn_buffer *out = &decoder->text;
	int error = 0;

	length -= mark;
	prn_buffer_clear(out);
	if (!strcmp(name, utf8))
		return decode_utf8(decoder, from, length, text, text_length);
	if (strcmp(name, windows_1252) && open_converter(decoder, name))
		error = decode_converted(decoder, from, length);
	else
		for (size_t i = 0; i < length && !error; i++)
			error = prn_utf8_append(out, prn_charset_windows_1252(from[i]));
	if (error)
		return error;
	/* Converters let control characters pass. */
	for (size_t i = 0; i < out->length; i++)
		if (out->data[i] < 0x20 && !strchr("\t\n\r", out->data[i] ? out->data[i] : 1))
			out->data[i] = ' ';
	*text = out->data;
	*text_length = out->length;
	return 0;
}
