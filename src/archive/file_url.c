#include "archive/file_url.h"

#include <stdbool.h>
#include <string.h>

#define INDEX "index.html"

/* How much of the path is in the URL. */
static size_t length_of(const char *path)
{
	size_t length = strlen(path), tail = strlen(INDEX);

	if (length < tail || strcmp(path + length - tail, INDEX) != 0)
		return length;
	return length == tail || path[length - tail - 1] == '/' ? length - tail : length;
}

int prn_file_url_append(struct prn_buffer *url, const char *path, enum prn_file_names names)
{
	/* A backslash divides folders in URLs, and in no file system that is read here. */
	const char *coded = names == PRN_NAMES_OF_URLS ? "#\\" : "#\\?%";
	size_t length = length_of(path);

	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)path[i];
		bool is_plain = c > ' ' && c < 0x7f && !strchr(coded, c);

		if (is_plain ? prn_buffer_append(url, &c, 1) : prn_buffer_printf(url, "%%%02X", c))
			return PRN_E_MEMORY;
	}
	return 0;
}
