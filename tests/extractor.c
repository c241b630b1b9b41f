/* From bytes to summaries: fragments counted by hand, hashes recomputed by the written rule. */
#include "perennial/extractor.h"
#include "perennial/error.h"
#include "base/sort.h"
#include "tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <xxhash.h>

static struct prn_summary read_bytes(struct prn_extractor *extractor, const char *type,
                                     const void *bytes, size_t length)
{
	struct prn_summary summary = { 0 };

	ok(!prn_extractor_summary(extractor, bytes, length, type, &summary),
	   "a body of %zu bytes (%s) is read", length, type ? type : "no type");
	return summary;
}

static struct prn_summary read_text(struct prn_extractor *extractor, const char *type,
                                    const char *text)
{
	return read_bytes(extractor, type, text, strlen(text));
}

/* The rule of doc/theory.md §1, spelled out: hash of words' hashes as little-endian bytes. */
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
	static const char *const words[] = {
		"the", "quick", "brown", "fox", "jumps", "over", "42"
	};
	struct prn_summary summary = read_text(extractor, "text/plain",
	                                       "The quick, brown FOX jumps—over 42!");

	ok(summary.count == 3, "seven words are three fragments");
	ok(summary.complete && summary.limit == PRN_SUMMARY_ALL,
	   "a summary of all fragments is complete and has no limit");
	for (size_t i = 0; i < 3; i++)
		ok(has(&summary, fragment(words + i, 5)),
		   "fragment %zu is the hash of its five words", i);
	ok(summary.hashes[0] < summary.hashes[1] && summary.hashes[1] < summary.hashes[2],
	   "the fragments of a summary ascend");

	summary = read_text(extractor, "text/plain", " quick  BROWN fox ");
	ok(summary.count == 1 && has(&summary, fragment(words + 1, 3)),
	   "three words are one fragment of three words");
	summary = read_text(extractor, "text/plain", "a a a a a a a a a a a a a a a a a a a");
	ok(summary.count == 1, "fragments are a set: what is repeated counts once");
	summary = read_text(extractor, "text/plain", " - … \n");
	ok(summary.count == 0 && summary.complete, "a text without words is the empty set");
	summary = read_bytes(extractor, "text/html", NULL, 0);
	ok(summary.count == 0 && summary.complete, "an empty page is the empty set");
}

static uint64_t text_of(struct prn_extractor *extractor, const char *text)
{
	struct prn_summary summary;

	if (prn_extractor_summary(extractor, text, strlen(text), "text/plain", &summary))
		abort();
	return prn_extractor_text(extractor);
}

static const char *many_words(void)
{
	static char text[60000];
	size_t length = 0;

	for (int i = 0; i < 5000; i++)
		length += (size_t)sprintf(text + length, "word%d ", i);
	return text;
}

/* What the eight smallest hashes do not show: one word among hundreds. */
static void digest_of_text(struct prn_extractor *extractor)
{
	static const char *const words[] = { "boats", "leave", "the", "old", "pier", "at", "ten" };
	static char text[2][4000];
	struct prn_extractor *few;
	struct prn_summary summary;
	uint64_t first[8], sum = 0;
	size_t length = 0;

	if (prn_extractor_open(&few, 0, 8))
		abort();
	for (int i = 0; i < 500; i++)
		length += (size_t)sprintf(text[0] + length, "word%d ", i);
	memcpy(text[1], text[0], sizeof text[0]);
	memcpy(strstr(text[1], "word250 "), "other50 ", 8);
	if (prn_extractor_summary(few, text[0], length, "text/plain", &summary))
		abort();
	memcpy(first, summary.hashes, sizeof first);
	if (prn_extractor_summary(few, text[1], length, "text/plain", &summary))
		abort();
	ok(!memcmp(first, summary.hashes, sizeof first), "eight hashes do not show another word among five hundred");
	ok(text_of(few, text[0]) != text_of(few, text[1]), "the digest of a text shows another word among five hundred");
	ok(text_of(few, "boats leave the old pier at ten") == text_of(few, "Boats\nleave THE old pier, at ten."),
	   "the digest of a text is that of its words, however they are set");
	for (int i = 0; i < 3; i++)
		sum += fragment(words + i, 5);
	ok(text_of(few, "boats leave the old pier at ten") == sum, "the digest of a text is the sum of its fragments' hashes");
	ok(text_of(few, "boats leave") == fragment(words, 2), "the digest of a short text is the hash of its words");
	ok(text_of(few, many_words()) == text_of(extractor, many_words()), "the digest of a long text is the same whatever the limit of its summary");
	ok(text_of(few, "") == 1 && text_of(few, " - ") == 1, "a text without words has a digest too");
	prn_extractor_free(few);
}

static void by_media(struct prn_extractor *extractor)
{
	static const char *const words[] = { "one", "two", "three", "four", "five" };
	static const struct {
		const char *type, *body;
	} bodies[] = {
		{ "text/html; charset=utf-8",
		  "<p>One <b>t</b>wo<script>no()</script> three<!-- no --><td>four<td>five" },
		{ "application/rss+xml",
		  "<rss><item>One "
		  "<![CDATA[<p>two]]></item><title>three&#32;four</title><x>five</x></rss>" },
		{ "application/xhtml+xml; charset=utf-8", "<p>One<script/> two<![CDATA[ three]]><td>four<td>five" },
		{ "text/markdown", "# One\n* two three\n_four_ five" },
		{ "application/json; x=y",
		  "{\"no\":\"one\",\"n\":[null,\"two "
		  "three\"],\"z\":{\"a\":\"four\"},\"q\":\"five\"}" },
		{ "application/json", "one, two: three {four} five" },
		{ NULL, "<!DOCTYPE html><title>one</title>two three four five" },
		{ NULL, "<?xml version='1.0'?><a>one<b>two</b><i>three</i>four five</a>" },
		{ "", "one two three four five" },
	};

	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		struct prn_summary summary;

		summary = read_text(extractor, bodies[i].type, bodies[i].body);
		ok(summary.count == 1 && has(&summary, fragment(words, 5)),
		   "body %zu, of type %s, says one two three four five", i,
		   bodies[i].type ? bodies[i].type : "unknown");
	}
}

/* A price, a level of water, a state: what changes in JSON is most often no text. */
static void numbers(struct prn_extractor *extractor)
{
	static const char *const words[] = { "1", "50", "harbour", "7", "true" };
	struct prn_summary summary = read_text(extractor, "application/json",
	                                       "{\"level\":1.50,\"where\":\"harbour\",\"pier\":-7,\"open\":true}");

	ok(summary.count == 1 && has(&summary, fragment(words, 5)),
	   "numbers in JSON are words as numbers in a text are, and so are true and false");
}

static void other(struct prn_extractor *extractor)
{
	static const char bytes[] = "\x89PNG\r\n\x1a\n\0\0one two three four five six seven";
	uint64_t word = XXH3_64bits(bytes, sizeof bytes);
	unsigned char little[8];
	struct prn_summary summary = read_bytes(extractor, "image/png", bytes, sizeof bytes);

	for (size_t j = 0; j < 8; j++)
		little[j] = (unsigned char)(word >> 8 * j);
	ok(summary.count == 1 && summary.hashes[0] == XXH3_64bits(little, 8),
	   "bytes that are no text are one word");
	summary = read_bytes(extractor, NULL, bytes, sizeof bytes);
	ok(summary.count == 1 && summary.hashes[0] == XXH3_64bits(little, 8),
	   "bytes that are no text are one word also when nobody says what they are");
}

/* The same page in other clothes is the same set. */
static void charsets(struct prn_extractor *extractor)
{
	static const char *const words[] = { "grösse", "älter", "fünf", "sechs", "sieben" };
	static const struct {
		const char *type, *claim, *body;
		size_t length;
	} pages[] = {
#define PAGE(type, claim, body) { type, claim, body, sizeof body - 1 }
		PAGE("text/html", "UTF-8",
		     "<p>Gr\xc3\xb6\xc3\x9f"
		     "e \xc3\xa4lter f\xc3\xbcnf sechs sieben"),
		PAGE("text/html", "windows-1252",
		     "<p>Gr\xf6\xdf"
		     "e \xe4lter f\xfcnf sechs sieben"),
		PAGE("text/html", "Latin-1 by a meta element after the first letters",
		     "<p>Gr\xf6\xdf"
		     "e<meta charset=iso-8859-1> \xe4lter f\xfcnf sechs sieben"),
		PAGE("application/xml", "XML that declares Latin-1",
		     "<?xml version='1.0' encoding='iso-8859-1'?><a>Gr\xf6\xdf"
		     "e \xe4lter f\xfcnf sechs sieben</a>"),
		PAGE("text/html; charset=utf-8", "UTF-8 with a byte of Latin-1: it alone is lost",
		     "<p>Gr\xc3\xb6\xc3\x9f"
		     "e \xff \xc3\xa4lter f\xc3\xbcnf sechs sieben"),
		PAGE("text/html", "NUL and other control characters part words",
		     "<p>Gr\xc3\xb6\xc3\x9f"
		     "e \xc3\xa4lter\0f\xc3\xbcnf\x0c"
		     "sechs\x01sieben"),
		PAGE("text/html", "a byte order mark of UTF-8",
		     "\xef\xbb\xbf<p>Gr\xc3\xb6\xc3\x9f"
		     "e \xc3\xa4lter f\xc3\xbcnf sechs sieben"),
		PAGE("text/html; charset=utf-16le", "UTF-16",
		     "G\0r\0\xf6\0\xdf\0e\0 \0\xe4\0l\0t\0e\0r\0 \0f\0\xfc\0n\0f\0 "
		     "\0s\0e\0c\0h\0s\0 \0s\0i\0e\0b\0e\0n\0"),
	};

	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		struct prn_summary summary = read_bytes(extractor, pages[i].type, pages[i].body,
		                                        pages[i].length);

		ok(summary.count == 1 && has(&summary, fragment(words, 5)),
		   "a page is the same set as in UTF-8: %s", pages[i].claim);
	}
}

struct reader {
	bool all;
	const struct prn_summary *expected;
	const char *page;
	size_t length;
};

static void *read_many(void *context)
{
	struct reader *reader = context;
	struct prn_extractor *extractor;

	reader->all = !prn_extractor_open(&extractor, 0, 64);
	for (int i = 0; reader->all && i < 50; i++) {
		struct prn_summary got, other;

		reader->all = !prn_extractor_summary(extractor, reader->page, reader->length,
		                                     "text/html", &got) &&
		              got.count == reader->expected->count && !got.complete &&
		              !memcmp(got.hashes, reader->expected->hashes,
		                      got.count * sizeof *got.hashes);
		/* Something else in between must leave no trace. */
		reader->all &= !prn_extractor_summary(extractor, "<a>日本語 x</a>", 17,
		                                      i % 2 ? "text/xml" : "image/png", &other);
	}
	prn_extractor_free(extractor);
	return NULL;
}

static void threads(struct prn_extractor *all)
{
	char *page = malloc(200000), *end = page;
	struct reader readers[4];
	pthread_t ids[4];
	struct prn_summary whole, expected;
	size_t right = 0;

	for (int i = 0; i < 3000; i++)
		end += sprintf(end, "<p class=x>wört%d<b>er</b> <script>no</script>straße %d</p>",
		               i, i / 7);
	whole = read_bytes(all, "text/html", page, (size_t)(end - page));
	expected = prn_summary_smallest(&whole, 64);
	for (int i = 0; i < 4; i++) {
		readers[i] = (struct reader){ false, &expected, page, (size_t)(end - page) };
		pthread_create(&ids[i], NULL, read_many, &readers[i]);
	}
	for (int i = 0; i < 4; i++) {
		pthread_join(ids[i], NULL);
		right += readers[i].all;
	}
	ok(right == 4,
	   "four extractors in four threads give one summary, time after time");
	free(page);
}

static bool same_summary(const struct prn_summary *a, const struct prn_summary *b)
{
	return a->count == b->count && a->limit == b->limit && a->complete == b->complete &&
	       !memcmp(a->hashes, b->hashes, a->count * sizeof *a->hashes);
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
		ok(same_summary(&got, &want), "m = %zu keeps the smallest of all", sizes[i]);
		prn_extractor_free(few);
	}
	free(text);
}

/* A page of as many fragments as are kept is known whole; one of a fragment more is not. */
static void exact_limit(void)
{
	struct prn_extractor *extractor;
	struct prn_summary summary;

	if (prn_extractor_open(&extractor, 1, 4))
		abort();
	summary = read_text(extractor, "text/plain", "a b c d");
	ok(summary.count == 4 && summary.complete, "four different words, of which four are kept, are all that there is");
	summary = read_text(extractor, "text/plain", "a b c d e");
	ok(summary.count == 4 && !summary.complete,
	   "of five different words four are kept, and the summary is not complete");
	prn_extractor_free(extractor);
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
		ok(all && summary.count == 9 - k, "fragments of k = %u words have that many words", k);
		prn_extractor_free(extractor);
	}
	extractor = NULL;
	ok(prn_extractor_open(&extractor, PRN_SHINGLE_WORDS_MAX + 1, 8) == PRN_E_ARGUMENT &&
	           !extractor,
	   "fragments of k = 65 words are refused");
	ok(prn_extractor_open(&extractor, 5, 0) == PRN_E_ARGUMENT && !extractor,
	   "a summary of m = 0 fragments is refused");
	prn_extractor_free(NULL);
}

static unsigned cut_of(struct prn_extractor *extractor, const char *type, const char *front, const char *unit, size_t count,
                       const char *end)
{
	size_t unit_bytes = strlen(unit) + 8;
	char *bytes = malloc(strlen(front) + count * unit_bytes + strlen(end) + 1), *at = bytes;
	struct prn_summary summary;

	at += sprintf(at, "%s", front);
	/* The number makes names differ. */
	for (size_t i = 0; i < count; i++)
		at += sprintf(at, unit[strlen(unit) - 1] == 'n' ? "%s%zu " : "%s", unit, i);
	at += sprintf(at, "%s", end);
	if (prn_extractor_summary(extractor, bytes, (size_t)(at - bytes), type, &summary))
		abort();
	free(bytes);
	return prn_extractor_cut(extractor);
}

/* What takes a parser long is bounded by a count of it, for whoever writes bodies could keep it busy for as long as they like. */
static void work_is_bounded(struct prn_extractor *extractor)
{
	ok(cut_of(extractor, "text/xml", "<r>", "&", 1 << 18, "</r>") == PRN_CUT_WORK, "XML with a fault in every byte is cut");
	ok(cut_of(extractor, "text/xml", "<r>", "</p>", 9000, "</r>") == 0, "XML may have 9000 faults, however short it is");
	ok(cut_of(extractor, "text/xml", "<r>", "&boats leave the old pier", 20000, "</r>") == 0,
	   "long XML may have a fault in every twenty-fifth byte");
	ok(cut_of(extractor, "text/html", "", "</p>", 1 << 16, "") == 0, "HTML may have a fault in every fourth byte");
	ok(cut_of(extractor, "text/xml", "<r>", "<a>&amp;lt;</a>", 100000, "</r>") == 0, "XML may have a piece of HTML in every fifteenth byte");
	ok(cut_of(extractor, "text/xml", "<r>", "<a><![CDATA[</p></p></p></p>]]></a>", 1 << 14, "</r>") == 0,
	   "faults of the pieces of HTML within XML do not count");
}

static void width_of_xml(struct prn_extractor *extractor)
{
	static char tag[400000];
	size_t length = (size_t)sprintf(tag, "<r><p");
	struct prn_summary summary;

	for (unsigned i = 0; i < 20000; i++)
		length += (size_t)sprintf(tag + length, " n%u='1'", i);
	length += (size_t)sprintf(tag + length, ">x</p></r>");
	if (prn_extractor_summary(extractor, tag, length, "text/xml", &summary))
		abort();
	ok(prn_extractor_cut(extractor) == PRN_CUT_WIDE, "XML with a tag of 20000 attributes is cut for its width");
}

static void what_is_cut(struct prn_extractor *extractor)
{
	width_of_xml(extractor);
	ok(cut_of(extractor, "text/html", "<body>", "<b>", 300, "x") == 0, "HTML of 300 open elements is not cut");
	ok(cut_of(extractor, "text/xml", "", "<b>", 200, "x") == 0, "XML of 200 open elements is not cut");
	ok(cut_of(extractor, "text/xml", "", "<b>", 300, "x") == PRN_CUT_DEEP, "XML of 300 open elements is cut for its depth");
	ok(cut_of(extractor, "text/html", "<p ", "n", 20000, ">x") == 0, "a tag of 20000 attributes is not cut in HTML");
	ok(cut_of(extractor, "text/xml", "<r><![CDATA[<p>", "<b>", 300, "]]></r>") == 0, "XML is not cut for the depth of HTML within it");
	ok(cut_of(extractor, "text/xml", "", "<b>", 300, "x") == PRN_CUT_DEEP && cut_of(extractor, "text/plain", "", "<b>", 300, "") == 0,
	   "what is no markup is not cut, and the cut before is forgotten");
	same(prn_cut_name(0), "deep", "the first reason to cut has its name");
	same(prn_cut_name(3), "work", "the last reason to cut has its name");
	same(prn_cut_name(PRN_CUTS), "?", "no reason has no name");
}

static struct prn_wording read_words(struct prn_extractor *extractor, const char *type, const char *bytes, size_t length)
{
	struct prn_wording wording = { 0 };

	ok(!prn_extractor_read(extractor, bytes, length, type, &wording), "a body of %zu bytes is read word by word", length);
	return wording;
}

static bool is_word(const struct prn_wording *wording, size_t i, const char *word)
{
	return i < wording->word_count && wording->words[i].to - wording->words[i].from == strlen(word) &&
	       !memcmp(wording->text + wording->words[i].from, word, strlen(word));
}

/* What a body was read as: "text of 9 words, 5 fragments", or bytes. */
static const char *shape(const struct prn_wording *wording)
{
	static char text[80];

	snprintf(text, sizeof text, "%s of %zu words, %zu fragments", wording->is_text ? "text" : "bytes", wording->word_count,
	         wording->fragment_count);
	return text;
}

/* The words of a text as they stand there, and the fragments that they make. */
static void reading(struct prn_extractor *extractor)
{
	static const char html[] = "<p>The quick, <b>bro</b>wn STRAßE<p>jumps&#32;over 日本 42!";
	static const char *const words[] = { "The", "quick", "brown", "STRAßE", "jumps", "over", "日", "本", "42" };
	static const char *const folded[] = { "the", "quick", "brown", "strasse", "jumps", "over", "日", "本", "42" };
	struct prn_wording found = read_words(extractor, "text/html; charset=utf-8", html, sizeof html - 1);
	bool all = true;

	same(shape(&found), "text of 9 words, 5 fragments", "nine words that are read make five fragments");
	for (size_t i = 0; i < 9; i++)
		all &= is_word(&found, i, words[i]);
	ok(all, "words that are read stand in the text as they were written, in whatever script, whole");
	all = true;
	for (size_t i = 0; i < 5; i++)
		all &= found.fragments[i] == fragment(folded + i, 5);
	ok(all, "fragments that are read stand in the order of the text, each of the five words from its place on");
	ok(found.text[found.words[4].from - 1] == 0x1e, "a text that is read has a break where a paragraph begins");
	ok(!memchr(found.text + found.words[0].from, 0x1e, found.words[3].to - found.words[0].from),
	   "a text that is read has no break at what stands within a line");

	found = read_words(extractor, "text/plain", "a b a b a b a b", 15);
	ok(found.fragment_count == 4, "every place of a fragment that repeats itself is read");
	ok(found.fragments[0] == found.fragments[2] && found.fragments[0] != found.fragments[1],
	   "a fragment that repeats itself is the same at each of its places");
	found = read_words(extractor, "text/plain", "only two", 8);
	ok(found.fragment_count == 1 && found.fragments[0] == fragment((const char *const[]){ "only", "two" }, 2),
	   "a text of two words is read as one fragment of both");
	found = read_words(extractor, "text/html", "<p>-</p>", 8);
	same(shape(&found), "text of 0 words, 0 fragments", "a text without words is read as one without fragments");
	found = read_words(extractor, "text/html", "<br>", 4);
	ok(found.is_text && !found.fragment_count, "markup without text is read as a text without fragments");
	found = read_words(extractor, "text/html", "", 0);
	same(shape(&found), "text of 0 words, 0 fragments", "an empty body is read as a text without fragments");
	ok(!found.length, "an empty body is read as an empty text");
	found = read_words(extractor, "image/png", "\x89PNG", 4);
	same(shape(&found), "bytes of 0 words, 1 fragments", "what is no text is read as one fragment");
	ok(found.fragments[0] == fragment((const char *const[]){ "\x89PNG" }, 1), "the one fragment of what is no text is of its bytes");
	found = read_words(extractor, "application/json", "{\"a\": \"one two\", \"b\": \"three\"}", 31);
	ok(found.word_count == 3 && is_word(&found, 2, "three"), "the values of JSON are read word by word");
}

int main(void)
{
	struct prn_extractor *extractor = NULL;

	if (!ok(!prn_extractor_open(&extractor, 0, PRN_SUMMARY_ALL), "an extractor opens"))
		return done();
	rule(extractor);
	reading(extractor);
	digest_of_text(extractor);
	by_media(extractor);
	numbers(extractor);
	other(extractor);
	charsets(extractor);
	threads(extractor);
	limits(extractor);
	exact_limit();
	what_is_cut(extractor);
	work_is_bounded(extractor);
	prn_extractor_free(extractor);
	any_k();
	return done();
}
