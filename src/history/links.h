/*
 * Where a page leads: the links that its references name (fragment/references.h), as a trace keeps them (page.h).
 */
#ifndef HISTORY_LINKS_H
#define HISTORY_LINKS_H

#include <stddef.h>
#include <stdint.h>

#include "fragment/references.h"

struct prn_links {
	uint64_t *keys; /* ascending, each once */
	size_t count, capacity;
};

void prn_links_release(struct prn_links *links); /* all zero bytes are none */

/* Room for count.  PRN_E_MEMORY */
int prn_links_reserve(struct prn_links *links, size_t count);

/*
 * The links of the page at url, a normal form: its references, by the base that it names if that is one.  What names no page
 * (mailto:, another scheme, a URL that is none) is passed over, and so is the page itself.  PRN_E_MEMORY
 */
int prn_links_resolve(const char *url, const struct prn_references *references, struct prn_links *links);

/* The one link of a redirect to location, which need not end in NUL.  PRN_E_MEMORY */
int prn_links_redirect(const char *url, const void *location, size_t length, struct prn_links *links);

#endif
