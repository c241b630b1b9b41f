/* The value of --part=I/N, for TERM_OPTION_OWN. */
#ifndef TERM_PART_H
#define TERM_PART_H

#include "perennial/part.h"
#include "term/option.h"

/* part is a struct prn_part *.  PRN_E_INPUT */
static inline int term_part_parse(void *part, const char *value)
{
	return prn_part_parse(value, part);
}

#define TERM_PART(part) { term_part_parse, part, "a part and how many there are, such as 2/3, of at most 4096" }

#endif
