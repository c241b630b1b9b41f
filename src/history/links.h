/* The links of a page: what its references name (fragment/references.h), as a trace stores them (page.h). */
#ifndef HISTORY_LINKS_H
#define HISTORY_LINKS_H

#include <stddef.h>
#include <stdint.h>

#include "fragment/references.h"

struct prn_links {
	uint64_t *keys; /* ascending, without repetition */
	size_t count, capacity;
};

void prn_links_release(struct prn_links *links); /* all zero bytes are an empty list */

/* Makes room for count.  PRN_E_MEMORY */
int prn_links_reserve(struct prn_links *links, size_t count);

/*
 * Finds the links of the page at url, a normal form: its references, resolved against its base if that is
 * valid.  References that are not to pages (mailto:, other schemes, invalid URLs) are skipped, and so is the
 * page itself.  PRN_E_MEMORY
 */
int prn_links_resolve(const char *url, const struct prn_references *references, struct prn_links *links);

/* Sets the one link of a redirect to location, which need not end in NUL.  PRN_E_MEMORY */
int prn_links_redirect(const char *url, const void *location, size_t length, struct prn_links *links);

#endif
