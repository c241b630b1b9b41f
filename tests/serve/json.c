/* What the decider says as JSON, and text as HTML. */
#include "../tap.h"
#include "serve/html.h"
#include "serve/json.h"

static struct prn_buffer out;

/* What was printed since the last time. */
static const char *printed(void)
{
	static char text[4000];
	size_t length = out.length < sizeof text ? out.length : sizeof text - 1;

	memcpy(text, out.data, length);
	text[length] = 0;
	prn_buffer_clear(&out);
	return text;
}

static void check_outcomes(void)
{
	struct prn_outcome outcome = { .kind = PRN_OUTCOME_OBSERVED, .reason = PRN_NEXT_RULE, .next = 1778504400,
		                       .period_s = 90000, .divergence = 0.25, .utility = 0.125 };

	serve_json_outcome(&out, "http://a.example/\"x\"", 1778414400, &outcome);
	same(printed(), "{\"url\":\"http://a.example/\\\"x\\\"\",\"time\":\"2026-05-10T12:00:00Z\",\"outcome\":\"observed\","
	                "\"next_time\":\"2026-05-11T13:00:00Z\",\"period_s\":90000.0,\"divergence\":0.25,\"utility\":0.125,"
	                "\"reason\":\"rule\"}\n",
	     "a decision is a line");
	outcome.kind = PRN_OUTCOME_RETIRED;
	outcome.reason = PRN_NEXT_RETIRED;
	outcome.next = PRN_TIME_UNKNOWN;
	outcome.period_s = INFINITY;
	serve_json_outcome(&out, "http://a.example/\xff", 1778414400, &outcome);
	ok(strstr(out.length ? (prn_buffer_terminate(&out), (char *)out.data) : "", "\"next_time\":null,\"period_s\":null"),
	   "a time that there is not, or a number without end, is null");
	ok(strstr(printed(), "http://a.example/\xef\xbf\xbd\""), "a byte that is no UTF-8 is U+FFFD");
	outcome.kind = PRN_OUTCOME_DUPLICATE;
	serve_json_outcome(&out, "http://a.example/", 1778414400, &outcome);
	same(printed(), "{\"url\":\"http://a.example/\",\"time\":\"2026-05-10T12:00:00Z\",\"outcome\":\"duplicate\"}\n",
	     "of what was refused there is no decision");
}

static void check_others(void)
{
	serve_json_skipped(&out, "line 3: \"x\"");
	same(printed(), "{\"error\":\"line 3: \\\"x\\\"\"}\n", "what was passed over is told");
	serve_json_added(&out, "http://a.example/", PRN_ADDED_NEW);
	serve_json_added(&out, "http://a.example/", PRN_ADDED_KNOWN);
	serve_json_added(&out, "http://a.example/", PRN_ADDED_REVIVED);
	same(printed(), "{\"url\":\"http://a.example/\",\"outcome\":\"added\"}\n"
	                "{\"url\":\"http://a.example/\",\"outcome\":\"known\"}\n"
	                "{\"url\":\"http://a.example/\",\"outcome\":\"revived\"}\n",
	     "pages are added, known or revived");
}

static void check_html(void)
{
	serve_html_text(&out, "<a href=\"x\" b='y'>&amp;\xff\x01</a>");
	same(printed(), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;\xef\xbf\xbd &lt;/a&gt;", "text in HTML is text");
	serve_html_query(&out, "http://a.example/?q=\"a b\"&x=\xc3\xa9#'");
	same(printed(), "http://a.example/%3Fq%3D%22a%20b%22%26x%3D%C3%A9%23%27", "as is a URL in the query of another");
}

int main(void)
{
	check_outcomes();
	check_others();
	check_html();
	prn_buffer_release(&out);
	return done();
}
