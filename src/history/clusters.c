#include "history/clusters.h"

#include "base/buffer.h"
#include "perennial/digest.h"

#include <stdlib.h>
#include <string.h>

struct host {
	struct prn_digest digest;
	size_t page;
};

static int host_order(const void *a, const void *b)
{
	const struct host *x = a, *y = b;
	int order = prn_digest_compare(&x->digest, &y->digest);

	return order ? order : (x->page > y->page) - (x->page < y->page);
}

static int key_order(const void *a, const void *b)
{
	return prn_digest_compare(a, b);
}

static struct prn_digest slot_key(const struct prn_digest *host)
{
	return (struct prn_digest){ (uint64_t)prn_host_slot(host) << 52, 0 };
}

/* Assigns rows to slots that have several clusters. */
static int number_slots(struct prn_clusters *clusters)
{
	clusters->rows = clusters->count;
	clusters->slot_rows = calloc(clusters->count + 1, sizeof *clusters->slot_rows);
	if (!clusters->slot_rows)
		return PRN_E_MEMORY;
	for (size_t i = 0, end; i < clusters->count; i = end) {
		uint32_t slot = prn_host_slot(&clusters->keys[i]);
		bool several;

		/* Clusters of pages belong to one slot. */
		for (end = i + 1; end < clusters->count; end++)
			if (clusters->level != PRN_CLUSTER_PAGE && prn_host_slot(&clusters->keys[end]) != slot)
				break;
		several = end > i + 1;
		for (size_t j = i; j < end; j++)
			clusters->slot_rows[j] = several ? (uint32_t)clusters->rows : PRN_NO_ROW;
		clusters->rows += several;
	}
	return 0;
}

static void set_pages(struct prn_clusters *clusters, const struct host *hosts, size_t pages)
{
	clusters->level = PRN_CLUSTER_PAGE;
	clusters->count = pages < PRN_CLUSTERS ? pages : PRN_CLUSTERS;
	clusters->host = pages ? hosts->digest : (struct prn_digest){ 0 };
	for (size_t i = 0; i < pages; i++)
		clusters->of[i] = (uint32_t)(i % PRN_CLUSTERS);
	for (size_t i = 0; i < clusters->count; i++)
		clusters->keys[i] = (struct prn_digest){ 0, i };
}

/* hosts must be in order. */
static void set_hosts(struct prn_clusters *clusters, const struct host *hosts, size_t pages)
{
	for (size_t i = 0; i < pages; i++) {
		bool slots = clusters->level == PRN_CLUSTER_SLOT;
		struct prn_digest key = slots ? slot_key(&hosts[i].digest) : hosts[i].digest;

		if (!clusters->count || prn_digest_compare(&clusters->keys[clusters->count - 1], &key))
			clusters->keys[clusters->count++] = key;
		clusters->of[hosts[i].page] = (uint32_t)clusters->count - 1;
	}
}

int prn_clusters_find(struct prn_clusters *clusters, const struct prn_pages *pages)
{
	struct host *hosts = calloc(pages->count ? pages->count : 1, sizeof *hosts);
	size_t count = 0;

	*clusters = (struct prn_clusters){ .of = calloc(pages->count ? pages->count : 1, sizeof *clusters->of),
		                           .keys = calloc(PRN_CLUSTERS, sizeof *clusters->keys) };
	if (!hosts || !clusters->of || !clusters->keys) {
		free(hosts);
		return PRN_E_MEMORY;
	}
	for (size_t i = 0; i < pages->count; i++) {
		const char *url = pages->url(pages->context, i);

		hosts[i] = (struct host){ .digest = url ? prn_host_digest(url) : (struct prn_digest){ 0 }, .page = i };
	}
	qsort(hosts, pages->count, sizeof *hosts, host_order);
	for (size_t i = 0; i < pages->count; i++)
		count += !i || prn_digest_compare(&hosts[i - 1].digest, &hosts[i].digest);
	clusters->level = count > PRN_CLUSTERS ? PRN_CLUSTER_SLOT : PRN_CLUSTER_HOST;
	if (count < 2)
		set_pages(clusters, hosts, pages->count);
	else
		set_hosts(clusters, hosts, pages->count);
	free(hosts);
	return number_slots(clusters);
}

void prn_clusters_release(struct prn_clusters *clusters)
{
	free(clusters->keys);
	free(clusters->slot_rows);
	free(clusters->of);
	*clusters = (struct prn_clusters){ 0 };
}

/* Finds the level of the whole.  Where a part's clusters are slots, it is only known that there were too many hosts. */
static enum prn_cluster_level level_of_all(const struct prn_clusters *const *parts, size_t count)
{
	size_t hosts = 0;

	for (size_t i = 0; i < count; i++) {
		if (parts[i]->level == PRN_CLUSTER_SLOT)
			return PRN_CLUSTER_SLOT;
		hosts += parts[i]->level == PRN_CLUSTER_HOST ? parts[i]->count : parts[i]->count > 0;
	}
	return hosts > PRN_CLUSTERS ? PRN_CLUSTER_SLOT : hosts > 1 ? PRN_CLUSTER_HOST : PRN_CLUSTER_PAGE;
}

/* Returns a part's cluster as it is in the whole. */
static struct prn_digest key_in(const struct prn_clusters *part, const struct prn_clusters *whole, size_t cluster)
{
	const struct prn_digest *key = part->level == PRN_CLUSTER_PAGE ? &part->host : &part->keys[cluster];

	if (whole->level == PRN_CLUSTER_PAGE)
		return part->keys[cluster];
	return whole->level == PRN_CLUSTER_SLOT ? slot_key(key) : *key;
}

/* Merges the keys of all parts without repetition. */
static int take_keys(struct prn_clusters *whole, const struct prn_clusters *const *parts, size_t count)
{
	size_t most = 0, n = 0;

	for (size_t i = 0; i < count; i++)
		most += parts[i]->count;
	whole->keys = calloc(most + 1, sizeof *whole->keys);
	if (!whole->keys)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < count; i++)
		for (size_t j = 0; j < parts[i]->count; j++)
			whole->keys[n++] = key_in(parts[i], whole, j);
	qsort(whole->keys, n, sizeof *whole->keys, key_order);
	for (size_t i = 0; i < n; i++)
		if (!i || prn_digest_compare(&whole->keys[whole->count - 1], &whole->keys[i]))
			whole->keys[whole->count++] = whole->keys[i];
	return 0;
}

int prn_clusters_join(struct prn_clusters *whole, const struct prn_clusters *const *parts, size_t count, uint32_t **to)
{
	*whole = (struct prn_clusters){ .level = level_of_all(parts, count) };
	if (take_keys(whole, parts, count))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < count; i++) {
		to[i] = calloc(parts[i]->count + 1, sizeof **to);
		if (!to[i])
			return PRN_E_MEMORY;
		for (size_t j = 0; j < parts[i]->count; j++) {
			struct prn_digest key = key_in(parts[i], whole, j), *found;

			found = bsearch(&key, whole->keys, whole->count, sizeof key, key_order);
			to[i][j] = (uint32_t)(found - whole->keys);
		}
		if (parts[i]->count && whole->level == PRN_CLUSTER_PAGE)
			whole->host = parts[i]->host;
	}
	return number_slots(whole);
}

size_t prn_clusters_row(const struct prn_clusters *part, const struct prn_clusters *whole, size_t cluster)
{
	bool as_it_is = part->level == whole->level || part->slot_rows[cluster] == PRN_NO_ROW;

	return as_it_is ? cluster : part->slot_rows[cluster];
}

static int write_digest(struct prn_buffer *out, const struct prn_digest *digest)
{
	return prn_buffer_append_u64(out, digest->high) || prn_buffer_append_u64(out, digest->low) ? PRN_E_MEMORY : 0;
}

int prn_clusters_write(const struct prn_clusters *clusters, struct prn_buffer *out)
{
	int code = prn_buffer_append_varint(out, clusters->level);

	code = code ? code : prn_buffer_append_varint(out, clusters->count);
	if (clusters->level == PRN_CLUSTER_PAGE)
		return code ? code : write_digest(out, &clusters->host);
	for (size_t i = 0; i < clusters->count && !code; i++)
		code = write_digest(out, &clusters->keys[i]);
	return code;
}

/* Reads one more key, which must belong to the part and come after the one before. */
static bool read_key(struct prn_clusters *clusters, struct prn_cursor *in, const struct prn_part *part, size_t i)
{
	struct prn_digest key;

	if (prn_cursor_u64(in, &key.high) || prn_cursor_u64(in, &key.low) || !prn_part_has_slot(part, prn_host_slot(&key)))
		return false;
	if (i && prn_digest_compare(&clusters->keys[i - 1], &key) >= 0)
		return false;
	if (clusters->level == PRN_CLUSTER_SLOT && (key.low || key.high << 12))
		return false;
	clusters->keys[i] = key;
	return true;
}

int prn_clusters_read(struct prn_clusters *clusters, struct prn_cursor *in, const struct prn_part *part)
{
	uint64_t level, count;
	bool pages;

	*clusters = (struct prn_clusters){ 0 };
	if (prn_cursor_varint(in, &level) || level >= PRN_CLUSTER_LEVELS || prn_cursor_varint(in, &count) || count > PRN_CLUSTERS)
		return PRN_E_INPUT;
	pages = level == PRN_CLUSTER_PAGE;
	clusters->level = (enum prn_cluster_level)level;
	clusters->keys = calloc(count + 1, sizeof *clusters->keys);
	if (!clusters->keys)
		return PRN_E_MEMORY;
	if (pages && (prn_cursor_u64(in, &clusters->host.high) || prn_cursor_u64(in, &clusters->host.low) ||
	              (count && !prn_part_has_slot(part, prn_host_slot(&clusters->host)))))
		return PRN_E_INPUT;
	for (size_t i = 0; i < count; i++)
		if (pages)
			clusters->keys[i] = (struct prn_digest){ 0, i };
		else if (!read_key(clusters, in, part, i))
			return PRN_E_INPUT;
	clusters->count = (size_t)count;
	return number_slots(clusters);
}
