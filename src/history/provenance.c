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
	int failed = 0;

	for (; *text && !failed; text++) {
		char c = (unsigned char)*text <= 0x20 || *text == 0x7f ? '_' : *text;

		failed = prn_buffer_append(out, &c, 1);
	}
	return failed;
}

static int put_text(struct prn_buffer *out, const char *text)
{
	return prn_buffer_append(out, text, strlen(text));
}

static int put_list(struct prn_buffer *out, const char *key, const char *const *words, size_t count)
{
	int failed = 0;

	for (size_t i = 0; i < count && !failed; i++) {
		failed = put_text(out, i ? "," : key);
		if (!failed)
			failed = put_word(out, words[i]);
	}
	return failed;
}

static int put_time(struct prn_buffer *out, const char *key, bool given, int64_t time)
{
	char text[PRN_TIME_TEXT];
	int failed = given ? put_text(out, key) : 0;

	return failed || !given ? failed : put_text(out, prn_time_format(time, text));
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
	int failed;

	if (count)
		qsort(importer->names, count, sizeof *importer->names, prn_text_order);
	for (size_t i = 0; i < count; i++)
		digest = XXH3_64bits_withSeed(importer->names[i], strlen(importer->names[i]), digest);
	failed = put_list(out, " sources=", (const char *const *)importer->names, count < NAMES_SHOWN ? count : NAMES_SHOWN);
	if (failed || count <= NAMES_SHOWN)
		return failed;
	snprintf(text, sizeof text, ",and-%zu-more:%016llx", count - NAMES_SHOWN, (unsigned long long)digest);
	return put_text(out, text);
}

int prn_provenance_has_media(const char *provenance, const struct prn_source_filter *filter, bool *has)
{
	struct prn_buffer word;
	const char *at;
	int failed;

	prn_buffer_init(&word);
	failed = put_list(&word, " media=", filter->media, filter->media_count);
	failed = failed ? failed : prn_buffer_terminate(&word);
	at = failed || strncmp(provenance, "import ", 7) ? NULL : strstr(provenance, (const char *)word.data);
	*has = at && (at[word.length] == ' ' || !at[word.length]);
	prn_buffer_release(&word);
	return failed;
}

int prn_importer_provenance(const struct prn_importer *importer, struct prn_buffer *out)
{
	const struct prn_import_options *options = &importer->options;
	const struct prn_source_filter *filter = &options->filter;
	const char *weights = options->weights ? strrchr(options->weights, '/') : NULL;
	char text[96];
	int failed;

	snprintf(text, sizeof text, "import shingle=%u max-body=%zu", options->shingle_words, options->body_bytes_max);
	failed = put_text(out, text);
	if (options->links && !failed)
		failed = put_text(out, " links");
	if (options->part.of > 1 && !failed) {
		snprintf(text, sizeof text, " part=%u/%u", options->part.number, options->part.of);
		failed = put_text(out, text);
	}
	if (filter->sample > 0 && filter->sample < 1 && !failed) {
		prn_number_print(text, sizeof text, " sample=%.17g", filter->sample);
		failed = put_text(out, text);
	}
	failed = failed ? failed : put_list(out, " media=", filter->media, filter->media_count);
	failed = failed ? failed : put_list(out, " host=", filter->hosts, filter->host_count);
	failed = failed ? failed : put_list(out, " surt=", filter->surts, filter->surt_count);
	failed = failed ? failed : put_time(out, " from=", filter->has_from, filter->from);
	failed = failed ? failed : put_time(out, " to=", filter->has_to, filter->to);
	if (options->weights && !failed) {
		weights = weights ? weights + 1 : options->weights;
		failed = put_list(out, " weights=", &weights, 1);
	}
	failed = failed ? failed : put_names(out, importer);
	return failed ? failed : prn_buffer_terminate(out);
}
