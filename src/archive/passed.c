#include "archive/passed.h"

#include <string.h>

static const char others[] = "others";

static void spell(char name[PRN_PASSED_NAME], const char *what, size_t length)
{
	if (length > PRN_PASSED_NAME - 1)
		length = PRN_PASSED_NAME - 1;
	for (size_t i = 0; i < length; i++) {
		char c = what[i] >= 'A' && what[i] <= 'Z' ? (char)(what[i] - 'A' + 'a') : what[i];

		name[i] = c > ' ' && c <= '~' ? c : '?';
	}
	name[length] = 0;
}

void prn_passed_add(struct prn_passed passed[PRN_PASSED_KINDS], const char *what, size_t length, uint64_t count)
{
	char name[PRN_PASSED_NAME];
	size_t i = 0;

	spell(name, what, length);
	while (i < PRN_PASSED_KINDS - 1 && passed[i].count && strcmp(passed[i].what, name))
		i++;
	memcpy(passed[i].what, i < PRN_PASSED_KINDS - 1 ? name : others, i < PRN_PASSED_KINDS - 1 ? sizeof name : sizeof others);
	passed[i].count += count;
}

void prn_passed_join(struct prn_passed passed[PRN_PASSED_KINDS], const struct prn_passed more[PRN_PASSED_KINDS])
{
	for (size_t i = 0; i < PRN_PASSED_KINDS; i++)
		if (more[i].count)
			prn_passed_add(passed, more[i].what, strlen(more[i].what), more[i].count);
}
