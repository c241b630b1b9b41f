#include "history/media_types.h"

#include "perennial/error.h"
#include "perennial/page.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void prn_media_types_release(struct prn_media_types *types)
{
	for (size_t i = 0; i < types->slot_count; i++)
		free(types->slots[i].name);
	free(types->slots);
	*types = (struct prn_media_types){ 0 };
}

/* As filters read a Content-Type; characters that a name cannot contain are not distinguished. */
static size_t spell(char name[PRN_MEDIA_BYTES + 1], const char *content_type)
{
	size_t length = strcspn(content_type, "; \t,");

	if (length > PRN_MEDIA_BYTES)
		length = PRN_MEDIA_BYTES;
	for (size_t i = 0; i < length; i++) {
		char c = content_type[i] >= 'A' && content_type[i] <= 'Z' ? (char)(content_type[i] - 'A' + 'a') : content_type[i];

		name[i] = prn_media_type_has(c) ? c : '?';
	}
	name[length] = 0;
	return length;
}

/* Returns the slot of a hash, or the free one for it.  There is always a free one. */
static struct prn_media_type *find(const struct prn_media_types *types, uint64_t hash)
{
	for (size_t i = (size_t)hash;; i++) {
		struct prn_media_type *slot = &types->slots[i & (types->slot_count - 1)];

		if (!slot->hash || slot->hash == hash)
			return slot;
	}
}

static int grow(struct prn_media_types *types)
{
	struct prn_media_types larger = { .slot_count = types->slot_count ? 2 * types->slot_count : 64, .count = types->count };

	if (types->count < types->slot_count / 2)
		return 0;
	larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
	if (!larger.slots)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < types->slot_count; i++)
		if (types->slots[i].hash)
			*find(&larger, types->slots[i].hash) = types->slots[i];
	free(types->slots);
	*types = larger;
	return 0;
}

int prn_media_types_add(struct prn_media_types *types, const char *content_type, uint64_t *hash)
{
	char name[PRN_MEDIA_BYTES + 1];
	size_t length = content_type ? spell(name, content_type) : 0;
	struct prn_media_type *slot;
	uint64_t own;

	if (!length) {
		*hash = 0;
		return 0;
	}
	if (grow(types))
		return PRN_E_MEMORY;
	own = XXH3_64bits(name, length);
	if (!own)
		own = 1;
	slot = find(types, own);
	if (!slot->hash) {
		slot->name = strdup(name);
		if (!slot->name)
			return PRN_E_MEMORY;
		slot->hash = own;
		types->count++;
	}
	*hash = own;
	return 0;
}

const char *prn_media_types_name(const struct prn_media_types *types, uint64_t hash)
{
	return hash ? find(types, hash)->name : NULL;
}
