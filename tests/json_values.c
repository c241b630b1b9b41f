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

int main(void)
{
	counts();
	bounds();
	return done();
}
