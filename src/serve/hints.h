/*
 * Hints on their way through the writer, whichever route they came by.
 */
#ifndef SERVE_HINTS_H
#define SERVE_HINTS_H

#include "perennial/hinting.h"
#include "serve/service.h"

/* Embed it at the head of a larger struct, as struct serve_call. */
struct serve_hints_call {
	struct serve_call call;
	struct prn_hinter hinter; /* filled by the call's run */
};

/* Appends what came of the hints to the answer: a count for each outcome.  PRN_E_MEMORY */
int serve_hints_answer(struct serve_hints_call *hints, struct prn_error *error);

/* A call's durable: counts them. */
void serve_hints_count(struct serve_call *call);

#endif
