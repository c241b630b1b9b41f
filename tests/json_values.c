/* JSON whose tree would take many times its length is refused before there is one. */
#include "fixture.h"
#include "base/json.h"

#include <stdint.h>
#include <stdlib.h>

/* What jansson asks for. */
static size_t allocated;

static void *allocate(size_t bytes)
{
	allocated += bytes;
	return malloc(bytes);
}

static bool has_more(const char *text, size_t values)
{
	return prn_json_exceeds(text, strlen(text), values);
}

static int load(const char *text, size_t length, size_t values)
{
	json_error_t why;
	json_t *root = NULL;
	int code = prn_json_load(text, length, JSON_DECODE_ANY, values, &root, &why);

	if (code)
		printf("# %s: %s at %d\n", prn_json_fault(code), why.text, why.position);
	json_decref(root);
	return code;
}

static void counts(void)
{
	static const struct {
		const char *text;
		size_t values;
		const char *title;
	} cases[] = {
		{ "\"a text that is a value, [and no more]\"", 1, "a text alone is one value, whatever stands in it" },
		{ "[1,2,3]", 4, "an array of three numbers is four values" },
		{ "{\"a\":1,\"b\":{\"c\":2}}", 4, "an object is a value, and each of its members" },
		{ "[\"a\\\",\\\",\",\"b\"]", 3, "commas behind escaped quotation marks are within their text" },
		{ "[\"a\\\\\",\"b\\\\\\\\\",1]", 4, "a text whose last character is a backslash ends where it does" },
		{ "[[],{}]", 5, "an empty array or object counts as two" },
		{ "[\"a text without an end,,,,,,,,,,", 2, "a text without an end goes to the end" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		ok(!has_more(cases[i].text, cases[i].values) && has_more(cases[i].text, cases[i].values - 1), "%s",
		   cases[i].title);
}

static void bounds(void)
{
	struct prn_buffer text = { 0 };

	add(&text, "[", 1);
	for (int i = 0; i < 500000; i++)
		add(&text, "[],", 3);
	add(&text, "1]", 2);
	json_set_alloc_funcs(allocate, free);
	ok(load((char *)text.data, text.length, PRN_JSON_LINE_VALUES) == PRN_E_LIMIT, "a text with a million values is refused");
	ok(!allocated, "a text with too many values is refused before any of them takes memory");
	text.data[text.length - 1] = 'x';
	ok(load((char *)text.data, text.length, PRN_JSON_LINE_VALUES) == PRN_E_LIMIT && !allocated,
	   "a text with too many values takes no memory when its fault stands behind them");
	ok(!load("[1,2,3]", 7, 4) && load("[1,2,3]", 7, 3) == PRN_E_LIMIT, "a text is read up to as many values as are allowed");
	ok(!load("[1,2,3]", 7, SIZE_MAX), "without a bound all is read");
	ok(load("[1,2", 4, 10) == PRN_E_INPUT, "what is no JSON is refused as such");
	json_set_alloc_funcs(malloc, free);
	prn_buffer_release(&text);
}

/* Of jansson's calls for memory, the one that is refused; 0: none. */
static size_t asked, refused_at;

static void *allocate_but_one(size_t bytes)
{
	return ++asked == refused_at ? NULL : malloc(bytes);
}

static void refusals(void)
{
	static const char text[] = "{\"url\":\"http://a.example/a-path-that-is-longer-than-the-first-room\",\"number\":12345678901234567.25,"
	                           "\"escapes \\u00e9\\n in a longer name\":[true,null,{\"a\":\"" "0123456789abcdefghijklmnopqrstuvwxyz\"}]}";
	json_error_t why;
	json_t *whole = json_loads(text, 0, NULL), *root = NULL;
	size_t calls, others = 0;
	int code;

	must(whole, "read JSON");
	json_set_alloc_funcs(allocate_but_one, free);
	code = prn_json_load(text, sizeof text - 1, 0, PRN_JSON_LINE_VALUES, &root, &why);
	calls = asked;
	ok(!code && json_equal(root, whole), "JSON is read with functions for memory that jansson was given by others");
	ok(calls > 20, "functions for memory that jansson was given by others are called still: %zu times", calls);
	json_decref(root);
	for (refused_at = 1; refused_at <= calls; refused_at++) {
		root = NULL;
		asked = 0;
		code = prn_json_load(text, sizeof text - 1, 0, PRN_JSON_LINE_VALUES, &root, &why);
		if (code != PRN_E_MEMORY || root)
			printf("# %zu of %zu: %d\n", refused_at, calls, code);
		others += code != PRN_E_MEMORY || root;
	}
	ok(!others, "whichever call for memory is refused, the text is told to have had too little, and nothing is made of it");
	refused_at = asked = 0;
	code = prn_json_load(text, sizeof text - 1, 0, PRN_JSON_LINE_VALUES, &root, &why);
	ok(!code && json_equal(root, whole), "a text whose reading ran out of memory is read with memory again");
	json_decref(root);
	json_set_alloc_funcs(malloc, free);
	json_decref(whole);
}

int main(void)
{
	counts();
	bounds();
	refusals();
	return done();
}
