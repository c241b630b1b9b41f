#include "base/ascii.h"

#include <string.h>

const char *prn_ascii_find(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (; *text; text++)
		if (!prn_ascii_compare_n(text, word, length))
			return text;
	return NULL;
}
