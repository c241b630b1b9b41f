/* What the decider says as JSON, and text as HTML. */
#include "../tap.h"
#include "serve/html.h"
#include "serve/json.h"

#include <stdlib.h>

static struct prn_buffer out;
static char line_[6000];

/* What was printed since the last time. */
static const char *printed(void)
{
	size_t length = out.length < sizeof line_ ? out.length : sizeof line_ - 1;

	memcpy(line_, out.data, length);
	line_[length] = 0;
	prn_buffer_clear(&out);
	return line_;
}

static void check_outcomes(void)
{
	struct prn_outcome outcome = { .kind = PRN_OUTCOME_OBSERVED, .reason = PRN_NEXT_RULE, .next = 1778504400,
		                       .period_s = 90000, .divergence = 0.25, .utility = 0.125 };

	serve_json_outcome(&out, "http://a.example/\"x\"", 1778414400, &outcome);
	same(printed(), "{\"url\":\"http://a.example/\\\"x\\\"\",\"time\":\"2026-05-10T12:00:00Z\",\"outcome\":\"observed\","
	                "\"next_time\":\"2026-05-11T13:00:00Z\",\"period_s\":90000.0,\"divergence\":0.25,\"utility\":0.125,"
	                "\"reason\":\"rule\"}\n",
	     "a decision is a line of JSON");
	outcome.kind = PRN_OUTCOME_RETIRED;
	outcome.reason = PRN_NEXT_RETIRED;
	outcome.next = PRN_TIME_UNKNOWN;
	outcome.period_s = INFINITY;
	serve_json_outcome(&out, "http://a.example/\xff", 1778414400, &outcome);
	ok(strstr(out.length ? (prn_buffer_terminate(&out), (char *)out.data) : "", "\"next_time\":null,\"period_s\":null"),
	   "a time that there is not, or a number without end, is null in a decision");
	ok(strstr(printed(), "http://a.example/\xef\xbf\xbd\""), "a byte that is no UTF-8 is U+FFFD in JSON");
	outcome.kind = PRN_OUTCOME_DUPLICATE;
	serve_json_outcome(&out, "http://a.example/", 1778414400, &outcome);
	same(printed(), "{\"url\":\"http://a.example/\",\"time\":\"2026-05-10T12:00:00Z\",\"outcome\":\"duplicate\"}\n",
	     "a line of an observation that was refused has no decision");
}

static void check_others(void)
{
	serve_json_skipped(&out, "line 3: \"x\"");
	same(printed(), "{\"error\":\"line 3: \\\"x\\\"\"}\n",
	     "a line that was passed over is told as an error");
	serve_json_added(&out, "http://a.example/", PRN_ADDED_NEW);
	serve_json_added(&out, "http://a.example/", PRN_ADDED_KNOWN);
	serve_json_added(&out, "http://a.example/", PRN_ADDED_REVIVED);
	same(printed(), "{\"url\":\"http://a.example/\",\"outcome\":\"added\"}\n"
	                "{\"url\":\"http://a.example/\",\"outcome\":\"known\"}\n"
	                "{\"url\":\"http://a.example/\",\"outcome\":\"revived\"}\n",
	     "each page that is added is a line that says if it was added, known or revived");
}

static void check_due(void)
{
	struct prn_due due = { .url = "http://a.example/", .weight = 2, .value = 0.5, .due = 1778414400,
		               .lease = PRN_TIME_UNKNOWN, .reason = PRN_NEXT_NEW,
		               .validators = { .modified = PRN_TIME_UNKNOWN } };

	serve_json_due(&out, &due);
	same(printed(), "{\"url\":\"http://a.example/\",\"weight\":2.0,\"value\":0.5,\"due_time\":\"2026-05-10T12:00:00Z\","
	                "\"lease_until\":null,\"reason\":\"new\"}\n",
	     "a page that is due is a line of JSON");
	due.validators = (struct prn_validators){ .modified = 784111777, .etag = "W/\"a\"" };
	serve_json_due(&out, &due);
	same(printed(), "{\"url\":\"http://a.example/\",\"weight\":2.0,\"value\":0.5,\"due_time\":\"2026-05-10T12:00:00Z\","
	                "\"lease_until\":null,\"reason\":\"new\",\"if_none_match\":\"W/\\\"a\\\"\","
	                "\"if_modified_since\":\"Sun, 06 Nov 1994 08:49:37 GMT\"}\n",
	     "a page that is due is a line of JSON with the headers of a conditional request");
}

static void check_explanation(void)
{
	static char url[] = "http://a.example/";
	struct prn_point points[] = { { 1, 0.25f }, { 2, 0.5f } };
	struct prn_explanation page = { .url = url, .status = PRN_PAGE_LIVE, .reason = PRN_NEXT_MAXIMUM, .visits = 3,
		                        .points = points, .point_count = 2, .reaches_days = INFINITY,
		                        .visited = 1778414400, .lease = PRN_TIME_UNKNOWN };
	const char *text;

	serve_json_explanation(&out, &page);
	text = printed();
	ok(strstr(text, "{\"url\":\"http://a.example/\",\"status\":\"live\"") == text && strstr(text, "}\n"),
	   "an explanation is a line of JSON");
	ok(strstr(text, "\"visited_time\":\"2026-05-10T12:00:00Z\"") && strstr(text, "\"lease_until\":null"),
	   "the times of an explanation are dates, or null where there is none");
	ok(strstr(text, "\"reason\":\"maximum\""), "an explanation has the name of its reason");
	ok(strstr(text, "\"reaches_days\":null"), "a threshold that is never reached is null in an explanation");
	ok(strstr(text, "\"curve\":null"), "the curve of a page that has none is null in an explanation");
	ok(strstr(text, "\"profile\":[[1.0,0.25],[2.0,0.5]]"), "the profile of an explanation is a list of points");
	page.has_curve = true;
	page.curve = prn_curve_line(0.125);
	serve_json_explanation(&out, &page);
	ok(strstr(printed(), "\"curve\":{\"form\":\"line\",\"slope_per_day\":0.125}"),
	   "a straight curve has its slope in an explanation");
	page.curve = prn_curve_churn(0.5, 2);
	serve_json_explanation(&out, &page);
	ok(strstr(printed(), "\"curve\":{\"form\":\"churn\",\"share\":0.5,\"rate_per_day\":2.0,\"items\":1}"),
	   "a curve of churn has its share and rate in an explanation");
	page.curve = prn_curve_scroll(0.5, 2, 8);
	serve_json_explanation(&out, &page);
	ok(strstr(printed(), "\"curve\":{\"form\":\"scroll\",\"share\":0.5,\"rate_per_day\":2.0,\"items\":8}"),
	   "a curve of a list that scrolls has its items in an explanation");
}

static void check_tuning(void)
{
	struct prn_tuning tuning = { .result = PRN_TUNING_CANNOT, .budget_per_day = 10, .threshold = 0.5, .pages = 7, .left_out = 3 };
	static struct prn_stats stats = { .held_hosts = 3, .held_by = { [PRN_HELD_SHARE] = 2, [PRN_HELD_DELAY] = 1 } };

	stats.hosts[0] = (struct prn_held_host){ "much.example", PRN_HELD_SHARE, 1, 9, 0 };
	stats.hosts[1] = (struct prn_held_host){ "slow.example", PRN_HELD_DELAY, 1, 5, 0 };
	stats.hosts[2] = (struct prn_held_host){ "more.example", PRN_HELD_SHARE, 1, 2, 0 };
	serve_json_tuning(&out, &tuning, &stats, NULL, false);
	ok(strstr(printed(), "{\"result\":\"cannot-be-met\",\"budget_per_day\":10.0,\"unit\":\"visits\",\"threshold\":0.5,"),
	   "a tuning is a line of JSON with its result");
	tuning.result = PRN_TUNING_NOT_NEEDED;
	serve_json_tuning(&out, &tuning, &stats, NULL, true);
	ok(strstr(printed(), "\"pages\":7,\"left_out\":3,\"unreadable\":0,"), "a tuning says of how many pages it is");
	serve_json_tuning(&out, &tuning, &stats, NULL, true);
	ok(strstr(printed(), "\"applied\":true}\n"), "a tuning says if it was applied");
	serve_json_tuning(&out, &tuning, &stats, NULL, true);
	ok(strstr(printed(), "\"held_at_share\":2,\"hosts_at_share\":[\"much.example\",\"more.example\"]"),
	   "a tuning names the hosts that have had their share of the budget, and no others");
	serve_json_tuning(&out, &tuning, NULL, &(struct prn_error){ PRN_E_IO, "no \"disk\"" }, true);
	ok(strstr(printed(), ",\"held_at_share\":null,\"hosts_at_share\":null,\"held_error\":\"no \\\"disk\\\"\",\"applied\":true}\n"),
	   "a tuning says why nothing is known of hosts at their share, and that it was applied all the same");
}

/* The growth of a buffer that is refused: 1, the next one; 0, none.  The test is linked with --wrap=realloc. */
static size_t refused_at;

void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

void *__wrap_realloc(void *memory, size_t bytes)
{
	return refused_at && !--refused_at ? NULL : __real_realloc(memory, bytes);
}

static size_t incomplete, failed;

/* Refuses each piece of memory in turn: behind what was there is the whole line, or nothing. */
static void write_short_of_memory(int (*write)(void))
{
	char whole[sizeof line_], before[100];
	int code = PRN_E_MEMORY;

	write();
	strcpy(whole, printed());
	memset(before, 'x', sizeof before);
	for (size_t piece = 1; code; piece++) {
		prn_buffer_release(&out);
		prn_buffer_append(&out, before, sizeof before);
		refused_at = piece;
		code = write();
		refused_at = 0;
		failed += code != 0;
		incomplete += code ? out.length != sizeof before : strcmp(printed() + sizeof before, whole) != 0;
	}
	prn_buffer_clear(&out);
}

static int write_stats(void)
{
	static struct prn_stats stats = { .budget_per_day = 10, .given[3] = 2, .held_hosts = 1,
		                          .hosts[0] = { .name = "a.example", .held = PRN_HELD_LIMIT, .until = 1778414400 },
		                          .sources[0].sources = 1 };

	return serve_json_stats(&out, &stats, NULL, NULL);
}

static int write_explanation(void)
{
	static char url[] = "http://a.example/";
	static struct prn_point points[] = { { 1, 0.25f } };
	const struct prn_explanation page = { .url = url, .points = points, .point_count = 1,
		                              .sources[0].name = "http://b.example/", .source_count = 1 };

	return serve_json_explanation(&out, &page);
}

static int write_outcome(void)
{
	const struct prn_outcome outcome = { .kind = PRN_OUTCOME_OBSERVED, .cut = 3 };

	return serve_json_outcome(&out, "http://a.example/", 1778414400, &outcome);
}

/* What is no UTF-8 is mended in memory of its own. */
static int write_mended(void)
{
	return serve_json_skipped(&out, "\xff");
}

static void check_memory(void)
{
	write_short_of_memory(write_stats);
	write_short_of_memory(write_explanation);
	write_short_of_memory(write_outcome);
	write_short_of_memory(write_mended);
	ok(failed >= 8, "lines that there is no memory for are told as failed");
	ok(!incomplete, "a line that there is no memory for is not written without some of its members");
}

static void check_html(void)
{
	serve_html_text(&out, "<a href=\"x\" b='y'>&amp;\xff\x01</a>");
	same(printed(), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;\\xff\\x01&lt;/a&gt;",
	     "markup in a text is text in HTML, and what cannot be seen is shown");
	serve_html_value(&out, "'\"<\xff\xe2\x80\xae");
	same(printed(), "&#39;&quot;&lt;\xef\xbf\xbd\xe2\x80\xae", "what was typed is typed again as the value of an attribute");
	serve_html_query(&out, "http://a.example/?q=\"a b\"&x=\xc3\xa9#'");
	same(printed(), "http://a.example/%3Fq%3D%22a%20b%22%26x%3D%C3%A9%23%27",
	     "a URL in the query of another is escaped");
}

int main(void)
{
	check_outcomes();
	check_others();
	check_due();
	check_explanation();
	check_tuning();
	check_memory();
	check_html();
	prn_buffer_release(&out);
	return done();
}
