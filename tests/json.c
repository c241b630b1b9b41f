/* The string values of JSON, in order, and what is not JSON. */
#include "fragment/json.h"
#include "perennial/error.h"
#include "tap.h"

#include <stdlib.h>

static int read_json(const char *json, size_t length, char *out, size_t room)
{
	struct prn_buffer text;
	int error;

	prn_buffer_init(&text);
	error = prn_json_text((const unsigned char *)json, length, &text);
	snprintf(out, room, "%.*s", (int)text.length, text.length ? (const char *)text.data : "");
	prn_buffer_release(&text);
	return error;
}

/* An array of so many numbers. */
static void many(size_t values, int wanted, const char *claim)
{
	char *json = malloc(2 * values + 2), got[8];

	if (!json)
		abort();
	for (size_t i = 0; i < values; i++)
		memcpy(&json[1 + 2 * i], "1,", 2);
	json[0] = '[';
	json[2 * values] = ']';
	ok(read_json(json, 2 * values + 1, got, sizeof got) == wanted, "%s", claim);
	free(json);
}

int main(void)
{
	static const struct {
		const char *json, *text, *claim;
	} cases[] = {
		{ "{\"name\":\"value\",\"n\":1,\"t\":true,\"z\":null}", "value ",
		  "the texts of an object are read, its names, numbers and words are not" },
		{ "[\"a\",[\"b\",{\"c\":\"d e\"}],\"f\"]", "a b d e f ",
		  "nested texts are read in the order of the document" },
		{ "\"alone\"", "alone ", "a bare string is read" },
		{ "\"\\u00e4\\ud83d\\ude00 \\n x\"", "ä😀 \n x ", "escapes in a string are read" },
		{ "{\"a\":\"one\",\"a\":\"two\"}", "two ", "a name given twice counts once" },
		{ "{}", "", "an empty object has no text" },
		{ "12", "", "a number has no text" },
	};
	static char deep[200000];
	char got[200];

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ok(!read_json(cases[i].json, strlen(cases[i].json), got, sizeof got),
		   "%s is JSON",
		   cases[i].json);
		same(got, cases[i].text, "%s", cases[i].claim);
	}
	ok(read_json("{\"a\":", 5, got, sizeof got) == PRN_E_INPUT, "a text that is cut off is not JSON");
	ok(read_json("word", 4, got, sizeof got) == PRN_E_INPUT, "a bare word is not JSON");
	ok(read_json("[1] x", 5, got, sizeof got) == PRN_E_INPUT, "a text with more after its end is not JSON");
	ok(!read_json("\"a\\u0000b\"", 10, got, sizeof got),
	   "a NUL in a JSON string is text like any other");
	memset(deep, '[', sizeof deep);
	ok(read_json(deep, sizeof deep, got, sizeof got) == PRN_E_INPUT,
	   "a text of 200000 open brackets is not JSON, and no stack runs over");
	many(PRN_JSON_TEXT_VALUES - 2, 0, "a page of a million JSON values is read as JSON");
	many(PRN_JSON_TEXT_VALUES, PRN_E_INPUT, "a page of more JSON values is not: they would take fifty times its bytes");
	return done();
}
