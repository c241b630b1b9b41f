/* Pages as bytes: what goes in comes out, and nothing but pages comes out of anything else. */
#include "history/page_check.h"
#include "history/page_codec.h"
#include "history/trace_format.h"
#include "perennial/source.h"
#include "random_page.h"
#include "tap.h"

static void round_trips(void)
{
	struct prn_buffer bytes, again;
	struct prn_page back;
	struct prn_random random;
	size_t good = 0, stable = 0, shared = 0, pages = 2000;

	prn_random_seed(&random, 1, 0);
	prn_buffer_init(&bytes);
	prn_buffer_init(&again);
	prn_page_init(&back);
	for (size_t i = 0; i < pages; i++) {
		struct prn_page page;

		prn_page_init(&page);
		random_page(&random, i % 50, i % 7, &page);
		prn_buffer_clear(&bytes);
		prn_buffer_clear(&again);
		good += !prn_page_check(&page, NULL) && !prn_page_encode(&page, PRN_TRACE_VERSION, &bytes) &&
		        !prn_page_decode(bytes.data, bytes.length, PRN_TRACE_VERSION, &back) && same_page(&page, &back);
		stable += !prn_page_encode(&back, PRN_TRACE_VERSION, &again) && again.length == bytes.length &&
		          !memcmp(again.data, bytes.data, bytes.length);
		shared += back.run_count <= page.run_count;
		prn_page_release(&page);
	}
	ok(good == pages, "%zu of %zu random pages come back as they were", good, pages);
	ok(stable == pages, "random pages that came back encode to the same bytes again");
	ok(shared == pages, "the stripes of a pattern share its runs");
	prn_page_release(&back);
	prn_buffer_release(&bytes);
	prn_buffer_release(&again);
}

/* Every byte of a page changed in turn, and every cut: an error, or another well-formed page. */
static void damage(void)
{
	struct prn_page page, back;
	struct prn_buffer bytes;
	struct prn_random random;
	size_t refused = 0, formed = 0, cut = 0;

	prn_random_seed(&random, 2, 0);
	prn_page_init(&page);
	prn_page_init(&back);
	prn_buffer_init(&bytes);
	random_page(&random, 30, 8, &page);
	prn_page_encode(&page, PRN_TRACE_VERSION, &bytes);
	for (size_t i = 0; i < bytes.length; i++) {
		bytes.data[i] ^= (unsigned char)(1 + prn_random_below(&random, 255));
		if (prn_page_decode(bytes.data, bytes.length, PRN_TRACE_VERSION, &back) == PRN_E_INPUT)
			refused += !back.capture_count && !back.stripe_count;
		else
			formed += !prn_page_check(&back, NULL);
	}
	ok(refused + formed == bytes.length,
	   "each of %zu changed bytes is refused, or still makes a page: %zu and %zu", bytes.length, refused,
	   formed);
	ok(refused && formed, "some changed bytes are refused, and not all");
	prn_buffer_clear(&bytes);
	prn_page_encode(&page, PRN_TRACE_VERSION, &bytes);
	for (size_t i = 0; i < bytes.length; i++)
		cut += prn_page_decode(bytes.data, i, PRN_TRACE_VERSION, &back) == PRN_E_INPUT;
	ok(cut == bytes.length, "a page cut anywhere is refused");
	prn_page_release(&page);
	prn_page_release(&back);
	prn_buffer_release(&bytes);
}

/* One thing wrong with an otherwise good page of three captures and two fragments. */
static void refuses(const char *what, void (*spoil)(struct prn_page *))
{
	struct prn_page_capture captures[3] = { { 10, PRN_TIME_UNKNOWN, PRN_KIND_CONTENT, 1, 7, { 5, 6 }, 0 },
		                                { 20, PRN_TIME_UNKNOWN, PRN_KIND_SAME, 1, 7, { 0, 0 }, 0 },
		                                { 30, PRN_TIME_UNKNOWN, PRN_KIND_CONTENT, 3, 8, { 5, 6 }, 0 } };
	struct prn_run runs[3] = { { 0, 2 }, { 0, 3 }, { 2, 3 } };
	struct prn_stripe stripes[3] = { { 7, 0, 1 }, { 8, 1, 1 }, { 1, 2, 1 } };
	struct prn_page page = { .weight = 1, .captures = captures, .capture_count = 3, .stripes = stripes,
		                 .stripe_count = 3, .runs = runs, .run_count = 3 };
	struct prn_error error = { 0 };

	if (!spoil) {
		ok(!prn_page_check(&page, &error), "%s", what);
		return;
	}
	spoil(&page);
	ok(prn_page_check(&page, &error) == PRN_E_ARGUMENT && error.text[0], "%s is refused: %s", what, error.text);
}

static void weight_zero(struct prn_page *page) { page->weight = 0; }
static void weight_nan(struct prn_page *page) { page->weight = NAN; }
static void weight_most(struct prn_page *page) { page->weight = PRN_WEIGHT_MOST * (1 + 1e-15); }
static void equal_times(struct prn_page *page) { page->captures[1].time = 10; }
static void far_time(struct prn_page *page) { page->captures[2].time = INT64_MAX; }
static void unknown_kind(struct prn_page *page) { page->captures[1].kind = (enum prn_kind)7; }
static void forgotten_body(struct prn_page *page) { page->captures[2].body = 0; }
static void body_of_nothing(struct prn_page *page) { page->captures[1].body = 2; }
static void later_body(struct prn_page *page)
{
	page->captures[0].body = page->captures[1].body = page->captures[2].body = 3;
	page->captures[0].body_bytes = page->captures[1].body_bytes = page->captures[2].body_bytes;
}
static void other_body(struct prn_page *page) { page->captures[2].body = 1; }
static void body_of_none(struct prn_page *page) { page->captures[2].body = 2; }
static void payload_of_same(struct prn_page *page) { page->captures[1].payload.low = 1; }
static void run_too_long(struct prn_page *page) { page->runs[2].to = 4; }
static void empty_run(struct prn_page *page) { page->runs[2].to = 2; }
static void run_of_nothing(struct prn_page *page) { page->runs[0].to = 1; }
static void touching_runs(struct prn_page *page)
{
	page->runs[1] = (struct prn_run){ 2, 3 };
	page->stripes[0].count = 2;
	page->stripes[1] = page->stripes[0];
	page->stripes[1].hash++;
}
static void wrong_order(struct prn_page *page) { page->stripes[0].hash = 9; }
static void twice(struct prn_page *page) { page->stripes[0].hash = 8; }
static void links_of_no_content(struct prn_page *page) { page->linked = 2; }
static void links_of_no_capture(struct prn_page *page) { page->link_count = 1; }
static void media_of_same(struct prn_page *page)
{
	static char type[] = "a/b";

	page->media = type;
	page->media_length = sizeof type;
	page->captures[1].media = 1;
}
static void media_of_none(struct prn_page *page) { page->captures[0].media = 1; }
static void no_runs(struct prn_page *page) { page->stripes[1].count = 0; }
static void runs_beyond(struct prn_page *page) { page->stripes[2].first = 3; }

/* 2^20 captures and fragments of few bytes: memory is bounded by the input, not by what it claims. */
static void claims(void)
{
	unsigned char bytes[64] = { 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0xff, 0xff, 0xff, 0xff, 0x0f };
	struct prn_page page;

	prn_page_init(&page);
	ok(prn_page_decode(bytes, sizeof bytes, PRN_TRACE_VERSION, &page) == PRN_E_INPUT && page.capture_capacity == 0,
	   "a count larger than the bytes could hold is refused before memory is taken");
	prn_page_release(&page);
}

/*
 * A page of one capture and one fragment, written by hand: weight 1, time 10, content, no modification time, no known body, one pattern
 * of one run that begins after a gap of 0 captures, given in so many bytes, and has a length of 1.
 */
static int decode_by_hand(const char *gap, size_t gap_bytes, size_t more, struct prn_page *page)
{
	static const char head[] = "\0\0\0\0\0\0\xf0\x3f\x01\x14\0\0\0\x01\x01", tail[] = "\x01\x01" "12345678";
	unsigned char bytes[64] = { 0 };
	size_t length = 0;

	memcpy(bytes, head, length += sizeof head - 1);
	memcpy(bytes + length, gap, gap_bytes);
	length += gap_bytes;
	memcpy(bytes + length, tail, sizeof tail - 1);
	return prn_page_decode(bytes, length + sizeof tail - 1 + more, PRN_TRACE_PAYLOADS, page);
}

/* The same page of another weight. */
static int decode_weight(const char weight[8], struct prn_page *page)
{
	unsigned char bytes[] = "weight..\x01\x14\0\0\0\x01\x01\0\x01\x01" "12345678";

	memcpy(bytes, weight, 8);
	return prn_page_decode(bytes, sizeof bytes - 1, PRN_TRACE_PAYLOADS, page);
}

static void by_hand(void)
{
	struct prn_page page;

	prn_page_init(&page);
	ok(!decode_by_hand("", 1, 0, &page) && page.stripe_count == 1,
	   "a page written by hand is read, with its fragment");
	ok(page.capture_count == 1 && page.captures[0].time == 10, "a page written by hand has its capture");
	ok(!decode_weight("\0\0\0\0\x65\xcd\xcd\x41", &page) && fabs(page.weight - PRN_WEIGHT_MOST) <= 0,
	   "a page of the largest weight is read");
	ok(decode_weight("\1\0\0\0\x65\xcd\xcd\x41", &page) == PRN_E_INPUT,
	   "a page of more than the largest weight is refused");
	ok(decode_by_hand("", 1, 1, &page) == PRN_E_INPUT, "a page with a byte after its last fragment is refused");
	ok(decode_by_hand("\x80\x80\x80\x80\x10", 5, 0, &page) == PRN_E_INPUT,
	   "a run that begins 2^32 captures after the first is refused");
	prn_page_release(&page);
}

/* The same page in version 4, with links: the capture that they are of, how many, and they. */
static int decode_links(char linked, char count, char first, char second, unsigned version, struct prn_page *page)
{
	unsigned char bytes[] = "\0\0\0\0\0\0\xf0\x3f\x01\x14\0\0\0lnFIRST...SECOND..\x01\x01\0\x01\x01" "12345678";

	bytes[13] = (unsigned char)linked;
	bytes[14] = (unsigned char)count;
	memset(bytes + 15, 0, 16);
	bytes[15] = (unsigned char)first;
	bytes[23] = (unsigned char)second;
	return prn_page_decode(bytes, sizeof bytes - 1, version, page);
}

static void links(void)
{
	static const unsigned char none[] = "\0\0\0\0\0\0\xf0\x3f\x01\x14\0\0\0\0\x01\x01\0\x01\x01" "12345678";
	struct prn_page page;

	prn_page_init(&page);
	ok(!decode_links(1, 2, 3, 4, PRN_TRACE_LINKS, &page) && page.stripe_count == 1,
	   "a page with links that was written by hand is read, up to its fragment");
	ok(page.linked == 1 && page.link_count == 2,
	   "links written by hand are of one capture, and as many as were written");
	ok(page.link_count == 2 && !memcmp(page.links, (uint64_t[]){ 3, 4 }, 2 * sizeof *page.links),
	   "links written by hand are read, each as it was written");
	ok(!prn_page_decode(none, sizeof none - 1, PRN_TRACE_LINKS, &page) && page.stripe_count == 1,
	   "a page whose links are not known is read, up to its fragment");
	ok(!page.linked && !page.link_count,
	   "of a page whose links are not known there are none, nor those of the page read before");
	ok(decode_links(1, 2, 3, 4, PRN_TRACE_PAYLOADS, &page) == PRN_E_INPUT, "a page of version 3 has no links");
	ok(decode_links(2, 2, 3, 4, PRN_TRACE_LINKS, &page) == PRN_E_INPUT,
	   "links of a capture that the page does not have are refused");
	ok(!page.linked && !page.link_count, "links that were refused are not left behind in the page");
	ok(decode_links(1, 2, 4, 4, PRN_TRACE_LINKS, &page) == PRN_E_INPUT, "a link that is told twice is refused");
	ok(decode_links(1, 2, 4, 3, PRN_TRACE_LINKS, &page) == PRN_E_INPUT, "links that do not ascend are refused");
	ok(decode_links(1, 100, 3, 4, PRN_TRACE_LINKS, &page) == PRN_E_INPUT, "more links than there are bytes are refused");
	prn_page_release(&page);
}

/* The page of one capture in version 5, with the bytes of its media types, and what is told of the capture. */
static int decode_media(const char *types, size_t length, const char *told, size_t told_bytes, unsigned version, struct prn_page *page)
{
	static const char head[] = "\0\0\0\0\0\0\xf0\x3f\x01\x14\0\0\0\0", tail[] = "\x01\x01\0\x01\x01" "12345678";
	unsigned char bytes[512], *at = bytes;

	memcpy(at, head, sizeof head - 1);
	at += sizeof head - 1;
	if (length > 127)
		*at++ = (unsigned char)(length | 0x80);
	*at++ = (unsigned char)(length > 127 ? length >> 7 : length);
	memcpy(at, types, length);
	memcpy(at += length, told, told_bytes);
	memcpy(at += told_bytes, tail, sizeof tail - 1);
	return prn_page_decode(bytes, (size_t)(at - bytes) + sizeof tail - 1, version, page);
}

static void refuses_media(const char *what, const char *types, size_t length, const char *told)
{
	struct prn_page page;

	prn_page_init(&page);
	ok(decode_media(types, length, told, 2, PRN_TRACE_MEDIA, &page) == PRN_E_INPUT && !page.media_length, "%s is refused", what);
	prn_page_release(&page);
}

static const char *media_of(const struct prn_page *page)
{
	return page->capture_count == 1 ? prn_page_media(page, 0) : NULL;
}

static void media(void)
{
	char longest[PRN_MEDIA_BYTES + 2] = "";
	struct prn_page page;

	prn_page_init(&page);
	memset(longest, 'a', sizeof longest - 1);
	ok(!decode_media("a/b\0text/html", 14, "\x05\x01", 2, PRN_TRACE_MEDIA, &page) && page.stripe_count == 1,
	   "a page with media types that was written by hand is read, up to its fragment");
	same(media_of(&page), "text/html", "a media type written by hand is that of its capture");
	ok(!decode_media("a/b", 4, "\0\x01", 2, PRN_TRACE_MEDIA, &page) && !prn_page_media(&page, 0),
	   "content of which no type was told has none");
	ok(!decode_media("", 0, "", 0, PRN_TRACE_MEDIA, &page) && !prn_page_media(&page, 0),
	   "of a page without media types no capture has one");
	ok(!page.media_length, "a page without media types has none of the page read before");
	ok(decode_media("a/b", 4, "\x01\x01", 2, PRN_TRACE_LINKS, &page) == PRN_E_INPUT, "a page of version 4 has no media types");
	ok(!decode_media(longest + 1, PRN_MEDIA_BYTES + 1, "\x01\x01", 2, PRN_TRACE_MEDIA, &page), "a type of 255 bytes is read");
	prn_page_release(&page);
	refuses_media("a type of 256 bytes", longest, sizeof longest, "\x01\x01");
	refuses_media("a type that does not end", "a/bc", 4, "\x01\x01");
	refuses_media("a type without a name", "\0", 1, "\x01\x01");
	refuses_media("a type with a capital", "a/B", 4, "\x01\x01");
	refuses_media("a type with parameters", "a/b;c", 6, "\x01\x01");
	refuses_media("a type that is there twice", "a/b\0a/b", 8, "\x01\x01");
	refuses_media("types that do not ascend", "b/b\0a/b", 8, "\x01\x01");
	refuses_media("the middle of a type", "a/b", 4, "\x02\x01");
	refuses_media("a type behind the last", "a/b", 4, "\x05\x01");
	refuses_media("a row of no captures", "a/b", 4, "\x01\0");
	refuses_media("a row of more captures than there are", "a/b", 4, "\x01\x02");
}

/* A page of one capture with a body of 7 bytes and a payload digest, written by hand, in a trace of a version. */
static int decode_payload(unsigned version, char high, char low, struct prn_page *page)
{
	unsigned char bytes[] = "\0\0\0\0\0\0\xf0\x3f\x01\x14\0\0\x02\x07" "h0000000" "l0000000" "\0";

	memset(bytes + 14, 0, 16);
	bytes[14] = (unsigned char)high;
	bytes[22] = (unsigned char)low;
	return prn_page_decode(bytes, sizeof bytes - 1, version, page);
}

static void payloads(void)
{
	struct prn_page page;

	prn_page_init(&page);
	if (ok(!decode_payload(PRN_TRACE_PAYLOADS, 5, 6, &page),
	       "a page with a payload digest that was written by hand is read"))
		same(tap_text("body %llu of %llu bytes, digest %llu %llu", (unsigned long long)page.captures[0].body,
		              (unsigned long long)page.captures[0].body_bytes, (unsigned long long)page.captures[0].payload.high,
		              (unsigned long long)page.captures[0].payload.low),
		     "body 1 of 7 bytes, digest 5 6", "a payload digest written by hand is that of its capture, beside its body");
	ok(decode_payload(PRN_TRACE_PAYLOADS, 0, 0, &page) == PRN_E_INPUT, "a payload digest that says that there is none is refused");
	ok(decode_payload(PRN_TRACE_BODIES, 5, 6, &page) == PRN_E_INPUT, "a payload digest in a trace of a version without them is refused");
	prn_page_release(&page);
}

int main(void)
{
	payloads();
	round_trips();
	damage();
	claims();
	by_hand();
	links();
	media();
	refuses("a page with links of a capture without content", links_of_no_content);
	refuses("a page with links of no capture", links_of_no_capture);
	refuses("a media type of what is no content", media_of_same);
	refuses("a media type of a page that has none", media_of_none);
	refuses("a well-formed page passes", NULL);
	refuses("weight 0", weight_zero);
	refuses("weight NaN", weight_nan);
	refuses("a weight above PRN_WEIGHT_MOST", weight_most);
	refuses("two captures at one time", equal_times);
	refuses("a time beyond the year 9999", far_time);
	refuses("an unknown kind", unknown_kind);
	refuses("a body forgotten where content came", forgotten_body);
	refuses("a new body where no content came", body_of_nothing);
	refuses("a body of a later capture", later_body);
	refuses("a body of other bytes than its first", other_body);
	refuses("a body that refers to a capture that has another's", body_of_none);
	refuses("a payload digest of a capture whose body came before", payload_of_same);
	refuses("a run past the end", run_too_long);
	refuses("an empty run", empty_run);
	refuses("a run that ends where no content came", run_of_nothing);
	refuses("a run that begins where the one before it ends", touching_runs);
	refuses("stripes out of order", wrong_order);
	refuses("a fragment twice", twice);
	refuses("a stripe without runs", no_runs);
	refuses("a stripe with runs that are not there", runs_beyond);
	return done();
}
