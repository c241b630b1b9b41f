#include "cli/check_log.h"

#include "base/output.h"
#include "base/text_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A repair does not go on from the log of a mere check, which has repaired nothing of what it found. */
static const char *first_line(const struct cli_check_log *log)
{
	return log->repair ? "perennial check --repair, 1, of" : "perennial check, 1, of";
}

/* Lists the numbers of a log in their order. */
#define NUMBERS 14
static void list_numbers(struct cli_check_log *log, uint64_t *numbers[NUMBERS])
{
	uint64_t *const all[NUMBERS] = {
		&log->store.pages, &log->store.queued, &log->store.unreadable, &log->store.unqueued, &log->store.stray,
		&log->store.miscounted, &log->store.stray_sides, &log->store.disordered, &log->store.repaired, &log->store.missed,
		&log->states.pages, &log->states.unreadable, &log->states.sides, &log->states.repaired,
	};

	memcpy(numbers, all, sizeof all);
}

static bool read_numbers(FILE *in, struct cli_check_log *log)
{
	uint64_t *numbers[NUMBERS];
	int at_states;

	list_numbers(log, numbers);
	if (fscanf(in, "%d %zu", &at_states, &log->next) != 2)
		return false;
	log->at_states = at_states;
	for (size_t i = 0; i < NUMBERS; i++)
		if (fscanf(in, "%" SCNu64, numbers[i]) != 1)
			return false;
	return true;
}

/* Opens a log without waiting for a pipe.  Returns NULL with errno, which is 0 if it is no regular file. */
static FILE *open_log(const char *path)
{
	int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat about;
	bool regular = file >= 0 && !fstat(file, &about) && S_ISREG(about.st_mode);
	FILE *in = regular ? fdopen(file, "r") : NULL;

	if (!in && file >= 0) {
		close(file);
		errno = regular ? ENOMEM : 0;
	}
	return in;
}

int cli_check_log_read(struct cli_check_log *log, struct prn_error *error)
{
	FILE *in = open_log(log->file);
	const char *first = first_line(log);
	size_t begins = strlen(first);
	struct prn_text_lines lines = { .file = in, .name = log->file };
	int got;
	bool whole;

	if (!in)
		return errno == ENOENT ? 0 : prn_error_set(error, PRN_E_IO, "%s: %s", log->file, errno ? strerror(errno) : "is no regular file");
	got = prn_text_lines_next(&lines);
	whole = got == 1 && !strncmp(lines.line, first, begins) && lines.line[begins] == ' ' &&
	        !strcmp(lines.line + begins + 1, log->store_name) && read_numbers(in, log);
	if (got < 0)
		prn_text_lines_wrong(&lines, got, error);
	prn_buffer_release(&lines.text);
	fclose(in);
	if (got < 0)
		return got;
	log->is_written = whole;
	return whole ? 0 : prn_error_set(error, PRN_E_INPUT, "%s: is not of a %s of %s", log->file,
	                                         log->repair ? "repair" : "check", log->store_name);
}

/* Returns the text of a log, or NULL without memory. */
static char *print(struct cli_check_log *log, size_t *length)
{
	uint64_t *numbers[NUMBERS];
	char *text = NULL;
	FILE *out = open_memstream(&text, length);
	bool whole;

	if (!out)
		return NULL;
	list_numbers(log, numbers);
	fprintf(out, "%s %s\n%d %zu\n", first_line(log), log->store_name, log->at_states, log->next);
	for (size_t i = 0; i < NUMBERS; i++)
		fprintf(out, "%" PRIu64 "\n", *numbers[i]);
	whole = !ferror(out);
	if (fclose(out) || !whole) {
		free(text);
		return NULL;
	}
	return text;
}

int cli_check_log_write(struct cli_check_log *log, struct prn_error *error)
{
	struct prn_output output;
	size_t length;
	char *text = print(log, &length);
	int code = text ? prn_output_open(&output, log->file, error) : prn_error_memory(error);

	if (!code) {
		code = prn_output_write(&output, text, length, error);
		if (code)
			prn_output_abandon(&output);
		else
			code = prn_output_commit(&output, error);
	}
	free(text);
	log->is_written |= !code;
	return code;
}

void cli_check_log_remove(const struct cli_check_log *log)
{
	if (log->is_written)
		unlink(log->file);
}
