/* The media types of an import, each stored once and identified by a hash of its name. */
#ifndef HISTORY_MEDIA_TYPES_H
#define HISTORY_MEDIA_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prn_media_types {
	struct prn_media_type {
		uint64_t hash; /* 0: a free slot */
		char *name;
	} *slots;          /* [slot_count], a power of two, or none */
	size_t slot_count, count;
};

void prn_media_types_release(struct prn_media_types *types);

/*
 * Writes the hash of the media type that a Content-Type names, in the form of page.h; 0 if it is NULL or names
 * none.
 *
 * PRN_E_MEMORY
 */
int prn_media_types_add(struct prn_media_types *types, const char *content_type, uint64_t *hash);

/* Returns the name with this hash, which must have been added, or NULL for 0; valid until the release. */
const char *prn_media_types_name(const struct prn_media_types *types, uint64_t hash);

/* Tells whether a media type's name (page.h) may contain this character. */
static inline bool prn_media_type_has(char c)
{
	return c > ' ' && c <= '~' && c != ';' && c != ',' && !(c >= 'A' && c <= 'Z');
}

#endif
