/*
 * The media types that an import meets, each of which is kept once, known by a hash of its name.
 */
#ifndef HISTORY_MEDIA_TYPES_H
#define HISTORY_MEDIA_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prn_media_types {
	struct prn_media_type {
		uint64_t hash; /* 0: a free place */
		char *name;
	} *slots;          /* [slot_count], a power of two, or none */
	size_t slot_count, count;
};

void prn_media_types_release(struct prn_media_types *types);

/*
 * Writes the hash of what a Content-Type names, as page.h has it; 0 where it is NULL or names nothing.
 *
 * PRN_E_MEMORY
 */
int prn_media_types_add(struct prn_media_types *types, const char *content_type, uint64_t *hash);

/* The name that has this hash, or NULL for 0; valid until the release.  Of one that was added. */
const char *prn_media_types_name(const struct prn_media_types *types, uint64_t hash);

/* Whether a media type's name (page.h) may have this character. */
static inline bool prn_media_type_has(char c)
{
	return c > ' ' && c <= '~' && c != ';' && c != ',' && !(c >= 'A' && c <= 'Z');
}

#endif
