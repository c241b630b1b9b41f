/*
 * The value of an attribute of the tag that HTML's tokenizer found last (WHATWG HTML §13.2.5.32 ff.).
 */
#ifndef FRAGMENT_HTML_ATTRIBUTE_H
#define FRAGMENT_HTML_ATTRIBUTE_H

#include "base/buffer.h"
#include "fragment/html_tokens.h"

#include <stdbool.h>

/*
 * Appends the value, its references read, of the tag's first attribute of this name (in lower case) to *value; *found says
 * whether there is one, be its value empty.  There is none where tokens->attributes is NULL.  To be asked before the next token.
 *
 * PRN_E_MEMORY
 */
int prn_html_attribute(const struct prn_html_tokens *tokens, const char *name, struct prn_buffer *value, bool *found);

#endif
