#include "report/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int report_open(const struct report *report, const char *name, FILE **file, struct prn_error *error)
{
	char *path;
	int code = 0;

	if (asprintf(&path, "%s/%s", report->folder, name) < 0)
		return prn_error_memory(error);
	*file = fopen(path, "we");
	if (!*file)
		code = prn_error_set(error, PRN_E_IO, "%s: cannot be written: %s", path, strerror(errno));
	free(path);
	return code;
}

int report_close(const struct report *report, const char *name, FILE *file, int code, struct prn_error *error)
{
	int bad = ferror(file);

	if (fclose(file) || bad)
		return prn_error_set(error, PRN_E_IO, "%s/%s: cannot be written: %s", report->folder, name,
		                     strerror(errno));
	return code;
}

int report_table_open(const struct report *report, struct report_table *table, const char *name, enum term_format format,
                      const struct term_column *columns, struct prn_error *error)
{
	int code = report_open(report, name, &table->file, error);

	table->name = name;
	if (!code)
		table->rows = term_table_open_in(table->file, format, columns);
	return code;
}

int report_table_close(const struct report *report, struct report_table *table, int code, struct prn_error *error)
{
	int closed = term_table_close(table->rows, NULL, code ? NULL : error);

	return report_close(report, table->name, table->file, code ? code : closed, error);
}

int report_read(const struct report *report, const char *name, char **text, struct prn_error *error)
{
	char *path;
	size_t capacity = 0;
	ssize_t length;
	FILE *file;

	if (asprintf(&path, "%s/%s", report->folder, name) < 0)
		return prn_error_memory(error);
	*text = NULL;
	file = fopen(path, "re");
	length = file ? getdelim(text, &capacity, 0, file) : -1;
	if (length < 0)
		prn_error_set(error, PRN_E_IO, "%s: cannot be read: %s", path, file ? "it is empty" : strerror(errno));
	if (file)
		fclose(file);
	if (length < 0)
		free(*text);
	free(path);
	return length < 0 ? PRN_E_IO : 0;
}
