#include "cli/captures.h"

#include "base/buffer.h"
#include "perennial/extractor.h"
#include "perennial/source.h"
#include "perennial/url.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_PER_THREAD 64             /* many, so that threads seldom wait for each other */
#define BODIES_MOST ((size_t)64 << 20)  /* bytes of bodies in all slots: beyond it, reading waits */
#define BODY_KEPT ((size_t)256 << 10)   /* of a slot's memory between captures */

enum stage { FREE, READ, MADE };

/* A capture on its way through the threads; whose turn it is, its stage says. */
struct slot {
	enum stage stage;
	struct prn_capture capture; /* its pointers are into texts and body */
	struct prn_buffer texts, body;
	size_t body_bytes; /* counted: an unreadable body is dropped from the capture */
	struct prn_observation observation;
	int code; /* of making it … */
	struct prn_error why;
};

/* Slots are a ring: [tail, made) are being made or made, [made, head) have been read. */
struct cli_captures {
	struct cli_captures_options options;
	size_t limit; /* of the decider's summaries */
	struct slot *slots;
	size_t slot_count, tail, made, head; /* the last three count up for ever */
	struct slot *out;                    /* handed out: at the tail */
	struct prn_extractor *extractor;     /* of _again */
	size_t body_bytes;                   /* in all slots */
	bool closed;                         /* nothing more is read */
	int code;                            /* of a thread that failed */
	struct cli_captures_counts counts;
	pthread_mutex_t lock;
	pthread_cond_t freed, read, made_one; /* what reader, makers and caller wait for */
	pthread_t reader, *makers;
	size_t maker_count;
};

static struct slot *slot_at(const struct cli_captures *captures, size_t at)
{
	return &captures->slots[at % captures->slot_count];
}

static void set_read(struct cli_captures *captures, struct slot *slot)
{
	pthread_mutex_lock(&captures->lock);
	slot->stage = READ;
	captures->head++;
	slot->body_bytes = slot->capture.body_bytes;
	captures->body_bytes += slot->body_bytes;
	pthread_cond_signal(&captures->read);
	pthread_mutex_unlock(&captures->lock);
}

/* Only the caller waits for it, and only for the slot at the tail. */
static void set_made(struct cli_captures *captures, struct slot *slot)
{
	pthread_mutex_lock(&captures->lock);
	slot->stage = MADE;
	if (slot == slot_at(captures, captures->tail))
		pthread_cond_signal(&captures->made_one);
	pthread_mutex_unlock(&captures->lock);
}

static void set_free(struct cli_captures *captures, struct slot *slot)
{
	pthread_mutex_lock(&captures->lock);
	slot->stage = FREE;
	captures->tail++;
	captures->body_bytes -= slot->body_bytes;
	pthread_cond_signal(&captures->freed);
	pthread_mutex_unlock(&captures->lock);
}

static void close_line(struct cli_captures *captures, int code)
{
	pthread_mutex_lock(&captures->lock);
	captures->closed = true;
	if (code && !captures->code)
		captures->code = code;
	pthread_cond_broadcast(&captures->read);
	pthread_cond_broadcast(&captures->made_one);
	pthread_mutex_unlock(&captures->lock);
}

static int keep_text(struct prn_buffer *texts, const char *text, size_t *offset)
{
	*offset = texts->length;
	return text ? prn_buffer_append(texts, text, strlen(text) + 1) : 0;
}

static int copy_capture(struct slot *slot, const struct prn_capture *capture)
{
	size_t url, normal, type;

	if (slot->body.capacity > BODY_KEPT) {
		prn_buffer_release(&slot->body);
		prn_buffer_init(&slot->body);
	}
	prn_buffer_clear(&slot->texts);
	prn_buffer_clear(&slot->body);
	if (keep_text(&slot->texts, capture->url, &url) || keep_text(&slot->texts, capture->normal_url, &normal) ||
	    keep_text(&slot->texts, capture->content_type, &type) ||
	    prn_buffer_append(&slot->body, capture->body, capture->body_bytes) || prn_buffer_terminate(&slot->body))
		return PRN_E_MEMORY;
	/* Only now, when the buffers do not move any more. */
	slot->capture = *capture;
	slot->capture.url = (char *)slot->texts.data + url;
	slot->capture.normal_url = (char *)slot->texts.data + normal;
	slot->capture.content_type = capture->content_type ? (char *)slot->texts.data + type : NULL;
	slot->capture.body = slot->body.data;
	slot->capture.refers_to_url = NULL;
	return 0;
}

/* Waits for a free slot and fills it. */
static int pass_on(struct cli_captures *captures, const struct prn_capture *capture)
{
	const struct cli_captures_options *options = &captures->options;
	struct slot *slot = slot_at(captures, captures->head);
	int code;

	pthread_mutex_lock(&captures->lock);
	while (slot->stage != FREE || captures->body_bytes > BODIES_MOST)
		pthread_cond_wait(&captures->freed, &captures->lock);
	pthread_mutex_unlock(&captures->lock);
	code = copy_capture(slot, capture);
	if (code)
		return code;
	if (options->has_time)
		slot->capture.time = options->time;
	else if (capture->time == PRN_TIME_UNKNOWN)
		slot->capture.time = cli_rules_now(options->rules);
	set_read(captures, slot);
	return 0;
}

static void add_counts(struct cli_captures *captures, const struct cli_captures_counts *more)
{
	pthread_mutex_lock(&captures->lock);
	captures->counts.damaged += more->damaged;
	captures->counts.unread += more->unread;
	captures->counts.cut += more->cut;
	captures->counts.ended += more->ended;
	captures->counts.unopened += more->unopened;
	pthread_mutex_unlock(&captures->lock);
}

static int read_source(struct cli_captures *captures, struct prn_source *source)
{
	const struct prn_source_counts *counts = prn_source_counts(source);
	struct prn_error error = { 0 };
	struct prn_capture capture;
	int got, code = 0;

	while (!code && (got = prn_source_next(source, &capture, &error)) == 1)
		code = pass_on(captures, &capture);
	if (got < 0 && got != PRN_E_MEMORY)
		term_skipping_tell(captures->options.skipping, &error);
	add_counts(captures, &(struct cli_captures_counts){ .damaged = counts->damaged, .unread = counts->unread,
	                                                    .cut = counts->cut, .ended = got < 0 });
	return code ? code : got == PRN_E_MEMORY ? got : 0;
}

static int open_and_read(struct cli_captures *captures, const char *path)
{
	const struct prn_source_options options = { .body_bytes_max = captures->options.body_bytes_max,
		                                    .has_time = true,
		                                    .time = PRN_TIME_UNKNOWN,
		                                    .skipped = term_skipping_tell,
		                                    .skipped_context = captures->options.skipping };
	struct prn_error error = { 0 };
	struct prn_source *source;
	int code = prn_source_open(&source, path, &options, &error);

	if (code == PRN_E_MEMORY)
		return code;
	if (code) {
		term_skipping_tell(captures->options.skipping, &error);
		add_counts(captures, &(struct cli_captures_counts){ .unopened = 1 });
		return 0;
	}
	code = read_source(captures, source);
	prn_source_free(source);
	return code;
}

static void *read_all(void *context)
{
	struct cli_captures *captures = context;
	int code = 0;

	for (size_t i = 0; i < captures->options.count && !code; i++)
		code = open_and_read(captures, captures->options.paths[i]);
	close_line(captures, code);
	return NULL;
}

static int make(struct cli_captures *captures, struct slot *slot, struct prn_extractor *extractor, uint64_t known)
{
	int code = prn_observation_make(&slot->observation, &slot->capture, captures->limit, extractor, known, &slot->why);

	if (code != PRN_E_INPUT)
		return code;
	/* A body that cannot be read is an error of its page, as in import. */
	prn_error_prefix(&slot->why, "%s", slot->capture.normal_url);
	term_skipping_tell(captures->options.skipping, &slot->why);
	add_counts(captures, &(struct cli_captures_counts){ .unread = 1 });
	slot->capture.kind = PRN_KIND_ERROR;
	slot->capture.body_bytes = 0;
	return prn_observation_make(&slot->observation, &slot->capture, captures->limit, extractor, 0, &slot->why);
}

/* The next slot that was read and nobody has taken, or NULL at the end. */
static struct slot *take_read(struct cli_captures *captures)
{
	struct slot *slot = NULL;

	pthread_mutex_lock(&captures->lock);
	while (captures->made == captures->head && !captures->closed)
		pthread_cond_wait(&captures->read, &captures->lock);
	if (captures->made < captures->head)
		slot = slot_at(captures, captures->made++);
	pthread_mutex_unlock(&captures->lock);
	return slot;
}

static int open_extractor(const struct cli_captures *captures, struct prn_extractor **extractor)
{
	const struct prn_decider *decider = captures->options.decider;

	return prn_extractor_open(extractor, prn_decider_shingle_words(decider), captures->limit);
}

static void *make_all(void *context)
{
	struct cli_captures *captures = context;
	struct prn_extractor *extractor;
	struct slot *slot;
	int code = open_extractor(captures, &extractor);

	if (code) {
		close_line(captures, code);
		return NULL;
	}
	while ((slot = take_read(captures))) {
		const struct prn_digest key = prn_url_key(slot->capture.normal_url);
		uint64_t known = 0;

		slot->code = prn_decider_body(captures->options.decider, &key, &known, &slot->why);
		if (!slot->code)
			slot->code = make(captures, slot, extractor, known);
		set_made(captures, slot);
	}
	prn_extractor_free(extractor);
	return NULL;
}

/* Under the lock: whether there is something to say about the slot at the tail. */
static bool is_settled(const struct cli_captures *captures)
{
	return captures->code || slot_at(captures, captures->tail)->stage == MADE ||
	       (captures->closed && captures->tail == captures->head);
}

int cli_captures_next(struct cli_captures *captures, const struct timespec *deadline,
                      const struct prn_observation **observation, struct prn_error *error)
{
	int code = 0, waited = 0;

	if (captures->out)
		set_free(captures, captures->out);
	captures->out = NULL;
	pthread_mutex_lock(&captures->lock);
	while (!is_settled(captures) && !waited)
		waited = deadline ? pthread_cond_timedwait(&captures->made_one, &captures->lock, deadline)
		                  : pthread_cond_wait(&captures->made_one, &captures->lock);
	if (is_settled(captures) && slot_at(captures, captures->tail)->stage == MADE)
		captures->out = slot_at(captures, captures->tail);
	else if (is_settled(captures))
		code = captures->code ? captures->code : PRN_E_CANCELLED;
	pthread_mutex_unlock(&captures->lock);
	if (!captures->out)
		return code;
	*observation = &captures->out->observation;
	if (captures->out->code)
		*error = captures->out->why;
	return captures->out->code ? captures->out->code : 1;
}

int cli_captures_again(struct cli_captures *captures, struct prn_error *error)
{
	int code = captures->extractor ? 0 : open_extractor(captures, &captures->extractor);

	if (!code)
		code = make(captures, captures->out, captures->extractor, 0);
	if (code)
		*error = captures->out->why;
	return code;
}

static int start_threads(struct cli_captures *captures)
{
	if (pthread_create(&captures->reader, NULL, read_all, captures))
		return PRN_E_MEMORY;
	while (captures->maker_count < captures->options.threads) {
		if (pthread_create(&captures->makers[captures->maker_count], NULL, make_all, captures))
			return captures->maker_count ? 0 : PRN_E_MEMORY;
		captures->maker_count++;
	}
	return 0;
}

int cli_captures_open(struct cli_captures **out, const struct cli_captures_options *options)
{
	struct cli_captures *captures = calloc(1, sizeof *captures);
	pthread_condattr_t attributes;

	if (!captures)
		return PRN_E_MEMORY;
	captures->options = *options;
	captures->limit = prn_decider_summary(options->decider);
	captures->slot_count = SLOTS_PER_THREAD * options->threads;
	captures->slots = calloc(captures->slot_count, sizeof *captures->slots);
	captures->makers = calloc(options->threads, sizeof *captures->makers);
	if (!captures->slots || !captures->makers) {
		free(captures->slots);
		free(captures->makers);
		free(captures);
		return PRN_E_MEMORY;
	}
	for (size_t i = 0; i < captures->slot_count; i++)
		prn_observation_init(&captures->slots[i].observation);
	pthread_mutex_init(&captures->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&captures->made_one, &attributes);
	pthread_cond_init(&captures->read, NULL);
	pthread_cond_init(&captures->freed, NULL);
	pthread_condattr_destroy(&attributes);
	*out = captures;
	return start_threads(captures);
}

struct cli_captures_counts cli_captures_counts(struct cli_captures *captures)
{
	struct cli_captures_counts counts;

	pthread_mutex_lock(&captures->lock);
	counts = captures->counts;
	pthread_mutex_unlock(&captures->lock);
	return counts;
}

void cli_captures_free(struct cli_captures *captures)
{
	if (!captures)
		return;
	pthread_join(captures->reader, NULL);
	for (size_t i = 0; i < captures->maker_count; i++)
		pthread_join(captures->makers[i], NULL);
	for (size_t i = 0; i < captures->slot_count; i++) {
		prn_observation_release(&captures->slots[i].observation);
		prn_buffer_release(&captures->slots[i].texts);
		prn_buffer_release(&captures->slots[i].body);
	}
	prn_extractor_free(captures->extractor);
	pthread_cond_destroy(&captures->made_one);
	pthread_cond_destroy(&captures->read);
	pthread_cond_destroy(&captures->freed);
	pthread_mutex_destroy(&captures->lock);
	free(captures->slots);
	free(captures->makers);
	free(captures);
}
