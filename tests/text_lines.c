/* Lines of a file of text: what ends them, what stands before the first, and that none takes more memory than it may. */
#include "fixture.h"
#include "base/text_lines.h"

#include <errno.h>

static FILE *file_of(const char *text, size_t length)
{
	FILE *file = tmpfile();

	must(file && fwrite(text, 1, length, file) == length, "write a file");
	rewind(file);
	return file;
}

static void ends(void)
{
	static const char text[] = "\xef\xbb\xbf" "first\r\n\nthi\rrd\n\xef\xbb\xbf" "four\0th\nlast";
	struct prn_text_lines lines = { .file = file_of(text, sizeof text - 1), .name = "a.txt" };
	struct prn_error error;

	ok(prn_text_lines_need(&lines, &error) == 1 && !strcmp(lines.line, "first"),
	   "the first line is without its end of two bytes, and without a byte order mark");
	ok(lines.length == 5, "a line's length is without its end");
	ok(lines.number == 1 && lines.at == 10, "lines are numbered from 1, and bytes of the file are counted with what is cut off");
	ok(prn_text_lines_need(&lines, &error) == 1 && !lines.length, "an empty line is a line");
	same(lines.line, "", "an empty line is without its end of one byte");
	ok(prn_text_lines_need(&lines, &error) == 1 && !strcmp(lines.line, "thi\rrd"), "a carriage return within a line stays");
	ok(prn_text_lines_next(&lines) == PRN_TEXT_LINE_ZERO, "of a line with a NUL it is said that it has one");
	ok(lines.length == 10 && !memcmp(lines.line, "\xef\xbb\xbf" "four\0th", 10),
	   "a byte order mark stays in later lines, and so does a NUL");
	ok(prn_text_lines_wrong(&lines, PRN_TEXT_LINE_ZERO, &error) == PRN_E_INPUT, "a line with a NUL is an error where one is wanted");
	same(error.text, "a.txt, line 4: a zero byte in it: it is no text in UTF-8",
	     "a line with a NUL is told with file and line");
	ok(prn_text_lines_need(&lines, &error) == 1 && !strcmp(lines.line, "last"), "the last line may lack its end");
	ok(lines.number == 5, "every line is counted, whatever is wrong with it");
	ok(prn_text_lines_need(&lines, &error) == 0 && lines.at == sizeof text - 1, "at the end of the file there is no line");
	prn_buffer_release(&lines.text);
	fclose(lines.file);
}

static void long_lines(void)
{
	size_t length = 3 * PRN_TEXT_LINE_BYTES;
	char *text = malloc(length + 6);
	struct prn_text_lines lines = { .name = "a.txt" };
	struct prn_error error;
	int got;

	must(text, "make a text");
	memset(text, 'x', length);
	memcpy(text + length, "\nnext\n", 6);
	lines.file = file_of(text, length + 6);
	got = prn_text_lines_next(&lines);
	ok(got == PRN_TEXT_LINE_LONG && lines.length == PRN_TEXT_LINE_BYTES, "of a line that is too long the first bytes are kept");
	ok(lines.text.capacity <= 2 * PRN_TEXT_LINE_BYTES, "a line takes no more memory than twice what is kept of it");
	ok(prn_text_lines_wrong(&lines, got, &error) == PRN_E_INPUT, "a line that is too long is an error where one is wanted");
	same(error.text, "a.txt, line 1: it is longer than 16777216 bytes",
	     "a line that is too long is told with file, line and limit");
	ok(prn_text_lines_next(&lines) == 1 && !strcmp(lines.line, "next"),
	   "the line behind one that is too long is read");
	ok(lines.number == 2, "a line that is too long is counted as one");
	ok(prn_text_lines_wrong(&lines, 1, &error) == 0 && prn_text_lines_wrong(&lines, 0, &error) == 0,
	   "a line is not wrong, and nor is the end");
	rewind(lines.file);
	ok(prn_text_lines_need(&lines, &error) == PRN_E_INPUT, "who needs lines is told the error at once");
	fclose(lines.file);
	lines.file = file_of(text, PRN_TEXT_LINE_BYTES);
	ok(prn_text_lines_next(&lines) == 1 && lines.length == PRN_TEXT_LINE_BYTES, "a line may be as long as is allowed");
	fclose(lines.file);
	prn_buffer_release(&lines.text);
	free(text);
}

static void unreadable(void)
{
	struct prn_text_lines lines = { .file = fopen("/", "re"), .name = "a folder" };
	struct prn_error error;

	must(lines.file, "open a folder");
	ok(prn_text_lines_need(&lines, &error) == PRN_E_IO, "a file that cannot be read is an error, and no end");
	same(error.text, "a folder: cannot be read: Is a directory", "a file that cannot be read is told with why");
	prn_buffer_release(&lines.text);
	fclose(lines.file);
}

int main(void)
{
	ends();
	long_lines();
	unreadable();
	return done();
}
