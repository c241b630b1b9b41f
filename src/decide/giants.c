#include "decide/giants.h"

#include "archive/url_host.h"
#include "base/buffer.h"
#include "decide/shards.h"
#include "perennial/url.h"
#include "store/shards.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static bool is_power_of_two(size_t number)
{
	return number && !(number & (number - 1));
}

/* Reads a host and the number of its parts, as a person gives them.  0: it is none */
static size_t read_given(const char *given, size_t shards, char name[PRN_URL_HOST_NAME])
{
	const char *slash = strrchr(given, '/');
	size_t length = slash ? (size_t)(slash - given) : strlen(given);
	unsigned long long parts = shards < PRN_GIANTS_PARTS ? shards : PRN_GIANTS_PARTS;
	char host[PRN_URL_HOST_NAME], url[PRN_URL_HOST_NAME + 16], normal[PRN_URL_BYTES + 1], *end;
	struct prn_host_name found;

	if (slash) {
		parts = isdigit((unsigned char)slash[1]) ? strtoull(slash + 1, &end, 10) : 0;
		parts = parts && !*end ? parts : 0;
	}
	if (!length || length >= PRN_URL_HOST_NAME || parts > shards || parts < 2 || !is_power_of_two((size_t)parts))
		return 0;
	memcpy(host, given, length);
	host[length] = 0;
	/* The host is taken from a normal URL, as its pages have it; text that is not only a host gives another one, or none. */
	snprintf(url, sizeof url, "http://%s/", host);
	if (strpbrk(host, "/?#@\\ ") || prn_url_normalize(url, SIZE_MAX, normal, sizeof normal))
		return 0;
	found = prn_host_name(normal);
	if (!found.length || found.length >= PRN_URL_HOST_NAME || memchr(found.text, ' ', found.length))
		return 0;
	memcpy(name, found.text, found.length);
	name[found.length] = 0;
	return (size_t)parts;
}

/* Whether a list of hosts and parts has a host. */
static bool has_name(const struct prn_buffer *text, const char *name)
{
	const char *at = (const char *)text->data, *end = at + text->length;
	size_t length = strlen(name);

	for (; at < end; at += strcspn(at, " ") + 1)
		if (strcspn(at, "/") == length && !memcmp(at, name, length))
			return true;
	return false;
}

int prn_giants_write(const char *const *hosts, size_t host_count, size_t shards, char **text, struct prn_error *error)
{
	struct prn_buffer list = { 0 };
	char name[PRN_URL_HOST_NAME];
	int code = 0;

	for (size_t i = 0; i < host_count && !code; i++) {
		size_t parts = read_given(hosts[i], shards, name);

		if (shards < 2)
			code = prn_error_set(error, PRN_E_ARGUMENT, "%s: a host is spread over shards, and the store has none", hosts[i]);
		else if (!parts)
			code = prn_error_set(error, PRN_E_ARGUMENT,
			                     "%s: a giant is the name of a host, or that with a slash and the number of its parts: a power "
			                     "of two from 2 to the number of shards, %zu",
			                     hosts[i], shards);
		else if (list.length && has_name(&list, name))
			code = prn_error_set(error, PRN_E_ARGUMENT, "%s: it is named twice", hosts[i]);
		else if (prn_buffer_printf(&list, "%s%s/%zu", list.length ? " " : "", name, parts) || prn_buffer_terminate(&list))
			code = prn_error_memory(error);
	}
	if (code) {
		prn_buffer_release(&list);
		return code;
	}
	*text = (char *)list.data;
	return 0;
}

void prn_giants_free(struct prn_giant *giants, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(giants[i].name);
		prn_giant_gate_release(&giants[i].gate);
	}
	free(giants);
}

static int compare(const void *a, const void *b)
{
	const struct prn_giant *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* Reads one word of the list, a host and the number of its parts.  PRN_E_DAMAGED, PRN_E_MEMORY */
static int read_giant(struct prn_giant *giant, const char *word, size_t length, size_t shards)
{
	const char *slash = memchr(word, '/', length);
	struct prn_host_name name = { word, slash ? (size_t)(slash - word) : 0 };

	*giant = (struct prn_giant){ 0 };
	if (!name.length || name.length >= PRN_HOST_NAME_BYTES)
		return PRN_E_DAMAGED;
	for (size_t i = name.length + 1; i < length; i++) {
		if (word[i] < '0' || word[i] > '9' || giant->parts > shards)
			return PRN_E_DAMAGED;
		giant->parts = giant->parts * 10 + (size_t)(word[i] - '0');
	}
	if (giant->parts < 2 || giant->parts > shards || !is_power_of_two(giant->parts))
		return PRN_E_DAMAGED;
	giant->name = strndup(name.text, name.length);
	giant->number = prn_host_number(name);
	giant->home = prn_shard_of(name, shards);
	prn_giant_gate_init(&giant->gate);
	return giant->name ? 0 : PRN_E_MEMORY;
}

int prn_giants_read(struct prn_shards *shards, const char *text, size_t length)
{
	int code = 0;

	for (size_t at = 0; at < length && !code; at++) {
		const char *space = memchr(text + at, ' ', length - at);
		size_t bytes = space ? (size_t)(space - text) - at : length - at;
		struct prn_giant *grown = realloc(shards->giants, (shards->giant_count + 1) * sizeof *grown);

		if (!grown)
			return PRN_E_MEMORY;
		shards->giants = grown;
		code = read_giant(&grown[shards->giant_count], text + at, bytes, shards->count);
		shards->giant_count += !code;
		at += bytes;
	}
	qsort(shards->giants, shards->giant_count, shards->giants ? sizeof *shards->giants : 1, compare);
	return code;
}

int prn_giants_open(struct prn_decider *root, struct prn_error *error)
{
	const void *bytes;
	size_t length;
	struct prn_view *view;
	int code = prn_view_open(&view, root->store, error);

	if (code)
		return code;
	code = prn_view_side(view, PRN_SIDE_META, PRN_GIANTS_NAME, strlen(PRN_GIANTS_NAME), &bytes, &length, error);
	if (!code && (code = prn_giants_read(root->shards, bytes, length)))
		code = code == PRN_E_MEMORY ? prn_error_memory(error)
		                            : prn_error_set(error, PRN_E_DAMAGED, "the store's setting '%s' is '%.*s'", PRN_GIANTS_NAME,
		                                            length < 200 ? (int)length : 200, (const char *)bytes);
	prn_view_close(view);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

size_t prn_giant_find(const struct prn_decider *decider, struct prn_host_name host)
{
	const struct prn_shards *shards = (decider->root ? decider->root : decider)->shards;
	size_t from = 0, to = shards ? shards->giant_count : 0;
	uint64_t number = to ? prn_host_number(host) : 0;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct prn_giant *giant = &shards->giants[middle];

		if (giant->number == number && strlen(giant->name) == host.length && !memcmp(giant->name, host.text, host.length))
			return middle;
		if (giant->number < number)
			from = middle + 1;
		else
			to = middle;
	}
	return SIZE_MAX;
}

size_t prn_giant_part(const struct prn_giant *giant, const char *normal_url)
{
	struct prn_host_name host = prn_host_name(normal_url);
	const char *path = host.text + host.length;
	size_t length = strlen(path);

	length -= length && path[length - 1] == '/';
	return (size_t)(XXH3_64bits(path, length) & (giant->parts - 1));
}

size_t prn_giant_shard(const struct prn_giant *giant, size_t part, size_t shards)
{
	return (giant->home + part * (shards / giant->parts)) & (shards - 1);
}

bool prn_giant_has(const struct prn_giant *giant, size_t shard, size_t shards, size_t *part)
{
	size_t apart = shards / giant->parts, away = (shard + shards - giant->home) & (shards - 1);

	*part = away / apart;
	return away % apart == 0;
}

unsigned prn_giant_share_of(const struct prn_decider *shard, struct prn_host_name host, unsigned most)
{
	size_t place = shard->root ? prn_giant_find(shard, host) : SIZE_MAX, part;
	const struct prn_giant *giant;

	if (place == SIZE_MAX)
		return most;
	giant = &shard->root->shards->giants[place];
	if (!prn_giant_has(giant, shard->shard, shard->root->shards->count, &part))
		return most;
	return most / (unsigned)giant->parts + (part < most % giant->parts);
}
