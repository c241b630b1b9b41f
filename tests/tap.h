/*
 * The whole test library: TAP lines, a plan at the end.  A test file is one program; each check is one
 * line of output, and its text says what is claimed.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count;

__attribute__((format(printf, 2, 3))) static inline bool ok(bool holds, const char *format, ...)
{
	va_list list;

	printf("%sok %d - ", holds ? "" : "not ", ++tap_count);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	putchar('\n');
	fflush(stdout);
	return holds;
}

/* |got - want| <= tolerance, absolute; NaN fails. */
#define near(got, want, tolerance, ...)                                                            \
	do {                                                                                       \
		double tap_got = (got), tap_want = (want), tap_tolerance = (tolerance);            \
		if (!ok(fabs(tap_got - tap_want) <= tap_tolerance, __VA_ARGS__))                   \
			printf("# got %.17g, want %.17g within %g\n", tap_got, tap_want,           \
			       tap_tolerance);                                                     \
	} while (0)

/* Not inline: a compiler that sees the question for NULL takes titles with the strings in them for faults. */
__attribute__((noinline, unused)) static bool tap_is_same(const char *got, const char *want)
{
	return got && want ? !strcmp(got, want) : got == want;
}

__attribute__((noinline, unused)) static void tap_show(const char *got, const char *want)
{
	printf("# got  \"%s\"\n# want \"%s\"\n", got ? got : "(null)", want ? want : "(null)");
}

/* Two strings are the same; NULL is only the same as NULL. */
#define same(got, want, ...)                                                                       \
	do {                                                                                       \
		const char *tap_got = (got), *tap_want = (want);                                   \
		if (!ok(tap_is_same(tap_got, tap_want), __VA_ARGS__))                              \
			tap_show(tap_got, tap_want);                                               \
	} while (0)

/*
 * Values as one text, so that same() compares them together and shows what came beside what was wanted.  It is good until
 * this was called four times more.
 */
__attribute__((format(printf, 1, 2), noinline, unused)) static const char *tap_text(const char *format, ...)
{
	static char texts[4][512];
	static int last;
	char *text = texts[++last % 4];
	va_list list;

	va_start(list, format);
	vsnprintf(text, sizeof texts[0], format, list);
	va_end(list);
	return text;
}

/* One check that cannot be made here, and why. */
static inline void skip(const char *reason)
{
	printf("ok %d # SKIP %s\n", ++tap_count, reason);
}

/* Prints the plan: `return done();` ends main. */
static inline int done(void)
{
	printf("1..%d\n", tap_count);
	return 0;
}

#endif
