/*
 * HTML's tokenizer finds the same tags and text if it is fed whole or in pieces, and their length is at most a few times that
 * of the input.  The first byte chooses the content, the second how it is cut.
 */
#include "../tests/html_told.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void tell(struct prn_buffer *told, unsigned how, const uint8_t *data, size_t size, size_t piece)
{
	static const char *const elements[] = { "", "title", "style", "script", "plaintext", "" };
	const char *element = elements[how % 6];
	struct prn_html_tokens tokens;

	prn_html_tokens_begin(&tokens);
	if (how % 6)
		prn_html_tokens_enter(&tokens, (enum prn_html_content)(how % 6), element, strlen(element));
	tokens.is_foreign = how & 0x80;
	told_by_pieces(told, &tokens, data, size, piece, how);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prn_buffer whole = { 0 }, cut = { 0 };

	if (size < 2)
		return 0;
	tell(&whole, data[0], data + 2, size - 2, SIZE_MAX);
	tell(&cut, data[0], data + 2, size - 2, data[1]);
	/* NUL becomes three bytes; each tag adds two brackets. */
	if (whole.length > 3 * size || whole.length != cut.length ||
	    (whole.length && memcmp(whole.data, cut.data, whole.length)))
		abort();
	prn_buffer_release(&whole);
	prn_buffer_release(&cut);
	return 0;
}
