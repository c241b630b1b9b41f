#include "archive/media_name.h"

#include "base/ascii.h"
#include "base/portable.h"

#include <string.h>

#define ADJUSTED "html"

/* The type of what ends in this extension, without its dot. */
static const char *media_of(const char *extension, size_t length)
{
	static const struct {
		const char *extension, *media;
	} types[] = {
		{ "html", "text/html" },	   { "htm", "text/html" },
		{ "xhtml", "application/xhtml+xml" }, { "xml", "application/xml" },
		{ "rss", "application/rss+xml" },  { "atom", "application/atom+xml" },
		{ "rdf", "application/rdf+xml" },  { "opml", "text/x-opml+xml" },
		{ "svg", "image/svg+xml" },	   { "json", "application/json" },
		{ "txt", "text/plain" },	   { "md", "text/markdown" },
		{ "csv", "text/csv" },		   { "css", "text/css" },
		{ "js", "text/javascript" },	   { "pdf", "application/pdf" },
		{ "png", "image/png" },		   { "jpg", "image/jpeg" },
		{ "jpeg", "image/jpeg" },	   { "gif", "image/gif" },
		{ "webp", "image/webp" },
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].extension) == length && !prn_ascii_compare_n(extension, types[i].extension, length))
			return types[i].media;
	return NULL;
}

const char *prn_media_of_name(const char *path, enum prn_file_names names)
{
	size_t length = names == PRN_NAMES_OF_URLS ? strcspn(path, "?") : strlen(path);
	const char *dot = prn_last_byte(path, '.', length), *query = path + length;
	const char *media = dot ? media_of(dot + 1, (size_t)(query - dot) - 1) : NULL;
	size_t left = strlen(query);

	/* wget -E puts the extension of what a server calls HTML behind the query. */
	if (!media && left > strlen("." ADJUSTED) && !prn_ascii_compare(query + left - strlen("." ADJUSTED), "." ADJUSTED))
		media = media_of(ADJUSTED, strlen(ADJUSTED));
	return media;
}
