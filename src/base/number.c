#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t with_point;

static void make_locale(void)
{
	with_point = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* If there is no memory for the locale, the program's own one stays. */
static locale_t enter(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_locale);
	return with_point ? uselocale(with_point) : (locale_t)0;
}

static void leave(locale_t before)
{
	if (before)
		uselocale(before);
}

double prn_number_scan(const char *text, char **end)
{
	locale_t before = enter();
	double number = strtod(text, end);

	leave(before);
	return number;
}

int prn_number_print(char *text, size_t size, const char *format, ...)
{
	locale_t before = enter();
	va_list list;
	int length;

	va_start(list, format);
	length = vsnprintf(text, size, format, list);
	va_end(list);
	leave(before);
	return length;
}

bool prn_number_read(const char *text, double *number)
{
	double value;
	char *end;

	errno = 0;
	value = prn_number_scan(text, &end);
	if (!*text || *end || errno || !isfinite(value))
		return false;
	*number = value;
	return true;
}
