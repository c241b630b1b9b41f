#include "decide/wants.h"

#include "decide/answers.h"
#include "store/schema.h"

#include <stdlib.h>
#include <string.h>

void prn_wants_release(struct prn_wants *wants)
{
	free(wants->items);
	prn_buffer_release(&wants->bytes);
	*wants = (struct prn_wants){ 0 };
}

static int add(struct prn_wants *wants, enum prn_table table, const void *key, size_t length)
{
	struct prn_wanted *grown = prn_array_grow(wants->items, &wants->capacity, wants->count + 1, sizeof *grown);

	if (!grown || prn_buffer_append(&wants->bytes, key, length))
		return PRN_E_MEMORY;
	wants->items = grown;
	grown[wants->count++] = (struct prn_wanted){ table, { NULL, length } };
	return 0;
}

int prn_wants_page(struct prn_wants *wants, const struct prn_digest *key, bool all)
{
	static const enum prn_table tables[] = { PRN_TABLE_PAGES, PRN_TABLE_VALIDATORS, PRN_TABLE_SUSPECTS, PRN_TABLE_PAGE_SOURCES };
	unsigned char name[16];

	prn_key_bytes(key, name);
	for (size_t i = 0; i < (all ? sizeof tables / sizeof *tables : 1); i++)
		if (add(wants, tables[i], name, sizeof name))
			return PRN_E_MEMORY;
	return 0;
}

int prn_wants_host(struct prn_wants *wants, struct prn_host_name name)
{
	static const enum prn_table tables[] = { PRN_TABLE_HOSTS, PRN_TABLE_HOST_SOURCES, PRN_TABLE_SIBLINGS };

	for (size_t i = 0; i < sizeof tables / sizeof *tables && name.length; i++)
		if (add(wants, tables[i], name.text, name.length))
			return PRN_E_MEMORY;
	return 0;
}

int prn_wants_visit(struct prn_wants *wants, const struct prn_digest *key, const char *normal_url)
{
	return prn_wants_page(wants, key, true) ? PRN_E_MEMORY : prn_wants_host(wants, prn_host_name(normal_url));
}

int prn_wants_settings(struct prn_wants *wants)
{
	static const char *const names[] = { "threshold", "budget-per-day", "cost-304", "loads", "ledger", "settled", "changed", PRN_ANSWERS_NAME, PRN_SIBLINGS_NAME };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (add(wants, PRN_TABLE_META, names[i], strlen(names[i])))
			return PRN_E_MEMORY;
	return 0;
}

int prn_decider_expect(struct prn_decider *decider, const char *const *urls, size_t count, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1];
	struct prn_wants wants = { 0 };
	struct prn_digest key;
	int code = prn_decider_check_mode(decider, error);

	/* In a store of several shards, the shard's decider requests them. */
	if (code || !prn_store_is_shared(decider->store) || decider->shards)
		return code;
	code = prn_wants_settings(&wants);
	for (size_t i = 0; i < count && !code; i++) {
		if (prn_url_normalize(urls[i], SIZE_MAX, normal, sizeof normal))
			continue;
		key = prn_url_key(normal);
		code = prn_wants_visit(&wants, &key, normal);
	}
	code = code ? prn_error_memory(error) : prn_wants_ask(&wants, decider, error);
	prn_wants_release(&wants);
	return code;
}

void prn_wants_drop(struct prn_wants *wants)
{
	wants->count = 0;
	prn_buffer_clear(&wants->bytes);
}

int prn_wants_ask(struct prn_wants *wants, struct prn_decider *decider, struct prn_error *error)
{
	const unsigned char *at = wants->bytes.data;
	int code;

	for (size_t i = 0; i < wants->count; i++) {
		wants->items[i].key.data = at;
		at += wants->items[i].key.length;
	}
	code = prn_batch_want(decider->batch, wants->items, wants->count, error);
	prn_wants_drop(wants);
	return code;
}
