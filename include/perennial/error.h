/*
 * Return codes, and what went wrong in words; and what holds for all functions.
 *
 * What can fail returns int: 0, or one of the negative codes below.  Readers that hand out one thing
 * after another return 1 with a thing, 0 at the end, or a negative code.  Values never change.
 *
 * "Errors of views", "of batches" and "of commits" are those that store.h lists at struct prn_view, at struct prn_batch and at
 * prn_batch_commit: what a store may answer to whoever reads it, stages something, or makes that durable.
 *
 * A callback that returns int returns 0 to go on, or a negative code.  That ends the work, and is what the function returns;
 * the function then leaves *error as it is, or as the callback set it.  A callback returns nothing above 0, unless its header
 * says what comes of that.
 *
 * _free and _close take NULL, and then do nothing.  What names values of an enum says "?" of one that there is not.
 */
#ifndef PERENNIAL_ERROR_H
#define PERENNIAL_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

enum {
	PRN_E_MEMORY = -1,      /* no memory */
	PRN_E_ARGUMENT = -2,    /* an argument is outside the range its header states */
	PRN_E_INPUT = -3,       /* what was given to be read, a file or a text, is damaged or malformed */
	PRN_E_TRUNCATED = -4,   /* the input ends early; all before the cut was good */
	PRN_E_IO = -5,          /* the system refused to read or write; the text says why */
	PRN_E_VERSION = -6,     /* written by a version, or under a rule, that this one does not know */
	PRN_E_LIMIT = -7,       /* larger or deeper than the limit allows */
	PRN_E_UNSUPPORTED = -8, /* well-formed, but of a kind that is not read */
	PRN_E_NOT_FOUND = -9,   /* no such page, policy, key or file */
	PRN_E_CANCELLED = -10,  /* a callback asked to stop */
	PRN_E_DAMAGED = -11,    /* a store is not as this program wrote it */
	PRN_E_CONFLICT = -12,   /* another wrote to a shared store first: read, and decide again */
	PRN_E_BUSY = -13,       /* a store that is far away did not answer in time: try again later */
	PRN_E_UNREADABLE = -14, /* one page of a store cannot be read, its record or its state: others are as they were */
};

#define PRN_ERROR_TEXT 512

/* The caller owns it; NULL may be passed wherever one is taken. */
struct prn_error {
	int code;                  /* 0 until something fails */
	char text[PRN_ERROR_TEXT]; /* names the file, offset, URL or option, and what to do; no newline.  What a terminal
	                            * would act on is in it as \x1b or \u202e */
};

/* A short fixed text for a code ("out of memory"); "unknown error" for any other value.  Static. */
const char *prn_error_text(int code);

/* Fills *error (if not NULL) and returns code, so that a failing function ends in one statement. */
int prn_error_set(struct prn_error *error, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same for PRN_E_MEMORY and its fixed text. */
int prn_error_memory(struct prn_error *error);

/*
 * Puts "prefix: " before the text of *error (if not NULL): a caller adds the file, a callee the fault.  An empty prefix
 * leaves the text as it is: a thing without a name is not named.
 */
void prn_error_prefix(struct prn_error *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Called once for each thing that was skipped or repaired (a damaged record, an unresolved revisit)
 * while the work goes on.  *what is valid only during the call.
 */
typedef void prn_skipped_fn(void *context, const struct prn_error *what);

#ifdef __cplusplus
}
#endif

#endif
