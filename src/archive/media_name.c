#include "archive/media_name.h"

#include "base/ascii.h"

#include <string.h>

const char *prn_media_of_name(const char *path)
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
	const char *dot = strrchr(path, '.');

	for (size_t i = 0; dot && i < sizeof types / sizeof *types; i++)
		if (!prn_ascii_compare(dot + 1, types[i].extension))
			return types[i].media;
	return NULL;
}
