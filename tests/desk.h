/*
 * A decider at work in the scratch folder, for tests that read as what a fetcher does: answers come in, and the
 * outcome of each is there to look at.
 */
#ifndef TESTS_DESK_H
#define TESTS_DESK_H

#include "fixture.h"
#include "perennial/due.h"
#include "perennial/outcome.h"
#include "perennial/url.h"
#include "store/tables.h"

#define T0 ((int64_t)1700000000)
#define MINUTE ((int64_t)60)
#define HOUR ((int64_t)3600)
#define DAY ((int64_t)86400)

#define PAGE "http://a.example/page"

struct desk {
	char path[512]; /* or another address */
	struct prn_decider_options options; /* set before the desk is opened again */
	struct prn_decider *decider;
	struct prn_extractor *extractor;
	struct prn_observation observation;
	struct prn_outcome outcome; /* of the last answer */
	int64_t clock;              /* now for answers; INT64_MIN: their own time */
	bool skips_known;           /* bodies that are the page's last one are not read */
};

static inline void desk_close(struct desk *desk)
{
	prn_decider_free(desk->decider);
	prn_extractor_free(desk->extractor);
	desk->decider = NULL;
	desk->extractor = NULL;
}

static inline void desk_reopen(struct desk *desk)
{
	struct prn_error error = { 0 };

	desk_close(desk);
	if (prn_decider_open(&desk->decider, desk->path, PRN_STORE_WRITE, &desk->options, &error))
		printf("# %s\n", error.text);
	must(desk->decider != NULL, "open a decider");
	must(!prn_extractor_open(&desk->extractor, prn_decider_shingle_words(desk->decider),
	                         prn_decider_summary(desk->decider)), "open an extractor");
}

/* Of a new store: as the environment has it in PERENNIAL_SHARDS, else 0. */
static inline unsigned desk_shards(void)
{
	const char *shards = getenv("PERENNIAL_SHARDS");

	return shards ? (unsigned)atoi(shards) : 0;
}

/* A new store at desk->path, with the default options, but that hosts may be asked for all their pages at once. */
static inline void desk_create(struct desk *desk, const struct prn_decider_settings *settings)
{
	struct prn_error error = { 0 };

	desk->clock = INT64_MIN;
	prn_decider_options_init(&desk->options);
	desk->options.host_limit = 0;
	desk->options.host_delay_s = 0;
	prn_observation_init(&desk->observation);
	if (prn_decider_create(desk->path, settings, &error))
		printf("# %s\n", error.text);
	desk_reopen(desk);
}

/* The same in the scratch folder, with this policy and T. */
static inline void desk_open(struct desk *desk, const char *policy, double threshold)
{
	static unsigned number;
	const struct prn_decider_settings settings = { .policy = policy, .threshold = threshold, .shards = desk_shards() };

	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, "%s/store-%u", scratch, number++);
	desk_create(desk, &settings);
}

static inline void desk_release(struct desk *desk)
{
	desk_close(desk);
	prn_observation_release(&desk->observation);
}

/* The decider of the shard that has the page of a URL: the desk's own, where its store is not spread. */
static inline struct prn_decider *desk_shard(struct desk *desk, const char *url)
{
	struct prn_decider *shard = NULL;

	must(!prn_decider_shard(desk->decider, url, &shard, NULL), "find a page's shard");
	return shard;
}

/* Makes the record of a page unreadable, behind the store's back. */
static inline void desk_spoil(struct desk *desk, const char *url)
{
	struct prn_digest key = prn_url_key(url);
	unsigned char name[16];
	struct prn_change change = { PRN_TABLE_PAGES, false, { name, sizeof name }, { "spoilt", 6 } };
	struct prn_tables *tables;
	char path[160];

	prn_key_bytes(&key, name);
	snprintf(path, sizeof path, "%s", prn_store_path(prn_decider_store(desk_shard(desk, url))));
	desk_close(desk);
	must(!prn_tables_open(&tables, path, true, 0, NULL), "open tables");
	must(!tables->kind->write(tables, &change, 1, NULL), "write to tables");
	prn_tables_free(tables);
	desk_reopen(desk);
}

/* Gives a page's record another state. */
static inline void desk_put_state(struct desk *desk, const char *url, const unsigned char *state, size_t bytes)
{
	struct prn_digest key = prn_url_key(url);
	struct prn_record record;
	struct prn_store *store = NULL;
	struct prn_batch *batch = NULL;

	desk_close(desk);
	must(!prn_store_open(&store, desk->path, PRN_STORE_WRITE, 0, NULL) && !prn_batch_open(&batch, store, NULL), "open a store");
	must(!prn_batch_get(batch, &key, &record, NULL), "get a page");
	record.state = state;
	record.state_bytes = bytes;
	must(!prn_batch_put(batch, &record, NULL) && !prn_batch_commit(batch, NULL), "put a page");
	prn_batch_free(batch);
	prn_store_free(store);
	desk_reopen(desk);
}

/* Gives a side table other bytes behind the decider's back, and opens the desk again; a store that is not spread. */
static inline void desk_put_side(struct desk *desk, enum prn_side side, const void *name, size_t name_bytes, const void *bytes, size_t count)
{
	struct prn_store *store = NULL;
	struct prn_batch *batch = NULL;

	desk_close(desk);
	must(!prn_store_open(&store, desk->path, PRN_STORE_WRITE, 0, NULL) && !prn_batch_open(&batch, store, NULL), "open a store");
	must(!prn_batch_side_put(batch, side, name, name_bytes, bytes, count, NULL) && !prn_batch_commit(batch, NULL), "put bytes");
	prn_batch_free(batch);
	prn_store_free(store);
	desk_reopen(desk);
}

/* What a side table has, copied; how many bytes that is. */
static inline size_t desk_get_side(struct desk *desk, enum prn_side side, const void *name, size_t name_bytes, unsigned char *to, size_t most)
{
	const void *bytes;
	size_t count;
	struct prn_view *view = NULL;

	must(!prn_decider_commit(desk->decider, NULL) && !prn_view_open(&view, prn_decider_store(desk->decider), NULL), "open a view");
	must(!prn_view_side(view, side, name, name_bytes, &bytes, &count, NULL) && count <= most, "read bytes");
	memcpy(to, bytes, count);
	prn_view_close(view);
	return count;
}

/* What a check finds of side tables, and repairs. */
static inline struct prn_state_findings desk_check(struct desk *desk, bool repair)
{
	const struct prn_store_check_options options = { .repair = repair };
	struct prn_state_findings found = { 0 };

	must(!prn_decider_check(desk->decider, &options, T0, &found, NULL), "check");
	return found;
}

/* That of a program which knows more than this one: who meets it fails with PRN_E_VERSION. */
static inline void desk_make_newer(struct desk *desk, const char *url)
{
	static const unsigned char newer[] = { 127, 1, 2, 3 };

	desk_put_state(desk, url, newer, sizeof newer);
}

/* Stages what came of a capture, in desk->outcome; its normal URL is filled in here.  Errors of prn_decider_observe */
static inline int desk_stage(struct desk *desk, struct prn_capture capture, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_digest key;
	uint64_t known = 0;
	int code;

	must(!prn_url_normalize(capture.url, SIZE_MAX, normal, sizeof normal), "read a URL");
	capture.normal_url = normal;
	key = prn_url_key(normal);
	if (desk->skips_known)
		must(!prn_decider_body_staged(desk_shard(desk, normal), &key, &known, error), "look up a body");
	code = prn_observation_make(&desk->observation, &capture, prn_decider_summary(desk->decider), desk->extractor, known, error);
	return code ? code
	            : prn_decider_observe(desk->decider, &desk->observation, desk->clock == INT64_MIN ? capture.time : desk->clock,
	                                  &desk->outcome, error);
}

/* The same where none of it fails. */
static inline enum prn_outcome_kind desk_answer(struct desk *desk, struct prn_capture capture)
{
	struct prn_error error = { 0 };
	int code = desk_stage(desk, capture, &error);

	if (code)
		printf("# %s\n", error.text);
	must(!code, "observe");
	return desk->outcome.kind;
}

/* A capture without content. */
static inline struct prn_capture status_of(const char *url, int64_t time, int status)
{
	return (struct prn_capture){ .url = url, .time = time, .status = status, .kind = prn_kind_of_status(status),
		                     .body = (const unsigned char *)"", .modified = PRN_TIME_UNKNOWN,
		                     .retry_after_s = PRN_TIME_UNKNOWN };
}

static inline enum prn_outcome_kind desk_status(struct desk *desk, const char *url, int64_t time, int status)
{
	return desk_answer(desk, status_of(url, time, status));
}

static inline struct prn_capture text_of(const char *url, int64_t time, const char *text)
{
	struct prn_capture capture = status_of(url, time, 200);

	capture.content_type = "text/plain";
	capture.body = (const unsigned char *)text;
	capture.body_bytes = strlen(text);
	return capture;
}

static inline enum prn_outcome_kind desk_text(struct desk *desk, const char *url, int64_t time, const char *text)
{
	return desk_answer(desk, text_of(url, time, text));
}

static inline enum prn_outcome_kind desk_redirect(struct desk *desk, const char *url, int64_t time, const char *to)
{
	struct prn_capture capture = status_of(url, time, 301);

	capture.content_type = "application/octet-stream";
	capture.body = (const unsigned char *)to;
	capture.body_bytes = strlen(to);
	return desk_answer(desk, capture);
}

/*
 * A text of 100 words of its own, from number first on: texts whose numbers overlap share most fragments.  In one
 * of a few buffers that serve in turn.
 */
static inline const char *text_from(unsigned first)
{
	static char texts[4][1200];
	static unsigned turn;
	char *text = texts[turn++ % 4];
	size_t length = 0;

	for (unsigned i = first; i < first + 100; i++)
		length += (size_t)snprintf(text + length, sizeof texts[0] - length, "word%u ", i);
	return text;
}

/* So many new pages of a host, /0 and on, of weight 1. */
static inline void desk_add_pages(struct desk *desk, const char *host, unsigned count)
{
	enum prn_added added;
	char url[128];

	for (unsigned i = 0; i < count; i++) {
		snprintf(url, sizeof url, "http://%s/%u", host, i);
		must(!prn_decider_add(desk->decider, url, 1, T0, &added, NULL), "add a page");
	}
}

/* Asks what is due, into a list that is initialised; how many that are. */
static inline size_t desk_due(struct desk *desk, struct prn_due_list *list, int64_t now, size_t limit, double lease_s)
{
	const struct prn_due_request request = { now, limit, lease_s };
	struct prn_error error = { 0 };
	int code = prn_decider_due(desk->decider, &request, list, &error);

	if (code)
		printf("# %s\n", error.text);
	must(!code, "ask what is due");
	return list->count;
}

/* The same as text: what follows the last slash of each URL, parted by spaces; until the next call. */
static inline const char *desk_names(struct desk *desk, int64_t now, size_t limit, double lease_s)
{
	static char text[4096];
	struct prn_due_list list;
	size_t length = 0;

	prn_due_list_init(&list);
	desk_due(desk, &list, now, limit, lease_s);
	text[0] = 0;
	for (size_t i = 0; i < list.count; i++)
		length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i ? " " : "",
		                           strrchr(list.items[i].url, '/') + 1);
	prn_due_list_release(&list);
	return text;
}

/* The page as the store has it, or one that is not known. */
struct look {
	bool known;
	enum prn_page_status status;
	uint32_t visits, failures, gones;
	int64_t due, lease;
	double weight;
	char url[256];
};

static inline struct look desk_look(struct desk *desk, const char *url)
{
	struct look look = { 0 };
	struct prn_page_state state;
	struct prn_record record;
	struct prn_view *view;
	struct prn_digest key = prn_url_key(url);

	must(!prn_decider_commit(desk->decider, NULL), "commit");
	must(!prn_view_open(&view, prn_decider_store(desk_shard(desk, url)), NULL), "open a view");
	look.known = !prn_view_get(view, &key, &record, NULL);
	if (look.known) {
		must(!prn_page_state_init(&state, prn_decider_policy(desk->decider),
		                          prn_decider_summary(desk->decider)),
		     "make a state");
		must(!prn_page_state_decode(&state, record.state, record.state_bytes, NULL), "decode a state");
		look.status = state.status;
		look.visits = state.visits;
		look.failures = state.failures;
		look.gones = state.gones;
		look.due = record.due;
		look.lease = record.lease;
		look.weight = record.weight;
		snprintf(look.url, sizeof look.url, "%s", record.url);
		prn_page_state_release(&state);
	}
	prn_view_close(view);
	return look;
}

#endif
