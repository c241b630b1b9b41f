#include "history/import_internal.h"

#include "base/number.h"
#include "base/text.h"
#include "perennial/time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define NAMES_SHOWN 64

/* Text from the user is reduced to one line and one word. */
static int put_word(struct prn_buffer *out, const char *text)
{
	int code = 0;

	for (; *text && !code; text++) {
		char c = (unsigned char)*text <= 0x20 || *text == 0x7f ? '_' : *text;

		code = prn_buffer_append(out, &c, 1);
	}
	return code;
}

static int put_text(struct prn_buffer *out, const char *text)
{
	return prn_buffer_append(out, text, strlen(text));
}

static int put_list(struct prn_buffer *out, const char *key, const char *const *words, size_t count)
{
	int code = 0;

	for (size_t i = 0; i < count && !code; i++) {
		code = put_text(out, i ? "," : key);
		if (!code)
			code = put_word(out, words[i]);
	}
	return code;
}

static int put_time(struct prn_buffer *out, const char *key, bool given, int64_t time)
{
	char text[PRN_TIME_TEXT];
	int code = given ? put_text(out, key) : 0;

	return code || !given ? code : put_text(out, prn_time_format(time, text));
}

/*
 * Names are in ascending order, so that the order of sources does not matter.  Of many, some are written and a
 * digest of all.
 */
static int put_names(struct prn_buffer *out, const struct prn_importer *importer)
{
	size_t count = importer->name_count;
	uint64_t digest = 0;
	char text[64];
	int code;

	if (count)
		qsort(importer->names, count, sizeof *importer->names, prn_text_order);
	for (size_t i = 0; i < count; i++)
		digest = XXH3_64bits_withSeed(importer->names[i], strlen(importer->names[i]), digest);
	code = put_list(out, " sources=", (const char *const *)importer->names, count < NAMES_SHOWN ? count : NAMES_SHOWN);
	if (code || count <= NAMES_SHOWN)
		return code;
	snprintf(text, sizeof text, ",and-%zu-more:%016llx", count - NAMES_SHOWN, (unsigned long long)digest);
	return put_text(out, text);
}

int prn_provenance_has_media(const char *provenance, const struct prn_source_filter *filter, bool *has)
{
	struct prn_buffer word;
	const char *at;
	int code;

	prn_buffer_init(&word);
	code = put_list(&word, " media=", filter->media, filter->media_count);
	code = code ? code : prn_buffer_terminate(&word);
	at = code || strncmp(provenance, "import ", 7) ? NULL : strstr(provenance, (const char *)word.data);
	*has = at && (at[word.length] == ' ' || !at[word.length]);
	prn_buffer_release(&word);
	return code;
}

int prn_importer_provenance(const struct prn_importer *importer, struct prn_buffer *out)
{
	const struct prn_import_options *options = &importer->options;
	const struct prn_source_filter *filter = &options->filter;
	const char *weights = options->weights ? strrchr(options->weights, '/') : NULL;
	char text[96];
	int code;

	snprintf(text, sizeof text, "import shingle=%u max-body=%zu", options->shingle_words, options->body_bytes_max);
	code = put_text(out, text);
	if (options->links && !code)
		code = put_text(out, " links");
	if (options->part.of > 1 && !code) {
		snprintf(text, sizeof text, " part=%u/%u", options->part.number, options->part.of);
		code = put_text(out, text);
	}
	if (filter->sample > 0 && filter->sample < 1 && !code) {
		prn_number_print(text, sizeof text, " sample=%.17g", filter->sample);
		code = put_text(out, text);
	}
	code = code ? code : put_list(out, " media=", filter->media, filter->media_count);
	code = code ? code : put_list(out, " host=", filter->hosts, filter->host_count);
	code = code ? code : put_list(out, " surt=", filter->surts, filter->surt_count);
	code = code ? code : put_time(out, " from=", filter->has_from, filter->from);
	code = code ? code : put_time(out, " to=", filter->has_to, filter->to);
	if (options->weights && !code) {
		weights = weights ? weights + 1 : options->weights;
		code = put_list(out, " weights=", &weights, 1);
	}
	code = code ? code : put_names(out, importer);
	return code ? code : prn_buffer_terminate(out);
}
