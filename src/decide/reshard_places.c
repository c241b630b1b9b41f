/*
 * Finds where the records of the old store belong in the new one, opens new shards, reads old shards at one moment, and keeps
 * the notes of the mark.
 */
#include "decide/reshard_internal.h"

#include "store/shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIES 100 /* how often a note is tried, because renewing the hold of the mark writes to it, too */

size_t prn_reshard_place_of_host(const struct prn_reshard *reshard, struct prn_host_name host)
{
	return prn_shard_of(host, reshard->count);
}

size_t prn_reshard_place(const struct prn_reshard *reshard, const char *normal_url)
{
	return reshard->count > 1 ? prn_shards_place(&reshard->to, normal_url) : 0;
}

bool prn_reshard_is_giant(const struct prn_reshard *reshard, struct prn_host_name host)
{
	return prn_giant_find(reshard->from, host) != SIZE_MAX || prn_giant_find(&reshard->to, host) != SIZE_MAX;
}

/* ---- notes ---- */

int prn_reshard_note_read(const struct prn_reshard *reshard, const char *key, char text[PRN_RESHARD_NOTE_BYTES], struct prn_error *error)
{
	return prn_shards_read_text(reshard->mark.store, key, text, PRN_RESHARD_NOTE_BYTES, error);
}

static int stage_notes(struct prn_reshard *reshard, const char *key, const char *text, struct prn_error *error)
{
	int code = prn_batch_side_put(reshard->notes, PRN_SIDE_META, key, strlen(key), text, strlen(text), error);

	for (size_t i = 0; i < reshard->count && !code; i++) {
		char made[PRN_RESHARD_NOTE_BYTES];

		if (reshard->made[i] != PRN_RESHARD_TO_NOTE)
			continue;
		snprintf(made, sizeof made, "made/%zu", i);
		code = prn_batch_side_put(reshard->notes, PRN_SIDE_META, made, strlen(made), "1", 1, error);
	}
	return code;
}

int prn_reshard_note_put(struct prn_reshard *reshard, const char *key, const char *text, struct prn_error *error)
{
	unsigned tries = 0;
	int code = prn_holding_check(reshard->mark.holding, error);

	if (code)
		return code;
	do {
		code = stage_notes(reshard, key, text, error);
		if (!code)
			code = prn_batch_commit(reshard->notes, error);
		if (code)
			prn_batch_abandon(reshard->notes);
	} while (code == PRN_E_CONFLICT && ++tries < TRIES);
	for (size_t i = 0; i < reshard->count && !code; i++)
		reshard->made[i] = reshard->made[i] ? PRN_RESHARD_MADE : PRN_RESHARD_UNMADE;
	return code;
}

int prn_reshard_was_written_to(struct prn_reshard *reshard, struct prn_error *error)
{
	reshard->is_outdated = true;
	return prn_error_set(error, PRN_E_BUSY, "%s: was written to since what is at %s was begun: stop what writes to it, remove that "
	                     "(--discard), and begin anew", prn_store_path(reshard->from->store), reshard->path);
}

int prn_reshard_progress_read(struct prn_reshard *reshard, const struct prn_reshard_source *source, struct prn_reshard_progress *progress,
                              struct prn_error *error)
{
	char key[PRN_RESHARD_NOTE_BYTES], text[PRN_RESHARD_NOTE_BYTES], *end;
	uint64_t version;
	int code;

	*progress = (struct prn_reshard_progress){ 0 };
	snprintf(key, sizeof key, "done/%zu", source->place);
	code = prn_reshard_note_read(reshard, key, text, error);
	if (code || !*text)
		return code;
	version = strtoull(text, &end, 10);
	if (!version || version != source->version)
		return prn_reshard_was_written_to(reshard, error);
	progress->begun = true;
	progress->done = !strcmp(end, " all");
	if (!progress->done && sscanf(end, " %16" SCNx64 "%16" SCNx64, &progress->key.high, &progress->key.low) != 2)
		return prn_error_set(error, PRN_E_DAMAGED, "%s: what it notes of a shard is '%s'", prn_store_path(reshard->mark.store), text);
	return 0;
}

int prn_reshard_progress_note(struct prn_reshard *reshard, const struct prn_reshard_source *source, const struct prn_reshard_progress *progress,
                              struct prn_error *error)
{
	char key[PRN_RESHARD_NOTE_BYTES], text[PRN_RESHARD_NOTE_BYTES];

	snprintf(key, sizeof key, "done/%zu", source->place);
	if (progress->done)
		snprintf(text, sizeof text, "%" PRIu64 " all", source->version);
	else
		snprintf(text, sizeof text, "%" PRIu64 " %016" PRIx64 "%016" PRIx64, source->version, progress->key.high, progress->key.low);
	return prn_reshard_note_put(reshard, key, text, error);
}

/* ---- new shards ---- */

int prn_reshard_part_commit(struct prn_reshard *reshard, const struct prn_reshard_part *part, struct prn_error *error)
{
	int code;

	if (!prn_batch_changes(part->batch))
		return 0;
	/* If this process has lost the mark, another one may be running by now. */
	code = prn_holding_check(reshard->mark.holding, error);
	if (!code)
		code = prn_batch_commit(part->batch, error);
	return code != PRN_E_CONFLICT ? code
	                              : prn_error_set(error, PRN_E_BUSY, "%s: somebody else writes to it", prn_store_path(part->store));
}

int prn_reshard_commit_parts(struct prn_reshard *reshard, struct prn_error *error)
{
	int code = 0;

	for (size_t i = 0; i < PRN_RESHARD_OPEN && !code; i++)
		if (reshard->parts[i].store)
			code = prn_reshard_part_commit(reshard, &reshard->parts[i], error);
	return code;
}

static void close_part(struct prn_reshard_part *part)
{
	prn_batch_free(part->batch);
	prn_store_free(part->store);
	*part = (struct prn_reshard_part){ 0 };
}

int prn_reshard_close_parts(struct prn_reshard *reshard, int code, struct prn_error *error)
{
	if (!code)
		code = prn_reshard_commit_parts(reshard, error);
	for (size_t i = 0; i < PRN_RESHARD_OPEN; i++)
		close_part(&reshard->parts[i]);
	return code;
}

int prn_reshard_part(struct prn_reshard *reshard, size_t place, struct prn_reshard_part **out, struct prn_error *error)
{
	struct prn_reshard_part *part = &reshard->parts[reshard->next_part];
	int code;

	for (size_t i = 0; i < PRN_RESHARD_OPEN; i++)
		if (reshard->parts[i].store && reshard->parts[i].place == place) {
			*out = &reshard->parts[i];
			return 0;
		}
	code = part->store ? prn_reshard_part_commit(reshard, part, error) : 0;
	if (code)
		return code;
	close_part(part);
	code = prn_shards_part_open(&part->store, reshard->mark.store, reshard->path, false, place, error);
	if (!code)
		code = prn_batch_open(&part->batch, part->store, error);
	if (code) {
		close_part(part);
		return code;
	}
	part->place = place;
	if (!reshard->made[place])
		reshard->made[place] = PRN_RESHARD_TO_NOTE;
	reshard->next_part = (reshard->next_part + 1) % PRN_RESHARD_OPEN;
	*out = part;
	return 0;
}

/* ---- the old store ---- */

struct going {
	struct prn_reshard *reshard;
	prn_reshard_source_fn *run;
	void *context;
};

static int run_source(const struct going *going, size_t place, struct prn_store *store, struct prn_error *error)
{
	struct prn_reshard_source source = { .place = place };
	int code = prn_view_open(&source.view, store, error);

	if (code)
		return code;
	/* The version of a cluster is known only once something was read. */
	code = prn_view_freeze(source.view, error);
	if (code == PRN_E_CONFLICT)
		code = prn_reshard_was_written_to(going->reshard, error);
	source.version = prn_view_version(source.view);
	if (!code)
		code = going->run(going->reshard, &source, going->context, error);
	prn_view_close(source.view);
	return code;
}

static int run_shard(void *context, size_t place, struct prn_error *error)
{
	const struct going *going = context;
	struct prn_decider *from = going->reshard->from, *list;
	struct prn_store *store = NULL;
	int code = prn_shards_list_of(from, place / from->shards->list_size, &list, error);

	if (!code)
		code = prn_shard_open(&store, from->store, list->store, place, PRN_STORE_READ, false, 0, error);
	if (!code)
		code = run_source(going, place, store, error);
	prn_store_free(store);
	return code;
}

int prn_reshard_each_source(struct prn_reshard *reshard, prn_reshard_source_fn *run, void *context, struct prn_error *error)
{
	struct going going = { reshard, run, context };

	return reshard->from->shards ? prn_shards_each_made(reshard->from, run_shard, &going, error)
	                             : run_source(&going, 0, reshard->from->store, error);
}

static int check_shard(void *context, size_t place, struct prn_error *error)
{
	struct prn_reshard *reshard = context;
	struct prn_reshard_source source = { .place = place };
	struct prn_reshard_progress progress;
	int code = prn_shard_version(reshard->from->store, place, &source.version, error);

	if (!code)
		code = prn_reshard_progress_read(reshard, &source, &progress, error);
	return code || progress.done ? code : prn_reshard_was_written_to(reshard, error);
}

int prn_reshard_check_shards(struct prn_reshard *reshard, struct prn_error *error)
{
	return reshard->from->shards ? prn_shards_each_made(reshard->from, check_shard, reshard, error) : 0;
}
