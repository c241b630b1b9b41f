#include "fragment/unicode.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <unistr.h>

/* Script names as in Unicode's Scripts.txt. */
static const char *const scripts_without_spaces[] = {
	"Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar",
};

static bool is_without_spaces(ucs4_t code)
{
	const uc_script_t *script = uc_script(code);

	/*
	 * The marks of kana length and repetition belong to no script of their own (they are Common), but stand
	 * among kana, each alone.
	 */
	if (code == 0x30fc || code == 0xff70 || (code >= 0x3031 && code <= 0x3035))
		return true;
	for (size_t i = 0;
	     script && i < sizeof scripts_without_spaces / sizeof *scripts_without_spaces; i++)
		if (!strcmp(script->name, scripts_without_spaces[i]))
			return true;
	return false;
}

static enum prn_letter letter_of(ucs4_t code)
{
	/* The half-width voicing marks are letters by category, but mark the kana before them. */
	if (uc_is_general_category_withtable(code, UC_CATEGORY_MASK_M) || code == 0xff9e || code == 0xff9f)
		return PRN_LETTER_MARK;
	if (uc_is_general_category_withtable(code, UC_CATEGORY_MASK_Nd))
		return PRN_LETTER_RUN;
	if (!uc_is_general_category_withtable(code, UC_CATEGORY_MASK_L))
		return PRN_LETTER_NONE;
	return is_without_spaces(code) ? PRN_LETTER_ALONE : PRN_LETTER_RUN;
}

/*
 * Folding is per code point, without rules of a language and without normalisation, so that it is the same
 * everywhere.  The longest folding has six bytes; the rest of the room is workspace of libunistring.
 */
static struct prn_character character_of(ucs4_t code)
{
	struct prn_character character = { .letter = (uint8_t)letter_of(code) };
	uint8_t plain[6], folded[64];
	size_t length = sizeof folded;
	int plain_length;

	if (character.letter == PRN_LETTER_NONE)
		return character;
	plain_length = u8_uctomb(plain, code, sizeof plain);
	if (plain_length < 0)
		return (struct prn_character){ 0 };
	if (u8_casefold(plain, (size_t)plain_length, NULL, NULL, folded, &length) != folded ||
	    length > sizeof character.folded) {
		memcpy(folded, plain, (size_t)plain_length);
		length = (size_t)plain_length;
	}
	character.length = (uint8_t)length;
	memcpy(character.folded, folded, length);
	return character;
}

const struct prn_character *prn_unicode_tabulate(struct prn_unicode *unicode, uint32_t code)
{
	struct prn_character *block = malloc(256 * sizeof *block);

	if (!block)
		return NULL;
	for (uint32_t i = 0; i < 256; i++)
		block[i] = character_of((code & ~0xffu) | i);
	unicode->blocks[code >> 8] = block;
	return &block[code & 0xff];
}

void prn_unicode_release(struct prn_unicode *unicode)
{
	for (size_t i = 0; i < PRN_UNICODE_BLOCKS; i++)
		free(unicode->blocks[i]);
	memset(unicode, 0, sizeof *unicode);
}
