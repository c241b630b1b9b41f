/* Words of protocols are compared alike in every locale. */
#include "base/ascii.h"
#include "tap.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int number)
{
	return (number > 0) - (number < 0);
}

int main(void)
{
	static const char *const words[] = { "", "a", "A", "location", "LOCATION", "Locatio", "locations", "z", "[", "@", "i\xcc\x87", "\xc4\xb1", "\xff" };
	bool same = true, same_n = true;
	const char *text = "Text/HTML; Charset=UTF-8";

	setlocale(LC_ALL, "C");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
			same &= sign(prn_ascii_compare(words[i], words[k])) == sign(strcasecmp(words[i], words[k]));
			for (size_t n = 0; n < 10; n++)
				same_n &= sign(prn_ascii_compare_n(words[i], words[k], n)) == sign(strncasecmp(words[i], words[k], n));
		}
	ok(same, "words compare as the library does in the locale C");
	ok(same_n, "and so do their beginnings");
	ok(prn_ascii_find(text, "charset") == text + 11 && prn_ascii_find(text, "t") == text, "a word is found where it first stands");
	ok(!prn_ascii_find(text, "utf-8;") && !prn_ascii_find("", "x"), "one that is not there is not");
	if (setlocale(LC_ALL, "tr_TR.UTF-8"))
		ok(!prn_ascii_compare("LOCATION", "location"), "Turkish has the same words");
	else
		printf("# the locale tr_TR.UTF-8 is not installed\n");
	return done();
}
