/* Configuration files: every kind of value, and what is said to wrong lines. */
#include "term/config.h"
#include "fixture.h"

static struct {
	bool flag;
	const char *text;
	struct term_list list;
	uint64_t count;
	double number, duration;
	int64_t time;
	char own[32];
} got;

static int parse_own(void *context, const char *value)
{
	snprintf(context, sizeof got.own, "%s", value);
	return strcmp(value, "bad") ? 0 : PRN_E_INPUT;
}

static struct term_own own = { parse_own, got.own, "anything but bad" };

static const struct term_option keys[] = {
	{ TERM_OPTION_HEADING, "a heading", 0, NULL, NULL, NULL },
	{ TERM_OPTION_FLAG, "flag", 0, &got.flag, NULL, "" },
	{ TERM_OPTION_TEXT, "text", 0, &got.text, "TEXT", "" },
	{ TERM_OPTION_LIST, "list", 0, &got.list, "NAMES", "" },
	{ TERM_OPTION_COUNT, "count", 0, &got.count, "N", "" },
	{ TERM_OPTION_NUMBER, "number", 0, &got.number, "X", "" },
	{ TERM_OPTION_DURATION, "some-duration", 0, &got.duration, "DURATION", "" },
	{ TERM_OPTION_TIME, "time", 0, &got.time, "TIME", "" },
	{ TERM_OPTION_OWN, "own", 0, &own, "OWN", "" },
	{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
};

static struct prn_error error;

static int read_text(const char *text)
{
	error = (struct prn_error){ 0 };
	return term_config_read(put_file("a.conf", text, strlen(text)), keys, &error);
}

static void values(void)
{
	ok(!read_text("# what we run\n\n  flag=yes\nlist = a,b\n\tlist = c\t\ncount = 7\r\nnumber=0.5\n"
	              "some-duration = 1h30m\ntime = 1970-01-01T00:01:00Z\n   # own = bad\nown = org,a)/x=y=2d"),
	   "a file with keys of every kind is read");
	ok(got.flag, "a flag in a file is written as that of an option");
	ok(got.count == 7 && got.number == 0.5, "numbers in a file are written as those of options");
	ok(got.duration == 5400 && got.time == 60, "durations and times in a file are written as those of options");
	ok(got.list.count == 3 && !strcmp(got.list.items[2], "c"), "a key that may be repeated may be repeated in a file");
	same(got.own, "org,a)/x=y=2d", "the first equals sign of a line divides it, and the last line may lack its end");
	ok(!read_text("flag = no\n") && !got.flag, "a flag may be taken back in a file");
	ok(!read_text("\xef\xbb\xbf" "count = 8\n") && got.count == 8, "a byte order mark in front of a file is no part of its first key");
	ok(read_text("count = 8\n\xef\xbb\xbf" "count = 9\n") == PRN_E_INPUT, "a byte order mark elsewhere is none");
	ok(!read_text(""), "an empty file is a file of options");
	term_list_release(&got.list);
}

static void wrong(const char *text, const char *told)
{
	ok(read_text(text) == PRN_E_INPUT && HOLDS(error.text, "a.conf, line ", told), "a wrong line is told: %s", told);
}

int main(void)
{
	make_scratch();
	values();
	wrong("\n\nflags = yes\n", "line 3: no key 'flags': there is flag, text, list, count, number, some-duration, time, own");
	wrong("flag\n", "line 1: expected 'key = value', not 'flag'");
	wrong("= yes\n", "no key ''");
	wrong("flag = true\n", "flag takes yes or no, not 'true'");
	wrong("count = -1\n", "count takes a whole number, not '-1'");
	wrong("some-duration = 5\n", "some-duration takes a duration, such as");
	wrong("own = bad\n", "own takes anything but bad, not 'bad'");
	wrong("text = x\n", "text takes nothing in a file");
	ok(term_config_read(put_file("zero.conf", "count = 1\0\nflag = yes\n", 21), keys, &error) == PRN_E_INPUT &&
	           HOLDS(error.text, "zero.conf, line 1: a zero byte"),
	   "a zero byte in a file of options is an error with its line");
	for (size_t i = 0; i < 2; i++) {
		char *line = malloc(65536 + 3);

		memset(line, '#', 65536 + 1);
		memcpy(line + 65536 + i, "\n", 2);
		ok(read_text(line) == (i ? PRN_E_INPUT : 0) && (!i || HOLDS(error.text, "line 1: it is longer than the 65536 bytes")),
		   i ? "a line that is longer than a line may be is told" : "a line may have 65536 bytes");
		free(line);
	}
	ok(term_config_read("/dev/zero", keys, &error) == PRN_E_LIMIT && HOLDS(error.text, "/dev/zero: is longer than the 16 MiB"),
	   "a device without end is read so far and no further");
	ok(term_config_read(in_scratch("none.conf"), keys, &error) == PRN_E_IO &&
	           HOLDS(error.text, "none.conf: cannot be opened: No such file"),
	   "a file that is not there is told as one");
	return done();
}
