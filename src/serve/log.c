#include "serve/log.h"
#include "base/buffer.h"
#include "base/visible.h"
#include "fragment/utf8.h"
#include "perennial/time.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

static const char *const levels[] = { "debug", "info", "warning", "error" };

static int write_quoted(struct prn_buffer *line, const char *text)
{
	int32_t character;
	size_t length;
	int code = prn_buffer_append(line, "\"", 1);

	for (; !code && (length = prn_visible_next(text, &character)); text += length) {
		if (character == PRN_NOT_UTF8)
			code = prn_buffer_printf(line, "\\x%02x", (unsigned char)*text);
		else if (character != PRN_IS_SHOWN)
			code = prn_buffer_printf(line, "\\u%04x", (unsigned)character);
		else if (*text == '"' || *text == '\\')
			code = prn_buffer_printf(line, "\\%c", *text);
		else
			code = prn_buffer_append(line, text, length);
	}
	return code ? code : prn_buffer_append(line, "\"", 1);
}

/* A line of JSON is UTF-8, whatever a client sent. */
static int write_json_text(struct prn_buffer *line, const char *text)
{
	struct prn_buffer repaired = { 0 };
	int code;

	if (prn_utf8_is_valid(text, strlen(text)))
		return write_quoted(line, text);
	code = prn_utf8_append_repaired(&repaired, text, strlen(text));
	if (!code)
		code = prn_buffer_terminate(&repaired);
	if (!code)
		code = write_quoted(line, (const char *)repaired.data);
	prn_buffer_release(&repaired);
	return code;
}

static bool is_plain(const char *text)
{
	int32_t character;
	size_t length;

	if (!*text)
		return false;
	for (; (length = prn_visible_next(text, &character)); text += length)
		if (character != PRN_IS_SHOWN || strchr(" \"\\=", *text))
			return false;
	return true;
}

static int write_pair(const struct serve_log *log, struct prn_buffer *line, const char *name, const char *text)
{
	bool number = *name == '#';
	int code = prn_buffer_printf(line, log->json ? ",\"%s\":" : " %s=", name + number);

	if (code)
		return code;
	if (number)
		return prn_buffer_append(line, text, strlen(text));
	if (log->json)
		return write_json_text(line, text);
	return is_plain(text) ? prn_buffer_append(line, text, strlen(text)) : write_quoted(line, text);
}

static int write_start(const struct serve_log *log, struct prn_buffer *line, enum serve_level level,
                       const char *message)
{
	char time[PRN_TIME_TEXT];
	int code;

	prn_time_format(log->clock(log->clock_context), time);
	if (!log->json)
		return prn_buffer_printf(line, "%s %s %s", time, levels[level], message);
	code = prn_buffer_printf(line, "{\"time\":\"%s\",\"level\":\"%s\",\"message\":", time, levels[level]);
	return code ? code : write_quoted(line, message);
}

void serve_log_write(const struct serve_log *log, enum serve_level level, const char *message, ...)
{
	struct prn_buffer line;
	const char *name;
	va_list list;
	int code;

	if (level < log->least)
		return;
	prn_buffer_init(&line);
	code = write_start(log, &line, level, message);
	va_start(list, message);
	while (!code && (name = va_arg(list, const char *)))
		code = write_pair(log, &line, name, va_arg(list, const char *));
	va_end(list);
	if (!code && !prn_buffer_printf(&line, log->json ? "}\n" : "\n"))
		if (write(log->fd, line.data, line.length) < 0)
			code = -1; /* there is nowhere to say it */
	prn_buffer_release(&line);
}
