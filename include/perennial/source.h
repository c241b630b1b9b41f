/*
 * A source of captures: a WARC or ARC file, an index of archives, JSON lines, a page that was saved (plain, gzip, zstd or lz4), a WACZ
 * file, a folder of these or of dated snapshots, read as a stream in bounded memory.  Damaged records are skipped, counted and reported; they do not end the stream.
 */
#ifndef PERENNIAL_SOURCE_H
#define PERENNIAL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "perennial/capture.h"
#include "perennial/digest.h"
#include "perennial/error.h"
#include "perennial/time.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The largest weight that a page is given: sums over any number of pages stay numbers.  Traces and stores that have larger
 * ones, of before, are read.
 */
#define PRN_WEIGHT_MOST 1e9

#define PRN_BODY_BYTES ((size_t)16 << 20) /* --max-body unless told otherwise */

/* What a revisit record says about the capture whose content it repeats. */
enum prn_revisit {
	PRN_REVISIT_NONE,         /* not a revisit */
	/*
	 * identical-payload-digest: the content is that of another capture, and body is empty.  That is the capture of
	 * the same payload_digest, where both have one, else the one of refers_to_url at refers_to_time: who wants the
	 * content keeps those it may be, as an import does (import.h), and a feed of those that tell a digest (feed.h).  An
	 * observation takes it for "same" by itself.
	 */
	PRN_REVISIT_IDENTICAL,
	PRN_REVISIT_NOT_MODIFIED, /* server-not-modified: kind is same */
};

#define PRN_ETAG_BYTES 127 /* of the longest entity tag that is kept */

#define PRN_ADDRESS_TEXT 46 /* room for an address of IPv6 at its longest */

/* One capture as a source hands it out.  All pointers belong to the source, valid until its next call. */
#define PRN_IGNORED_BYTES ((int64_t)1 << 40)

struct prn_capture {
	const char *url;          /* as written in the source, angle brackets stripped; not yet normal.  Of JSON lines
	                           * with "answers": that */
	const char *normal_url;   /* its normal form (url.h) */
	const char *asked_url;    /* normal form of the URL that gave the answer, if it is another than the page's (JSON lines with
	                           * "answers"); NULL: the page's.  Retry-After, crawl_delay_s and address are of its host */
	int64_t time;             /* WARC-Date, or the folder's name: years 1 to 9999; PRN_TIME_UNKNOWN: not known */
	enum prn_kind kind;       /* of a revisit: by its own HTTP status if it has one, else content */
	int status;               /* HTTP status, at most 999, 0 if there was none; of content and redirect none that is a failure */
	const char *content_type; /* value of the header, or NULL; of a redirect application/octet-stream: one fragment */
	const unsigned char *body; /* decoded: no chunks, no gzip; of a redirect: its Location; never NULL */
	size_t body_bytes;        /* 0 unless kind is content or redirect; also of a revisit that is identical */
	uint64_t ignored_bytes;   /* of a body that says nothing of the page, as it came: that of a redirect or a failure; at most
	                           * PRN_IGNORED_BYTES; 0: none, or not known */
	bool is_digest;           /* body is a digest of content, or of a Location, that the source has not */
	const char *digest_media; /* of such content: its media type, where the source tells it; else NULL */
	bool truncated;           /* the body was cut at the limit of the source's options, by who wrote it, or as the archive was */
	int64_t modified;         /* Last-Modified, or PRN_TIME_UNKNOWN */
	const char *etag;         /* ETag, of at most PRN_ETAG_BYTES visible characters, fit to be sent back; or NULL */
	int64_t retry_after_s;    /* Retry-After, seconds after time, >= 0; or PRN_TIME_UNKNOWN */
	bool has_crawl_delay;     /* the source tells what the site's robots.txt asks for: */
	uint32_t crawl_delay_s;   /* … 0: nothing; at most a day */
	char address[PRN_ADDRESS_TEXT]; /* of the server, IPv4 or IPv6 as inet_ntop(3) writes it; "": unknown */
	double weight;            /* of the page, > 0 and at most PRN_WEIGHT_MOST; or 0: unknown */

	bool has_payload_digest; /* WARC-Payload-Digest was given */
	struct prn_digest payload_digest; /* XXH3-128 of its text in a canonical form */

	enum prn_revisit revisit;
	const char *refers_to_url; /* normal form of WARC-Refers-To-Target-URI, or normal_url, or NULL (not a revisit) */
	int64_t refers_to_time;    /* WARC-Refers-To-Date, or PRN_TIME_UNKNOWN */
};

/*
 * Makes a capture by hand, of what a fetcher has at hand itself: no status, body or type, nothing known of headers, no
 * weight, not a revisit.  url, as it was asked for, and normal, what prn_url_normalize makes of it, are borrowed as long as
 * the capture is used.  Where a fetcher follows redirects by itself, url is the one asked for, not where they ended.  kind is prn_kind_of_status(status).  Then, where there is one, set
 *
 *	status		of the answer
 *	content_type	of content: without it the bytes are looked at; that of a redirect is not heeded
 *	body, body_bytes	decoded content; of a redirect its Location.  Borrowed likewise, never NULL
 *	ignored_bytes	of the body that a redirect or a failure brought: where a budget is in bytes they cost what they are
 *	modified, etag, retry_after_s, address, weight	what is known of them; an etag that is not fit to be sent back is not kept
 *
 * A fetcher that was told "not modified" has kind PRN_KIND_SAME and no body.
 */
void prn_capture_init(struct prn_capture *capture, const char *url, const char *normal, int64_t time,
                      enum prn_kind kind);

/*
 * Whether the capture of a URL (normal form) at a time is wanted, asked before its body is read; payload is its payload digest,
 * or NULL.
 */
typedef bool prn_wanted_fn(void *context, const char *normal_url, int64_t time, const struct prn_digest *payload);

#define PRN_MEDIA_OF_PAGES "pages" /* among media types: each of which prn_media_is_page (extractor.h) says so */

/* Which captures a source hands out; all zero bytes: every one.  Strings are borrowed until the source is freed. */
struct prn_source_filter {
	const char *const *hosts; /* [host_count] host names: each selects itself and its subdomains */
	size_t host_count;
	const char *const *surts; /* [surt_count] SURT prefixes (url.h) */
	size_t surt_count;
	/*
	 * [media_count] "text/html", "text/" + "*", "*" and "*" + "/" + "*" for all, or PRN_MEDIA_OF_PAGES; none has parameters; captures without content or without a type always pass,
	 * and so do lines of an index of archives that say nothing of it.
	 */
	const char *const *media;
	size_t media_count;
	bool media_by_default; /* nobody asked for them: of a trace, which was made of those that were asked for then, all is taken */
	bool has_from, has_to;
	int64_t from, to; /* from <= time < to */
	double sample; /* of the pages, this share, by a hash of their URLs, in (0, 1]; 0 as 1.  A smaller sample is part of a larger one */
	prn_wanted_fn *wanted; /* asked of what all others let pass but the media; NULL: all of it */
	void *wanted_context;
};

#define PRN_GIT_PREFIX "git:" /* of the name of a source that is a git repository */

/* Whether WARC-Block-Digest and WARC-Payload-Digest are held against what they are told of: those of md5, SHA-1, SHA-2, SHA-3 and xxHash. */
enum prn_digests {
	PRN_DIGESTS_PLAIN = 0, /* in files that are not packed: a packing has a checksum of its own */
	PRN_DIGESTS_CHECK,     /* everywhere; it takes about as long as what else is done with a file */
	PRN_DIGESTS_TRUST,     /* nowhere */
};

struct prn_spare; /* the library's own */

struct prn_source_options {
	size_t body_bytes_max; /* a longer decoded body is cut there; 0: PRN_BODY_BYTES */
	enum prn_digests digests;
	bool no_paths; /* JSON lines that name a file ("path") are refused: for lines that came over a network.  So they always are of lines
	                * in a WACZ file, in a folder of archives, and in a file whose name is that of an archive or a saved page */
	bool has_time;
	int64_t time; /* if has_time: of JSON lines and saved pages that tell none; PRN_TIME_UNKNOWN: they have that, and the caller knows */
	struct prn_source_filter filter;
	const char *git_base; /* of a git repository: the URL below which its files are; NULL: one of its own (prn_source_open).  Borrowed */
	unsigned git_seconds; /* how long git may be silent when it opens a repository; 0: 30 */
	/*
	 * Asked now and then, also within a record that inflates without end, and every tenth of a second while a pipe, a terminal or git
	 * is waited for; true ends the stream with PRN_E_CANCELLED.  NULL: this is not wanted.  Files of a folder are read whole.
	 */
	bool (*cancelled)(void *context);
	void *cancelled_context;
	/*
	 * > 0: a descriptor, such as an eventfd or a pipe; once it is readable a source that waits for a pipe or a
	 * terminal ends with PRN_E_CANCELLED, at once.  0: such a wait lasts until there is something, or the end, to read, or until
	 * cancelled says so.
	 */
	int wake;
	struct prn_spare *spare; /* NULL; prn_feed_watch (feed.h) sets it, so that threads that are idle unpack ahead of what is read */
	prn_skipped_fn *skipped; /* called for each thing skipped; NULL: nothing is reported */
	void *skipped_context;
};

#define PRN_PASSED_KINDS 24
#define PRN_PASSED_NAME 48

/*
 * What was passed over because of what it is: a media type that the filter leaves out ("image/png"), a type of WARC record
 * ("metadata"), a scheme of a URL ("urn:"), the extension of a file ("*.txt", "hidden *.txt"); lower case, printed ASCII.  Of folders of
 * archives also the folders in them that would be sources if they were named ("folder of dates", "git repository"), which are not ignored files.
 */
struct prn_passed {
	char what[PRN_PASSED_NAME];
	uint64_t count; /* 0: the place is free */
};

struct prn_source_counts {
	uint64_t records;     /* WARC records or files read */
	uint64_t captures;    /* handed out */
	uint64_t filtered;    /* left out by the filter */
	uint64_t other_media; /* of these, by their media type */
	uint64_t ignored;     /* other record types, other schemes than http and https */
	struct prn_passed passed[PRN_PASSED_KINDS]; /* the last two by what they are; the last place is of "others" */
	uint64_t damaged;     /* records, compressed members, lines or files skipped, each reported */
	uint64_t unread;      /* captures handed out as errors because their body could not be decoded, each reported */
	uint64_t cut;         /* bodies cut at the limit, or by who wrote them (WARC-Truncated: length) */
	uint64_t mismatched;  /* digests that are not those of what they are told of, each reported; what they are told of is taken as it is */
	uint64_t shortened;   /* of the bodies cut, those by who wrote them */
	uint64_t cut_short;   /* captures handed out as errors because their transfer was cut short: fewer bytes than Content-Length, an
	                       * end of a chunk or a packing that is missing, WARC-Truncated for another reason than length */
	uint64_t zoneless;    /* captures of WARC, JSON lines and manifests whose time of day has no zone: taken as UTC */
	uint64_t input_bytes; /* of the file, as stored */
};

struct prn_source;

/*
 * Opens a WARC, ARC or WACZ file, a saved page, an index of archives, JSON lines, a folder of these archives and pages or of dated
 * snapshots, one with a manifest, or one with the histories of Kolobov et al.: which of them it is, is decided by its name and first bytes.  "-" is standard input; when that is empty it is a source of nothing.
 *
 * Of a WARC file, `response`, `resource` and `revisit` records of http and https URLs are captures.  A
 * revisit of a redirect whose own Location is at hand is handed out as that redirect.  `conversion` records, texts that were made of
 * pages, are captures where none of those was met before, as in WET files.
 *
 * WARC-Block-Digest of captures is held against its block, and WARC-Payload-Digest against the
 * payload: as it was stored, or without its transfer coding, or without any, as writers differ in what they make it of.
 *
 * A record that is not as long as it says is content that is truncated, as far as it was good: up to the next record, or its own
 * length.  What the end of the file cuts is a transfer that was cut short, of kind error; where the answer's Content-Length says that
 * the body is whole, it is content.  Either is told as damage too.
 *
 * Of a file that is not packed, records that stand within what a damaged one claims to hold are believed only where they are of its
 * own host, for its page may have pretended them; and none of them where the file is cut, or where the header of the damaged one
 * cannot be read and names no host.  A record with such a header is passed by its length, where that can be read and leads to its end.
 * Of a file that has each record packed by itself, nothing is read in what is left of the member of a damaged one.  Zeros where a
 * gzip member should be are one damaged record, unless they fill the file's last block (512 bytes, or 10240); so they are of JSON lines
 * and indexes, of which no line is joined across them.  A saved page ends there.
 *
 * Of an ARC file, version 1 or 2, every record of an http or https URL is a capture; one without an HTTP head is content of the
 * media type that its line tells.  What is cut, has a wrong length or cannot be read is as in WARC files.
 *
 * Of a page saved as MHTML (RFC 2557) each part of an http or https URL is a capture, of the message's Date: its Content-Location, of
 * the first one also the Snapshot-Content-Location or the Content-Location of the message.  A part that is not encoded as it says is an
 * error, and counted as unread; one that the file's end cuts is an error with which the source ends.  Base64 may lack its padding where
 * a boundary or the end of a line closes it.  Parts that are in more than 8 multiparts within each other, or have more than 64 KiB of
 * header, are damaged.  A page that SingleFile or monolith saved as one HTML file is one capture, of the URL and date that the comment
 * at its start tells.
 *
 * Of a WACZ file, and of a folder that has no dates, the archives are read one after another, those of folders within it too, in the
 * order of their names, but for what is hidden or in more than 16 folders: files named *.warc, *.arc, *.wacz, *.mht or *.mhtml, packed or not (".gz", ".zst", ".lz4"; ".warc.wet.gz"),
 * and of a folder *.html and *.htm that were saved as above.  One that cannot be read to its end is counted as damaged, and reported.
 *
 * "git:REPOSITORY:PATTERN" is the history of those files in a git repository that match the pattern, a pathspec of git's (gitglossary(7));
 * none, and no colon before it: all.  A capture is what a commit on the first line (that of first parents) that leads to HEAD made of a
 * file, at the time it was committed; one that it took away is of kind gone, and one that it renamed is another page from then on.  Of
 * several commits in one second a file's last change counts.  URLs are below git_base, or below http://NAME.git.invalid/, NAME being that
 * of the repository's folder; "index.html" is "/", the media type goes by the ending.  Symbolic links and submodules are passed over.
 * The program git reads it: whatever the repository is, nothing in it is run and nothing fetched; what a partial clone lacks
 * is an error, and counted as unread.
 *
 * A dated folder is DIR/20260220T130000Z/host/path (any form of time that prn_time_parse reads, digits
 * first; also DIR/2026/02/20/host/path): "index.html" is "/", the scheme is https, or that of
 * DIR/20260220T130000Z/http/host/path, the media type goes by the extension of the path, before the query.  A page that
 * another date of the same folder has, and this one lacks, is missing then.  Where there are no dates and no archives but
 * DIR/host/20260220130000/path, each file is a capture by itself, and none is missing.  Of hidden names ".well-known" is read,
 * and the others are passed over.  A symbolic link that leads out of DIR is damage, and so is what is no file nor a
 * folder, as a link to nothing or a pipe: that page is not missing.
 * A manifest is a file DIR/manifest.tsv, or a file named *.tsv given itself, with lines "time TAB url TAB
 * media type TAB file", file relative to it; "-" for a file is a page that was missing, an empty media type
 * is found out by the bytes; empty lines and lines that begin with "#" are passed over.  That of a folder names files in it, and
 * others are damage; one that is given itself any file.  Of media type
 * application/http a file is a whole answer with its head, as `curl -i` writes it; an empty one is none.
 *
 * An index, CDX or CDXJ, says when a URL was captured and a digest of what: content is that digest, 16 bytes of
 * application/octet-stream, that is one fragment, and body_bytes is 16.  A folder with urlid_offset_history.txt,
 * url_urlid_hostid.txt and perhaps urlid_imp.txt (A. Kolobov et al., "Staying up to Date with Online Content Changes Using
 * Reinforcement Learning for Scheduling", NeurIPS 2019) says at which visits pages had changed: content is made alike of page
 * and version, day 0 is 2017-01-01, an importance is the weight.
 *
 * Each JSON line is an object: what fetchers in any language can write.  Other members than these are passed over.
 *
 *	url		the page's, as it was asked for
 *	answers		the page's as it was handed out, where the fetcher asked for another URL in its place: the
 *			capture is one of this page
 *	time		ISO 8601, or Unix seconds; may be left out if has_time
 *	status		HTTP status, 0 without a response; left out: 200
 *	content_type	the header's value
 *	body		the content as text; or body_base64, its bytes; or path, a file, relative to the file of
 *			lines.  Content must have one of them
 *	content_encoding	the header's value, where those bytes are still under it: gzip, deflate, br (where the
 *			library was built with brotli), zstd, or several; a body that is unpacked already is taken as it is
 *	location	of a redirect
 *	bytes		of what is no content: how long its body was, where that is not sent along as body or body_base64
 *	last_modified	HTTP date, ISO 8601 or Unix seconds; a text that is none of them says nothing, as a header
 *	etag		the header's value; likewise
 *	retry_after	seconds or the header's value; likewise
 *	weight		of the page, above 0 and at most PRN_WEIGHT_MOST
 *
 * PRN_E_IO		cannot be opened
 * PRN_E_INPUT		not a format that is read here: the text names those that are
 * PRN_E_UNSUPPORTED	the program was built without what reads it (libarchive for WACZ, liblz4); of a repository: git is not installed
 * PRN_E_ARGUMENT	git_base is none (prn_git_base_check)
 * PRN_E_TRUNCATED	a zstd file that ends inside its dictionary
 * PRN_E_CANCELLED	it was ended while it waited for the first bytes
 * PRN_E_MEMORY
 */
int prn_source_open(struct prn_source **out, const char *path, const struct prn_source_options *options,
                    struct prn_error *error);

/*
 * Whether the files of a repository may be below a URL.
 *
 * PRN_E_ARGUMENT	it is no http or https URL, has a query or a fragment, or is too long
 * PRN_E_MEMORY
 */
int prn_git_base_check(const char *url, struct prn_error *error);

/*
 * The same from a descriptor, which is borrowed until the source is freed: a WARC file or JSON lines, not a folder.  A
 * regular file is read from its beginning, and the descriptor's own place in it stays where it is; anything else is read
 * from where it stands.  name is what errors call it, "" if it has no name; where the first bytes are damaged its ending
 * tells the format, and a "path" in JSON lines is relative to its folder.
 *
 * Errors as above; PRN_E_INPUT also where there is nothing to read; PRN_E_ARGUMENT: fd is below 0.
 */
int prn_source_open_fd(struct prn_source **out, int fd, const char *name, const struct prn_source_options *options,
                       struct prn_error *error);

/*
 * Reads the next capture: 1 with *capture filled, 0 at the end, or negative.  A truncated file ends with
 * PRN_E_TRUNCATED after all that was good; PRN_E_IO, PRN_E_MEMORY and PRN_E_CANCELLED also end the stream.
 */
int prn_source_next(struct prn_source *source, struct prn_capture *capture, struct prn_error *error);

const struct prn_source_counts *prn_source_counts(const struct prn_source *source);
void prn_source_free(struct prn_source *source);

#ifdef __cplusplus
}
#endif

#endif
