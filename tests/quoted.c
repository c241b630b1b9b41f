/* Quoted-printable: escapes, soft line ends, what is no escape, and pieces of any length. */
#include "archive/quoted.h"
#include "tap.h"

static struct prn_buffer bytes;

/* A line, in two pieces that meet at a place, as text. */
static const char *decode(const char *line, size_t at, bool *is_soft)
{
	struct prn_quoted text = { 0 };

	prn_buffer_clear(&bytes);
	if (prn_quoted_add(&text, line, at, false, &bytes) || prn_quoted_add(&text, line + at, strlen(line) - at, true, &bytes) ||
	    prn_buffer_terminate(&bytes))
		return "(no memory)";
	*is_soft = text.is_soft;
	return (const char *)bytes.data;
}

int main(void)
{
	static const struct {
		const char *line, *text;
		bool is_soft;
	} cases[] = {
		{ "", "", false },
		{ "plain text", "plain text", false },
		{ "charset=3DUTF-8", "charset=UTF-8", false },
		{ "H=C3=A4fen", "H\xc3\xa4" "fen", false },
		{ "=c3=a4", "\xc3\xa4", false },
		{ "goes on=", "goes on", true },
		{ "=", "", true },
		{ "=3D=", "=", true },
		{ "a=3", "a=3", false },
		{ "a=G1", "a=G1", false },
		{ "==3D", "==", false },
		{ "=4=41", "=4A", false },
		{ "=4G", "=4G", false },
	};
	bool is_soft;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t at = 0; at <= strlen(cases[i].line); at++) {
			same(decode(cases[i].line, at, &is_soft), cases[i].text, "\"%s\" divided at %zu stands for what it should", cases[i].line, at);
			ok(is_soft == cases[i].is_soft, "a line \"%s\" divided at %zu %s on", cases[i].line, at, cases[i].is_soft ? "goes" : "does not go");
		}
	same(decode("blanks \t", 3, &is_soft), "blanks", "blanks at the end of a line are none of the text's");
	same(decode("soft= \t", 3, &is_soft), "soft", "blanks behind a soft line end are none of the text's");
	ok(is_soft, "blanks behind a soft line end leave it one");
	same(decode("kept=20 ", 0, &is_soft), "kept ", "a blank that is an escape stays");
	prn_buffer_release(&bytes);
	return done();
}
