#include "decide/migrate.h"

#include "base/portable.h"
#include "decide/sides.h"
#include "perennial/url.h"
#include "store/change.h"
#include "store/schema.h"

#include <stdio.h>
#include <string.h>

/* Nothing that is known of a host counts as expired here, so the present time does not matter. */
#define NO_TIME INT64_MIN

/* The name of a URL's host as older schemas had it: as it was spelled, in lower case. */
static struct prn_host_name older_host(const char *url, char normal[PRN_URL_BYTES + 3])
{
	const char *authority = strstr(url, "://"), *at;
	size_t length;

	authority = authority ? authority + 3 : url + strlen(url);
	length = strcspn(authority, "/?#");
	at = prn_last_byte(authority, '@', length);
	if (at) {
		length -= (size_t)(at + 1 - authority);
		authority = at + 1;
	}
	memcpy(normal, "http://", 7);
	for (size_t i = 0; i < length; i++)
		normal[7 + i] = (char)(authority[i] >= 'A' && authority[i] <= 'Z' ? authority[i] - 'A' + 'a'
		                                                                  : authority[i]);
	strcpy(normal + 7 + length, "/");
	return prn_host_name(normal);
}

static bool same_host(struct prn_host_name a, struct prn_host_name b)
{
	return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

static int find_host(struct prn_decider *decider, struct prn_known_host *known, struct prn_host_name name,
                     struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(decider);

	return prn_host_find(known, &reader, &decider->options, name, error);
}

/* Takes a lease off a host's count.  *counted is false if it was not counted, as some are not that were handed out without a limit. */
static int uncount_lease(struct prn_decider *decider, struct prn_host_name name, bool *counted, struct prn_error *error)
{
	struct prn_known_host known;
	int code = find_host(decider, &known, name, error);

	if (code)
		return code;
	*counted = known.host.leased;
	if (!*counted)
		return 0;
	known.host.leased--;
	return prn_decider_put_host(decider, &known, NO_TIME, error);
}

static int count_lease(struct prn_decider *decider, struct prn_host_name name, struct prn_error *error)
{
	struct prn_known_host known;
	int code = find_host(decider, &known, name, error);

	if (code)
		return code;
	known.host.leased++;
	return prn_decider_put_host(decider, &known, NO_TIME, error);
}

/* Removes what belongs to a page from the side tables, and from the count of its host, which is known by name. */
static int release_page(struct prn_decider *decider, const struct prn_entry *entry, struct prn_host_name name,
                        struct prn_error *error)
{
	bool counted;
	int code = 0;

	if (entry->lease != PRN_TIME_UNKNOWN)
		code = uncount_lease(decider, name, &counted, error);
	return code ? code : prn_sides_drop(decider->batch, &entry->key, error);
}

/* Drops a page that is stored under its older key. */
static int drop_page(struct prn_decider *decider, const struct prn_entry *entry, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 3];
	int code = release_page(decider, entry, older_host(entry->url, normal), error);

	return code ? code : prn_batch_delete(decider->batch, &entry->key, error);
}

static bool is_preferred(const struct prn_entry *a, const struct prn_entry *b)
{
	if (a->state.visits != b->state.visits)
		return a->state.visits > b->state.visits;
	return a->state.attempted >= b->state.attempted;
}

/* A page that waited for a host under its older name is put into the due queue, until it waits again. */
static int move_host(struct prn_decider *decider, struct prn_entry *entry, const char *normal, struct prn_error *error)
{
	char older[PRN_URL_BYTES + 3];
	struct prn_host_name from = older_host(entry->url, older), to = prn_host_name(normal);
	bool counted = false;
	int code = 0;

	if (same_host(from, to))
		return 0;
	entry->waits_for = 0;
	if (entry->lease != PRN_TIME_UNKNOWN)
		code = uncount_lease(decider, from, &counted, error);
	return !code && counted ? count_lease(decider, to, error) : code;
}

/* Puts the page in hand under the key of its normal form, where no other page is. */
static int put_moved(struct prn_decider *decider, const struct prn_digest *key, const char *normal,
                     struct prn_error *error)
{
	struct prn_entry *entry = &decider->entry;
	int code = move_host(decider, entry, normal, error);

	if (!code)
		code = prn_sides_move(decider->batch, &entry->key, key, error);
	if (!code)
		code = prn_batch_delete(decider->batch, &entry->key, error);
	if (!code)
		code = prn_entry_respell(entry, key, error);
	return code ? code : prn_entry_put(entry, decider->batch, error);
}

/* A page that cannot be read begins anew, because nothing would find it by its older key. */
static int read_page(struct prn_entry *entry, const struct prn_record *record, struct prn_error *error)
{
	int readable = prn_entry_try(entry, record, NULL, error);

	if (!readable)
		prn_entry_begin_anew(entry);
	return readable < 0 ? readable : 0;
}

static int move_page(void *context, const struct prn_record *record, struct prn_error *error)
{
	struct prn_decider *decider = context;
	struct prn_entry *entry = &decider->entry, *other = &decider->other;
	char normal[PRN_URL_BYTES + 1];
	struct prn_record found;
	struct prn_digest key = record->key;
	int refused = prn_url_normalize(record->url, SIZE_MAX, normal, sizeof normal), code;

	if (refused == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (!refused)
		key = prn_url_key(normal);
	if (!refused && !prn_digest_compare(&key, &record->key))
		return 0;
	code = read_page(entry, record, error);
	if (code || refused)
		return code ? code : drop_page(decider, entry, error);
	code = prn_batch_get(decider->batch, &key, &found, error);
	if (code && code != PRN_E_NOT_FOUND)
		return code;
	if (!code) {
		code = read_page(other, &found, error);
		if (code || is_preferred(other, entry))
			return code ? code : drop_page(decider, entry, error);
		code = release_page(decider, other, prn_host_name(normal), error);
		if (code)
			return code;
	}
	return put_moved(decider, &key, normal, error);
}

/* No page waits for the host under its older name any more, so its turn is dropped. */
static int move_host_record(struct prn_decider *decider, struct prn_host_name from, struct prn_host_name to,
                            struct prn_error *error)
{
	struct prn_known_host older, present;
	int code = find_host(decider, &older, from, error);

	if (!code)
		code = prn_host_set_turn(&older.host, decider->batch, from, PRN_TIME_UNKNOWN, error);
	if (!code)
		code = prn_batch_side_put(decider->batch, PRN_SIDE_HOSTS, from.text, from.length, NULL, 0, error);
	if (code || !to.length)
		return code;
	code = find_host(decider, &present, to, error);
	if (code)
		return code;
	present.host.until = prn_time_later(present.host.until, older.host.until);
	present.host.asked = prn_time_later(present.host.asked, older.host.asked);
	present.host.redirects += older.host.redirects;
	/* Leases were counted when their pages were moved. */
	return prn_decider_put_host(decider, &present, NO_TIME, error);
}

/* Finds the present name of a host by an older one, and writes it to normal; its length is 0 if the name is not valid any more. */
static int present_name(const struct prn_host_name *older, char normal[PRN_URL_BYTES + 1], struct prn_host_name *name)
{
	char url[PRN_TABLE_KEY_BYTES + sizeof "http:///"];
	int length = snprintf(url, sizeof url, "http://%.*s/", (int)older->length, older->text);
	int code = prn_url_normalize(url, (size_t)length, normal, PRN_URL_BYTES + 1);

	if (code == PRN_E_MEMORY)
		return code;
	*name = code ? (struct prn_host_name){ "", 0 } : prn_host_name(normal);
	return 0;
}

/* Walks on to the next host that has to be moved, and stages that.  Returns 1, or 0 at the end. */
static int stage_host(struct prn_decider *decider, struct prn_walk *walk, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1], older[PRN_TABLE_KEY_BYTES];
	struct prn_host_name from, to;
	const void *name, *bytes;
	size_t count;
	int code;

	while ((code = prn_walk_side_next(walk, &name, &from.length, &bytes, &count, error)) == 1) {
		memcpy(older, name, from.length);
		from.text = older;
		/* A name of this length was cut, and is never looked up again. */
		if (from.length == PRN_TABLE_KEY_BYTES)
			continue;
		if (present_name(&from, normal, &to))
			return prn_error_memory(error);
		if (same_host(from, to))
			continue;
		code = move_host_record(decider, from, to, error);
		return code ? code : 1;
	}
	return code;
}

#define HOSTS_STAGED 5000 /* hosts to a commit */

static int move_some_hosts(struct prn_decider *decider, void *context, struct prn_error *error)
{
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	int code = prn_decider_view(decider, &view, error), more = 1;

	if (!code)
		code = prn_walk_side(&walk, view, PRN_SIDE_HOSTS, error);
	(void)context;
	for (size_t n = 0; !code && more == 1 && n < HOSTS_STAGED; n++)
		more = stage_host(decider, walk, error);
	prn_walk_free(walk);
	return code ? code : more;
}

static int is_older(struct prn_decider *decider, bool *older, struct prn_error *error)
{
	unsigned tries = 0;
	int code;

	do {
		struct prn_view *view;

		code = prn_decider_look(decider, tries, &view, error);
		if (code)
			continue;
		code = prn_schema_is_older(view, older, error);
		prn_view_close(view);
	} while (prn_decider_looks_again(code, &tries));
	return code;
}

int prn_decider_migrate(struct prn_decider *decider, struct prn_error *error)
{
	bool older = false;
	int code = is_older(decider, &older, error);

	if (code || !older)
		return code;
	code = prn_decider_sweep(decider, move_page, decider, NULL, error);
	if (!code)
		code = prn_decider_in_portions(decider, move_some_hosts, decider, 0, error);
	if (!code)
		code = prn_batch_side_put(decider->batch, PRN_SIDE_META, PRN_MOVING_NAME, strlen(PRN_MOVING_NAME),
		                          NULL, 0, error);
	return code ? code : prn_decider_commit_all(decider, error);
}
