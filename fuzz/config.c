/* Reads a configuration file of any bytes: it is read, or refused with the number of a line. */
#include "term/config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool flag = false;
	struct term_list list = { 0 };
	double number = 0, seconds = 0;
	uint64_t count = 0;
	const struct term_option keys[] = {
		{ TERM_OPTION_FLAG, "flag", 0, &flag, NULL, "" },
		{ TERM_OPTION_LIST, "list", 0, &list, "NAMES", "" },
		{ TERM_OPTION_NUMBER, "number", 0, &number, "X", "" },
		{ TERM_OPTION_DURATION, "duration", 0, &seconds, "DURATION", "" },
		{ TERM_OPTION_COUNT, "count", 0, &count, "N", "" },
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	int file = memfd_create("config", MFD_CLOEXEC);
	struct prn_error error = { 0 };
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	if (file >= 0 && write(file, data, size) == (ssize_t)size) {
		int code = term_config_read(path, keys, &error);

		if (code ? code != PRN_E_INPUT || !strstr(error.text, ", line ") : *error.text != 0)
			abort();
		if (!isfinite(number) || !(seconds >= 0))
			abort();
	}
	close(file);
	term_list_release(&list);
	return 0;
}
