#include "corpus/weights.h"

#include "perennial/url.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int take_line(char *line, struct prn_page_table *pages)
{
	char normal[PRN_URL_BYTES + 1], *tab = strchr(line, '\t'), *end;
	uint32_t page;
	double weight;

	if (!tab || prn_url_normalize(line, (size_t)(tab - line), normal, sizeof normal))
		return PRN_E_INPUT;
	weight = strtod(tab + 1, &end);
	if (end == tab + 1 || *end || !isfinite(weight) || !(weight > 0))
		return PRN_E_INPUT;
	if (prn_page_table_add(pages, normal, &page))
		return PRN_E_MEMORY;
	pages->entries[page].weight = weight;
	pages->entries[page].weighted = true;
	return 0;
}

static int take_lines(FILE *file, const char *path, struct prn_page_table *pages, struct prn_error *error)
{
	unsigned long long number = 0;
	char *line = NULL;
	size_t capacity = 0;
	int failed = 0;

	while (!failed && getline(&line, &capacity, file) >= 0) {
		number++;
		line[strcspn(line, "\r\n")] = 0;
		failed = *line ? take_line(line, pages) : 0;
		if (failed == PRN_E_INPUT)
			prn_error_set(error, failed, "%s, line %llu: not a URL, a tab and a positive number", path, number);
		else if (failed)
			prn_error_set(error, failed, "%s: out of memory", path);
	}
	free(line);
	if (!failed && ferror(file))
		failed = prn_error_set(error, PRN_E_IO, "%s: cannot read: %s", path, strerror(errno));
	return failed;
}

int prn_weights_read(const char *path, struct prn_page_table *pages, struct prn_error *error)
{
	FILE *file = fopen(path, "re");
	int failed;

	if (!file)
		return prn_error_set(error, PRN_E_IO, "%s: cannot open: %s", path, strerror(errno));
	failed = take_lines(file, path, pages, error);
	fclose(file);
	return failed;
}
