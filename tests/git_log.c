/* What git log writes, taken apart, in pieces of any length. */
#include "archive/git_log.h"
#include "perennial/error.h"
#include "tap.h"

#define A "1111111111111111111111111111111111111111"
#define B "2222222222222222222222222222222222222222"
#define NONE "0000000000000000000000000000000000000000"
#define ID64 "abcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcdefabcd"

struct text {
	const char *bytes;
	size_t length, at, piece;
};

static int read_text(void *context, void *to, size_t room, size_t *got, struct prn_error *error)
{
	struct text *text = context;
	size_t left = text->length - text->at, most = text->piece < room ? text->piece : room;

	(void)error;
	*got = left < most ? left : most;
	memcpy(to, text->bytes + text->at, *got);
	text->at += *got;
	return 0;
}

/* All changes as text: "time before now same id path;", and the code of the end. */
static const char *parse(const char *bytes, size_t length, size_t piece)
{
	static char out[4096];
	struct text text = { bytes, length, 0, piece };
	struct prn_git_log log = { .read = read_text, .context = &text, .changes_most = 4 };
	struct prn_git_change change;
	size_t at = 0;
	int code;

	while ((code = prn_git_log_next(&log, &change, NULL)) == 1)
		at += (size_t)snprintf(out + at, sizeof out - at, "%lld %d%d%s %.4s %s;", (long long)change.time, change.before, change.now, change.is_same ? "=" : "",
		                       change.id, change.path ? change.path : "(no time)");
	snprintf(out + at, sizeof out - at, "%d", code);
	prn_git_log_release(&log);
	return out;
}

#define ONE ":000000 100644 " NONE " " A " A\0f\0"
#define FOUR ONE ONE ONE ONE

#define PARSE(literal) parse(literal, sizeof literal - 1, 1000)

static void whole_logs(void)
{
	static const char whole[] = "commit " A " 100\0\n:000000 100644 " NONE " " A " A\0a.html\0:100644 000000 " A " " NONE " D\0b/\xff\nc\0"
				    "commit " B " 200\0commit " A " 300\0\n:100644 100755 " A " " A " M\0:000000 path\0:100644 120000 " A " " B " T\0l\0"
				    ":000000 160000 " NONE " " B " A\0m\0";
	static const char want[] = "100 01 1111 a.html;100 10 0000 b/\xff\nc;300 11= 1111 :000000 path;300 12 2222 l;300 03 2222 m;0";
	size_t wrong = 0, ends = 0;

	same(PARSE(whole), want, "a log is the changes of its commits");
	for (size_t piece = 1; piece < sizeof whole; piece++)
		wrong += strcmp(parse(whole, sizeof whole - 1, piece), want) != 0;
	ok(!wrong, "a log in pieces of any length is the same");
	for (size_t length = 1; length < sizeof whole - 1; length++) {
		const char *got = parse(whole, length, 7), *end = strrchr(got, ';');

		wrong += end && strncmp(got, want, (size_t)(end - got) + 1) != 0;
		ends += whole[length - 1] && strcmp(end ? end + 1 : got, "-4") != 0;
	}
	ok(!wrong, "a log that is cut is the changes before");
	ok(!ends, "a log that is cut within a line is told to be");
	same(PARSE(""), "0", "no log has no changes");
	same(PARSE("commit " ID64 " 1\0\n:000000 100644 " ID64 " " ID64 " A\0x\0"), "1 01= abcd x;0", "a repository may name its objects by SHA-256");
	same(PARSE("commit " A " -5\0\n:000000 100644 " NONE " " A " A\0x\0"), "-5 01 1111 x;0", "a commit may be of before 1970");
}

static void times(void)
{
	static const char *const untimed[] = { "", "-", "99999999999999999", "99999999999999999999", "-99999999999999", "253402300800" };

	for (size_t i = 0; i < sizeof untimed / sizeof *untimed; i++) {
		static char log[1000];
		int length = snprintf(log, sizeof log,
		                      "commit " B " 7%c:000000 100644 " NONE " " A " A%cw%ccommit " A " %s%c\n:000000 100644 " NONE " " A " A%cx%c"
		                      ":000000 100644 " NONE " " B " A%cz%ccommit " B " 1%c:000000 100644 " NONE " " A " A%cy%c",
		                      0, 0, 0, untimed[i], 0, 0, 0, 0, 0, 0, 0, 0);

		same(parse(log, (size_t)length, 1000), "7 01 1111 w;7 01 1111 (no time);1 01 1111 y;0", "a commit of time '%s' is told once, and those beside it are read", untimed[i]);
	}
}

static void many_changes(void)
{
	same(PARSE("commit " A " 1\0" FOUR "commit " B " 2\0" FOUR), "1 01 1111 f;1 01 1111 f;1 01 1111 f;1 01 1111 f;2 01 1111 f;2 01 1111 f;2 01 1111 f;2 01 1111 f;0",
	     "each commit may change as many files as it may");
	same(PARSE("commit " A " 1\0" FOUR ONE ONE "commit " B " 2\0" FOUR), "1 01 1111 f;1 01 1111 f;1 01 1111 f;1 01 1111 f;-3", "a commit that changes more is the end");
}

static void other_texts(void)
{
	same(PARSE(":000000 100644 " NONE " " A " A\0x\0"), "0", "a change of no commit says nothing");
	same(PARSE("commit " A "\0"), "-3", "a commit without a place for a time is refused");
	same(PARSE("commit " A " 1-1\0"), "-3", "a commit with a time that is no number is refused");
	same(PARSE("commit 11 1\0"), "-3", "a commit without a whole name is refused");
	same(PARSE("commit " A " 1x\0"), "-3", "a commit with another time is refused");
	same(PARSE("fatal: no log"), "-4", "another text is refused");
	same(PARSE("fatal: no log\0"), "-3", "another text with an end is refused");
	same(PARSE("commit " A " 1\0:000000 100644 " NONE " " ID64 " A\0x\0"), "-3", "names of two lengths are refused");
	same(PARSE("commit " A " 1\0:000000 100648 " NONE " " A " A\0x\0"), "-3", "a mode that is none is refused");
	same(PARSE("commit " A " 1\0:000000 100644 " NONE " " A "\0x\0"), "-3", "a change without a letter is refused");
	same(PARSE("commit " A " 1\0:000000 100644 " NONE " " A " A\0\0"), "-3", "a change of no path is refused");
}

static void long_paths(void)
{
	static char path[200 + 70000];

	for (size_t length = 32767; length < 70000; length += length > 32768 ? 37000 : 1) {
		struct text text = { path, 0, 0, 5000 };
		struct prn_git_log log = { .read = read_text, .context = &text, .changes_most = 1 };
		struct prn_git_change change = { 0 };
		static const char start[] = "commit " A " 1\0:000000 100644 " NONE " " A " A";
		size_t begin = sizeof start;

		memcpy(path, start, begin);
		memset(path + begin, 'p', length);
		path[begin + length] = 0;
		text.length = begin + length + 1;
		ok(prn_git_log_next(&log, &change, NULL) == 1 && change.is_cut == (length > PRN_GIT_PATH_BYTES), "a path of %zu bytes is told %s", length,
		   length > PRN_GIT_PATH_BYTES ? "in part" : "whole");
		near((double)strlen(change.path ? change.path : ""), (double)(length < PRN_GIT_PATH_BYTES ? length : PRN_GIT_PATH_BYTES), 0,
		     "a path of %zu bytes has its bytes, up to the most", length);
		ok(!prn_git_log_next(&log, &change, NULL), "a log ends behind a path of %zu bytes", length);
		prn_git_log_release(&log);
	}
}

int main(void)
{
	whole_logs();
	times();
	many_changes();
	other_texts();
	long_paths();
	return done();
}
