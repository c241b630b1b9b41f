/* Reads the value of an attribute of the tag that the HTML tokenizer found last (WHATWG HTML §13.2.5.32 ff.). */
#ifndef FRAGMENT_HTML_ATTRIBUTE_H
#define FRAGMENT_HTML_ATTRIBUTE_H

#include "base/buffer.h"
#include "fragment/html_tokens.h"

#include <stdbool.h>

/*
 * Appends to *value the value, with its references resolved, of the tag's first attribute of this lower-case
 * name.  *found tells whether the attribute exists, even with an empty value.  It does not where
 * tokens->attributes is NULL.  Must be called before the next token is read.
 *
 * PRN_E_MEMORY
 */
int prn_html_attribute(const struct prn_html_tokens *tokens, const char *name, struct prn_buffer *value, bool *found);

#endif
