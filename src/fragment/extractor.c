#define XXH_INLINE_ALL
#include <xxhash.h>

#include "perennial/extractor.h"
#include "fragment/decode.h"
#include "fragment/html.h"
#include "fragment/json.h"
#include "fragment/shingles.h"
#include "fragment/words.h"
#include "fragment/xml.h"
#include "perennial/error.h"

#include <libxml/parser.h>
#include <limits.h>
#include <stdlib.h>

struct prn_extractor {
	struct prn_decoder decoder;
	struct prn_buffer text;  /* visible text of markup and JSON */
	struct prn_buffer piece; /* text of one element of XML */
	struct prn_words words;
	struct prn_shingles shingles;
	unsigned cut; /* of the last body, PRN_CUT_* */
	struct prn_references references;
	bool reads_references;
};

int prn_extractor_open(struct prn_extractor **out, unsigned shingle_words, size_t limit)
{
	struct prn_extractor *extractor = calloc(1, sizeof *extractor);
	int error;

	if (!extractor)
		return PRN_E_MEMORY;
	error = prn_shingles_init(&extractor->shingles,
	                          shingle_words ? shingle_words : PRN_SHINGLE_WORDS, limit);
	if (error) {
		free(extractor);
		return error;
	}
	prn_decoder_init(&extractor->decoder);
	/*
	 * The parser sets itself up at first use; extractors are opened before the threads that use
	 * them run.
	 */
	xmlInitParser();
	*out = extractor;
	return 0;
}

void prn_extractor_free(struct prn_extractor *extractor)
{
	if (!extractor)
		return;
	prn_decoder_release(&extractor->decoder);
	prn_buffer_release(&extractor->text);
	prn_buffer_release(&extractor->piece);
	prn_references_release(&extractor->references);
	prn_words_release(&extractor->words);
	prn_shingles_release(&extractor->shingles);
	free(extractor);
}

/* A body that is not text is one word, hence one fragment. */
static int add_bytes(struct prn_extractor *extractor, const void *bytes, size_t length)
{
	uint64_t word = XXH3_64bits(bytes, length);

	return prn_shingles_add(&extractor->shingles, &word, 1);
}

/* The visible text of decoded bytes: they themselves, or what the parsers make of them. */
static int read_text(struct prn_extractor *extractor, enum prn_media media, const char *content_type,
                     const unsigned char **text, size_t *length)
{
	struct prn_buffer *visible = &extractor->text;
	int error;

	prn_buffer_clear(visible);
	switch (media) {
	case PRN_MEDIA_HTML:
		error = prn_html_text(*text, *length, prn_media_is_xhtml(content_type), visible,
		                      extractor->reads_references ? &extractor->references : NULL);
		break;
	case PRN_MEDIA_XML:
		error = prn_xml_text(*text, *length, &extractor->piece, visible, &extractor->cut);
		break;
	case PRN_MEDIA_JSON:
		error = prn_json_text(*text, *length, visible);
		if (error == PRN_E_INPUT)
			return 0;
		break;
	default:
		return 0;
	}
	*text = visible->data;
	*length = visible->length;
	return error;
}

static int add_text(struct prn_extractor *extractor, const void *bytes, size_t length,
                    enum prn_media media, const char *content_type)
{
	const unsigned char *text;
	int error = prn_decoder_decode(&extractor->decoder, bytes, length, media, content_type,
	                               &text, &length);

	if (!error)
		error = read_text(extractor, media, content_type, &text, &length);
	return error ? error : prn_words_add(&extractor->words, text, length, &extractor->shingles);
}

int prn_extractor_summary(struct prn_extractor *extractor, const void *bytes, size_t length,
                          const char *content_type, struct prn_summary *summary)
{
	enum prn_media media = prn_media_of(content_type, bytes, length);
	int error;

	extractor->cut = 0;
	prn_references_clear(&extractor->references);
	prn_shingles_begin(&extractor->shingles);
	if (!length)
		return prn_shingles_end(&extractor->shingles, summary);
	/* The parsers count in int; a body of 2 GiB is no page. */
	if (media == PRN_MEDIA_OTHER || length > INT_MAX / 4)
		error = add_bytes(extractor, bytes, length);
	else
		error = add_text(extractor, bytes, length, media, content_type);
	return error ? error : prn_shingles_end(&extractor->shingles, summary);
}

uint64_t prn_extractor_text(const struct prn_extractor *extractor)
{
	return extractor->shingles.sum ? extractor->shingles.sum : 1;
}

void prn_extractor_read_references(struct prn_extractor *extractor, bool read)
{
	extractor->reads_references = read;
}

const struct prn_references *prn_extractor_references(const struct prn_extractor *extractor)
{
	return &extractor->references;
}

unsigned prn_extractor_cut(const struct prn_extractor *extractor)
{
	return extractor->cut;
}

const char *prn_cut_name(unsigned i)
{
	static const char *const names[PRN_CUTS] = { "deep", "wide", "memory", "work" };

	return i < PRN_CUTS ? names[i] : "?";
}
