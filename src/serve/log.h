/*
 * The daemon's messages, a line each: for a person, or as JSON.
 *
 *   2026-05-10T12:00:00Z info listening address=127.0.0.1:7390
 *   {"time":"2026-05-10T12:00:00Z","level":"info","message":"listening","address":"127.0.0.1:7390"}
 */
#ifndef SERVE_LOG_H
#define SERVE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#define SERVE_LEVELS "debug|info|warning|error" /* in the order of the enum */

enum serve_level {
	SERVE_DEBUG,
	SERVE_INFO,
	SERVE_WARNING,
	SERVE_ERROR,
};

struct serve_log {
	int fd;                /* each line is one write, so threads do not mix theirs */
	bool json;
	enum serve_level least; /* lower levels are not written */
	int64_t (*clock)(void *context); /* Unix seconds */
	void *clock_context;
};

/*
 * Writes a line: what happened, then pairs of a name and a text, then NULL.  A name that begins with "#" is written without
 * it, and its text is a number in JSON's form, written without quotes.  Any other text with spaces, quotes or characters that a
 * terminal would act on (base/visible.h) is quoted as in JSON, in both forms; a byte that is not UTF-8 becomes \x9b for a person
 * and U+FFFD in JSON.  A line that cannot be written is lost.
 */
void serve_log_write(const struct serve_log *log, enum serve_level level, const char *message, ...)
	__attribute__((sentinel));

#endif
