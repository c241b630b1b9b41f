#include "archive/passed.h"

#include <string.h>

bool prn_passed_is_source(const char *what)
{
	static const char *const extensions[] = { "jsonl", "ndjson", "json", "cdx", "cdxj", "warc", "arc", "mht", "mhtml", "wacz" };
	static const char *const packings[] = { ".gz", ".zst", ".lz4" };

	if (!strcmp(what, PRN_PASSED_DATES) || !strcmp(what, PRN_PASSED_GIT))
		return true;
	if (strncmp(what, "*.", 2) != 0)
		return false;
	for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
		size_t length = strlen(extensions[i]);
		const char *rest = what + 2 + length;

		if (strncmp(what + 2, extensions[i], length) != 0)
			continue;
		/* JSON that is not packed is mostly no lines of captures. */
		if (!*rest && strcmp(extensions[i], "json") != 0)
			return true;
		for (size_t k = 0; k < sizeof packings / sizeof *packings; k++)
			if (!strcmp(rest, packings[k]))
				return true;
	}
	return false;
}

static const char others[] = "others";

static void spell(char name[PRN_PASSED_NAME], const char *what, size_t length)
{
	if (length > PRN_PASSED_NAME - 1)
		length = PRN_PASSED_NAME - 1;
	for (size_t i = 0; i < length; i++) {
		char c = what[i] >= 'A' && what[i] <= 'Z' ? (char)(what[i] - 'A' + 'a') : what[i];

		name[i] = c >= ' ' && c <= '~' ? c : '?';
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
