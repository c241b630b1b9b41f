/* What servers sent to know a version again: which of it is kept, for how long, and whom it is handed to. */
#include "archive/http_capture.h"
#include "decide/side_validators.h"
#include "decide/sides.h"
#include "desk.h"
#include "perennial/due.h"
#include "perennial/explanation.h"
#include "store/record.h"

static struct prn_due_list list;

/* What is handed out at a time for PAGE. */
static struct prn_validators handed(struct desk *desk, int64_t now)
{
	struct prn_due_request request = { .now = now, .limit = 10 };

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	must(!prn_decider_due(desk->decider, &request, &list, NULL), "ask what is due");
	for (size_t i = 0; i < list.count; i++)
		if (!strcmp(list.items[i].url, PAGE))
			return list.items[i].validators;
	must(false, "be handed the page");
	return (struct prn_validators){ 0 };
}

static bool are(struct prn_validators validators, const char *etag, int64_t modified)
{
	if (!strcmp(validators.etag, etag) && validators.modified == modified)
		return true;
	printf("# ETag '%s', Last-Modified %lld\n", validators.etag, (long long)validators.modified);
	return false;
}

static enum prn_outcome_kind answer(struct desk *desk, int64_t time, int status, const char *text, const char *etag,
                                    int64_t modified)
{
	struct prn_capture capture = status_of(PAGE, time, status);

	capture.etag = etag;
	capture.modified = modified;
	if (text) {
		capture.content_type = "text/plain";
		capture.body = (const unsigned char *)text;
		capture.body_bytes = strlen(text);
	}
	return desk_answer(desk, capture);
}

static void tags(void)
{
	static const char *const good[] = { "\"abc\"", "W/\"abc\"", "\"\"", "\"a,b'c\\\"", "5f1d-1a2b", "W/abc" };
	static const char *const bad[] = { "",          "*",        "\"a\", \"b\"", "\"a",   "a\"",   "W/\"",
		                           "a,b",       "\"a b\"",  "\"a\tb\"",     "a\r\nX: y", "\"\x7f\"", "a,b",
		                           "\"a\"\"b\"" };
	char tag[PRN_ETAG_BYTES + 2];

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok(prn_http_is_etag(good[i]), "%s may be sent back as an entity tag", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(!prn_http_is_etag(bad[i]), "entity tag that is never sent back, number %zu", i);
	memset(tag, 'a', sizeof tag);
	tag[PRN_ETAG_BYTES] = 0;
	ok(prn_http_is_etag(tag), "an entity tag of 127 bytes is kept");
	tag[PRN_ETAG_BYTES] = 'a';
	tag[PRN_ETAG_BYTES + 1] = 0;
	ok(!prn_http_is_etag(tag), "an entity tag of 128 bytes is not");
}

static void versions(void)
{
	struct desk desk;
	int64_t now = T0 + 500 * DAY;

	desk_open(&desk, NULL, 0);
	answer(&desk, T0, 200, text_from(0), "\"one\"", T0 - DAY);
	ok(are(handed(&desk, now), "\"one\"", T0 - DAY), "a page is handed out with the validators that its content came with");
	answer(&desk, T0 + HOUR, 304, NULL, NULL, PRN_TIME_UNKNOWN);
	ok(are(handed(&desk, now), "\"one\"", T0 - DAY), "an answer of 304 that tells none leaves the validators as they are");
	answer(&desk, T0 + 2 * HOUR, 304, NULL, "\"two\"", PRN_TIME_UNKNOWN);
	ok(are(handed(&desk, now), "\"two\"", T0 - DAY), "an answer of 304 renews the validators that it tells, and leaves the others");
	answer(&desk, T0 + 3 * HOUR, 500, NULL, "\"error\"", T0);
	answer(&desk, T0 + 4 * HOUR, 404, NULL, "\"gone\"", T0);
	ok(are(handed(&desk, now), "\"two\"", T0 - DAY), "errors have no validators of the page");
	answer(&desk, T0 + 5 * HOUR, 200, text_from(2), NULL, T0 + 5 * HOUR + 1);
	ok(are(handed(&desk, now), "", PRN_TIME_UNKNOWN),
	   "content without validators, or with a date of its future, leaves none of the version before");
	answer(&desk, T0 + 6 * HOUR, 200, text_from(4), "\"three\"", T0 + 6 * HOUR);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	desk_reopen(&desk);
	ok(are(handed(&desk, now), "\"three\"", T0 + 6 * HOUR), "validators are there after the store was closed");
	desk_redirect(&desk, PAGE, T0 + 7 * HOUR, "http://a.example/other");
	ok(are(handed(&desk, now), "", PRN_TIME_UNKNOWN), "a page that has become a redirect has none");
	desk_release(&desk);
}

/* Whoever makes a capture may hand on what a server sent as it came. */
static void tags_that_are_none(void)
{
	static const char *const bad[] = { "\"abc\", \"def\"", "*", "\"a b\"", "a,b" };
	struct desk desk;

	desk_open(&desk, NULL, 0);
	for (int i = 0; i < (int)(sizeof bad / sizeof *bad); i++) {
		int64_t time = T0 + i * DAY;

		answer(&desk, time, 200, text_from((unsigned)i), bad[i], time - HOUR);
		ok(are(handed(&desk, T0 + 500 * DAY), "", time - HOUR), "content that comes with the entity tag %s, which is none, keeps its Last-Modified", bad[i]);
	}
	answer(&desk, T0 + 10 * DAY, 200, text_from(90), "\"good\"", PRN_TIME_UNKNOWN);
	answer(&desk, T0 + 11 * DAY, 304, NULL, bad[0], PRN_TIME_UNKNOWN);
	ok(are(handed(&desk, T0 + 500 * DAY), "\"good\"", PRN_TIME_UNKNOWN), "an answer of 304 with an entity tag that is none leaves the one that was");
	desk_release(&desk);
}

static bool has_text(struct desk *desk, uint64_t *text)
{
	struct prn_digest key = prn_url_key(PAGE);
	struct prn_validators validators;
	struct prn_store_reader reader = { 0 };

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	must(!prn_view_open(&reader.view, prn_decider_store(desk->decider), NULL), "open a view");
	must(!prn_side_validators_read(&validators, text, &reader, &key, NULL), "read validators");
	prn_view_close(reader.view);
	return prn_validators_given(&validators);
}

/* The digest of the text that stands beside validators. */
static void texts(void)
{
	struct desk desk;
	uint64_t first, text;

	desk_open(&desk, NULL, 0);
	answer(&desk, T0, 200, text_from(0), "\"one\"", PRN_TIME_UNKNOWN);
	must(has_text(&desk, &first), "keep validators");
	ok(first && first == desk.observation.text, "the digest of a page's text stands beside its validators");
	answer(&desk, T0 + DAY, 304, NULL, NULL, PRN_TIME_UNKNOWN);
	ok(has_text(&desk, &text) && text == first, "a 304 leaves the text as it is");
	answer(&desk, T0 + 2 * DAY, 200, text_from(1), "\"one\"", PRN_TIME_UNKNOWN);
	ok(has_text(&desk, &text) && text != first, "another text under the same validators is another text");
	ok(text == desk.observation.text,
	   "the digest of another text under the same validators is that of what was observed");
	answer(&desk, T0 + 3 * DAY, 200, text_from(2), NULL, PRN_TIME_UNKNOWN);
	ok(!has_text(&desk, &text) && !text, "without validators no text is kept");
	desk_release(&desk);
}

static bool has_side(struct desk *desk, const char *url)
{
	struct prn_digest key = prn_url_key(url);
	struct prn_validators validators;
	struct prn_store_reader reader = { 0 };
	bool given;

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	must(!prn_view_open(&reader.view, prn_decider_store(desk->decider), NULL), "open a view");
	must(!prn_side_validators_read(&validators, NULL, &reader, &key, NULL), "read validators");
	given = prn_validators_given(&validators);
	prn_view_close(reader.view);
	return given;
}

/* "Not modified" would be of the version that is not believed yet. */
static void suspects(void)
{
	struct desk desk;
	int64_t now = T0 + 500 * DAY;

	desk_open(&desk, NULL, 0);
	for (int i = 0; i < 4; i++)
		answer(&desk, T0 + i * DAY, 200, text_from((unsigned)i), "\"usual\"", PRN_TIME_UNKNOWN);
	ok(answer(&desk, T0 + 4 * DAY, 200, text_from(5000), "\"captcha\"", PRN_TIME_UNKNOWN) == PRN_OUTCOME_SUSPECT &&
	           are(handed(&desk, now), "", PRN_TIME_UNKNOWN),
	   "a suspect page is handed out without validators: it must come whole");
	ok(answer(&desk, T0 + 5 * DAY, 200, text_from(5), "\"usual\"", PRN_TIME_UNKNOWN) == PRN_OUTCOME_DISMISSED &&
	           are(handed(&desk, now), "\"usual\"", PRN_TIME_UNKNOWN),
	   "the visit that dismisses a suspect brings the validators of the page");
	answer(&desk, T0 + 6 * DAY, 200, text_from(5000), "\"captcha\"", PRN_TIME_UNKNOWN);
	ok(answer(&desk, T0 + 7 * DAY, 304, NULL, NULL, PRN_TIME_UNKNOWN) == PRN_OUTCOME_CONFIRMED &&
	           are(handed(&desk, now), "\"captcha\"", PRN_TIME_UNKNOWN),
	   "a 304 that confirms a suspect leaves the page the validators of that version");
	answer(&desk, T0 + 8 * DAY, 200, text_from(5001), "\"new\"", PRN_TIME_UNKNOWN);
	for (int i = 9; i < 14; i++)
		answer(&desk, T0 + i * DAY, 200, text_from(5001), "\"new\"", PRN_TIME_UNKNOWN);
	must(answer(&desk, T0 + 14 * DAY, 200, text_from(9000), "\"gone\"", PRN_TIME_UNKNOWN) == PRN_OUTCOME_SUSPECT, "a suspect");
	for (int i = 15; i < 18; i++)
		answer(&desk, T0 + i * DAY, 404, NULL, NULL, PRN_TIME_UNKNOWN);
	ok(!has_side(&desk, PAGE), "a suspect that is retired leaves no validators of a version that was never believed");
	desk_release(&desk);
}

/* What older programs wrote of the same page: no digest of its text, the first of them no checksum either. */
static void older(struct desk *desk, int64_t now, const unsigned char *whole, size_t count)
{
	struct prn_digest key = prn_url_key(PAGE);
	struct prn_buffer bytes = { 0 };
	unsigned char name[PRN_KEY_BYTES], head[8];
	uint64_t text;

	prn_key_bytes(&key, name);
	must(count > 20, "have a digest and a checksum");
	for (unsigned char sum = 0; sum <= 3; sum += 3) {
		memcpy(head, whole, sizeof head);
		head[7] = sum;
		prn_buffer_clear(&bytes);
		must(!prn_buffer_append(&bytes, head, sizeof head) && !prn_buffer_append(&bytes, whole + 16, count - 20) &&
		     (!sum || !prn_sides_seal(&bytes, 0)), "write it");
		desk_put_side(desk, PRN_SIDE_VALIDATORS, name, sizeof name, bytes.data, bytes.length);
		ok(are(handed(desk, now), "\"one\"", T0 - DAY) && !desk_check(desk, false).sides,
		   "validators that an older program wrote %s a checksum are read", sum ? "with" : "without");
		ok(has_text(desk, &text) && !text, "validators that an older program wrote tell no text");
		answer(desk, T0 + DAY + sum, 304, NULL, "\"another-and-long\"", PRN_TIME_UNKNOWN);
		ok(has_text(desk, &text) && !text, "a 304 that brings other validators leaves the text unknown");
		ok(are(handed(desk, now), "\"another-and-long\"", T0 - DAY),
		   "validators that a 304 brings are handed out");
	}
	prn_buffer_release(&bytes);
}

/* Every bit in turn; and what older programs wrote. */
static void damaged(void)
{
	static const char *const tags[] = { "\"one\"", "bare", "" };
	struct desk desk;
	unsigned char whole[160], spoilt[160];
	struct prn_digest key = prn_url_key(PAGE);
	unsigned char name[16];
	int64_t now = T0 + 500 * DAY;
	struct prn_state_findings found;
	unsigned told = 0, bits = 0, counted = 0;

	prn_key_bytes(&key, name);
	for (size_t tag = 0; tag < sizeof tags / sizeof *tags; tag++) {
		size_t count;

		desk_open(&desk, NULL, 0);
		snprintf(desk.path, sizeof desk.path, "memory:validators-%zu", tag);
		must(!prn_decider_create(desk.path, &(struct prn_decider_settings){ 0 }, NULL), "make a store");
		desk_reopen(&desk);
		answer(&desk, T0, 200, text_from(0), *tags[tag] ? tags[tag] : NULL, T0 - DAY);
		count = desk_get_side(&desk, PRN_SIDE_VALIDATORS, name, sizeof name, whole, sizeof whole);
		must(!desk_check(&desk, false).sides, "find nothing");
		for (size_t bit = 0; bit < 8 * count; bit++, bits++) {
			struct prn_validators read;

			memcpy(spoilt, whole, count);
			spoilt[bit / 8] ^= (unsigned char)(1u << bit % 8);
			counted += !prn_side_validators_are_whole(spoilt, count);
			if (bit % 16 != 5)
				continue;
			desk_put_side(&desk, PRN_SIDE_VALIDATORS, name, sizeof name, spoilt, count);
			read = handed(&desk, now);
			told += prn_validators_given(&read);
			must(desk_check(&desk, false).sides == 1, "find the damage");
		}
		if (!tag) {
			found = desk_check(&desk, true);
			ok(found.sides == 1 && found.repaired == 1,
			   "a check with repair takes damaged validators out");
			ok(!desk_check(&desk, false).sides, "after a repair no damaged validators are left");
			older(&desk, now, whole, count);
		}
		desk_release(&desk);
	}
	ok(bits > 300 && counted == bits, "any flipped bit of validators is found: %u of %u", counted, bits);
	ok(!told, "validators with a flipped bit are told to nobody");
}

static void ends(void)
{
	struct prn_explanation page;
	struct desk desk;
	uint64_t forgotten;

	desk_open(&desk, NULL, 0);
	answer(&desk, T0, 200, text_from(0), "\"one\"", T0);
	prn_explanation_init(&page);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	must(!prn_decider_explain(desk.decider, PAGE, T0, &page, NULL), "explain");
	ok(are(page.validators, "\"one\"", T0), "an explanation tells the validators of a page");
	prn_explanation_release(&page);
	ok(has_side(&desk, PAGE), "validators of a page lie in the store");
	must(!prn_decider_forget(desk.decider, PRN_FORGET_URL, PAGE, &forgotten, NULL), "forget a page");
	ok(!has_side(&desk, PAGE), "validators go with their page");
	desk_release(&desk);
}

/* Whatever lies in a damaged side table, nothing of it is sent to a server. */
static void damage(void)
{
	static const char *const tags[] = { "\n", "\"a\r\nCookie: x\"", "*", "\"a\", \"b\"" };
	struct prn_digest key = prn_url_key(PAGE);
	unsigned char name[16], bytes[8 + PRN_ETAG_BYTES + 1] = { 0 };
	struct desk desk;

	desk_open(&desk, NULL, 0);
	answer(&desk, T0, 200, text_from(0), "\"one\"", T0);
	must(!prn_decider_commit(desk.decider, NULL), "commit");
	prn_key_bytes(&key, name);
	for (size_t i = 0; i < 4 + 3; i++) {
		size_t length = i < 4 ? 8 + strlen(tags[i]) : i == 4 ? 7 : i == 5 ? sizeof bytes : 8;
		struct prn_change change = { PRN_TABLE_VALIDATORS, false, { name, sizeof name }, { bytes, length } };
		struct prn_tables *tables;

		memset(bytes + 8, 'a', sizeof bytes - 8);
		if (i < 4)
			memcpy(bytes + 8, tags[i], length - 8);
		bytes[7] = i == 6 ? 0x70 : 0; /* far behind the year 9999 */
		desk_close(&desk);
		must(!prn_tables_open(&tables, desk.path, true, 0, NULL), "open tables");
		must(!tables->kind->write(tables, &change, 1, NULL), "write to tables");
		prn_tables_free(tables);
		desk_reopen(&desk);
		ok(are(handed(&desk, T0 + 500 * DAY), "", PRN_TIME_UNKNOWN),
		   "damaged validators, number %zu, are handed to nobody", i);
	}
	desk_release(&desk);
}

int main(void)
{
	prn_due_list_init(&list);
	make_scratch();
	tags();
	versions();
	tags_that_are_none();
	suspects();
	ends();
	texts();
	damaged();
	damage();
	prn_due_list_release(&list);
	return done();
}
