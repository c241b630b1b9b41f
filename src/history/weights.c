#include "history/weights.h"

#include "base/number.h"
#include "base/text_lines.h"
#include "perennial/source.h"
#include "perennial/url.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blank[] = " \t\r\n\v\f";

/* Reads a number with nothing but white space around it. */
static bool read_weight(const char *text, double *weight)
{
	char *end;
	double read = prn_number_scan(text, &end);

	if (end == text || end[strspn(end, blank)] || !(read > 0 && read <= PRN_WEIGHT_MOST))
		return false;
	*weight = read;
	return true;
}

bool prn_weights_line(char *line, const char **url, double *weight)
{
	char *start = line + strspn(line, blank), *end = start + strcspn(start, blank);
	double read = 0;

	if (*start == '#')
		end = start = start + strlen(start);
	if (end[strspn(end, blank)] && !read_weight(end, &read))
		return false;
	*end = 0;
	*url = start;
	*weight = read;
	return true;
}

static int take_line(char *line, const struct prn_part *part, struct prn_page_table *pages, uint64_t *repeated)
{
	char normal[PRN_URL_BYTES + 1];
	const char *url;
	uint32_t page;
	double weight;
	int code;

	if (!prn_weights_line(line, &url, &weight))
		return PRN_E_INPUT;
	if (!*url)
		return 0;
	if (!(weight > 0))
		return PRN_E_INPUT;
	code = prn_url_normalize(url, SIZE_MAX, normal, sizeof normal);
	if (code)
		return code == PRN_E_MEMORY ? code : PRN_E_INPUT;
	if (!prn_part_has(part, normal))
		return 0;
	if (prn_page_table_add(pages, normal, &page))
		return PRN_E_MEMORY;
	*repeated += pages->entries[page].weighted;
	pages->entries[page].weight = weight;
	pages->entries[page].weighted = true;
	return 0;
}

static int take_lines(FILE *file, const char *path, const struct prn_part *part, struct prn_page_table *pages,
                      uint64_t *repeated, struct prn_error *error)
{
	struct prn_text_lines lines = { .file = file, .name = path };
	int code = 0;

	while (!code && (code = prn_text_lines_need(&lines, error)) > 0) {
		code = take_line(lines.line, part, pages, repeated);
		if (code == PRN_E_INPUT)
			prn_error_set(error, code, "%s, line %llu: not a URL and a number above 0, at most 1e9", path, lines.number);
		else if (code)
			prn_error_memory(error);
	}
	prn_buffer_release(&lines.text);
	return code;
}

int prn_weights_read(const char *path, const struct prn_part *part, struct prn_page_table *pages, uint64_t *repeated,
                     struct prn_error *error)
{
	FILE *file = fopen(path, "re");
	int code;

	if (!file)
		return prn_error_set(error, PRN_E_IO, "%s: cannot open: %s", path, strerror(errno));
	*repeated = 0;
	code = take_lines(file, path, part, pages, repeated, error);
	fclose(file);
	return code;
}
