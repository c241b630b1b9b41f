#include "archive/fields.h"

#include "base/text.h"

#include <string.h>

size_t prn_fields_end(const unsigned char *bytes, size_t length)
{
	const unsigned char *at = bytes, *end;

	/* An empty range may have a null pointer. */
	if (!length)
		return 0;
	end = bytes + length;
	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		at++;
		if (at < end && *at == '\n')
			return (size_t)(at - bytes) + 1;
		if (end - at > 1 && at[0] == '\r' && at[1] == '\n')
			return (size_t)(at - bytes) + 2;
	}
	return 0;
}

bool prn_fields_line(struct prn_fields *fields, char **line)
{
	char *start = fields->at, *end;

	for (;;) {
		end = memchr(fields->at, '\n', (size_t)(fields->end - fields->at));
		fields->at = end ? end + 1 : fields->end;
		if (!end)
			end = fields->end;
		if (end > start && end[-1] == '\r')
			*--end = ' ';
		if (end == start || fields->at == fields->end || (*fields->at != ' ' && *fields->at != '\t'))
			break;
		fields->at[-1] = ' ';
	}
	*end = 0;
	*line = start;
	return end > start;
}

bool prn_fields_next(struct prn_fields *fields, char **name, char **value)
{
	char *line;

	while (prn_fields_line(fields, &line)) {
		char *colon = strchr(line, ':');

		if (!colon)
			continue;
		*colon = 0;
		*name = prn_text_trim(line, " \t");
		*value = prn_text_trim(colon + 1, " \t");
		return true;
	}
	return false;
}
