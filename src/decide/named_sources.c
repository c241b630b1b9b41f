#include "decide/named_sources.h"

#include "base/visible.h"

#include <stdlib.h>
#include <string.h>

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

/*
 * Who makes way for a source that has no place; NULL: nobody.  There may be a document on every host, each of that host alone, and a
 * given name is one for many: so a document makes way for a name, and for a document that told more, and a name for nobody, lest its
 * sums be of a part of its hosts.
 */
static struct prn_named_source *who_makes_way(struct prn_stats *stats, const struct prn_named_source *for_whom)
{
	struct prn_named_source *least = NULL;

	for (size_t i = 0; i < stats->named_count; i++)
		if (is_document(&stats->named[i]) && (!least || stats->named[i].sum.hints < least->sum.hints))
			least = &stats->named[i];
	return least && is_document(for_whom) && !(for_whom->sum.hints > least->sum.hints) ? NULL : least;
}

void prn_named_sources_add(struct prn_stats *stats, const char *name, const struct prn_source_sum *sum)
{
	struct prn_named_source source = { .sum = *sum }, *place = NULL;

	prn_visible_copy(source.name, sizeof source.name, name);
	for (size_t i = 0; i < stats->named_count; i++)
		if (!strcmp(stats->named[i].name, source.name)) {
			prn_source_sum_add(&stats->named[i].sum, sum);
			return;
		}
	if (stats->named_count < PRN_STATS_NAMED)
		place = &stats->named[stats->named_count++];
	else
		place = who_makes_way(stats, &source);
	if (place)
		*place = source;
}

static int compare_named(const void *a, const void *b)
{
	const struct prn_named_source *x = a, *y = b;

	if (x->sum.hints > y->sum.hints || x->sum.hints < y->sum.hints)
		return x->sum.hints > y->sum.hints ? -1 : 1;
	return strcmp(x->name, y->name);
}

void prn_named_sources_order(struct prn_stats *stats)
{
	qsort(stats->named, stats->named_count, sizeof *stats->named, compare_named);
}
