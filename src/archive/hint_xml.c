#include "archive/hint_xml.h"
#include "archive/hint_time.h"
#include "archive/url_parse.h"
#include "base/ascii.h"
#include "base/number.h"
#include "base/portable.h"
#include "fragment/markup.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD_BYTES (4 * PRN_URL_BYTES) /* bytes of the longest text of an element that is kept */
#define BASES 4                         /* nested elements with an xml:base */
#define MENDED 1000000                  /* bare "&" in one document that are mended: each takes four bytes more */

#define RESUMED 1000                    /* stray end tags at the outermost level */

/* The vocabularies whose elements are read. */
enum space {
	SPACE_OTHER = 0,
	SPACE_NONE = 1, /* no namespace, or the root's if that is unknown */
	SPACE_SITEMAP = 2,
	SPACE_RSS = 4,
	SPACE_ATOM = 8,
	SPACE_DC = 16,
	SPACE_SYNDICATION = 32,
	SPACE_FEEDBURNER = 64,
	SPACE_RDF = 128,
	SPACE_XML = 256,
};

/* The usual namespace of a prefix that a document does not declare. */
static const struct {
	enum space space;
	const char *prefix, *uri;
} spaces[] = {
	{ SPACE_SITEMAP, NULL, "http://www.sitemaps.org/schemas/sitemap/0.9" },
	{ SPACE_SITEMAP, NULL, "https://www.sitemaps.org/schemas/sitemap/0.9" },
	{ SPACE_SITEMAP, NULL, "http://www.google.com/schemas/sitemap/0.84" },
	{ SPACE_RSS, NULL, "http://purl.org/rss/1.0/" },
	{ SPACE_RSS, NULL, "http://my.netscape.com/rdf/simple/0.9/" },
	{ SPACE_RSS, NULL, "http://channel.netscape.com/rdf/simple/0.9/" },
	{ SPACE_RSS, NULL, "http://backend.userland.com/rss2" },
	{ SPACE_ATOM, "atom", "http://www.w3.org/2005/Atom" },
	{ SPACE_ATOM, "atom10", "http://purl.org/atom/ns#" },
	{ SPACE_DC, "dc", "http://purl.org/dc/elements/1.1/" },
	{ SPACE_DC, "dcterms", "http://purl.org/dc/terms/" },
	{ SPACE_SYNDICATION, "sy", "http://purl.org/rss/1.0/modules/syndication/" },
	{ SPACE_FEEDBURNER, "feedburner", "http://rssnamespace.org/feedburner/ext/1.0" },
	{ SPACE_RDF, "rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#" },
	{ SPACE_XML, "xml", "http://www.w3.org/XML/1998/namespace" },
};

enum kind {
	KIND_URLSET,
	KIND_RSS,
	KIND_FEED,
	KIND_CHANNEL,
	KIND_URL, /* first kind of an entry … */
	KIND_ITEM,
	KIND_ENTRY, /* … last kind of an entry */
	KIND_LINK,
	KIND_GUID,
	KIND_HREF, /* a link in an attribute */
	KIND_DATE,
	KIND_FREQUENCY, /* <changefreq> */
	KIND_TTL,
	KIND_UPDATE_PERIOD,
	KIND_UPDATES,
};

/*
 * An element that is read, by its parent's kind.  If an entry has several links or dates, the one of the
 * highest rank counts, and of equal ones the first.
 */
struct rule {
	enum kind parent;
	unsigned spaces;
	const char *name; /* compared without case */
	enum kind kind;
	int rank;
};

#define SITEMAP (SPACE_NONE | SPACE_SITEMAP)
#define RSS (SPACE_NONE | SPACE_RSS)
#define ATOM (SPACE_NONE | SPACE_ATOM)

static const struct rule rules[] = {
	{ KIND_URLSET, SITEMAP, "url", KIND_URL, 0 },
	{ KIND_URLSET, SITEMAP, "sitemap", KIND_URL, 0 },
	{ KIND_URL, SITEMAP, "url", KIND_URL, 0 }, /* whose end tag was forgotten; the same below */
	{ KIND_URL, SITEMAP, "sitemap", KIND_URL, 0 },
	{ KIND_URL, SITEMAP, "loc", KIND_LINK, 2 },
	{ KIND_URL, SITEMAP, "lastmod", KIND_DATE, 1 },
	{ KIND_URL, SITEMAP, "changefreq", KIND_FREQUENCY, 0 },

	{ KIND_RSS, RSS, "channel", KIND_CHANNEL, 0 },
	{ KIND_RSS, RSS, "item", KIND_ITEM, 0 },
	{ KIND_CHANNEL, RSS, "item", KIND_ITEM, 0 },
	{ KIND_CHANNEL, RSS, "ttl", KIND_TTL, 0 },
	{ KIND_CHANNEL, SPACE_SYNDICATION, "updatePeriod", KIND_UPDATE_PERIOD, 0 },
	{ KIND_CHANNEL, SPACE_SYNDICATION, "updateFrequency", KIND_UPDATES, 0 },
	{ KIND_ITEM, RSS, "item", KIND_ITEM, 0 },
	{ KIND_ITEM, SPACE_FEEDBURNER, "origLink", KIND_LINK, 5 },
	{ KIND_ITEM, RSS, "link", KIND_LINK, 4 },
	{ KIND_ITEM, SPACE_ATOM, "link", KIND_HREF, 3 },
	{ KIND_ITEM, RSS, "guid", KIND_GUID, 2 },
	{ KIND_ITEM, SPACE_DC, "modified", KIND_DATE, 2 },
	{ KIND_ITEM, SPACE_ATOM, "updated", KIND_DATE, 2 },
	{ KIND_ITEM, RSS, "pubDate", KIND_DATE, 1 },
	{ KIND_ITEM, SPACE_DC, "date", KIND_DATE, 1 },

	{ KIND_FEED, ATOM, "entry", KIND_ENTRY, 0 },
	{ KIND_FEED, SPACE_SYNDICATION, "updatePeriod", KIND_UPDATE_PERIOD, 0 },
	{ KIND_FEED, SPACE_SYNDICATION, "updateFrequency", KIND_UPDATES, 0 },
	{ KIND_ENTRY, ATOM, "entry", KIND_ENTRY, 0 },
	{ KIND_ENTRY, SPACE_FEEDBURNER, "origLink", KIND_LINK, 5 },
	{ KIND_ENTRY, ATOM, "link", KIND_HREF, 3 },
	{ KIND_ENTRY, ATOM, "updated", KIND_DATE, 2 },
	{ KIND_ENTRY, ATOM, "modified", KIND_DATE, 2 }, /* Atom 0.3 */
	{ KIND_ENTRY, ATOM, "published", KIND_DATE, 1 },
	{ KIND_ENTRY, ATOM, "issued", KIND_DATE, 1 }, /* Atom 0.3 */
	{ KIND_ENTRY, SPACE_DC, "date", KIND_DATE, 1 },
};

/* The content of the entry that is open. */
struct entry {
	struct prn_hint hint;
	struct prn_buffer link; /* as written, or resolved; not set while link_rank is 0 */
	int link_rank, modified_rank;
	bool overlong;
	bool open;
	uint64_t line;
};

struct xml {
	struct prn_markup markup;
	struct prn_hint_reading *reading;
	struct prn_error *error;
	int code; /* the error that ended the reading; 0: none */
	uint64_t line;     /* where the parser began */
	uint64_t end_line; /* where it ended, or where the last entry began */
	size_t entries_max;
	const xmlChar *root_space;
	size_t root_tag;  /* bytes of the root's own tag; 0: unknown */
	bool closed;      /* the root element has ended */
	size_t resume_at; /* > 0: a stray end tag just before this offset has ended it */
	bool broken;      /* the first error of the parser, and its line */
	struct prn_error why;
	uint64_t why_line;
	const struct rule *open[PRN_MARKUP_DEPTH + 1]; /* the open elements from 1 on; NULL: not read */

	struct entry entry;
	int field;              /* depth of the open element that has a value; 0: none */
	struct prn_buffer text; /* its value, or that of the entry */
	bool overlong;          /* the end of the value is missing */
	bool is_link;           /* a guid is a permanent link */

	struct {
		int depth;
		char url[PRN_URL_BYTES + 1];
	} bases[BASES]; /* the first is that of the document */
	size_t base_count;

	double ttl_s, update_period_s, updates;
};

static void stop(struct xml *xml, int code)
{
	if (!xml->code)
		xml->code = code;
	xmlStopParser(xml->markup.parser);
}

static uint64_t line_of(const struct xml *xml)
{
	const xmlParserInput *input = xml->markup.parser->input;

	return xml->line + (uint64_t)(input && input->line > 1 ? input->line - 1 : 0);
}

static enum space space_of(const struct xml *xml, const xmlChar *prefix, const xmlChar *uri)
{
	if (!uri && !prefix)
		return SPACE_NONE;
	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
		if (uri ? !strcmp((const char *)uri, spaces[i].uri)
		        : spaces[i].prefix && !strcmp((const char *)prefix, spaces[i].prefix))
			return spaces[i].space;
	if (uri && xml->root_space && !strcmp((const char *)uri, (const char *)xml->root_space))
		return SPACE_NONE;
	return SPACE_OTHER;
}

/* The root elements; the kind determines their children. */
static const struct rule *root_rule(enum prn_hint_format format)
{
	static const struct rule urlset = { .kind = KIND_URLSET }, rss = { .kind = KIND_RSS }, feed = { .kind = KIND_FEED };

	if (format == PRN_HINT_RSS)
		return &rss;
	return format == PRN_HINT_ATOM ? &feed : &urlset;
}

static const struct rule *rule_of(const struct rule *parent, const xmlChar *name, enum space space)
{
	for (size_t i = 0; parent && i < sizeof rules / sizeof *rules; i++)
		if (rules[i].parent == parent->kind && rules[i].spaces & space && !prn_ascii_compare(rules[i].name, (const char *)name))
			return &rules[i];
	return NULL;
}

static bool is_entry(const struct rule *rule)
{
	return rule && rule->kind >= KIND_URL && rule->kind <= KIND_ENTRY;
}

/* Returns the bytes of a character that people leave around URLs: white space of ASCII and Unicode, a byte order mark. */
static size_t blank_at(const char *text)
{
	static const char *const blanks[] = { " ",        "\t",           "\r",           "\n",
		                              "\xc2\xa0", "\xe2\x80\x8b", "\xe3\x80\x80", "\xef\xbb\xbf" };

	for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
		if (!strncmp(text, blanks[i], strlen(blanks[i])))
			return strlen(blanks[i]);
	/* U+2000 … U+200A */
	return !strncmp(text, "\xe2\x80", 2) && (unsigned char)text[2] >= 0x80 && (unsigned char)text[2] <= 0x8a ? 3 : 0;
}

/* Trims these characters at both ends of text; returns its new start. */
static char *trim(char *text)
{
	char *end, *at;

	while (blank_at(text))
		text += blank_at(text);
	for (at = end = text; *at; at++)
		if (!blank_at(at) && (*at & 0xc0) != 0x80)
			end = at + 1;
	/* Returns the bytes of the last character. */
	while ((*end & 0xc0) == 0x80)
		end++;
	*end = 0;
	return text;
}

/* libxml2 passes an attribute as name, prefix, namespace, start and end of its value. */
struct attributes {
	const xmlChar **at;
	int count;
};

/* Copies the text of an attribute to xml->text, trimmed; NULL: there is none, or it is too long. */
static const char *attribute_of(struct xml *xml, const struct attributes *attributes, enum space space,
                                const char *name)
{
	const xmlChar **at = attributes->at;

	for (int i = 0; i < attributes->count; i++, at += 5) {
		size_t length = (size_t)(at[4] - at[3]);

		if (prn_ascii_compare((const char *)at[0], name) || space_of(xml, at[1], at[2]) != space)
			continue;
		prn_buffer_clear(&xml->text);
		if (length > FIELD_BYTES)
			return NULL;
		if (prn_buffer_append(&xml->text, at[3], length) || prn_buffer_terminate(&xml->text)) {
			stop(xml, prn_error_memory(xml->error));
			return NULL;
		}
		return trim((char *)xml->text.data);
	}
	return NULL;
}

static void open_base(struct xml *xml, const struct attributes *attributes, int depth)
{
	const char *base = attribute_of(xml, attributes, SPACE_XML, "base"), *outer = xml->bases[xml->base_count - 1].url;
	char *url;
	int code;

	if (!base || xml->base_count == BASES)
		return;
	url = xml->bases[xml->base_count].url;
	code = prn_url_normalize(base, SIZE_MAX, url, PRN_URL_BYTES + 1);
	if (code == PRN_E_INPUT && *outer)
		code = prn_url_parse(base, strlen(base), outer, true, url);
	if (code == PRN_E_MEMORY)
		stop(xml, prn_error_memory(xml->error));
	if (!code)
		xml->bases[xml->base_count++].depth = depth;
}

static bool is_whole_url(const char *text)
{
	return !prn_ascii_compare_n(text, "http://", 7) || !prn_ascii_compare_n(text, "https://", 8);
}

static void set_link(struct xml *xml, const char *link, int rank)
{
	const char *base = xml->bases[xml->base_count - 1].url;
	struct entry *entry = &xml->entry;
	char resolved[PRN_URL_BYTES + 1];

	if (!*link || rank <= entry->link_rank)
		return;
	/* Resolved here, because the base may be that of the link's own element. */
	if (prn_hint_in_feed(xml->reading) && *base && !is_whole_url(link) &&
	    !prn_url_parse(link, strlen(link), base, true, resolved))
		link = resolved;
	prn_buffer_clear(&entry->link);
	if (prn_buffer_append(&entry->link, link, strlen(link)) || prn_buffer_terminate(&entry->link)) {
		stop(xml, prn_error_memory(xml->error));
		return;
	}
	entry->link_rank = rank;
}

static void begin_entry(struct xml *xml, const struct attributes *attributes)
{
	struct prn_hint_reading *reading = xml->reading;
	struct entry *entry = &xml->entry;
	const char *about;

	if (prn_hint_is_full(reading, xml->entries_max, line_of(xml))) {
		stop(xml, 0);
		return;
	}
	entry->hint = prn_hint_of(reading);
	entry->link_rank = entry->modified_rank = 0;
	entry->overlong = false;
	entry->open = true;
	entry->line = xml->end_line = line_of(xml);
	about = prn_hint_in_feed(reading) ? attribute_of(xml, attributes, SPACE_RDF, "about") : NULL;
	if (about)
		set_link(xml, about, 1);
}

static void end_entry(struct xml *xml)
{
	struct entry *entry = &xml->entry;
	struct prn_hint_counts *counts = xml->reading->counts;
	struct prn_error why;
	int code;

	if (!entry->open)
		return;
	entry->open = false;
	if (!entry->link_rank && prn_hint_in_feed(xml->reading) && !entry->overlong) {
		counts->entries++;
		counts->ignored++;
		return;
	}
	if (!entry->link_rank) {
		counts->entries++;
		if (entry->overlong)
			prn_error_set(&why, PRN_E_INPUT, "a URL of more than %d bytes", PRN_URL_BYTES);
		else
			prn_error_set(&why, PRN_E_INPUT, "an entry without a URL");
		prn_hint_damaged(xml->reading, entry->line, &why);
		return;
	}
	entry->hint.url = (const char *)entry->link.data;
	code = prn_hint_offer(xml->reading, &entry->hint, xml->reading->base, entry->line, xml->error);
	if (code)
		stop(xml, code);
}

/* Atom also links to things other than the page: its comments, enclosures, the entry itself as XML. */
static void read_href(struct xml *xml, const struct attributes *attributes, int rank)
{
	const char *rel = attribute_of(xml, attributes, SPACE_NONE, "rel"), *type, *href;

	if (rel && strrchr(rel, '/'))
		rel = strrchr(rel, '/') + 1; /* its name may be a URL */
	if (rel && *rel && prn_ascii_compare(rel, "alternate"))
		return;
	type = attribute_of(xml, attributes, SPACE_NONE, "type");
	if (type && *type && !prn_ascii_find(type, "html"))
		rank--;
	href = attribute_of(xml, attributes, SPACE_NONE, "href");
	if (href)
		set_link(xml, href, rank);
}

/* The parser stands before the ">" of the tag. */
static void begin_root(struct xml *xml, const xmlChar *space)
{
	size_t at = prn_markup_at(&xml->markup);

	xml->root_space = space;
	if (!xml->root_tag && at < xml->markup.length && xml->markup.bytes[at] == '>')
		xml->root_tag = at + 1;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space,
                          int namespace_count, const xmlChar **namespaces, int attribute_count, int default_count,
                          const xmlChar **values)
{
	struct xml *xml = context;
	const struct attributes attributes = { values, attribute_count };
	int depth = xml->markup.parser->nameNr + 1; /* number of open elements: the parser drops broken ones silently */
	const struct rule *rule;

	(void)namespace_count, (void)namespaces, (void)default_count;
	if (depth > PRN_MARKUP_DEPTH) {
		prn_markup_cut(&xml->markup, PRN_CUT_DEEP);
		return;
	}
	if (depth == 1)
		begin_root(xml, space);
	rule = depth == 1 ? root_rule(xml->reading->counts->format)
	                  : rule_of(xml->open[depth - 1], name, space_of(xml, prefix, space));
	xml->open[depth] = rule;
	if (xml->field >= depth)
		xml->field = 0;
	if (!rule)
		return;
	if (rule->kind >= KIND_LINK)
		xml->field = depth;
	if (prn_hint_in_feed(xml->reading))
		open_base(xml, &attributes, depth);
	/* Some writers never end a <sitemap> or <url>: the next one does, or the <loc> of the next page. */
	if (is_entry(rule) || (rule->kind == KIND_LINK && xml->open[depth - 1]->kind == KIND_URL && xml->entry.link_rank)) {
		end_entry(xml);
		begin_entry(xml, &attributes);
	}
	if (rule->kind == KIND_HREF)
		read_href(xml, &attributes, rule->rank);
	if (rule->kind == KIND_GUID) {
		const char *says = attribute_of(xml, &attributes, SPACE_NONE, "isPermaLink");

		xml->is_link = !says || prn_ascii_compare(says, "false");
	}
	prn_buffer_clear(&xml->text);
	xml->overlong = false;
}

static void characters(void *context, const xmlChar *bytes, int length)
{
	struct xml *xml = context;
	int depth = xml->markup.parser->nameNr;

	if (depth > PRN_MARKUP_DEPTH)
		return;
	/* The text of a field includes that of the elements in it; other elements of a sitemap contain other URLs. */
	if ((!xml->field || xml->field > depth) && (depth < 1 || !xml->open[depth] || xml->open[depth]->kind != KIND_URL))
		return;
	if ((size_t)length > FIELD_BYTES - xml->text.length)
		xml->overlong = true;
	else if (!xml->overlong && prn_buffer_append(&xml->text, bytes, (size_t)length))
		stop(xml, prn_error_memory(xml->error));
}

static void set_modified(struct entry *entry, const char *date, int rank)
{
	int64_t modified = prn_hint_modified(date);

	if (modified == PRN_TIME_UNKNOWN || rank <= entry->modified_rank)
		return;
	entry->hint.modified = modified;
	entry->modified_rank = rank;
}

static void end_field(struct xml *xml, const struct rule *rule)
{
	bool names_page = rule->kind == KIND_LINK || (rule->kind == KIND_GUID && xml->is_link);
	char *text;

	if (prn_buffer_terminate(&xml->text)) {
		stop(xml, prn_error_memory(xml->error));
		return;
	}
	if (xml->overlong) {
		xml->entry.overlong |= names_page;
		return;
	}
	text = trim((char *)xml->text.data);
	if (rule->kind == KIND_LINK || (names_page && is_whole_url(text)))
		set_link(xml, text, rule->rank);
	else if (rule->kind == KIND_URL && is_whole_url(text))
		set_link(xml, text, 1); /* some writers forget the <loc> */
	else if (rule->kind == KIND_DATE)
		set_modified(&xml->entry, text, rule->rank);
	else if (rule->kind == KIND_FREQUENCY)
		xml->entry.hint.period_s = prn_hint_period_s(text);
	else if (rule->kind == KIND_TTL)
		xml->ttl_s = 60 * prn_number_scan(text, NULL);
	else if (rule->kind == KIND_UPDATE_PERIOD)
		xml->update_period_s = prn_hint_period_s(text);
	else if (rule->kind == KIND_UPDATES)
		xml->updates = prn_number_scan(text, NULL);
}

/* Tells whether the root's end tag stands just before at: libxml2 takes any end tag for that of the innermost element. */
static bool is_root_end(const struct xml *xml, size_t at)
{
	const unsigned char *bytes = xml->markup.bytes, *tag = prn_last_byte(bytes, '<', at);
	size_t length = 1;

	while (length < xml->root_tag && !strchr(" \t\r\n/>", bytes[length]))
		length++;
	return tag && tag[1] == '/' && (size_t)(bytes + at - tag) > length && !memcmp(tag + 2, bytes + 1, length - 1);
}

/* Text after the root is ignored: much of it is server messages in plain text. */
static void end_root(struct xml *xml, int depth)
{
	size_t at = prn_markup_at(&xml->markup);

	if (xml->root_tag && !is_root_end(xml, at)) {
		xml->resume_at = depth == 1 ? at : 0;
	} else {
		xml->closed = true;
		end_entry(xml);
	}
	if (depth == 1 || xml->closed)
		stop(xml, 0);
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space)
{
	struct xml *xml = context;
	int depth = xml->markup.parser->nameNr;
	const struct rule *rule;

	(void)name, (void)prefix, (void)space;
	if (depth < 1 || depth > PRN_MARKUP_DEPTH)
		return;
	rule = xml->open[depth];
	if (rule && (rule->kind >= KIND_LINK || rule->kind == KIND_URL)) {
		end_field(xml, rule);
		prn_buffer_clear(&xml->text);
		xml->field = 0;
	}
	if (is_entry(rule))
		end_entry(xml);
	while (xml->base_count > 1 && xml->bases[xml->base_count - 1].depth >= depth)
		xml->base_count--;
	if (depth == 1 || (xml->root_tag && !xml->markup.parser->wellFormed))
		end_root(xml, depth);
}

/* Tells whether the "&" just before at begins one of the five predefined references, or a numeric one. */
static bool is_reference(const unsigned char *at, const unsigned char *end)
{
	static const char *const names[] = { "amp;", "lt;", "gt;", "quot;", "apos;" };
	const unsigned char *start;
	bool is_hex;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if ((size_t)(end - at) >= strlen(names[i]) && !memcmp(at, names[i], strlen(names[i])))
			return true;
	if (at == end || *at++ != '#')
		return false;
	is_hex = at < end && *at == 'x';
	start = at += is_hex;
	while (at < end && (is_hex ? isxdigit(*at) : isdigit(*at)))
		at++;
	return at > start && at < end && *at == ';';
}

/* Mends [at, end), of which [*copied, at) is still to be copied. */
static int mend_text(struct prn_buffer *out, size_t *mended, const unsigned char **copied, const unsigned char *at,
                     const unsigned char *end)
{
	while (*mended < MENDED && (at = memchr(at, '&', (size_t)(end - at))) != NULL) {
		if (!is_reference(at + 1, end)) {
			if (prn_buffer_append(out, *copied, (size_t)(at - *copied)) || prn_buffer_append(out, "&amp;", 5))
				return PRN_E_MEMORY;
			*copied = at + 1;
			++*mended;
		}
		at++;
	}
	return 0;
}

/*
 * URLs in sitemaps and feeds often have a bare "&".  The parser would drop it together with the name behind it,
 * and give the URL of another page.  *text becomes a mended copy in out if there is one; CDATA sections need no
 * mending.
 */
static int mend(struct prn_buffer *out, const unsigned char **text, size_t *length)
{
	static const char opening[] = "<![CDATA[";
	const unsigned char *at = *text, *end = at + *length, *copied = at;
	size_t mended = 0;

	while (at < end) {
		const unsigned char *section = memmem(at, (size_t)(end - at), opening, sizeof opening - 1), *close = NULL;

		if (mend_text(out, &mended, &copied, at, section ? section : end))
			return PRN_E_MEMORY;
		if (section)
			close = memmem(section, (size_t)(end - section), "]]>", 3);
		at = close ? close : end;
	}
	if (!mended)
		return 0;
	if (prn_buffer_append(out, copied, (size_t)(end - copied)))
		return PRN_E_MEMORY;
	*text = out->data;
	*length = out->length;
	return 0;
}

/* Keeps the parser's first message on what is wrong, without its line end. */
static void keep_fault(struct xml *xml)
{
	const xmlError *fault = xmlCtxtGetLastError(xml->markup.parser);
	bool is_known = fault && fault->message && fault->code != XML_ERR_USER_STOP;

	if (xml->broken || xml->markup.parser->wellFormed)
		return;
	xml->broken = true;
	xml->why_line = xml->line + (uint64_t)(is_known && fault->line > 1 ? fault->line - 1 : 0);
	prn_error_set(&xml->why, PRN_E_INPUT, "the XML is broken, and read as far as it makes sense (%.*s)",
	              is_known ? (int)strcspn(fault->message, "\n") : 0, is_known ? fault->message : "");
}

static void report_fault(struct xml *xml, bool whole)
{
	struct prn_error why;

	if (xml->reading->full)
		return;
	if (xml->closed && xml->broken) {
		prn_hint_damaged(xml->reading, xml->why_line, &xml->why);
	} else if (!xml->closed && xml->markup.cut) {
		prn_error_set(&why, PRN_E_LIMIT,
		              "the XML is nested too deeply, has too many attributes or faults, or takes too much memory: "
		              "what comes before was read");
		prn_hint_cut(xml->reading, xml->end_line, &why);
	} else if (!xml->closed && whole) {
		prn_error_set(&why, PRN_E_TRUNCATED,
		              "the document ends inside an element, or is not XML from here on: what comes before was read");
		prn_hint_cut(xml->reading, xml->end_line, &why);
	}
}

/* Returns how often the document says that it changes. */
static double own_period_s(const struct xml *xml)
{
	double update_s = xml->update_period_s / (xml->updates >= 1 ? xml->updates : 1), ttl_s = xml->ttl_s;

	update_s = update_s > 0 && isfinite(update_s) ? update_s : 0;
	ttl_s = ttl_s > 0 && isfinite(ttl_s) ? ttl_s : 0;
	if (update_s > 0 && ttl_s > 0)
		return fmin(update_s, ttl_s);
	return fmax(update_s, ttl_s);
}

static void end_parse(void *context)
{
	struct xml *xml = context;

	keep_fault(xml);
	xml->end_line = line_of(xml);
}

static void parse(void *context)
{
	static const xmlSAXHandler callbacks = {
		.initialized = XML_SAX2_MAGIC,
		.startElementNs = start_element,
		.endElementNs = end_element,
		.characters = characters,
		.ignorableWhitespace = characters,
		.cdataBlock = characters,
	};
	struct xml *xml = context;

	/*
	 * NOENT makes "&amp;" in an attribute "&".  The parser is not shown a document type, so there are no
	 * other entities.
	 */
	prn_markup_parse_xml(&xml->markup, &callbacks, XML_PARSE_NOENT, end_parse, xml);
}

/* Resumes behind where the parser was stopped, as if the root's tag stood just before. */
static void resume(struct xml *xml)
{
	int code;

	xml->markup.fed = 0;
	xml->markup.gap = xml->resume_at ? xml->root_tag : 0;
	xml->markup.gap_end = xml->resume_at;
	xml->resume_at = 0;
	code = prn_markup_run(&xml->markup, parse, xml);
	if (code && !xml->code)
		xml->code = prn_error_memory(xml->error);
}

/* A stray end tag ends the root for the parser.  The rest is not lost: the parser is restarted behind the tag. */
static int parse_all(struct xml *xml, bool whole)
{
	uint64_t root_lines = 0;

	resume(xml);
	for (size_t i = 0; i < xml->root_tag; i++)
		root_lines += xml->markup.bytes[i] == '\n';
	for (int i = 0; i < RESUMED && !xml->code && xml->resume_at; i++) {
		xml->line = xml->end_line - root_lines;
		resume(xml);
	}
	if (!xml->code)
		report_fault(xml, whole);
	return xml->code;
}

int prn_hint_xml(struct prn_hint_reading *reading, const unsigned char *text, size_t length, uint64_t line, bool whole,
                 struct prn_error *error)
{
	struct prn_buffer mended = { 0 };
	struct xml *xml = calloc(1, sizeof *xml);
	int code;

	if (!xml || mend(&mended, &text, &length)) {
		code = prn_error_memory(error);
		goto out;
	}
	xml->markup.bytes = text;
	xml->markup.length = length;
	xml->reading = reading;
	xml->error = error;
	xml->line = xml->end_line = line;
	xml->entries_max = reading->options->entries_max ? reading->options->entries_max : PRN_HINT_ENTRIES;
	xml->updates = 1;
	memcpy(xml->bases[0].url, reading->base, sizeof reading->base);
	xml->base_count = 1;
	code = parse_all(xml, whole);
	reading->counts->period_s = own_period_s(xml);
	prn_buffer_release(&xml->text);
	prn_buffer_release(&xml->entry.link);
out:
	prn_buffer_release(&mended);
	free(xml);
	return code;
}
