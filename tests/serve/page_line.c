/* Lines of pages to look after, in both forms. */
#include "../tap.h"
#include "serve/page_line.h"

static struct prn_buffer url;

static void reads(const char *line, const char *want, double want_weight)
{
	double weight = -1;

	if (!ok(serve_page_line_read(line, strlen(line), &url, &weight, NULL) == 1, "'%s' is a page", line))
		return;
	same((char *)url.data, want, "the URL of the line '%s' is %s", line, want);
	ok(weight == want_weight, "the weight of the line '%s' is %g", line, want_weight);
}

static void refuses(const char *line, const char *why)
{
	struct prn_error error = { 0 };
	double weight;

	ok(serve_page_line_read(line, strlen(line), &url, &weight, &error) == PRN_E_INPUT && strstr(error.text, why),
	   "'%s' is no page: %s", line, error.text);
}

/* What is made of a line takes several times its memory, so a line has an end. */
static void length(void)
{
	struct prn_buffer line = { 0 };
	struct prn_error error = { 0 };
	double weight;

	prn_buffer_printf(&line, "{\"url\":\"http://a.example/\",\"note\":\"%*s\"}", (int)SERVE_PAGE_LINE_BYTES - 37, "");
	ok(line.length == SERVE_PAGE_LINE_BYTES &&
	           serve_page_line_read((char *)line.data, line.length, &url, &weight, NULL) == 1,
	   "the longest line of a page is read");
	prn_buffer_append(&line, " }", 2);
	ok(serve_page_line_read((char *)line.data, line.length, &url, &weight, &error) == PRN_E_INPUT &&
	           strstr(error.text, "longer than the 65536 bytes"),
	   "a line of a page that is longer than the longest is refused: %s", error.text);
	prn_buffer_release(&line);
}

int main(void)
{
	double weight;

	reads("http://a.example/", "http://a.example/", 0);
	reads("http://a.example/ 2.5", "http://a.example/", 2.5);
	reads(" http://a.example/\t1e3 \r", "http://a.example/", 1000);
	reads("{\"url\": \"http://a.example/\"}", "http://a.example/", 0);
	reads("{\"url\":\"http://a.example/\\u00e9\",\"weight\":3,\"note\":\"ours\"}", "http://a.example/\xc3\xa9", 3);
	for (const char *const *line = (const char *const[]){ "", "  \r", "# a remark", "{\"next_time\":\"2026-05-10T12:00:00Z\"}",
	                                                      "{\"next_time\":null}", NULL };
	     *line; line++)
		ok(!serve_page_line_read(*line, strlen(*line), &url, &weight, NULL),
		   "the line '%s' is no page, and no fault", *line);
	refuses("http://a.example/ heavy", "not 'heavy'");
	refuses("http://a.example/ -1", "above 0");
	refuses("http://a.example/ 0", "above 0");
	refuses("http://a.example/ nan", "above 0");
	refuses("http://a.example/ 1e300", "at most 1e9");
	refuses("{\"url\":\"http://a.example/\",\"weight\":1e300}", "at most 1e9");
	refuses("http://a.example/ 1 2", "not '1 2'");
	refuses("http://a.example/ 1111111111111111111111111111111111111111111111111111111111111111111111", "above 0");
	refuses("{\"url\":7}", "\"url\"");
	refuses("{\"weight\":7}", "\"url\"");
	refuses("{\"url\":\"http://a.example/\",\"weight\":\"7\"}", "\"weight\"");
	refuses("{\"url\":\"http://a.example/\",\"weight\":-7}", "\"weight\"");
	refuses("{\"url\":\"a\",\"url\":\"b\"}", "not JSON");
	refuses("{\"url\":\"http://a.example/\"", "not JSON");
	refuses("{\"url\":\"http://a.example/\\u0000\"}", "not JSON");
	length();
	prn_buffer_release(&url);
	return done();
}
