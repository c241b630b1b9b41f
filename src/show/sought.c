#include "show/show.h"

#include "base/ascii.h"

#include "perennial/source.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>

static int place_order(const void *a, const void *b)
{
	const struct show_place *x = a, *y = b;
	int order = prn_digest_compare(&x->key, &y->key);

	return order ? order : (x->time > y->time) - (x->time < y->time);
}

static bool has(const struct show_sought *sought, struct prn_digest key, int64_t time)
{
	const struct show_place place = { key, time };

	return bsearch(&place, sought->places, sought->count, sizeof place, place_order);
}

bool show_wants(void *context, const char *normal_url, int64_t time, const struct prn_digest *payload)
{
	const struct show_sought *sought = context;

	if (!strcmp(normal_url, sought->url))
		return true;
	if (!sought->count)
		return false;
	return (payload && has(sought, *payload, PRN_TIME_UNKNOWN)) || has(sought, prn_url_key(normal_url), time);
}

static int add(struct show_sought *sought, struct prn_digest key, int64_t time)
{
	struct show_place *places = prn_array_grow(sought->places, &sought->capacity, sought->count + 1, sizeof *places);

	if (!places)
		return PRN_E_MEMORY;
	sought->places = places;
	places[sought->count++] = (struct show_place){ key, time };
	return 0;
}

/* Seeks a revisit by its payload and by the capture that it names: sources may have either. */
static int seek(struct show_sought *found, const struct prn_capture *capture)
{
	int code = 0;

	if (capture->revisit != PRN_REVISIT_IDENTICAL)
		return 0;
	if (capture->has_payload_digest)
		code = add(found, capture->payload_digest, PRN_TIME_UNKNOWN);
	if (!code && capture->refers_to_url && capture->refers_to_time != PRN_TIME_UNKNOWN)
		code = add(found, prn_url_key(capture->refers_to_url), capture->refers_to_time);
	return code;
}

struct prn_source_options show_source_options(const struct show *show, struct show_sought *sought)
{
	struct prn_source_options options = { .filter = show->filter, .git_base = show->git_base };

	options.filter.wanted = show_wants;
	options.filter.wanted_context = sought;
	return options;
}

static int seek_in(const struct show *show, const char *path, struct show_sought *own, struct show_sought *found, struct prn_error *error)
{
	const struct prn_source_options options = show_source_options(show, own);
	struct prn_source *source;
	struct prn_capture capture;
	int code = prn_source_open(&source, path, &options, error), got;

	if (code)
		return code;
	/* Faults of a source are reported when its texts are read. */
	while (!code && (got = prn_source_next(source, &capture, NULL)) == 1)
		code = seek(found, &capture);
	prn_source_free(source);
	return code ? prn_error_memory(error) : 0;
}

int show_seek(const struct show *show, struct show_sought *sought, struct prn_error *error)
{
	struct show_sought own = { .url = show->url };
	int code = 0;

	sought->count = 0;
	for (size_t i = 0; i < show->source_count && !code; i++)
		code = seek_in(show, show->sources[i], &own, sought, error);
	if (sought->count)
		qsort(sought->places, sought->count, sizeof *sought->places, place_order);
	return code;
}

/* Returns a URL without its scheme, "www." and last slash, which people often get wrong. */
static const char *core_of(const char *url, size_t *length)
{
	const char *core = strstr(url, "://");

	core = core ? core + 3 : url;
	if (!strncmp(core, "www.", 4))
		core += 4;
	*length = strlen(core);
	*length -= *length && core[*length - 1] == '/';
	return core;
}

struct suggestion {
	const char *core;
	size_t length, room;
	char *url;
	bool found;
};

static bool look(void *context, const char *normal_url, int64_t time, const struct prn_digest *payload)
{
	struct suggestion *suggestion = context;
	size_t length;
	const char *core = core_of(normal_url, &length);

	(void)time, (void)payload;
	if (!suggestion->found && length == suggestion->length && !prn_ascii_compare_n(core, suggestion->core, length) &&
	    strlen(normal_url) < suggestion->room) {
		strcpy(suggestion->url, normal_url);
		suggestion->found = true;
	}
	return false;
}

bool show_suggest(const struct show *show, char *url, size_t room)
{
	struct suggestion suggestion = { .url = url, .room = room };
	const struct prn_source_options options = { .filter = { .wanted = look, .wanted_context = &suggestion }, .git_base = show->git_base };

	suggestion.core = core_of(show->url, &suggestion.length);
	for (size_t i = 0; i < show->source_count && !suggestion.found; i++) {
		struct prn_source *source;
		struct prn_capture capture;

		if (prn_source_open(&source, show->sources[i], &options, NULL))
			continue;
		while (!suggestion.found && prn_source_next(source, &capture, NULL) == 1)
			continue;
		prn_source_free(source);
	}
	return suggestion.found;
}
