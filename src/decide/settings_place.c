/* Reads and writes how far a store's pages follow the changes of its settings. */
#include "decide/settings_place.h"

#include "store/shared.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int prn_settings_read_text(const struct prn_store_reader *reader, const char *key, char *text, size_t size, struct prn_error *error)
{
	const void *bytes = NULL;
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, key, strlen(key), &bytes, &count, error);

	text[0] = 0;
	if (code == PRN_E_NOT_FOUND)
		return 0;
	if (!code && count >= size)
		return prn_error_set(error, PRN_E_DAMAGED, "the store's setting '%s' is too long", key);
	if (code)
		return code;
	memcpy(text, bytes, count);
	text[count] = 0;
	return 0;
}

int prn_settings_put_text(struct prn_decider *decider, const char *key, const char *text, struct prn_error *error)
{
	return prn_batch_side_put(decider->batch, PRN_SIDE_META, key, strlen(key), text, text ? strlen(text) : 0, error);
}

int prn_settings_damaged(const char *key, const char *text, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_DAMAGED, "the store's setting '%s' is '%.100s'", key, text);
}

int prn_settings_read_changes(uint64_t *changes, bool *is_changing, const struct prn_store_reader *reader, struct prn_error *error)
{
	char text[PRN_CHANGE_TEXT];
	int end = 0, code = prn_settings_read_text(reader, PRN_KEY_CHANGES, text, sizeof text, error);

	if (code)
		return code;
	*changes = 0;
	if (text[0] && (sscanf(text, "%" SCNu64 "%n", changes, &end) != 1 || text[end]))
		return prn_settings_damaged(PRN_KEY_CHANGES, text, error);
	code = prn_settings_read_text(reader, PRN_KEY_CHANGE, text, sizeof text, error);
	*is_changing = !code && text[0];
	return code;
}

int prn_settings_read_place(const struct prn_store_reader *reader, struct prn_settings_place *place, struct prn_error *error)
{
	char text[PRN_CHANGED_TEXT];
	int read, end = 0, code = prn_settings_read_text(reader, PRN_KEY_CHANGED, text, sizeof text, error);

	*place = (struct prn_settings_place){ 0 };
	if (code || !text[0])
		return code;
	read = sscanf(text, "%" SCNu64 "%n %16" SCNx64 "%16" SCNx64 "%n", &place->number, &end, &place->from.high, &place->from.low, &end);
	place->under_way = read == 3;
	return (read == 1 || read == 3) && !text[end] ? 0 : prn_settings_damaged(PRN_KEY_CHANGED, text, error);
}

int prn_settings_put_place(struct prn_decider *part, const struct prn_settings_place *place, struct prn_error *error)
{
	char text[PRN_CHANGED_TEXT];
	int length = snprintf(text, sizeof text, "%" PRIu64, place->number);

	if (place->under_way)
		snprintf(text + length, sizeof text - (size_t)length, " %016" PRIx64 "%016" PRIx64, place->from.high, place->from.low);
	return prn_settings_put_text(part, PRN_KEY_CHANGED, text, error);
}

static int changed_elsewhere(const struct prn_decider *decider, struct prn_error *error)
{
	return prn_error_set(error, PRN_E_BUSY,
	                     "%s: another process has changed its policy since it was opened here: it is to be opened again, a daemon "
	                     "to be started anew",
	                     prn_store_path(decider->store));
}

int prn_settings_check_pages(const struct prn_decider *decider, const struct prn_store_reader *reader, struct prn_error *error)
{
	uint64_t changes = decider->root ? decider->root->changes : decider->changes;
	struct prn_settings_place place;
	int code;

	/* A folder has only one writer at a time. */
	if (decider->shards || (decider->batch && !prn_store_is_shared(decider->store)))
		return 0;
	code = prn_settings_read_place(reader, &place, error);
	return code || place.number <= changes ? code : changed_elsewhere(decider, error);
}

int prn_settings_has_pages(struct prn_decider *part, bool *has, struct prn_error *error)
{
	struct prn_store_totals totals;
	int code = prn_store_totals_one(part->store, &totals, error);

	*has = !code && totals.pages;
	return code;
}

/* Reads a setting as the store has it now. */
static int read_now(const struct prn_decider *decider, const char *key, char *text, size_t size, struct prn_error *error)
{
	struct prn_store_reader reader = { 0 };
	unsigned tries = 0;
	int code;

	do {
		code = prn_view_open(&reader.view, decider->store, error);
		if (code)
			return code;
		code = prn_settings_read_text(&reader, key, text, size, error);
		prn_view_close(reader.view);
	} while (prn_decider_looks_again(code, &tries));
	return code;
}

int prn_settings_check_root(const struct prn_decider *root, struct prn_error *error)
{
	struct prn_store_reader reader = { 0 };
	uint64_t changes = 0;
	unsigned tries = 0;
	bool is_changing = false;
	int code;

	do {
		code = prn_view_open(&reader.view, root->store, error);
		if (code)
			return code;
		code = prn_settings_read_changes(&changes, &is_changing, &reader, error);
		prn_view_close(reader.view);
	} while (prn_decider_looks_again(code, &tries));
	return code || (changes == root->changes && !is_changing) ? code : changed_elsewhere(root, error);
}

/* Notes that a shard without pages follows the last change, if its root has not changed again since. */
static int note(struct prn_decider *shard, struct prn_error *error)
{
	const struct prn_settings_place place = { .number = shard->root->changes };
	unsigned tries = 0;
	int code = prn_settings_check_root(shard->root, error);

	if (code)
		return code;
	do {
		code = prn_settings_put_place(shard, &place, error);
		if (!code)
			code = prn_batch_commit(shard->batch, error);
		if (code)
			prn_batch_abandon(shard->batch);
	} while (prn_decider_looks_again(code, &tries));
	return code;
}

int prn_settings_check_shard(struct prn_decider *shard, struct prn_error *error)
{
	const struct prn_decider *root = shard->root;
	struct prn_settings_place place = { 0 };
	char text[PRN_CHANGED_TEXT];
	bool has = false;
	int code;

	/* The process that changes the settings also opens shards that do not follow the change yet. */
	if (root->is_changing)
		return 0;
	code = read_now(shard, PRN_KEY_CHANGED, text, sizeof text, error);
	if (!code && text[0] && sscanf(text, "%" SCNu64, &place.number) != 1)
		return prn_settings_damaged(PRN_KEY_CHANGED, text, error);
	if (!code && place.number > root->changes)
		return changed_elsewhere(shard, error);
	if (code || place.number == root->changes)
		return code;
	code = prn_settings_has_pages(shard, &has, error);
	if (!code && has)
		return prn_error_set(error, PRN_E_VERSION, "%s: its pages are from before the store's policy was changed, as in a copy "
		                     "from then: they cannot be read by this one", prn_store_path(shard->store));
	return code || !shard->batch ? code : note(shard, error);
}
