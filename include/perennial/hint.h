/*
 * Reading hints: a source says that a page may have changed, or that it is there.  Sitemaps and their indexes
 * (sitemaps.org), RSS 0.9x, 1.0 and 2.0, Atom (RFC 4287, and 0.3), JSON lines, lists of URLs, and the sitemaps that a
 * robots.txt names (RFC 9309).
 *
 * What is read is told, and not judged: dates may lie in the future, sources may lie.  What hints are worth is in hints.h
 * and trust.h.
 */
#ifndef PERENNIAL_HINT_H
#define PERENNIAL_HINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/error.h"
#include "perennial/time.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a sitemap or feed unless told otherwise: what sitemaps.org allows. */
#define PRN_HINT_ENTRIES 50000
#define PRN_HINT_BYTES ((size_t)50 << 20) /* unpacked */

/* Of a robots.txt likewise: what RFC 9309 §2.5 has crawlers read at least. */
#define PRN_HINT_ROBOTS_BYTES ((size_t)500 << 10)

#define PRN_HINT_LINE_BYTES ((size_t)1 << 20) /* of the longest line that is read */

/* A hint.  Strings of one that is read are valid during the call that hands it out. */
struct prn_hint {
	const char *url;        /* the page's, as written; of a relative one its normal form */
	const char *normal_url; /* its normal form (url.h) */
	int64_t time;           /* when the source said so: "time" of a JSON line, else that of the options */
	int64_t modified;       /* when the page changed, by its source; PRN_TIME_UNKNOWN: it does not say */
	bool says_changed;      /* without that: whether it says that the page has changed, or only that it is there.  Of
	                         * those read: JSON lines and text do, sitemaps and feeds do not */
	double period_s;        /* how often the page changes, by its source, > 0, INFINITY: never; 0: it does not say */
	const char *source;     /* never empty */
	bool is_sitemap;        /* of a sitemap index or a robots.txt: url is that of a sitemap, not of a page */
};

enum prn_hint_format {
	PRN_HINT_NONE, /* nothing but white space */
	PRN_HINT_LINES,
	PRN_HINT_TEXT,
	PRN_HINT_SITEMAP,
	PRN_HINT_SITEMAP_INDEX,
	PRN_HINT_RSS,
	PRN_HINT_ATOM,
	PRN_HINT_ROBOTS,
};

/* Called for each hint.  What it returns, if not 0, ends the reading, and is returned. */
typedef int prn_hint_fn(void *context, const struct prn_hint *hint);

/* Borrowed for the call.  All zero bytes but time will do: time 0 is 1970. */
struct prn_hint_options {
	int64_t time;       /* of hints that tell none; may be PRN_TIME_UNKNOWN, and theirs is that then */
	const char *source; /* of hints that tell none; NULL: "sitemap", "feed", or "hint" for JSON lines and text */
	const char *base;   /* the document's own URL, which relative ones are resolved against: in feeds any, else those
	                     * that begin with "/"; NULL: relative ones are damaged */
	bool same_host;     /* only pages on the host of base, which is then needed; others are counted as foreign */
	const char *folder; /* only pages on the host of this normal URL and in its folder or below it, as sitemaps.org has it;
	                     * others are counted as foreign; NULL: any */
	bool is_robots;     /* it is a robots.txt, which its own bytes do not tell: of prn_hint_read only */
	const char *content_type; /* value of the header, or NULL: of XML it may tell the charset */
	size_t entries_max; /* 0: PRN_HINT_ENTRIES of XML, no limit of JSON lines and text */
	size_t bytes_max;   /* unpacked; 0: PRN_HINT_BYTES of XML, no limit of JSON lines and text */
	prn_skipped_fn *skipped; /* called for each damaged entry, and for what was cut; NULL: nothing is reported */
	void *skipped_context;
	bool (*cancelled)(void *context); /* files: as that of struct prn_source_options, and wake likewise */
	void *cancelled_context;
	int wake;
};

/* An entry is one of hints, ignored, foreign or damaged. */
struct prn_hint_counts {
	enum prn_hint_format format;
	uint64_t entries;
	uint64_t hints;   /* handed out */
	uint64_t ignored; /* name no page: other schemes than http and https, items of feeds without a link */
	uint64_t foreign; /* on other hosts, with same_host, or outside folder */
	uint64_t damaged; /* reported each; one more, which is no entry, where XML was broken in between */
	uint64_t zoneless; /* JSON lines whose time, or time of change, is a time of day without a zone: taken as UTC */
	bool cut;         /* the document ends early, or a limit ended it: all before that was read; reported */
	double period_s;  /* how often the document itself changes, by RSS <ttl> or sy:updatePeriod, the shorter of them;
	                   * 0: it does not say */
};

/*
 * Reads hints from bytes in any of the formats, which they themselves tell; gzip is unpacked first.
 *
 * Sitemaps: of each <url>, or of an index each <sitemap>, the <loc>, <lastmod> and <changefreq> directly under it.  "always"
 * is a second, a month 30 days, a year 365.
 *
 * RSS: an <item>'s feedburner:origLink, else <link>, else Atom link, else guid if that is a whole URL and not said to be
 * none, else rdf:about; its dcterms:modified or Atom date, else <pubDate> or dc:date.  Atom: an <entry>'s <link> with rel
 * "alternate" or none, rather of HTML; <updated>, else <published>; xml:base.
 *
 * Elements are known by their local name in their language's namespace, in that of the root, or in none.  XML that is not
 * well-formed is read as far as it makes sense.  No entity, document type or other file is looked up.
 *
 * JSON lines: each an object; other members are passed over, and null is as good as none.
 *	url		the page's
 *	time		when the source said so: a date, or Unix seconds
 *	source		who says so, not empty
 *	lastmod		when the page changed, likewise; a text that is no date says nothing
 *	changefreq	as in a sitemap; what is none of its words says nothing
 *	period		in its place, how long a version lasts: seconds, or a duration such as "12h"; what is neither says nothing
 * Text: a URL a line; empty lines, and those that begin with "#", are passed over.
 *
 * A robots.txt: the value of each "Sitemap:", in upper or lower case and wherever it stands, up to a "#"; other lines are passed
 * over.
 *
 * Dates are those of the W3C, such as "2026" or "2026-05-10T12:00:00+02:00" (ISO 8601, UTC without an offset), or of RFC 822,
 * where zones but its own count as UTC.  A page modified before 1990 says nothing of when: none is older than the web.
 *
 * *counts is filled also on failure, for what was read.
 *
 * PRN_E_INPUT		none of the formats
 * PRN_E_ARGUMENT	base is not an http or https URL, or is missing with same_host
 * PRN_E_MEMORY
 */
int prn_hint_read(const void *bytes, size_t length, const struct prn_hint_options *options, prn_hint_fn *take,
                  void *context, struct prn_hint_counts *counts, struct prn_error *error);

/*
 * The same from a file, plain, gzip or zstd; "-" is standard input.  JSON lines and text are handed out line by line as they
 * come, so that a pipe need not end; XML is read whole first.
 *
 * Errors as above; PRN_E_IO and PRN_E_CANCELLED, of which lines that came before were handed out.
 */
int prn_hint_read_file(const char *path, const struct prn_hint_options *options, prn_hint_fn *take, void *context,
                       struct prn_hint_counts *counts, struct prn_error *error);

/*
 * Whether a body is a sitemap, a sitemap index or a feed, by its root element; also packed with gzip.  Looks at no more than
 * its first 8 KiB, and at one or two bytes of what does not begin like XML.  *format is untouched if it is none.
 */
bool prn_hint_sniff(const void *bytes, size_t length, const char *content_type, enum prn_hint_format *format);

/* Whether a URL in normal form is that of its site's robots.txt: /robots.txt, without a query. */
bool prn_hint_is_robots(const char *normal_url);

/* "JSON lines", "text", "sitemap", "sitemap index", "RSS", "Atom", "robots.txt", "nothing"; "?" for any other value.  Static. */
const char *prn_hint_format_name(enum prn_hint_format format);

#ifdef __cplusplus
}
#endif

#endif
