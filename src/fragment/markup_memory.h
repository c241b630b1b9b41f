/*
 * Bounds the memory that libxml2 allocates while it parses one body, and gives all of it back.
 *
 * libxml2 2.9 may use an invalid pointer, or report the same fault for ever, when an allocation fails.  So it
 * never sees a failure: the allocation does not return, the parse is left as by an exception, and all that the
 * parser had allocated is freed.  This needs our own allocation functions in libxml2, which
 * prn_extractor_guard_memory installs; without them a parse runs as in libxml2 alone, unbounded.
 */
#ifndef FRAGMENT_MARKUP_MEMORY_H
#define FRAGMENT_MARKUP_MEMORY_H

#include <stddef.h>

enum prn_markup_end {
	PRN_MARKUP_DONE,    /* parse returned */
	PRN_MARKUP_BOUND,   /* it was left: libxml2 asked for more than most bytes */
	PRN_MARKUP_STARVED, /* it was left, or could not start: there is no memory */
};

/*
 * Calls parse(context), in which libxml2 may hold at most most bytes at a time. parse frees the objects of
 * libxml2 that it makes; if it is left early they are freed for it, and none of them may be used again. libxml2
 * leaves parse only from its own functions, never from callbacks, which may call this function again.
 */
enum prn_markup_end prn_markup_memory_run(void (*parse)(void *context), void *context, size_t most);

#endif
