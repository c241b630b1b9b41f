/*
 * Words against lists written by hand, and against a slow tokeniser that asks libunistring about
 * every character of texts put together at random.
 */
#include "fragment/block.h"
#include "fragment/words.h"
#include "base/random.h"
#include "base/sort.h"
#include "tap.h"

#include <stdlib.h>
#include <unicase.h>
#include <unictype.h>
#include <unistr.h>
#include <xxhash.h>

#define MOST 4096 /* words of a test's text */

struct list {
	uint64_t hashes[MOST];
	size_t count;
};

static void add_word(struct list *list, const void *word, size_t length)
{
	if (length && list->count < MOST)
		list->hashes[list->count++] = XXH3_64bits(word, length);
}

/* The distinct fragments of k words, ascending: the definition, with nothing clever. */
static size_t fragments(const struct list *words, unsigned k, uint64_t *out)
{
	uint64_t scratch[MOST];
	size_t count = 0, span = words->count < k ? words->count : k;

	for (size_t i = 0; span && i + span <= words->count; i++) {
		unsigned char bytes[8 * 8];

		for (size_t j = 0; j < 8 * span; j++)
			bytes[j] = (unsigned char)(words->hashes[i + j / 8] >> 8 * (j % 8));
		out[count++] = XXH3_64bits(bytes, 8 * span);
	}
	return prn_sort_distinct(out, scratch, count);
}

/*
 * Whether prn_words_add finds these words in this order, as far as sets of up to three of them
 * show.
 */
static bool finds(struct prn_words *words, const void *text, size_t length,
                  const struct list *expected)
{
	static uint64_t want[MOST];
	bool all = true;

	for (unsigned k = 1; k <= 3; k++) {
		size_t count = fragments(expected, k, want);
		struct prn_shingles shingles;
		struct prn_summary got;

		all &= !prn_shingles_init(&shingles, k, PRN_SUMMARY_ALL);
		all &= !prn_words_add(words, text, length, &shingles) &&
		       !prn_shingles_end(&shingles, &got);
		all &= got.count == count &&
		       (!count || !memcmp(got.hashes, want, count * sizeof *want));
		prn_shingles_release(&shingles);
	}
	return all;
}

static void by_hand(struct prn_words *words)
{
	static const struct {
		const char *text, *expected, *claim;
	} cases[] = {
		{ "The quick, brown FOX", "the quick brown fox", "ASCII: letters in lower case" },
		{ "a1 b2c 007 3.14", "a1 b2c 007 3 14", "digits are letters of words" },
		{ "don't snake_case x-y", "don t snake case x y",
		  "an apostrophe, a line below, a hyphen end words" },
		{ "Straße STRASSE ﬁne", "strasse strasse fine",
		  "folding is full: sharp s is two letters" },
		{ "ΣΊΣΥΦΟΣ ς", "σίσυφοσ σ", "final sigma folds to sigma" },
		{ "ÄÖÜ àÉ ЖЗ", "äöü àé жз", "letters beyond ASCII fold, too" },
		{ "e\xcc\x81t\xc3\xa9", "e\xcc\x81t\xc3\xa9",
		  "marks belong to their word; there is no normalisation" },
		{ "日本語", "日 本 語", "Han: each letter is a word" },
		{ "ab日c本 d", "ab 日 c 本 d", "Han between Latin letters: each letter is a word" },
		{ "か\xe3\x82\x99き", "か\xe3\x82\x99 き", "kana with its mark is one word" },
		{ "コーヒー", "コ ー ヒ ー", "the sign for length is a word of its own" },
		{ "ｶﾞ", "ｶﾞ", "half-width voicing marks the kana before" },
		{ "กำลัง", "ก ำ ลั ง", "Thai: letters with their marks" },
		{ "ພາສາ", "ພ າ ສ າ", "Lao: letters with their marks" },
		{ "ខ្មែរ", "ខ្ មែ រ", "Khmer: letters with their marks" },
		{ "မြန်မာ", "မြ န် မာ", "Myanmar: letters with their marks" },
		{ "한국어 단어", "한국어 단어", "Hangul goes by runs" },
		{ "हिन्दी भाषा", "हिन्दी भाषा", "Devanagari goes by runs, with its marks" },
		{ "١٢٣ ๑๒", "١٢٣ ๑๒", "digits of any script go by runs" },
		{ "ab\xc2\xa0"
		  "cd\xe2\x80\x94"
		  "ef\xe2\x80\xa6",
		  "ab cd ef", "spaces, dashes, dots beyond ASCII end words" },
		{ "x\xf0\x9f\x98\x80y 𐐀𐐨", "x y 𐐨𐐨", "an emoji ends a word; Deseret folds" },
		{ "\xcc\x81"
		  "a",
		  "\xcc\x81"
		  "a",
		  "a mark without a letter begins a word" },
		{ "½ m² №", "m", "numbers that are not decimal digits are no letters" },
		{ "", "", "nothing has no words" },
		{ " .,;—", "", "signs have no words" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct list expected = { .count = 0 };

		for (const char *word = cases[i].expected; *word; word += strspn(word, " ")) {
			add_word(&expected, word, strcspn(word, " "));
			word += strcspn(word, " ");
		}
		ok(finds(words, cases[i].text, strlen(cases[i].text), &expected), "%s",
		   cases[i].claim);
	}
}

static bool is_alone(ucs4_t code)
{
	static const char *const scripts[] = { "Han", "Hiragana", "Katakana", "Thai",
		                               "Lao", "Khmer",    "Myanmar" };
	const uc_script_t *script = uc_script(code);

	for (size_t i = 0; i < 7; i++)
		if (script && !strcmp(script->name, scripts[i]))
			return true;
	return code == 0x30fc || code == 0xff70 || (code >= 0x3031 && code <= 0x3035);
}

static void tokenise_slowly(const uint8_t *text, size_t length, struct list *list)
{
	uint8_t word[1024];
	size_t at = 0, filled = 0;
	bool alone = false;

	while (at < length) {
		uint8_t folded[64];
		size_t folded_length = sizeof folded;
		ucs4_t code;
		int step = u8_mbtouc(&code, text + at, length - at);
		bool mark = uc_is_general_category(code, UC_MARK) || code == 0xff9e ||
		            code == 0xff9f;
		bool letter = !mark && uc_is_general_category(code, UC_LETTER);
		bool digit = uc_is_general_category(code, UC_DECIMAL_DIGIT_NUMBER);

		if ((!mark && !letter && !digit) || (letter && is_alone(code)) ||
		    (alone && !mark)) {
			add_word(list, word, filled);
			filled = 0;
			alone = letter && is_alone(code);
		}
		if (mark || letter || digit) {
			u8_casefold(text + at, (size_t)step, NULL, NULL, folded, &folded_length);
			if (filled + folded_length < sizeof word) {
				memcpy(word + filled, folded, folded_length);
				filled += folded_length;
			}
		}
		at += (size_t)step;
	}
	add_word(list, word, filled);
}

static ucs4_t draw_code(struct prn_random *random)
{
	static const ucs4_t bases[] = { ' ',    ' ',    'a',    'A',     '0',     0xc0,
		                        0x300,  0x370,  0x400,  0x5d0,   0x620,   0xe00,
		                        0xe80,  0x1000, 0x1780, 0x2000,  0x3040,  0x30a0,
		                        0x4e00, 0xac00, 0xff00, 0x10400, 0x1f600, 0x20000 };
	ucs4_t base = bases[prn_random_below(random, sizeof bases / sizeof *bases)];

	if (base == ' ')
		return base;
	return base + (ucs4_t)prn_random_below(random, base < 0x80 ? 26 : 200);
}

static void at_random(struct prn_words *words)
{
	static uint8_t text[8192];
	struct prn_random random;
	bool all = true, shifted = true;

	prn_random_seed(&random, 4, 0);
	for (int round = 0; round < 400; round++) {
		/*
		 * Long runs of ASCII and of anything else, so that every path through blocks is
		 * taken.
		 */
		size_t length = 0,
		       most = prn_random_below(&random, round % 4 ? 300 : sizeof text - 8);
		bool ascii = false;
		struct list expected = { .count = 0 };

		while (length < most) {
			ucs4_t code = draw_code(&random);

			if (!prn_random_below(&random, 20))
				ascii = !ascii;
			if (ascii && code >= 0x80)
				code = (ucs4_t)(code % 5 ? 'a' + code % 26 : ' ');
			length += (size_t)u8_uctomb(text + length, code, 8);
		}
		tokenise_slowly(text, length, &expected);
		all &= expected.count < MOST && finds(words, text, length, &expected);
	}
	ok(all, "400 random texts have the words that the slow tokeniser finds");

	/* Every length around the edges of blocks and segments, word at the end or not. */
	for (size_t length = 0; length <= 2 * PRN_WORD_SEGMENT + 70;
	     length += length > 200 && length % 64 > 2 && length % 64 < 62 ? 7 : 1) {
		struct list expected = { .count = 0 };

		for (size_t i = 0; i < length; i++)
			text[i % sizeof text] = "word by word 3"[i % 14] == ' '
			                                ? ' '
			                                : (uint8_t)('a' + i % 26);
		if (length > sizeof text)
			break;
		tokenise_slowly(text, length, &expected);
		shifted &= finds(words, text, length, &expected);
	}
	ok(shifted, "a text may end anywhere in a block or a segment");
}

static void long_words(struct prn_words *words)
{
	static char text[100000];
	struct list expected = { .count = 0 };

	memset(text, 'x', sizeof text);
	memcpy(text, "y ", 2);
	text[60000] = ' ';
	add_word(&expected, "y", 1);
	add_word(&expected, text + 2, 59998);
	add_word(&expected, text + 60001, sizeof text - 60001);
	ok(finds(words, text, sizeof text, &expected), "words longer than a segment are whole");
	memcpy(text + 99998, "\xc3\x84", 2);
	expected.count = 2;
	memcpy(text + 99998, "\xc3\xa4", 2);
	add_word(&expected, text + 60001, sizeof text - 60001);
	memcpy(text + 99998, "\xc3\x84", 2);
	ok(finds(words, text, sizeof text, &expected),
	   "words longer than a segment are whole with a letter to fold at the end");
}

static bool folds(struct prn_block (*fold)(const unsigned char *text, unsigned char *folded))
{
	struct prn_random random;
	bool all = true;

	prn_random_seed(&random, 6, 0);
	for (int round = 0; round < 2000; round++) {
		unsigned char text[PRN_BLOCK], folded[PRN_BLOCK];
		struct prn_block block;

		/* Each byte value at each place, then anything. */
		for (size_t i = 0; i < PRN_BLOCK; i++)
			text[i] = (unsigned char)(round < 256 ? (size_t)round + i
			                                      : prn_random_bits(&random));
		block = fold(text, folded);
		for (size_t i = 0; i < PRN_BLOCK; i++) {
			bool capital = text[i] >= 'A' && text[i] <= 'Z', high = text[i] >= 0x80;
			unsigned char lower = (unsigned char)(capital ? text[i] + 32 : text[i]);
			bool word = (lower >= 'a' && lower <= 'z') ||
			            (lower >= '0' && lower <= '9') || high;

			all &= folded[i] == lower && (block.word >> i & 1) == word &&
			       (block.high >> i & 1) == high;
		}
	}
	return all;
}

static void blocks(void)
{
	ok(folds(prn_block_fold_lanes), "blocks are folded byte for byte, in plain C");
#ifdef __SSE2__
	ok(folds(prn_block_fold_sse2), "blocks are folded byte for byte with vectors");
#else
	skip("no vectors here that we have code for");
#endif
}

int main(void)
{
	struct prn_words *words = calloc(1, sizeof *words);

	blocks();
	by_hand(words);
	at_random(words);
	long_words(words);
	prn_words_release(words);
	free(words);
	return done();
}
