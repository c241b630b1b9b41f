#include "decide/giants.h"

#include "base/checksum.h"
#include "archive/url_host.h"
#include "base/clock.h"
#include "decide/shards.h"
#include "perennial/url.h"
#include "store/big_endian.h"
#include "store/shards.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define KEY PRN_GATE_KEY
#define PERMIT_BYTES 12
#define TRIES 1000 /* how often a change is tried again because others write meanwhile */

/* ---- which hosts are giants ---- */

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

/* ---- gates ---- */

void prn_giant_gate_init(struct prn_giant_gate *gate)
{
	*gate = (struct prn_giant_gate){ 0 };
	prn_host_init(&gate->host);
}

void prn_giant_gate_release(struct prn_giant_gate *gate)
{
	free(gate->out);
	prn_giant_gate_init(gate);
}

static int copy_gate(struct prn_giant_gate *to, const struct prn_giant_gate *from)
{
	struct prn_permits_out *grown = prn_array_grow(to->out, &to->capacity, from->count + 1, sizeof *grown);

	if (!grown)
		return PRN_E_MEMORY;
	to->out = grown;
	if (from->count)
		memcpy(grown, from->out, from->count * sizeof *grown);
	to->count = from->count;
	to->host = from->host;
	return 0;
}

int prn_giant_gate_encode(const struct prn_giant_gate *gate, struct prn_buffer *bytes)
{
	unsigned char host[PRN_HOST_BYTES], permit[PERMIT_BYTES], length, *at = permit;
	size_t begin = bytes->length;

	length = (unsigned char)prn_host_encode(&gate->host, host);
	if (prn_buffer_append(bytes, &length, 1) || prn_buffer_append(bytes, host, length))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < gate->count; i++) {
		at = permit;
		prn_big_put_time(&at, gate->out[i].end);
		prn_big_put(&at, 4, gate->out[i].count);
		if (prn_buffer_append(bytes, permit, sizeof permit))
			return PRN_E_MEMORY;
	}
	at = permit;
	prn_big_put(&at, PRN_CHECKSUM_BYTES, prn_checksum(bytes->data + begin, bytes->length - begin));
	return prn_buffer_append(bytes, permit, PRN_CHECKSUM_BYTES);
}

int prn_giant_gate_decode(struct prn_giant_gate *gate, const void *bytes, size_t length)
{
	const unsigned char *at = bytes, *sum;
	struct prn_permits_out *grown;
	struct prn_host host;
	size_t count;

	if (length < 1 + PRN_CHECKSUM_BYTES)
		return PRN_E_DAMAGED;
	length -= PRN_CHECKSUM_BYTES;
	sum = at + length;
	if (length < 1u + at[0] || (length - 1 - at[0]) % PERMIT_BYTES ||
	    prn_big_take(&sum, PRN_CHECKSUM_BYTES) != prn_checksum(at, length) || prn_host_decode(&host, at + 1, at[0]))
		return PRN_E_DAMAGED;
	count = (length - 1 - at[0]) / PERMIT_BYTES;
	at += 1 + at[0];
	grown = prn_array_grow(gate->out, &gate->capacity, count + 1, sizeof *grown);
	if (!grown)
		return PRN_E_MEMORY;
	gate->out = grown;
	gate->host = host;
	for (gate->count = 0; gate->count < count; gate->count++) {
		gate->out[gate->count].end = prn_big_take_time(&at);
		gate->out[gate->count].count = (uint32_t)prn_big_take(&at, 4);
	}
	return 0;
}

/* Permits that were written by a clock that ran far ahead do not count. */
static bool counts(const struct prn_permits_out *out, const struct prn_giant_wish *wish)
{
	return out->end > wish->now && out->end <= prn_time_after(wish->leased_from, PRN_LEASE_END_MOST_S);
}

static uint64_t count_out(const struct prn_giant_gate *gate, const struct prn_giant_wish *wish)
{
	uint64_t count = 0;

	for (size_t i = 0; i < gate->count; i++)
		count += counts(&gate->out[i], wish) ? gate->out[i].count : 0;
	return count;
}

/* A permit that has run out was not given back, so its page may have been fetched up to its end. */
static void drop_ended(struct prn_giant_gate *gate, int64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < gate->count; i++) {
		if (gate->out[i].end > now)
			gate->out[kept++] = gate->out[i];
		else
			prn_host_was_asked(&gate->host, gate->out[i].end, now);
	}
	gate->count = kept;
}

int64_t prn_giant_opens(const struct prn_giant_gate *gate, const struct prn_giant_wish *wish)
{
	int64_t opens = prn_time_later(prn_host_opens(&gate->host, &wish->settings, wish->now),
	                               prn_share_opens(wish->share, &gate->host, wish->now)),
	        first = INT64_MAX, last = PRN_TIME_UNKNOWN;
	double delay_s = fmax(wish->settings.delay_s, gate->host.crawl_delay_s);
	bool full = wish->settings.limit && (count_out(gate, wish) >= wish->settings.limit || gate->count >= PRN_PERMIT_ENDS);

	for (size_t i = 0; i < gate->count; i++) {
		if (gate->out[i].end <= wish->now)
			last = prn_time_later(last, gate->out[i].end);
		else if (counts(&gate->out[i], wish) && gate->out[i].end < first)
			first = gate->out[i].end;
	}
	if (last != PRN_TIME_UNKNOWN && delay_s > 0 && (double)wish->now - (double)last < delay_s)
		opens = prn_time_later(opens, prn_host_settings_open(&wish->settings, prn_time_after(last, ceil(delay_s))));
	if (full)
		opens = prn_time_later(opens, first < INT64_MAX ? first : wish->now + 1);
	return opens;
}

/* Permits are in the order of their ends. */
int prn_giant_gate_add(struct prn_giant_gate *gate, int64_t end, uint32_t count)
{
	struct prn_permits_out *grown = prn_array_grow(gate->out, &gate->capacity, gate->count + 1, sizeof *grown);
	size_t at = 0;

	if (!grown)
		return PRN_E_MEMORY;
	gate->out = grown;
	while (at < gate->count && grown[at].end < end)
		at++;
	if (at < gate->count && grown[at].end == end) {
		grown[at].count += count;
		return 0;
	}
	memmove(grown + at + 1, grown + at, (gate->count - at) * sizeof *grown);
	grown[at] = (struct prn_permits_out){ end, count };
	gate->count++;
	return 0;
}

/* Removes up to count permits that end at a time.  Returns how many there were. */
static uint32_t take_off(struct prn_giant_gate *gate, int64_t end, uint32_t count)
{
	for (size_t i = 0; i < gate->count; i++) {
		if (gate->out[i].end != end)
			continue;
		count = count < gate->out[i].count ? count : gate->out[i].count;
		gate->out[i].count -= count;
		if (!gate->out[i].count) {
			memmove(gate->out + i, gate->out + i + 1, (gate->count - i - 1) * sizeof *gate->out);
			gate->count--;
		}
		return count;
	}
	return 0;
}

int prn_giant_pass(struct prn_giant_gate *gate, const struct prn_giant_wish *wish, bool *passed)
{
	*passed = false;
	drop_ended(gate, wish->now);
	if (prn_giant_opens(gate, wish) > wish->now)
		return 0;
	/* For a host that may have any number of pages out nothing is counted, so their return needs no message either. */
	if (wish->settings.limit && prn_giant_gate_add(gate, wish->end, 1))
		return PRN_E_MEMORY;
	gate->host.asked = prn_time_later(gate->host.asked, wish->now);
	prn_share_spend(wish->share, &gate->host, wish->cost, wish->now);
	*passed = true;
	return 0;
}

/* ---- the gates in the root ---- */

static size_t write_key(const struct prn_giant *giant, char key[PRN_HOST_NAME_BYTES + sizeof KEY])
{
	return (size_t)snprintf(key, PRN_HOST_NAME_BYTES + sizeof KEY, KEY "%s", giant->name);
}

int prn_giant_gate_read(const struct prn_store_reader *reader, const struct prn_giant *giant, struct prn_giant_gate *gate,
                        struct prn_error *error)
{
	char key[PRN_HOST_NAME_BYTES + sizeof KEY];
	const void *bytes;
	size_t length;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, key, write_key(giant, key), &bytes, &length, error);

	prn_host_init(&gate->host);
	gate->count = 0;
	if (!code)
		code = prn_giant_gate_decode(gate, bytes, length);
	return code == PRN_E_MEMORY ? prn_error_memory(error) : code == PRN_E_NOT_FOUND || code == PRN_E_DAMAGED ? 0 : code;
}

int prn_giant_gate_put(const struct prn_giant_gate *gate, struct prn_batch *batch, const struct prn_giant *giant, struct prn_error *error)
{
	char key[PRN_HOST_NAME_BYTES + sizeof KEY];
	struct prn_buffer bytes = { 0 };
	int code = prn_giant_gate_encode(gate, &bytes);

	code = code ? prn_error_memory(error)
	            : prn_batch_side_put(batch, PRN_SIDE_META, key, write_key(giant, key), bytes.data, bytes.length, error);
	prn_buffer_release(&bytes);
	return code;
}

int prn_giant_read(struct prn_decider *decider, size_t place, struct prn_giant_gate *gate, struct prn_error *error)
{
	struct prn_decider *root = decider->root ? decider->root : decider;
	struct prn_giant *giant = &root->shards->giants[place];
	struct prn_store_reader reader = { 0 };
	unsigned tries = 0;
	int code;

	do {
		code = prn_view_open(&reader.view, root->store, error);
		if (code)
			return code;
		code = prn_giant_gate_read(&reader, giant, gate, error);
		prn_view_close(reader.view);
	} while (prn_decider_looks_again(code, &tries));
	return code;
}

int prn_giants_look(struct prn_decider *root, struct prn_error *error)
{
	struct prn_store_reader reader = prn_decider_reader(root);
	struct prn_shards *shards = root->shards;
	int code = 0;

	pthread_mutex_lock(&shards->gates);
	for (size_t i = 0; i < shards->giant_count && !code; i++)
		code = prn_giant_gate_read(&reader, &shards->giants[i], &shards->giants[i].gate, error);
	pthread_mutex_unlock(&shards->gates);
	return code;
}

/*
 * Reads gates, changes them and commits, and repeats that while another process commits first.  Under the lock of gates only one thread
 * uses the root's batch at a time; meanwhile the root's own writer waits for the threads that ask shards, or stages nothing.
 */
typedef int change_fn(struct prn_decider *root, void *context, struct prn_error *error);

static int change_gates(struct prn_decider *root, change_fn *change, void *context, struct prn_error *error)
{
	struct prn_batch *batch = root->batch;
	int code = PRN_E_CONFLICT;

	for (unsigned tries = 0; tries < TRIES && code == PRN_E_CONFLICT; tries++) {
		bool waits;

		code = change(root, context, error);
		waits = prn_batch_changes(batch) > 0;
		if (!code)
			code = prn_batch_commit(batch, error);
		/* What the batch has read may be outdated. */
		if (code)
			prn_batch_abandon(batch);
		root->commits += !code && waits;
		root->conflicts += code == PRN_E_CONFLICT;
	}
	/* Earlier commits of the caller stand, so it must not begin again: this is no PRN_E_CONFLICT to it. */
	return code != PRN_E_CONFLICT ? code : prn_error_set(error, PRN_E_BUSY, "%s: others wrote first each time", prn_store_path(root->store));
}

struct taking {
	struct prn_giant *giant;
	const struct prn_giant_wish *wish;
	unsigned given;
};

static int take_permits(struct prn_decider *root, void *context, struct prn_error *error)
{
	const struct prn_store_reader reader = { .batch = root->batch };
	struct taking *taking = context;
	const struct prn_giant_wish *wish = taking->wish;
	struct prn_giant_gate *gate = &taking->giant->gate;
	uint64_t out, lot;
	bool passed;
	int code = prn_giant_gate_read(&reader, taking->giant, gate, error);

	if (code)
		return code;
	/* The pages that the host may still have out are divided, so that each of its parts gets some. */
	out = count_out(gate, wish);
	lot = !wish->settings.limit ? wish->most : wish->settings.limit > out ? wish->settings.limit - out : 0;
	lot /= taking->giant->parts;
	lot = lot > 1 ? lot : 1;
	lot = lot < wish->most ? lot : wish->most;
	passed = lot > 0;
	for (taking->given = 0; passed && taking->given < lot; taking->given += passed)
		if (prn_giant_pass(gate, wish, &passed))
			return prn_error_memory(error);
	return taking->given ? prn_giant_gate_put(gate, root->batch, taking->giant, error) : 0;
}

int prn_giant_take(struct prn_decider *shard, size_t place, const struct prn_giant_wish *wish, unsigned *given, struct prn_giant_gate *gate,
                   struct prn_error *error)
{
	struct prn_shards *shards = shard->root->shards;
	struct taking taking = { .giant = &shards->giants[place], .wish = wish };
	int code;

	pthread_mutex_lock(&shards->gates);
	code = change_gates(shard->root, take_permits, &taking, error);
	if (!code && copy_gate(gate, &taking.giant->gate))
		code = prn_error_memory(error);
	pthread_mutex_unlock(&shards->gates);
	*given = code ? 0 : taking.given;
	return code;
}

/* ---- messages to gates ---- */

int prn_gate_message_add(struct prn_decider *shard, const struct prn_gate_message *message, struct prn_error *error)
{
	struct prn_gate_message *grown = prn_array_grow(shard->gate_messages, &shard->gate_message_capacity, shard->gate_message_count + 1, sizeof *grown);

	if (!grown)
		return prn_error_memory(error);
	shard->gate_messages = grown;
	grown[shard->gate_message_count] = *message;
	grown[shard->gate_message_count++].number = ++shard->gate_messages_ever;
	return 0;
}

void prn_giants_drop(struct prn_decider *shard, uint64_t number)
{
	while (shard->gate_message_count > shard->gate_messages_durable && shard->gate_messages[shard->gate_message_count - 1].number > number)
		shard->gate_message_count--;
}

/* Applies a message to a gate; *changed becomes true if that changes anything. */
static int apply(struct prn_giant_gate *gate, const struct prn_gate_message *message, bool *changed)
{
	struct prn_host *host = &gate->host;
	int64_t asked = host->asked;
	uint32_t over = message->end != PRN_TIME_UNKNOWN ? take_off(gate, message->end, message->count) : 0;

	if (over && message->moved != PRN_TIME_UNKNOWN && prn_giant_gate_add(gate, message->moved, over))
		return PRN_E_MEMORY;
	if (message->fetched != PRN_TIME_UNKNOWN)
		prn_host_was_asked(host, message->fetched, message->now);
	*changed |= over > 0 || host->asked != asked;
	if (message->came && host->until != PRN_TIME_UNKNOWN && message->time > host->refused) {
		host->successes += host->successes < UINT32_MAX;
		if (host->until > message->now)
			host->until = message->now + (host->until - message->now) / 2;
		*changed = true;
	}
	/* A reporter may send a refusal again, because it does not know that it was sent before: then it changes nothing. */
	if (message->refused && !(message->again && host->refused == message->time)) {
		prn_host_refuse(host, message->time, message->wanted_s, message->now);
		*changed = true;
	}
	if (message->has_crawl_delay && message->crawl_delay_s != host->crawl_delay_s) {
		host->crawl_delay_s = message->crawl_delay_s;
		*changed = true;
	}
	if (fabs(message->beyond) > 0 && host->spent > 0) {
		host->spent = fmax(0, host->spent + message->beyond);
		*changed = true;
	}
	return 0;
}

static int apply_all(struct prn_decider *root, void *context, struct prn_error *error)
{
	const struct prn_store_reader reader = { .batch = root->batch };
	const struct prn_decider *shard = context;
	int code = 0;

	for (size_t i = 0; i < root->shards->giant_count && !code; i++) {
		struct prn_giant *giant = &root->shards->giants[i];
		bool begun = false, changed = false;

		for (size_t j = 0; j < shard->gate_messages_durable && !code; j++) {
			if (shard->gate_messages[j].giant != i)
				continue;
			if (!begun)
				code = prn_giant_gate_read(&reader, giant, &giant->gate, error);
			begun = true;
			if (!code && apply(&giant->gate, &shard->gate_messages[j], &changed))
				code = prn_error_memory(error);
		}
		if (!code && changed)
			code = prn_giant_gate_put(&giant->gate, root->batch, giant, error);
	}
	return code;
}

/* The change may have been written all the same, so nothing that is counted is sent twice; the permits count until their end. */
static void keep_messages(struct prn_decider *shard, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		shard->gate_messages[i].end = PRN_TIME_UNKNOWN;
		shard->gate_messages[i].beyond = 0;
		shard->gate_messages[i].came = false;
		shard->gate_messages[i].again = true;
	}
}

static void drop_messages(struct prn_decider *shard, size_t count)
{
	memmove(shard->gate_messages, shard->gate_messages + count, (shard->gate_message_count - count) * sizeof *shard->gate_messages);
	shard->gate_message_count -= count;
	shard->gate_messages_durable = 0;
}

int prn_giants_forward(struct prn_decider *shard, struct prn_error *error)
{
	struct prn_decider *root = shard->root;
	size_t sent = shard->gate_messages_durable;
	int code;

	if (!sent)
		return 0;
	pthread_mutex_lock(&root->shards->gates);
	/* Changes that another caller staged in the root are not committed here, so the messages wait for the next commit. */
	if (prn_batch_changes(root->batch))
		code = prn_error_set(error, PRN_E_BUSY, "%s: another call is writing what is to be handed out: report it again",
		                     prn_store_path(root->store));
	else {
		code = change_gates(root, apply_all, shard, error);
		if (code)
			keep_messages(shard, sent);
		else
			drop_messages(shard, sent);
	}
	pthread_mutex_unlock(&root->shards->gates);
	return code;
}

static bool owes(const struct prn_decider *shard)
{
	for (size_t i = 0; i < shard->gate_messages_durable; i++) {
		const struct prn_gate_message *message = &shard->gate_messages[i];

		if ((message->refused || message->has_crawl_delay) && !message->told)
			return true;
	}
	return false;
}

bool prn_giants_owe(const struct prn_decider *decider)
{
	const struct prn_shards *shards = decider->shards;
	bool any = owes(decider);

	for (size_t i = 0; shards && shards->giant_count && i < shards->slots && !any; i++)
		any = shards->open[i] && owes(shards->open[i]);
	return any;
}

static int admit(struct prn_decider *shard, struct prn_error *error)
{
	int code = owes(shard) ? prn_giants_forward(shard, error) : 0;

	for (size_t i = 0; code && i < shard->gate_messages_durable; i++)
		shard->gate_messages[i].told = true;
	return code;
}

int prn_giants_admit(struct prn_decider *decider, struct prn_error *error)
{
	const struct prn_shards *shards = decider->shards;
	struct prn_error other;
	int code = admit(decider, error);

	for (size_t i = 0; shards && shards->giant_count && i < shards->slots; i++) {
		int failed = shards->open[i] ? admit(shards->open[i], code ? &other : error) : 0;

		code = code ? code : failed;
	}
	return code;
}

int prn_giant_merge(struct prn_decider *shard, struct prn_known_host *known, int64_t now, struct prn_error *error)
{
	size_t place = shard->root ? prn_giant_find(shard, known->name) : SIZE_MAX;
	const struct prn_share none = prn_share_none();
	const struct prn_giant_wish wish = { .settings = known->settings, .share = &none, .now = now, .leased_from = now };
	struct prn_giant_gate gate;
	struct prn_host own = known->host;
	int code;

	if (place == SIZE_MAX)
		return 0;
	prn_giant_gate_init(&gate);
	code = prn_giant_read(shard, place, &gate, error);
	if (!code) {
		drop_ended(&gate, now);
		known->host = gate.host;
		known->host.leased = (uint32_t)count_out(&gate, &wish);
		known->host.leased_until = known->host.leased ? gate.out[0].end : PRN_TIME_UNKNOWN;
		known->host.turn = own.turn != PRN_TIME_UNKNOWN ? prn_giant_opens(&gate, &wish) : PRN_TIME_UNKNOWN;
		known->host.redirects = own.redirects;
		known->host.fruitless = own.fruitless;
	}
	prn_giant_gate_release(&gate);
	return code;
}
