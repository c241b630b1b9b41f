/* tests/portable.c of what stands in where a system has no better: this program has the file itself, and takes none of the library's. */
#define PRN_FALLBACKS
#include "base/portable.c"

#include "portable.c"
