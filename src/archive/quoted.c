#include "archive/quoted.h"

#include "base/hex.h"
#include "perennial/error.h"

/* The escape that had begun is invalid: it stands for itself. */
static void give_up(struct prn_quoted *text, struct prn_buffer *bytes)
{
	if (text->count)
		bytes->data[bytes->length++] = '=';
	if (text->count > 1)
		bytes->data[bytes->length++] = (unsigned char)text->high;
	text->count = 0;
}

static void decode_character(struct prn_quoted *text, char c, struct prn_buffer *bytes)
{
	int digit = text->count ? prn_hex_digit(c) : -1;

	if (text->count == 1 && digit >= 0) {
		text->high = c;
		text->count = 2;
	} else if (text->count == 2 && digit >= 0) {
		bytes->data[bytes->length++] = (unsigned char)(prn_hex_digit(text->high) * 16 + digit);
		text->count = 0;
	} else {
		give_up(text, bytes);
		if (c == '=')
			text->count = 1;
		else
			bytes->data[bytes->length++] = (unsigned char)c;
	}
}

int prn_quoted_add(struct prn_quoted *text, const char *piece, size_t length, bool ends, struct prn_buffer *bytes)
{
	/* Two held characters may turn out not to belong to an escape. */
	if (prn_buffer_reserve(bytes, length + 2))
		return PRN_E_MEMORY;
	while (ends && length && (piece[length - 1] == ' ' || piece[length - 1] == '\t'))
		length--;
	for (size_t i = 0; i < length; i++)
		decode_character(text, piece[i], bytes);
	text->is_soft = ends && text->count == 1;
	if (text->is_soft)
		text->count = 0;
	if (ends)
		give_up(text, bytes);
	return 0;
}
