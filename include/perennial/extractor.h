/*
 * Bytes become fragments: decode, visible text, words, shingles, the smallest hashes.
 *
 * An extractor keeps the memory it grew, so one is opened per thread and used for many pages.  Its
 * memory is bounded by a small multiple of the largest body it saw; time is linear in the body, also on hostile markup.  The rules are those of
 * doc/theory.md §1 and have the version number below.
 */
#ifndef PERENNIAL_EXTRACTOR_H
#define PERENNIAL_EXTRACTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/summary.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Written into traces and stores: hashes of different rules are not comparable.  1: HTML was read by libxml2, as HTML 4 had
 * it, and JSON by its strings alone; 2: as the standard has it, and JSON with its numbers (doc/html.md says what that changes).
 */
#define PRN_FRAGMENT_RULE 2

#define PRN_SHINGLE_WORDS 5      /* k unless told otherwise */
#define PRN_SHINGLE_WORDS_MAX 64 /* the largest k */

enum prn_media {
	PRN_MEDIA_HTML,  /* text/html, application/xhtml+xml */
	PRN_MEDIA_XML,   /* RSS, Atom, RDF and anything else ending in /xml or +xml */
	PRN_MEDIA_TEXT,  /* other text types */
	PRN_MEDIA_JSON,  /* application/json, anything ending in +json: its strings, numbers, true and false */
	PRN_MEDIA_OTHER, /* one fragment of its bytes */
};

/*
 * The media class of a Content-Type value; parameters are ignored.  NULL or "" is decided by the first
 * bytes (a BOM or white space, then "<!doctype html", "<html", "<?xml", …), else TEXT if the bytes are
 * valid UTF-8 without NUL, else OTHER.
 */
enum prn_media prn_media_of(const char *content_type, const void *bytes, size_t length);

/*
 * Whether content of this type may be a page that people read: a text type (not OTHER) that is no style sheet, script, image,
 * font or film.  NULL may, and what has no "/".
 */
bool prn_media_is_page(const char *content_type);

/* Why XML was not read to its end: bits, told by prn_extractor_cut.  HTML always is. */
enum {
	PRN_CUT_DEEP = 1,   /* more than 256 elements are open at a time */
	PRN_CUT_WIDE = 2,   /* hundreds of attributes in a tag, or of declared namespaces, or 32,768 different names */
	PRN_CUT_MEMORY = 4, /* the parser wants more than 16 MiB and 6 times the body (see prn_extractor_guard_memory) */
	PRN_CUT_WORK = 8,   /* more than 10,000 faults and one in 16 bytes: it would keep the parser busy for too long */
};

#define PRN_CUTS 4 /* how many; the i-th is 1 << i */

/* "deep", "wide", "memory" and "work" of the i-th, "?" for any other.  Static. */
const char *prn_cut_name(unsigned i);

struct prn_extractor;

/*
 * Has libxml2 take its memory through functions of this library, for the whole process.  Then a body's parser holds a
 * bounded amount of it, and one that gets no memory ends with PRN_E_MEMORY; libxml2 alone may then crash or never end.
 * Call it once, before other threads run and before anything else uses libxml2.  It is for a program, not for a library:
 * what others allocated by libxml2 before, or by functions of their own, could not be freed afterwards.
 *
 * PRN_E_MEMORY
 */
int prn_extractor_guard_memory(void);

/*
 * k = shingle_words in 1 … PRN_SHINGLE_WORDS_MAX (0 means PRN_SHINGLE_WORDS); limit is the m of the
 * summaries it makes (PRN_SUMMARY_ALL for all fragments).  *out is freed with prn_extractor_free.
 *
 * PRN_E_ARGUMENT	k is too large, or limit is 0
 * PRN_E_MEMORY
 */
int prn_extractor_open(struct prn_extractor **out, unsigned shingle_words, size_t limit);
void prn_extractor_free(struct prn_extractor *extractor);

/*
 * Makes the summary of one body.  content_type is the header's value or NULL.  *summary points into
 * the extractor and stays valid until the next call on it.  No body is an error: JSON that is not JSON is taken as
 * text, broken HTML is read as browsers do, broken XML as far as it goes.
 *
 * PRN_E_MEMORY
 */
int prn_extractor_summary(struct prn_extractor *extractor, const void *bytes, size_t length,
                          const char *content_type, struct prn_summary *summary);

/* A body as its words stand in it, and the fragments that they make: what a summary is the smallest hashes of. */
struct prn_wording {
	const char *text; /* [length] the visible text, UTF-8, not NUL-terminated; '\x1e' where markup ended a word */
	size_t length;
	const struct prn_worded {
		uint32_t from, to; /* bytes of the text */
	} *words; /* [word_count] ascending, disjoint */
	size_t word_count;
	const uint64_t *fragments; /* [fragment_count] in the order of the text, repeated where the text repeats itself */
	size_t fragment_count;     /* fragment i is words i … i + k - 1; of fewer than k words there is one of them all */
	bool is_text; /* else it is one fragment of its bytes, and text and words are empty */
};

/*
 * Reads one body.  The distinct fragments are those of a summary that keeps all.  *wording points into the extractor and stays
 * valid until the next call on it.  Slower than a summary, and memory grows with the words: for what is shown to people.
 *
 * PRN_E_MEMORY
 */
int prn_extractor_read(struct prn_extractor *extractor, const void *bytes, size_t length, const char *content_type,
                       struct prn_wording *wording);

/*
 * A digest of all fragments of the last body, whatever the limit: the sum of their hashes, each as often as it comes, or 1 where
 * that is 0.  Two texts with the same one have the same fragments; of two with others one may repeat what it has more often.
 */
uint64_t prn_extractor_text(const struct prn_extractor *extractor);

/* Bits of PRN_CUT_*: where the last body was cut; 0 if it was read to its end. */
unsigned prn_extractor_cut(const struct prn_extractor *extractor);

#ifdef __cplusplus
}
#endif

#endif
