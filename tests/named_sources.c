/* Which sources of hints are named in statistics, where there are more than have a place. */
#include "decide/named_sources.h"

#include "tap.h"

#include <string.h>

static struct prn_stats stats;

static void add(const char *name, double hints)
{
	prn_named_sources_add(&stats, name, &(struct prn_source_sum){ 1, 0.5, hints, hints, 2, 1, 4 });
}

static const struct prn_named_source *find(const char *name)
{
	for (size_t i = 0; i < stats.named_count; i++)
		if (!strcmp(stats.named[i].name, name))
			return &stats.named[i];
	return NULL;
}

static void add_documents(unsigned from, unsigned to)
{
	char name[64];

	for (unsigned i = from; i < to; i++) {
		snprintf(name, sizeof name, "http://h%u.example/sitemap.xml", i);
		add(name, i + 1);
	}
}

int main(void)
{
	const struct prn_named_source *editor;
	char name[PRN_SOURCE_BYTES + 1], other[PRN_SOURCE_BYTES + 1];

	/* A given name on every third host, each with one hint: fewer than any document has. */
	for (unsigned i = 0; i < 60; i++) {
		add_documents(i, i + 1);
		if (i % 3 == 0)
			add("editor", 0.5);
	}
	prn_named_sources_order(&stats);
	editor = find("editor");
	ok(stats.named_count == PRN_STATS_NAMED, "as many sources are named as there is room for: %zu", stats.named_count);
	ok(editor && editor->sum.sources == 20, "of a name that was given all hosts are summed, however many documents told more");
	near(editor ? editor->sum.hints : 0, 10, 1e-12, "with all its hints");
	near(editor ? prn_source_sum_trust(&editor->sum) : 0, 0.5, 1e-12, "and the mean of their trust");
	same(stats.named[0].name, "http://h59.example/sitemap.xml", "who told most comes first");
	ok(find("http://h41.example/sitemap.xml") && !find("http://h40.example/sitemap.xml"), "of documents those are named that told most");
	add("http://h59.example/sitemap.xml", 1000);
	near(find("http://h59.example/sitemap.xml")->sum.hints, 1060, 1e-12, "a document that speaks of another host too is summed");

	/* More names than there is room for: those that came first stay, and are whole. */
	for (unsigned i = 0; i < 60; i++) {
		snprintf(name, sizeof name, "name-%u", i);
		add(name, 1 + i);
	}
	ok(stats.named_count == PRN_STATS_NAMED && find("editor") && find("name-18") && !find("name-19") && !find("http://h59.example/sitemap.xml"),
	   "documents make way for names, and names for nobody");
	add_documents(100, 101);
	ok(!find("http://h100.example/sitemap.xml"), "a document does not take the place of a name");

	/* What anybody may choose. */
	memset(&stats, 0, sizeof stats);
	add("\x1b[2J", 1);
	add("\\x1b[2J", 1);
	ok(stats.named_count == 1 && stats.named[0].sum.sources == 2, "two names that are shown alike are one");
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = 0;
	memset(other, '\xff', sizeof other - 1);
	other[sizeof other - 1] = 0;
	add(name, 1);
	add(other, 1);
	same(stats.named[1].name, name, "the longest name has room");
	ok(strlen(stats.named[2].name) <= PRN_SOURCE_BYTES && !strncmp(stats.named[2].name, "\\xff\\xff", 8), "what is longer as it is shown is cut");
	return done();
}
