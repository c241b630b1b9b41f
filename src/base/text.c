#include "base/text.h"

#include <stdio.h>
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

bool prn_text_equals(const char *text, size_t length, const char *word)
{
	return strlen(word) == length && !strncmp(text, word, length);
}

void prn_text_list(char *text, size_t size, const char *item)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s%s", used ? ", " : "", item);
}

int prn_text_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}
