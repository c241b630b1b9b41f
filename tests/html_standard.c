/*
 * The tokenizer tests of html5lib-tests, which browsers pass: the files of a folder that HTML_TEST_DATA names and
 * tools/html-standard fills.  Nothing of them is kept here.  Text and tags are compared, and attributes asked for; comments and
 * document types are not told.  Each case is fed whole, byte by byte, and in pieces of any size.
 */
#include "fragment/html_attribute.h"
#include "html_told.h"
#include "tap.h"

#include <dirent.h>
#include <jansson.h>

#define LEAST 6000 /* cases that there were in 2026, rounded down: a folder with fewer lacks files */

/* Text as the test means it: "\uXXXX" in those that are escaped twice is a character, half a pair of surrogates too. */
static void append_text(struct prn_buffer *out, const char *text, size_t length, bool escaped)
{
	for (size_t i = 0; i < length; i++) {
		unsigned code;
		int taken = 0;

		if (!escaped || text[i] != '\\' || sscanf(text + i, "\\u%4x%n", &code, &taken) < 1 || taken != 6) {
			told_append(out, text + i, 1);
			continue;
		}
		if (code >= 0x800)
			told_append(out, &(char){ (char)(0xe0 | code >> 12) }, 1);
		if (code >= 0x80)
			told_append(out, &(char){ (char)(code >= 0x800 ? 0x80 | (code >> 6 & 0x3f) : 0xc0 | code >> 6) }, 1);
		told_append(out, &(char){ (char)(code >= 0x80 ? 0x80 | (code & 0x3f) : code) }, 1);
		i += 5;
	}
}

/* What the standard does before: each line's end is a line feed. */
static void mend_lines(struct prn_buffer *text)
{
	size_t kept = 0;

	for (size_t i = 0; i < text->length; i++)
		if (text->data[i] != '\n' || !i || text->data[i - 1] != '\r')
			text->data[kept++] = text->data[i];
		else
			text->data[kept - 1] = '\r';
	text->length = kept;
	for (size_t i = 0; i < kept; i++)
		if (text->data[i] == '\r')
			text->data[i] = '\n';
}

static void append_expected(struct prn_buffer *out, const json_t *tokens, bool escaped)
{
	const json_t *token;
	size_t i;

	json_array_foreach(tokens, i, token) {
		const char *kind = json_string_value(json_array_get(token, 0));
		const json_t *value = json_array_get(token, 1);

		if (!strcmp(kind, "Character")) {
			append_text(out, json_string_value(value), json_string_length(value), escaped);
		} else if (!strcmp(kind, "StartTag") || !strcmp(kind, "EndTag")) {
			struct prn_buffer name = { 0 };

			append_text(&name, json_string_value(value), json_string_length(value), escaped);
			told_tag(out, name.data, name.length < PRN_HTML_TAG_MAX ? name.length : PRN_HTML_TAG_MAX,
			         !strcmp(kind, "EndTag"), json_is_true(json_array_get(token, 3)));
			prn_buffer_release(&name);
		}
	}
}

static enum prn_html_content content_of(const char *state)
{
	static const char *const states[] = {
		"Data state", "RCDATA state", "RAWTEXT state", "Script data state", "PLAINTEXT state", "CDATA section state",
	};

	for (unsigned i = 0; i < sizeof states / sizeof *states; i++)
		if (!strcmp(state, states[i]))
			return (enum prn_html_content)i;
	abort();
}

static size_t attributes_asked;

/* Every attribute that a start tag is to have: names are told apart as they are written, so that not those with a NUL. */
static bool has_attributes(const struct prn_html_tokens *tokens, json_t *attributes, bool escaped)
{
	const char *name;
	json_t *value;
	bool right = true;

	json_object_foreach(attributes, name, value) {
		struct prn_buffer want = { 0 }, got = { 0 };
		bool found = false;

		if (strstr(name, "\xef\xbf\xbd") || strstr(name, "\\uFFFD"))
			continue;
		append_text(&want, json_string_value(value), json_string_length(value), escaped);
		right &= !prn_html_attribute(tokens, name, &got, &found) && found && got.length == want.length &&
		         (!got.length || !memcmp(got.data, want.data, got.length));
		attributes_asked++;
		prn_buffer_release(&want);
		prn_buffer_release(&got);
	}
	return right;
}

/* Fed whole: the start tags in their order. */
static bool tells_attributes(struct prn_html_tokens *tokens, const struct prn_buffer *bytes, const json_t *output, bool escaped)
{
	enum prn_html_kind kind;
	bool right = true;
	size_t at = 0;

	prn_html_tokens_feed(tokens, bytes->data, bytes->length);
	prn_html_tokens_end(tokens);
	while ((kind = prn_html_tokens_next(tokens))) {
		if (kind != PRN_HTML_START)
			continue;
		while (strcmp(json_string_value(json_array_get(json_array_get(output, at), 0)), "StartTag"))
			at++;
		right &= has_attributes(tokens, json_array_get(json_array_get(output, at++), 2), escaped);
	}
	return right;
}

static bool passes(const json_t *test, const char *state)
{
	static const size_t pieces[] = { SIZE_MAX, 1, 0, 2, 3 };
	const json_t *input = json_object_get(test, "input"), *last = json_object_get(test, "lastStartTag");
	bool escaped = json_is_true(json_object_get(test, "doubleEscaped")), right = true;
	struct prn_buffer bytes = { 0 }, want = { 0 }, got = { 0 };

	append_text(&bytes, json_string_value(input), json_string_length(input), escaped);
	mend_lines(&bytes);
	append_expected(&want, json_object_get(test, "output"), escaped);
	for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
		struct prn_html_tokens tokens;

		prn_html_tokens_begin(&tokens);
		prn_html_tokens_enter(&tokens, content_of(state), last ? json_string_value(last) : "",
		                      last ? json_string_length(last) : 0);
		prn_buffer_clear(&got);
		told_by_pieces(&got, &tokens, bytes.data, bytes.length, pieces[i], 1);
		right &= got.length == want.length && (!got.length || !memcmp(got.data, want.data, got.length));
	}
	if (right) {
		struct prn_html_tokens tokens;

		prn_html_tokens_begin(&tokens);
		prn_html_tokens_enter(&tokens, content_of(state), last ? json_string_value(last) : "",
		                      last ? json_string_length(last) : 0);
		right = tells_attributes(&tokens, &bytes, json_object_get(test, "output"), escaped);
	}
	if (!right)
		printf("# %s, in the %s, of: %.*s\n", json_string_value(json_object_get(test, "description")), state,
		       (int)bytes.length, bytes.length ? (const char *)bytes.data : "");
	prn_buffer_release(&bytes);
	prn_buffer_release(&want);
	prn_buffer_release(&got);
	return right;
}

static size_t run_file(const char *path, const char *name)
{
	json_error_t error;
	json_t *root = json_load_file(path, JSON_ALLOW_NUL, &error);
	const json_t *tests = json_object_get(root, "tests"), *test;
	size_t cases = 0, passed = 0, i;

	if (!ok(root != NULL, "%s can be read", name))
		printf("# line %d: %s\n", error.line, error.text);
	json_array_foreach(tests, i, test) {
		const json_t *states = json_object_get(test, "initialStates"), *state;
		size_t j;

		if (!states)
			cases++, passed += passes(test, "Data state");
		json_array_foreach(states, j, state)
			cases++, passed += passes(test, json_string_value(state));
	}
	ok(passed == cases, "%zu of the %zu cases of %s are told as the standard has them", passed, cases, name);
	json_decref(root);
	return cases;
}

int main(void)
{
	const char *folder = getenv("HTML_TEST_DATA");
	struct dirent **entries;
	size_t cases = 0;
	int n;

	if (!folder) {
		skip("HTML_TEST_DATA names no folder of html5lib-tests: tools/html-standard fetches them");
		return done();
	}
	n = scandir(folder, &entries, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		size_t length = strlen(entries[i]->d_name);
		char path[4096];

		snprintf(path, sizeof path, "%.2000s/%.2000s", folder, entries[i]->d_name);
		/* XML wants other characters for some that it may not hold. */
		if (length > 5 && !strcmp(entries[i]->d_name + length - 5, ".test") && strcmp(entries[i]->d_name, "xmlViolation.test"))
			cases += run_file(path, entries[i]->d_name);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	ok(cases >= LEAST, "%zu cases of the standard's tests were run", cases);
	ok(attributes_asked > 400, "%zu attributes were asked for", attributes_asked);
	return done();
}
