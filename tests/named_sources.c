/* Which sources of hints are named in statistics, where there are more than have a place. */
#include "decide/named_sources.h"

#include "base/random.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static struct prn_named_sources *named;
static struct prn_stats stats;

static void add(const char *name, double hints)
{
	prn_named_sources_add(named, name, &(struct prn_source_sum){ 1, 0.5, hints, hints, 2, 1, 4 });
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

/* A given name on every third host, each with one hint: fewer than any document has. */
static void names_and_documents(void)
{
	const struct prn_named_source *editor;
	char name[64];

	for (unsigned i = 0; i < 60; i++) {
		add_documents(i, i + 1);
		if (i % 3 == 0)
			add("editor", 0.5);
	}
	add("http://h59.example/sitemap.xml", 1000);
	prn_named_sources_write(named, &stats);
	editor = find("editor");
	ok(stats.named_count == PRN_STATS_NAMED, "as many sources are named as there is room for: %zu", stats.named_count);
	ok(editor && editor->sum.sources == 20, "of a name that was given all hosts are summed, however many documents told more");
	near(editor ? editor->sum.hints : 0, 10, 1e-12, "a name that was given has the hints of all its hosts");
	near(editor ? prn_source_sum_trust(&editor->sum) : 0, 0.5, 1e-12,
	     "a name that was given has the mean trust of its hosts");
	same(stats.named[0].name, "http://h59.example/sitemap.xml", "who told most comes first");
	near(stats.named[0].sum.hints, 1060, 1e-12, "a document that speaks of another host too is summed");
	ok(find("http://h41.example/sitemap.xml") && !find("http://h40.example/sitemap.xml"), "of documents those are named that told most");

	prn_named_sources_clear(named);
	add_documents(0, 60);
	for (unsigned i = 0; i < 60; i++) {
		snprintf(name, sizeof name, "name-%u", i);
		add(name, 0.01 * (1 + i));
	}
	prn_named_sources_write(named, &stats);
	ok(stats.named_count == PRN_STATS_NAMED && !find("http://h59.example/sitemap.xml"),
	   "documents make way for names");
	ok(find("name-59") != NULL, "the name that told most of all is among those that are named");
	ok(find("name-40") && !find("name-39"),
	   "of names those are named that told most, and no more than there is room for");
}

/* It told little of the first host, and more of another when others had told more than that. */
static void of_several_hosts(void)
{
	prn_named_sources_clear(named);
	add("http://hub.example/feed", 5);
	for (unsigned round = 0; round < 25; round++)
		add_documents(6, 60);
	add("http://hub.example/feed", 5000);
	prn_named_sources_write(named, &stats);
	same(stats.named[0].name, "http://hub.example/feed", "a document whose hosts are far apart is named");
	ok(stats.named[0].sum.sources == 2 && stats.named[0].sum.hints > 5004.5, "a named document has its hints counted");
}

#define NAMES 5000
#define HINTS 200000

/* More sources than there is room to sum, of hosts in any order; every tenth hint is of one of a few. */
static void more_than_summed(void)
{
	static double told[NAMES];
	struct prn_random random;
	unsigned wrong = 0, many = 0;
	char name[64];

	prn_named_sources_clear(named);
	prn_random_seed(&random, 7, 0);
	for (unsigned i = 0; i < HINTS; i++) {
		unsigned which = (unsigned)(prn_random_bits(&random) % (i % 10 ? NAMES : 10));

		snprintf(name, sizeof name, which % 4900 ? "http://h%u.example/feed" : "name-%u", which);
		add(name, 1);
		told[which]++;
	}
	prn_named_sources_write(named, &stats);
	for (size_t i = 0; i < stats.named_count; i++) {
		unsigned which = (unsigned)strtoul(stats.named[i].name + strcspn(stats.named[i].name, "0123456789"), NULL, 10);

		wrong += stats.named[i].sum.hints < told[which] || stats.named[i].sum.hints > told[which];
		many += told[which] > HINTS / 200;
	}
	ok(stats.named_count == PRN_STATS_NAMED && !wrong, "of however many sources each that is named has all that it told");
	ok(many == 10, "sources that told most by far are all named: %u of 10", many);
	ok(find("name-0") && find("name-4900"), "no number of documents leaves out a name that was given");
}

static void set_back(void)
{
	struct prn_named_sources *before = NULL;

	if (!ok(!prn_named_sources_open(&before, NULL), "a second set of named sources is opened"))
		return;
	prn_named_sources_clear(named);
	add("editor", 3);
	prn_named_sources_copy(before, named);
	add("editor", 2);
	add("other", 1);
	prn_named_sources_copy(named, before);
	add("editor", 2);
	prn_named_sources_write(named, &stats);
	ok(stats.named_count == 1 && stats.named[0].sum.sources == 2, "a look that is repeated adds nothing twice");
	near(stats.named[0].sum.hints, 5, 1e-12, "hints that were counted before a look that is repeated stay");
	prn_named_sources_free(before);
}

/* What anybody may choose. */
static void strange_names(void)
{
	char name[PRN_SOURCE_BYTES + 1], other[PRN_SOURCE_BYTES + 1];

	prn_named_sources_clear(named);
	add("\x1b[2J", 1);
	add("\\x1b[2J", 1);
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = 0;
	memset(other, '\xff', sizeof other - 1);
	other[sizeof other - 1] = 0;
	add(name, 1);
	add(other, 0.5);
	prn_named_sources_write(named, &stats);
	ok(stats.named_count == 3 && stats.named[0].sum.sources == 2, "two names that are shown alike are one");
	same(stats.named[1].name, name, "the longest name has room");
	ok(strlen(stats.named[2].name) <= PRN_SOURCE_BYTES && !strncmp(stats.named[2].name, "\\xff\\xff", 8), "what is longer as it is shown is cut");
}

int main(void)
{
	if (!ok(!prn_named_sources_open(&named, NULL), "a set of named sources is opened"))
		return done();
	names_and_documents();
	of_several_hosts();
	more_than_summed();
	set_back();
	strange_names();
	prn_named_sources_free(named);
	return done();
}
