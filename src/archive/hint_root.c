#include "archive/hint_root.h"
#include "archive/http_unpack.h"
#include "base/ascii.h"
#include "fragment/decode.h"
#include "fragment/xml.h"
#include "perennial/error.h"

#include <string.h>

/* Skips a document type and all that it declares. */
static const unsigned char *past_type(const unsigned char *at, const unsigned char *end)
{
	bool inside = false;

	for (; at < end && (inside || *at != '>'); at = prn_xml_past_one(at, end))
		inside = *at == '[' || (inside && *at != ']');
	return at < end ? at + 1 : end;
}

static bool is_blank(unsigned char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool prn_hint_root(const unsigned char *text, size_t length, size_t *at)
{
	const unsigned char *here = text, *end;

	if (!length)
		return false;
	end = text + length;
	for (;;) {
		if (here < end && is_blank(*here))
			here++;
		else if (prn_xml_starts(here, end, "\xef\xbb\xbf"))
			here += 3;
		else if (prn_xml_starts(here, end, "<?") || prn_xml_starts(here, end, "<!--"))
			here = prn_xml_past_one(here, end);
		else if (prn_xml_starts(here, end, "<!DOCTYPE"))
			here = past_type(here + 9, end);
		else
			break;
	}
	if (end - here < 2 || *here != '<' || is_blank(here[1]) || strchr("!/>", here[1]))
		return false;
	*at = (size_t)(here - text);
	return true;
}

/* Returns the length of the tag that starts at text, ignoring ">" within values; at most PRN_HINT_LOOKED_AT. */
static size_t tag_length(const unsigned char *text, size_t length)
{
	const unsigned char *at = text + 1, *end = text + (length < PRN_HINT_LOOKED_AT ? length : PRN_HINT_LOOKED_AT);

	while (at < end && *at != '>')
		at = prn_xml_past_one(at, end);
	return (size_t)(at - text);
}

static bool has(const unsigned char *text, size_t length, const char *word)
{
	return memmem(text, length, word, strlen(word)) != NULL;
}

/* RDF and <feed> are also roots of other formats: the namespaces decide. */
static bool is_rss_rdf(const unsigned char *tag, size_t length)
{
	return has(tag, length, "http://purl.org/rss/1.") || has(tag, length, "netscape.com/rdf/simple/0.9");
}

static bool is_atom(const unsigned char *tag, size_t length)
{
	return has(tag, length, "www.w3.org/2005/Atom") || has(tag, length, "http://purl.org/atom/") ||
	       !has(tag, length, "xmlns=");
}

bool prn_hint_root_format(const unsigned char *text, size_t length, enum prn_hint_format *format)
{
	static const struct {
		const char *name;
		enum prn_hint_format format;
		bool (*is)(const unsigned char *tag, size_t length);
	} roots[] = {
		{ "urlset", PRN_HINT_SITEMAP, NULL },   { "sitemapindex", PRN_HINT_SITEMAP_INDEX, NULL },
		{ "rss", PRN_HINT_RSS, NULL },          { "RDF", PRN_HINT_RSS, is_rss_rdf },
		{ "feed", PRN_HINT_ATOM, is_atom },
	};
	size_t tag = tag_length(text, length), name = 1, name_end = 1;

	while (name_end < tag && !is_blank(text[name_end]) && text[name_end] != '/') {
		if (text[name_end] == ':')
			name = name_end + 1;
		name_end++;
	}
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		if (strlen(roots[i].name) != name_end - name ||
		    prn_ascii_compare_n((const char *)text + name, roots[i].name, name_end - name) ||
		    (roots[i].is && !roots[i].is(text, tag)))
			continue;
		*format = roots[i].format;
		return true;
	}
	return false;
}

bool prn_hint_is_packed(const unsigned char *bytes, size_t length)
{
	return length >= 3 && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == 8;
}

int prn_hint_unpack(const unsigned char *bytes, size_t length, size_t limit, struct prn_buffer *out, bool *cut)
{
	enum prn_unpacked unpacked = prn_unpack(PRN_PACKING_GZIP, bytes, length, limit, out);

	*cut = unpacked != PRN_UNPACKED_WHOLE;
	return unpacked == PRN_UNPACKED_STARVED ? PRN_E_MEMORY : 0;
}

/* Tells whether bytes begin as XML does in any charset: with "<", white space, a byte order mark, or in 16 bits. */
static bool may_be_xml(const unsigned char *bytes, size_t length)
{
	return length >= 4 && (*bytes == '<' || is_blank(*bytes) || *bytes == 0xef || *bytes >= 0xfe ||
	                       (!*bytes && bytes[1] == '<'));
}

static bool sniff_text(const unsigned char *bytes, size_t length, const char *content_type,
                       enum prn_hint_format *format)
{
	const unsigned char *text;
	struct prn_decoder decoder;
	size_t text_length, at;
	bool found;

	if (!may_be_xml(bytes, length))
		return false;
	prn_decoder_init(&decoder);
	found = !prn_decoder_decode(&decoder, bytes, length, PRN_MEDIA_XML, content_type, &text, &text_length) &&
	        prn_hint_root(text, text_length, &at) && prn_hint_root_format(text + at, text_length - at, format);
	prn_decoder_release(&decoder);
	return found;
}

bool prn_hint_sniff(const void *bytes, size_t length, const char *content_type, enum prn_hint_format *format)
{
	struct prn_buffer unpacked = { 0 };
	bool found, cut;

	if (!prn_hint_is_packed(bytes, length))
		return sniff_text(bytes, length < PRN_HINT_LOOKED_AT ? length : PRN_HINT_LOOKED_AT, content_type, format);
	found = !prn_hint_unpack(bytes, length, PRN_HINT_LOOKED_AT, &unpacked, &cut) &&
	        sniff_text(unpacked.data, unpacked.length, content_type, format);
	prn_buffer_release(&unpacked);
	return found;
}
