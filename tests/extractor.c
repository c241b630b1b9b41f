/* From bytes to summaries: fragments counted by hand, hashes recomputed by the written rule. */
#include "perennial/extractor.h"
#include "perennial/error.h"
#include "base/sort.h"
#include "tap.h"

#include <stdlib.h>
#include <xxhash.h>

static struct prn_summary read_bytes(struct prn_extractor *extractor, const char *type, const void *bytes,
                                     size_t length)
{
	struct prn_summary summary = { 0 };

	ok(!prn_extractor_summary(extractor, bytes, length, type, &summary), "a body of %zu bytes (%s) is read",
	   length, type ? type : "no type");
	return summary;
}

static struct prn_summary read_text(struct prn_extractor *extractor, const char *type, const char *text)
{
	return read_bytes(extractor, type, text, strlen(text));
}

/* The rule of design.md, spelled out: hash of words' hashes as little-endian bytes. */
static uint64_t fragment(const char *const *words, size_t count)
{
	unsigned char bytes[8 * PRN_SHINGLE_WORDS_MAX];

	for (size_t i = 0; i < count; i++) {
		uint64_t hash = XXH3_64bits(words[i], strlen(words[i]));

		for (size_t j = 0; j < 8; j++)
			bytes[8 * i + j] = (unsigned char)(hash >> 8 * j);
	}
	return XXH3_64bits(bytes, 8 * count);
}

static bool has(const struct prn_summary *summary, uint64_t hash)
{
	for (size_t i = 0; i < summary->count; i++)
		if (summary->hashes[i] == hash)
			return true;
	return false;
}

static void rule(struct prn_extractor *extractor)
{
	static const char *const words[] = { "the", "quick", "brown", "fox", "jumps", "over", "42" };
	struct prn_summary summary = read_text(extractor, "text/plain", "The quick, brown FOX jumps—over 42!");

	ok(summary.count == 3 && summary.complete && summary.limit == PRN_SUMMARY_ALL, "seven words are three fragments");
	for (size_t i = 0; i < 3; i++)
		ok(has(&summary, fragment(words + i, 5)), "fragment %zu is the hash of its five words", i);
	ok(summary.hashes[0] < summary.hashes[1] && summary.hashes[1] < summary.hashes[2], "they ascend");

	summary = read_text(extractor, "text/plain", " quick  BROWN fox ");
	ok(summary.count == 1 && has(&summary, fragment(words + 1, 3)), "three words are one fragment of three words");
	summary = read_text(extractor, "text/plain", "a a a a a a a a a a a a a a a a a a a");
	ok(summary.count == 1, "fragments are a set: what is repeated counts once");
	summary = read_text(extractor, "text/plain", " - … \n");
	ok(summary.count == 0 && summary.complete, "a text without words is the empty set");
	summary = read_bytes(extractor, "text/html", NULL, 0);
	ok(summary.count == 0 && summary.complete, "so is an empty page");
}

static void by_media(struct prn_extractor *extractor)
{
	static const char *const words[] = { "one", "two", "three", "four", "five" };
	static const struct {
		const char *type, *body;
	} bodies[] = {
		{ "text/html; charset=utf-8", "<p>One <b>t</b>wo<script>no()</script> three<!-- no --><td>four<td>five" },
		{ "application/rss+xml", "<rss><item>One <![CDATA[<p>two]]></item><title>three&#32;four</title><x>five</x></rss>" },
		{ "text/markdown", "# One\n* two three\n_four_ five" },
		{ "application/json; x=y", "{\"no\":\"one\",\"n\":[7,\"two three\"],\"z\":{\"a\":\"four\"},\"q\":\"five\",\"b\":true}" },
		{ "application/json", "one, two: three {four} five" },
		{ NULL, "<!DOCTYPE html><title>one</title>two three four five" },
		{ NULL, "<?xml version='1.0'?><a>one<b>two</b><i>three</i>four five</a>" },
		{ "", "one two three four five" },
	};

	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		struct prn_summary summary;

		summary = read_text(extractor, bodies[i].type, bodies[i].body);
		ok(summary.count == 1 && has(&summary, fragment(words, 5)), "and says one two three four five");
	}
}

static void other(struct prn_extractor *extractor)
{
	static const char bytes[] = "\x89PNG\r\n\x1a\n\0\0one two three four five six seven";
	uint64_t word = XXH3_64bits(bytes, sizeof bytes);
	unsigned char little[8];
	struct prn_summary summary = read_bytes(extractor, "image/png", bytes, sizeof bytes);

	for (size_t j = 0; j < 8; j++)
		little[j] = (unsigned char)(word >> 8 * j);
	ok(summary.count == 1 && summary.hashes[0] == XXH3_64bits(little, 8), "bytes that are no text are one word");
	summary = read_bytes(extractor, NULL, bytes, sizeof bytes);
	ok(summary.count == 1 && summary.hashes[0] == XXH3_64bits(little, 8), "also when nobody says what they are");
}

/* The m smallest must not depend on when the buffer was compacted: compare with all, cut down. */
static void limits(struct prn_extractor *all)
{
	static const size_t sizes[] = { 1, 8, 64, 256, 1000000 };
	char *text = malloc(400000), *end = text;
	struct prn_summary whole;

	for (int i = 0; i < 30000; i++)
		end += sprintf(end, "w%d ", i % 7 ? i : 0);
	whole = read_bytes(all, "text/plain", text, (size_t)(end - text));
	ok(whole.count > 25000 && whole.complete, "a long text has many fragments");
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct prn_summary want = prn_summary_smallest(&whole, sizes[i]), got;
		struct prn_extractor *few;

		prn_extractor_open(&few, 0, sizes[i]);
		got = read_bytes(few, "text/plain", text, (size_t)(end - text));
		ok(got.count == want.count && got.limit == want.limit && got.complete == want.complete &&
		   !memcmp(got.hashes, want.hashes, got.count * sizeof *got.hashes),
		   "m = %zu keeps the smallest of all", sizes[i]);
		prn_extractor_free(few);
	}
	free(text);
}

static void any_k(void)
{
	static const char *const words[] = { "a", "b", "c", "d", "e", "f", "g", "h" };
	struct prn_extractor *extractor = NULL;

	for (unsigned k = 1; k <= 8; k++) {
		struct prn_summary summary;
		bool all = true;

		prn_extractor_open(&extractor, k, PRN_SUMMARY_ALL);
		summary = read_text(extractor, "text/plain", "a b c d e f g h");
		for (size_t i = 0; i + k <= 8; i++)
			all &= has(&summary, fragment(words + i, k));
		ok(all && summary.count == 9 - k, "k = %u: fragments of that many words", k);
		prn_extractor_free(extractor);
	}
	extractor = NULL;
	ok(prn_extractor_open(&extractor, PRN_SHINGLE_WORDS_MAX + 1, 8) == PRN_E_RANGE && !extractor, "k = 65 is refused");
	ok(prn_extractor_open(&extractor, 5, 0) == PRN_E_RANGE && !extractor, "m = 0 is refused");
	prn_extractor_free(NULL);
}

int main(void)
{
	struct prn_extractor *extractor = NULL;

	if (!ok(!prn_extractor_open(&extractor, 0, PRN_SUMMARY_ALL), "an extractor opens"))
		return done();
	rule(extractor);
	by_media(extractor);
	other(extractor);
	limits(extractor);
	prn_extractor_free(extractor);
	any_k();
	return done();
}
