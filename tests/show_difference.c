/* A page by its last two bodies: what stays, what is new and what is gone; and hostile bodies are text and nothing else. */
#include "perennial/error.h"
#include "show/difference.h"
#include "tap.h"

#include <stdlib.h>

#define DAY 86400

static struct keep_pair pair;

/* Bodies as they are kept, one or two. */
static void give(const char *type, const char *before, size_t before_length, const char *last, size_t last_length)
{
	struct keep_body *body = pair.bodies;

	keep_pair_release(&pair);
	for (int i = 0; i < 2; i++, before = last, before_length = last_length) {
		if (!before)
			continue;
		keep_body_init(body);
		snprintf(body->url, sizeof body->url, "http://a.example/?a&b='\"<>");
		snprintf(body->type, sizeof body->type, "%s", type);
		body->time = (int64_t)(10 + i) * DAY;
		body->length = before_length;
		if (prn_buffer_append(&body->body, before, before_length))
			abort();
		pair.count++;
		body++;
	}
}

enum form { PAGE, TERMINAL, ROWS };

/* All that is shown of them in a form, until the next call. */
static const char *shown(enum form form, unsigned words)
{
	static char *text;
	struct text_difference difference;
	struct prn_error error = { 0 };
	size_t length;
	FILE *out;
	int code;

	free(text);
	out = open_memstream(&text, &length);
	text_difference_init(&difference);
	code = text_difference_compare(&difference, &pair, words, &error);
	if (!code)
		code = form == PAGE       ? text_difference_page(out, &difference, "/?url=\"x")
		       : form == TERMINAL ? show_difference_terminal(out, &difference)
		                          : show_difference_rows(out, &difference, TERM_FORMAT_TSV, &error);
	fclose(out);
	text_difference_release(&difference);
	if (code)
		printf("# %s\n", error.text);
	return code ? "failed" : text;
}

static bool has(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

#define TEXTS(type, before, last) give(type, before, sizeof before - 1, last, sizeof last - 1)

static void test_changes(void)
{
	TEXTS("text/plain", "one two three four five six seven", "one two three four six seven eight");
	same(shown(ROWS, 2),
	     "as_of\tchange\ttext\n"
	     "1970-01-12T00:00:00Z\tstays\tone two three four six seven\n1970-01-12T00:00:00Z\tnew\teight\n"
	     "1970-01-11T00:00:00Z\tgone\tfive\n",
	     "a word stays if one of its fragments is in the other text, is new in the later alone, gone in the earlier alone");
	ok(has(shown(ROWS, 7), "stays") == false && has(shown(ROWS, 7), "new\tone two three four six seven eight"),
	   "with fragments as long as the text all of it is new where a word is");
	ok(has(shown(PAGE, 2), "4 fragments stay, 2 are new, 2 are gone. A fragment is 2 words in a row"),
	   "the page counts fragments, and says of how many words one is");
	ok(has(shown(PAGE, 6), "0 fragments stay, 2 are new, 2 are gone"), "with fragments of nearly all words none stays");
	ok(has(shown(PAGE, 1), "A fragment is 1 word in a row"), "a fragment of one word is of one word");
	ok(has(shown(PAGE, 2), "cannot tell what is static from what scrolls by"), "the page says what two bodies cannot tell");
	ok(has(shown(PAGE, 2), "<ins class=\"n\" id=\"n0\"><span class=\"vh\">[new:</span>eight<span class=\"vh\">]</span></ins>") &&
	           has(shown(PAGE, 2), "<del class=\"g\" id=\"g0\"><span class=\"vh\">[gone:</span>five <span class=\"vh\">]</span></del>"),
	   "what is new and what is gone is marked for who does not see colours too");
	ok(has(shown(PAGE, 2), "<li><a href=\"#n0\" dir=\"auto\">eight</a></li>") && has(shown(PAGE, 2), "<li><a href=\"#g0\" dir=\"auto\">five </a></li>"),
	   "what is new and what is gone is listed, with links to where it stands");
	ok(has(shown(PAGE, 2), "of 1970-01-11 00:00 and 1970-01-12 00:00 UTC, 24 hours apart"), "the page says of when the bodies are");
	ok(has(shown(TERMINAL, 2), "\033[0mone two three four six seven \033[0m\033[4;32meight\033[0m") &&
	           has(shown(TERMINAL, 2), "# Gone since 1970-01-11 00:00 UTC:\n# \033[9;31mfive \033[0m"),
	   "a terminal has the later text in colours, and below it what is gone");
}

/* A passage that is more than a line has its name once. */
static void test_lines(void)
{
	const char *text;

	TEXTS("text/html", "<p>one two three</p>", "<p>one two three</p><p>four five</p><p>six seven</p>");
	text = shown(PAGE, 2);
	ok(has(text, "id=\"n0\"><span class=\"vh\">[new:</span>four five") && has(text, "<ins class=\"n\"><span class=\"vh\">[new:</span>six seven"),
	   
	   "a passage of several lines is marked in each");
	ok(!has(text, "id=\"n1\""), "a passage of several lines has one name");
}

/* What is new in several places is one passage there, and has a name in each. */
static void test_places(void)
{
	const char *text;

	TEXTS("text/plain", "a b c d e f g h", "a b again c d again e f other g h");
	text = shown(PAGE, 2);
	ok(has(text, "id=\"n0\"><span class=\"vh\">[new:</span>again") && has(text, "id=\"n1\"><span class=\"vh\">[new:</span>again"),
	   
	   "a word that is new in two places has a name in each");
	ok(has(text, "id=\"n2\"><span class=\"vh\">[new:</span>other"),
	   "another word that is new has a name of its own");
	ok(has(text, "<a href=\"#n0\" dir=\"auto\">again") && has(text, "<a href=\"#n1\" dir=\"auto\">again"),
	   "a word that is new in two places has a link to each");
	ok(has(text, "<a href=\"#n2\" dir=\"auto\">other"), "each link of what is new leads to what it says");
}

static void test_one(void)
{
	static const char *const others[] = { "static from", "<ins", "earlier text" };

	give("text/plain", NULL, 0, "one two three", 13);
	same(shown(ROWS, 2), "as_of\tchange\ttext\n1970-01-12T00:00:00Z\tunknown\tone two three\n", "of one body all is unknown");
	ok(has(shown(PAGE, 2), "and all is unknown. It has 2 fragments; a fragment is 2 words in a row.") && has(shown(PAGE, 2), "<span class=\"u\">one two three</span>"),
	   "the page of one body says that all is unknown");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ok(!has(shown(PAGE, 2), others[i]), "the page of one body speaks of no other: not \"%s\"", others[i]);
	TEXTS("text/plain", "", "one two three");
	ok(has(shown(ROWS, 2), "new\tone two three"), "where nothing was before all is new");
	TEXTS("text/plain", "one two three", "");
	ok(has(shown(ROWS, 2), "gone\tone two three") && has(shown(PAGE, 2), "There is no text in it."), "where nothing is left all is gone");
}

static void test_bytes(void)
{
	TEXTS("image/png", "\x89PNG one", "\x89PNG two more");
	ok(has(shown(ROWS, 5), "new\t[13 bytes, image/png]") && has(shown(ROWS, 5), "gone\t[8 bytes, image/png]"),
	   "what is no text is told by its bytes, and is new where they are others");
	TEXTS("image/png", "\x89PNG one", "\x89PNG one");
	ok(has(shown(ROWS, 5), "stays\t[8 bytes, image/png]"), "what is no text stays where its bytes do");
	TEXTS("", "\x00\x01\x02", "\x00\x01\x03");
	ok(has(shown(ROWS, 5), "of no known type"), "of a body without a type that is said");
}

static void test_hostile(void)
{
	static const char *const markup[] = { "<script", "<img", "</script" };
	const char *text;
	bool line = true;

	TEXTS("text/html", "<p>before it all was well here</p>",
	      "<p>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; &lt;img src=x onerror=alert(2)&gt; &lt;/ins&gt;&lt;!-- \xe2\x80\xaeturned \x1b]0;x\x07 \xff</p>"
	      "<script>alert(3)</script>");
	text = shown(PAGE, 5);
	for (size_t i = 0; i < sizeof markup / sizeof *markup; i++)
		ok(!has(text, markup[i]), "markup in a text is no markup of the page: not %s", markup[i]);
	ok(has(text, "&lt;script&gt;alert(1)") && has(text, "&lt;img src=x onerror=alert(2)&gt;"), "markup in a text is shown as text");
	ok(!has(text, "\xe2\x80\xae"), "what would turn the direction of the page around is left out");
	ok(!has(text, "alert(3)"), "scripts of a body are no text of it");
	ok(has(text, "http://a.example/?a&amp;b='&quot;&lt;&gt;</title>") && !has(text, "?a&b"), "the URL is text of the page");
	ok(has(text, "<a href=\"/?url=&quot;x\">"), "the link back is one link, whatever its address has in it");
	ok(has(text, "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"), "the page forbids all that it does not need");
	text = shown(TERMINAL, 5);
	for (const char *at = text; *at; at++)
		line &= *at != '\a' && (*at != '\033' || at[1] == '[');
	ok(line, "what a terminal would act on is shown to it as an escape");
}

/* The opening of the tag that most of the page is. */
static void test_long(void)
{
	size_t length = TEXT_DIFFERENCE_BODY_BYTES + 100000;
	char *before = malloc(length), *last = malloc(length);
	const char *text;

	if (!before || !last)
		abort();
	for (size_t i = 0; i < length; i++) {
		before[i] = i % 4 == 3 ? ' ' : (char)('a' + i / 4 % 26);
		last[i] = i % 4 == 3 ? ' ' : (char)('a' + i / 8 % 26);
	}
	give("text/plain", before, length, last, length);
	text = shown(PAGE, 1);
	ok(has(text, "Of a body the first 4 MiB are compared.") && has(text, "Of a text the first 512 KiB are shown."), "the page says what was cut");
	ok(strlen(text) > TEXT_DIFFERENCE_TEXT_BYTES && strlen(text) < 3 * TEXT_DIFFERENCE_TEXT_BYTES, "the page of bodies of megabytes is of bounded length: %zu", strlen(text));
	TEXTS("text/plain", "one two three", "one two three four");
	ok(!has(shown(PAGE, 2), "are compared") && !has(shown(PAGE, 2), "are shown"), "of short bodies nothing is cut, and nothing said of it");
	/* Words that stay and words that are new in turns. */
	for (size_t i = 0; i < length; i += 4) {
		char word[5];

		snprintf(word, sizeof word, "%03zx", i / 8 % 4096);
		memcpy(before + i, i / 4 % 2 ? "aaa " : "bbb ", 4);
		memcpy(last + i, i / 4 % 2 ? "aaa " : word, 3);
		last[i + 3] = ' ';
	}
	give("text/plain", before, length, last, length);
	ok(strlen(shown(PAGE, 1)) < 64 * TEXT_DIFFERENCE_TEXT_BYTES, "the page of words that change in turns is of bounded length: %zu", strlen(shown(PAGE, 1)));
	free(before);
	free(last);
}

int main(void)
{
	struct text_difference difference;

	keep_pair_init(&pair);
	test_changes();
	test_lines();
	test_places();
	test_one();
	test_bytes();
	test_hostile();
	test_long();
	text_difference_init(&difference);
	ok(text_difference_compare(&difference, &pair, 1000, NULL) == PRN_E_ARGUMENT, "fragments of more words than there may be are refused");
	text_difference_release(&difference);
	keep_pair_release(&pair);
	return done();
}
