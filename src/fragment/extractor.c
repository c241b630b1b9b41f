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
	/* Used by prn_extractor_read: */
	struct prn_worded *places;
	uint64_t *fragments;
	size_t place_capacity, fragment_capacity;
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
	/* The parser initialises itself at its first use; extractors are opened before the threads that use them run. */
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
	free(extractor->places);
	free(extractor->fragments);
	free(extractor);
}

/* Replaces decoded bytes by their visible text, if a parser has to find it. */
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

/* *text is NULL for a body that is not text or is empty. */
static int add_body(struct prn_extractor *extractor, const void *bytes, size_t length, const char *content_type,
                    const unsigned char **text, size_t *text_length)
{
	enum prn_media media = prn_media_of(content_type, bytes, length);
	int error;

	*text = NULL;
	*text_length = 0;
	extractor->cut = 0;
	prn_references_clear(&extractor->references);
	prn_shingles_begin(&extractor->shingles);
	if (!length)
		return 0;
	/* A body that is not text is one word, hence one fragment.  The parsers count in int; a body of 2 GiB is no page. */
	if (media == PRN_MEDIA_OTHER || length > INT_MAX / 4) {
		uint64_t word = XXH3_64bits(bytes, length);

		return prn_shingles_add(&extractor->shingles, &word, 1);
	}
	error = prn_decoder_decode(&extractor->decoder, bytes, length, media, content_type, text, text_length);
	if (!error)
		error = read_text(extractor, media, content_type, text, text_length);
	return error ? error : prn_words_add(&extractor->words, *text, *text_length, &extractor->shingles);
}

int prn_extractor_summary(struct prn_extractor *extractor, const void *bytes, size_t length,
                          const char *content_type, struct prn_summary *summary)
{
	const unsigned char *text;
	size_t text_length;
	int error = add_body(extractor, bytes, length, content_type, &text, &text_length);

	return error ? error : prn_shingles_end(&extractor->shingles, summary);
}

/* Counts the fragments in the order of the text, from the words that were listed. */
static int list_fragments(struct prn_extractor *extractor, struct prn_wording *wording)
{
	const struct prn_words *words = &extractor->words;
	size_t count = words->place_count, k = extractor->shingles.k, span = count < k ? count : k;
	struct prn_worded *places;
	uint64_t *fragments, window[PRN_SHINGLE_WORDS_MAX];

	places = prn_array_grow(extractor->places, &extractor->place_capacity, count + 1, sizeof *places);
	if (!places)
		return PRN_E_MEMORY;
	extractor->places = places;
	fragments = prn_array_grow(extractor->fragments, &extractor->fragment_capacity, count + 1, sizeof *fragments);
	if (!fragments)
		return PRN_E_MEMORY;
	extractor->fragments = fragments;
	for (size_t i = 0; i < count; i++)
		places[i] = (struct prn_worded){ words->places[i].from, words->places[i].to };
	wording->words = places;
	wording->word_count = count;
	wording->fragments = fragments;
	wording->fragment_count = count ? count - span + 1 : 0;
	for (size_t i = 0; i < wording->fragment_count; i++) {
		for (size_t j = 0; j < span; j++)
			window[j] = words->places[i + j].hash;
		fragments[i] = prn_shingle_of(window, span);
	}
	return 0;
}

int prn_extractor_read(struct prn_extractor *extractor, const void *bytes, size_t length, const char *content_type,
                       struct prn_wording *wording)
{
	struct prn_wording found = { 0 };
	struct prn_summary summary;
	const unsigned char *text;
	int error;

	extractor->words.lists_places = true;
	extractor->words.place_count = 0;
	error = add_body(extractor, bytes, length, content_type, &text, &found.length);
	extractor->words.lists_places = false;
	if (!error)
		error = prn_shingles_end(&extractor->shingles, &summary);
	if (!error)
		error = list_fragments(extractor, &found);
	if (error)
		return error;
	found.text = (const char *)text;
	found.is_text = found.word_count || !summary.count;
	if (!found.is_text) {
		extractor->fragments[0] = summary.hashes[0];
		found.fragment_count = 1;
	}
	*wording = found;
	return 0;
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
