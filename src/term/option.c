#include "term/option.h"

#include "base/number.h"
#include "perennial/error.h"
#include "perennial/time.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int parse_count(const char *text, uint64_t *count)
{
	unsigned long long read;
	char *end;

	if (*text < '0' || *text > '9')
		return PRN_E_INPUT;
	errno = 0;
	read = strtoull(text, &end, 10);
	if (*end || errno)
		return PRN_E_INPUT;
	*count = read;
	return 0;
}

static int parse_bytes(const char *text, size_t *bytes)
{
	static const char letters[] = "KMGT";
	unsigned long long number;
	unsigned shift = 0;
	char *end;

	if (*text < '0' || *text > '9')
		return PRN_E_INPUT;
	errno = 0;
	number = strtoull(text, &end, 10);
	if (*end) {
		const char *letter = strchr(letters, *end);

		if (!letter || end[1])
			return PRN_E_INPUT;
		shift = 10 * (unsigned)(letter - letters + 1);
	}
	if (errno || number > (SIZE_MAX >> shift))
		return PRN_E_INPUT;
	*bytes = (size_t)number << shift;
	return 0;
}

/* The number of the new item is 0 until the caller sets it. */
static int list_add(struct term_list *list, const char *text, size_t length)
{
	char **items = reallocarray(list->items, list->count + 1, sizeof *items), *item;
	double *numbers;

	if (!items)
		return PRN_E_MEMORY;
	list->items = items;
	numbers = reallocarray(list->numbers, list->count + 1, sizeof *numbers);
	if (!numbers)
		return PRN_E_MEMORY;
	list->numbers = numbers;
	item = strndup(text, length);
	if (!item)
		return PRN_E_MEMORY;
	numbers[list->count] = 0;
	items[list->count++] = item;
	return 0;
}

int term_list_add(struct term_list *list, const char *text)
{
	return list_add(list, text, strlen(text));
}

static int list_split(struct term_list *list, const char *text, bool numbers)
{
	for (;;) {
		size_t length = strcspn(text, ",");
		int code = length ? list_add(list, text, length) : PRN_E_INPUT;

		if (!code && numbers && !prn_number_read(list->items[list->count - 1], &list->numbers[list->count - 1]))
			code = PRN_E_INPUT;
		if (code || !text[length])
			return code;
		text += length + 1;
	}
}

void term_list_release(struct term_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i]);
	free(list->items);
	free(list->numbers);
	*list = (struct term_list){ 0 };
}

int term_option_store(const struct term_option *option, const char *value, const char **takes)
{
	const struct term_own *own = option->target;

	switch (option->kind) {
	case TERM_OPTION_FLAG:
		*(bool *)option->target = true;
		return 0;
	case TERM_OPTION_TEXT:
	case TERM_OPTION_OUTPUT:
		*(const char **)option->target = value;
		return 0;
	case TERM_OPTION_LIST:
		*takes = "names separated by commas";
		return list_split(option->target, value, false);
	case TERM_OPTION_TEXTS:
		*takes = "a text";
		return term_list_add(option->target, value);
	case TERM_OPTION_NUMBERS:
		*takes = "numbers separated by commas";
		return list_split(option->target, value, true);
	case TERM_OPTION_COUNT:
		*takes = "a whole number";
		return parse_count(value, option->target);
	case TERM_OPTION_BYTES:
		*takes = "a number of bytes, such as 65536, 16M or 2G";
		return parse_bytes(value, option->target);
	case TERM_OPTION_NUMBER:
		*takes = "a number";
		return prn_number_read(value, option->target) ? 0 : PRN_E_INPUT;
	case TERM_OPTION_TIME:
		*takes = "a time, such as 2026-05-10 or 2026-05-10T12:00:00Z";
		return prn_time_parse(value, option->target);
	case TERM_OPTION_DURATION:
		*takes = "a duration, such as 90s, 15m, 6h or 2d";
		return prn_duration_parse(value, option->target);
	case TERM_OPTION_OWN:
		*takes = own->takes;
		return own->parse(own->context, value);
	case TERM_OPTION_CONFIG: /* has been read */
		return 0;
	case TERM_OPTION_END:
	case TERM_OPTION_HEADING:
		break;
	}
	*takes = "nothing";
	return PRN_E_INPUT;
}
