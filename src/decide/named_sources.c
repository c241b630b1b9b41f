#include "decide/named_sources.h"

#include "base/visible.h"

#include "perennial/digest.h"

#include <stdlib.h>
#include <string.h>

#define PLACES 512        /* names that are summed */
#define STAYING 256       /* those of them that are kept when there is no place for another */
#define CHAINS 1024u
#define LEFT_OUT (1u << 19)

/*
 * A name that was left out sets its bit in left_out, and every name with that bit is left out for good.  So a few other names with
 * the same bit are left out too, but no name is summed only in part.  Given names, which are few, have bits of their own, so that no
 * number of documents causes one to be left out.
 */
struct prn_named_sources {
	struct prn_named_source sources[PLACES]; /* [count] */
	size_t count;
	unsigned short chains[CHAINS], next[PLACES]; /* lists of names of equal hash: 1 more than a place; 0: the end */
	unsigned char left_out[2][LEFT_OUT / 8];     /* bits of given names, and of documents */
};

void prn_source_sum_add(struct prn_source_sum *to, const struct prn_source_sum *sum)
{
	to->sources += sum->sources;
	to->trust += sum->trust;
	to->hints += sum->hints;
	to->hinted += sum->hinted;
	to->changed += sum->changed;
	to->both += sum->both;
	to->visits += sum->visits;
}

static bool is_document(const struct prn_named_source *source)
{
	return prn_source_kind(source->name) == PRN_SOURCE_DOCUMENT;
}

static uint64_t hash_name(const struct prn_named_source *source)
{
	return prn_digest_bytes(source->name, strlen(source->name)).low;
}

/* The byte of a name's bit in left_out, and that bit. */
static unsigned char *find_left_out(struct prn_named_sources *named, const struct prn_named_source *source, unsigned char *bit)
{
	size_t at = (size_t)(hash_name(source) / CHAINS % LEFT_OUT);

	*bit = (unsigned char)(1u << at % 8);
	return &named->left_out[is_document(source)][at / 8];
}

/* Enters the source at a place into its chain. */
static void chain(struct prn_named_sources *named, size_t place)
{
	unsigned short *first = &named->chains[hash_name(&named->sources[place]) % CHAINS];

	named->next[place] = *first;
	*first = (unsigned short)(place + 1);
}

static int compare_hints(const void *a, const void *b)
{
	const struct prn_named_source *x = a, *y = b;

	if (x->sum.hints > y->sum.hints || x->sum.hints < y->sum.hints)
		return x->sum.hints > y->sum.hints ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Sources that are kept come first: given names before documents. */
static int compare_staying(const void *a, const void *b)
{
	int documents = is_document(a) - is_document(b);

	return documents ? documents : compare_hints(a, b);
}

/* Leaves out many sources at a time, so that the work for each is small. */
static void make_way(struct prn_named_sources *named)
{
	unsigned char bit, *byte;

	qsort(named->sources, named->count, sizeof *named->sources, compare_staying);
	while (named->count > STAYING) {
		byte = find_left_out(named, &named->sources[--named->count], &bit);
		*byte |= bit;
	}
	memset(named->chains, 0, sizeof named->chains);
	for (size_t i = 0; i < named->count; i++)
		chain(named, i);
}

int prn_named_sources_open(struct prn_named_sources **out, struct prn_error *error)
{
	struct prn_named_sources *named = calloc(1, sizeof *named);

	if (!named)
		return prn_error_memory(error);
	*out = named;
	return 0;
}

void prn_named_sources_free(struct prn_named_sources *named)
{
	free(named);
}

void prn_named_sources_clear(struct prn_named_sources *named)
{
	memset(named, 0, sizeof *named);
}

void prn_named_sources_copy(struct prn_named_sources *to, const struct prn_named_sources *from)
{
	memcpy(to, from, sizeof *to);
}

void prn_named_sources_add(struct prn_named_sources *named, const char *name, const struct prn_source_sum *sum)
{
	struct prn_named_source source = { .sum = *sum };
	unsigned char bit;

	prn_visible_copy(source.name, sizeof source.name, name);
	for (unsigned at = named->chains[hash_name(&source) % CHAINS]; at; at = named->next[at - 1]) {
		if (strcmp(named->sources[at - 1].name, source.name) != 0)
			continue;
		prn_source_sum_add(&named->sources[at - 1].sum, sum);
		return;
	}
	if (*find_left_out(named, &source, &bit) & bit)
		return;
	if (named->count == PLACES)
		make_way(named);
	named->sources[named->count] = source;
	chain(named, named->count++);
}

void prn_named_sources_write(struct prn_named_sources *named, struct prn_stats *stats)
{
	qsort(named->sources, named->count, sizeof *named->sources, compare_staying);
	stats->named_count = named->count < PRN_STATS_NAMED ? named->count : PRN_STATS_NAMED;
	memcpy(stats->named, named->sources, stats->named_count * sizeof *stats->named);
	qsort(stats->named, stats->named_count, sizeof *stats->named, compare_hints);
}
