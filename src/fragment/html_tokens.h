/*
 * The tokenizer of HTML, as the standard defines it (WHATWG HTML §13.2.5), for callers that want the text and
 * the names of tags.  Attributes, comments and document types are read only to find their ends.  The attributes
 * of a tag that was fed in one piece can be read (html_attribute.h).
 *
 *	prn_html_tokens_begin(&tokens);
 *	while (more(&bytes, &length)) {
 *		prn_html_tokens_feed(&tokens, bytes, length);
 *		while ((kind = prn_html_tokens_next(&tokens)))
 *			take(kind, &tokens);
 *	}
 *	prn_html_tokens_end(&tokens);
 *	while ((kind = prn_html_tokens_next(&tokens)))
 *		take(kind, &tokens);
 *
 * The bytes are UTF-8 and may be cut anywhere, even within a character: the tags and the text are the same.
 * Text comes in any number of pieces.  The tokenizer allocates nothing, no call fails, and time is linear.
 *
 * The standard's preprocessing, which makes each line end a line feed, is left to callers that need it.
 */
#ifndef FRAGMENT_HTML_TOKENS_H
#define FRAGMENT_HTML_TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRN_HTML_TAG_MAX 32  /* bytes of a tag's name that are kept */
#define PRN_HTML_HELD_MAX 48 /* held bytes whose meaning is not known yet: at most those of a reference */

enum prn_html_kind {
	PRN_HTML_MORE, /* none: the bytes are used up */
	PRN_HTML_TEXT,
	PRN_HTML_START,
	PRN_HTML_END,
};

/* How the text of an element is read; its name and its place decide. */
enum prn_html_content {
	PRN_HTML_DATA,      /* tags and references */
	PRN_HTML_RCDATA,    /* references: title, textarea */
	PRN_HTML_RAWTEXT,   /* neither: style, xmp, iframe, noembed, noframes, noscript where scripts run */
	PRN_HTML_SCRIPT,    /* neither; text that looks like a comment may contain text that looks like a script */
	PRN_HTML_PLAINTEXT, /* neither, to the end of the page */
	PRN_HTML_CDATA,     /* neither, up to "]]>" */
};

struct prn_html_tokens;

/*
 * A step: what a state of the standard's machine does.  It reads from at < end, and passes at least a byte or goes on in
 * another step.
 */
typedef enum prn_html_kind prn_html_step(struct prn_html_tokens *tokens);

struct prn_html_tokens {
	/* The token found last.  A text points into the bytes fed or into this struct, and is valid until the next call. */
	const unsigned char *text;
	size_t length;
	/* The tag found last: ASCII letters in lower case, as far as there is room, padded with NUL to eight bytes. */
	unsigned char name[PRN_HTML_TAG_MAX];
	size_t name_length;
	bool is_closed; /* a start tag ended in "/>" */
	const unsigned char *attributes; /* the bytes between its name and at; NULL if not all of them are in the bytes fed last */

	/* Set by the caller between tokens: "<![CDATA[" begins a section, as it does in SVG and MathML. */
	bool is_foreign;
	/*
	 * Set by the caller at the beginning: the bytes are the value of an attribute, in which "&copy=" is no
	 * reference.
	 */
	bool is_value;

	/* Private to the tokenizer. */
	const unsigned char *at, *end; /* bytes not yet read */
	bool ended;
	bool is_end_tag;
	prn_html_step *step, *content; /* content: the step to which tags, comments and references return */
	/* Bytes that were read and are text unless it turns out otherwise. */
	unsigned char held[PRN_HTML_HELD_MAX];
	size_t held_length;
	size_t matched;                       /* letters matched of a word that the standard looks for */
	unsigned char last[PRN_HTML_TAG_MAX]; /* the element whose end tag ends RCDATA, RAWTEXT or SCRIPT */
	size_t last_length;
	struct {
		size_t node, number;            /* node of the graph of names, and how many names come before those that begin like this */
		size_t best_length, best;       /* length in held of the longest name found, 0 if there is none; its number */
		uint32_t code;                  /* value of a numeric reference, at most 0x110000 */
		unsigned char text[4 + PRN_HTML_HELD_MAX];
	} reference;
};

void prn_html_tokens_begin(struct prn_html_tokens *tokens);

/*
 * Lends the next bytes until the tokenizer asks for more; only then are the previous ones used up.  NULL if
 * there are none.
 */
void prn_html_tokens_feed(struct prn_html_tokens *tokens, const void *bytes, size_t length);

/* Called after the last bytes: _next then returns the text that was held. */
void prn_html_tokens_end(struct prn_html_tokens *tokens);

/* Finds the next token. */
enum prn_html_kind prn_html_tokens_next(struct prn_html_tokens *tokens);

/*
 * Reads on as the content of the element of this lower-case name, of at most PRN_HTML_TAG_MAX bytes.  Called
 * after its start tag.  RCDATA, RAWTEXT and SCRIPT last until the end tag of that name.
 */
void prn_html_tokens_enter(struct prn_html_tokens *tokens, enum prn_html_content content, const void *name,
                           size_t length);

#endif
