#include "base/text.h"

#include <stddef.h>
#include <string.h>

char *prn_text_trim(char *text, const char *blanks)
{
	size_t length;

	text += strspn(text, blanks);
	length = strlen(text);
	while (length && strchr(blanks, text[length - 1]))
		length--;
	text[length] = 0;
	return text;
}
