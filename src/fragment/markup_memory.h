/*
 * The memory that libxml2 takes while it parses one body: bounded, and given back whole.
 *
 * Where libxml2 2.9 gets no memory it may use what is not there, or find the same fault for ever.  So it never learns of
 * it: the allocation does not return, the parse is left as by an exception, and all that the parser had taken is freed
 * behind it.  That takes functions of ours in libxml2, which prn_extractor_guard_memory puts there; without them a parse
 * runs as libxml2 alone would, unbounded.
 */
#ifndef FRAGMENT_MARKUP_MEMORY_H
#define FRAGMENT_MARKUP_MEMORY_H

#include <stddef.h>

enum prn_markup_end {
	PRN_MARKUP_DONE,    /* parse returned */
	PRN_MARKUP_BOUND,   /* it was left: libxml2 asked for more than most bytes */
	PRN_MARKUP_STARVED, /* it was left, or could not begin: there is no memory */
};

/*
 * Calls parse(context), in which libxml2 may hold most bytes at a time.  parse frees what it made of libxml2; where it is
 * left that is done for it, and nothing of libxml2's that it made is to be used again.  libxml2 leaves parse from its own
 * functions, never from callbacks: those may call this anew.
 */
enum prn_markup_end prn_markup_memory_run(void (*parse)(void *context), void *context, size_t most);

#endif
