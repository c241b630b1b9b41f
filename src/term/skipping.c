#include "term/skipping.h"

#include "archive/passed.h"
#include "perennial/extractor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void term_skipping_init(struct term_skipping *skipping, const char *name, struct term_progress *progress)
{
	skipping->name = name;
	skipping->progress = progress;
	skipping->shown = 0;
	pthread_mutex_init(&skipping->lock, NULL);
}

void term_skipping_release(struct term_skipping *skipping)
{
	pthread_mutex_destroy(&skipping->lock);
}

void term_skipping_print(void *context, const struct prn_error *what)
{
	struct term_skipping *skipping = context;

	pthread_mutex_lock(&skipping->lock);
	if (skipping->shown < TERM_SKIPPING_SHOWN) {
		if (skipping->progress)
			term_progress_clear(skipping->progress);
		fprintf(stderr, "perennial %s: skipped: %s\n", skipping->name, what->text);
		if (++skipping->shown == TERM_SKIPPING_SHOWN)
			fprintf(stderr, "perennial %s: further ones of this kind are only counted\n", skipping->name);
	}
	pthread_mutex_unlock(&skipping->lock);
}

void term_say_count(const char **before, uint64_t count, const char *one, const char *many)
{
	if (!count)
		return;
	fprintf(stderr, "%s%llu %s", *before, (unsigned long long)count, count == 1 ? one : many);
	*before = ", ";
}

static int compare_counts(const void *a, const void *b)
{
	const struct prn_passed *x = a, *y = b;

	return x->count != y->count ? (x->count < y->count) - (x->count > y->count) : strcmp(x->what, y->what);
}

static bool is_usual(const char *record)
{
	return !strcmp(record, "request") || !strcmp(record, "warcinfo") || !strcmp(record, "metadata") ||
	       !strcmp(record, "metadata:"); /* what wget keeps of itself, at URLs of that scheme */
}

static bool is_media(const char *what)
{
	return strchr(what, '/');
}

static bool is_folder(const char *what)
{
	return !strcmp(what, PRN_PASSED_DATES) || !strcmp(what, PRN_PASSED_GIT);
}

static bool is_record_or_file(const char *what)
{
	return !is_media(what) && !is_folder(what);
}

/* Lists those that are wanted: "8 image/png, 3 text/css". */
static void list_passed(const struct prn_passed *passed, bool (*wanted)(const char *what))
{
	const char *before = ": ";

	for (size_t i = 0; i < PRN_PASSED_KINDS && passed[i].count; i++) {
		const char *what = passed[i].what;

		if (!wanted(what))
			continue;
		if (!strcmp(what, PRN_PASSED_DATES))
			what = passed[i].count == 1 ? "folder of dated snapshots" : "folders of dated snapshots";
		else if (!strcmp(what, PRN_PASSED_GIT))
			what = passed[i].count == 1 ? "git repository (git:FOLDER)" : "git repositories (git:FOLDER)";
		fprintf(stderr, "%s%llu %s", before, (unsigned long long)passed[i].count, what);
		before = ", ";
	}
}

/* What was passed over and would be read if it were named: nothing of it is missed without a word. */
static void say_sources(const char *name, const struct prn_passed *passed)
{
	bool any = false, indexes = false;

	for (size_t i = 0; i < PRN_PASSED_KINDS && passed[i].count; i++) {
		any |= prn_passed_is_source(passed[i].what);
		indexes |= !strncmp(passed[i].what, "*.cdx", 5);
	}
	if (!any)
		return;
	fprintf(stderr, "perennial %s: what was passed over holds sources that must be named by themselves", name);
	list_passed(passed, prn_passed_is_source);
	fputs(indexes ? "; an index adds nothing to the archives that it is of\n" : "\n", stderr);
}

void term_say_passed(const char *name, const struct prn_source_counts *counts, bool everything)
{
	struct prn_passed passed[PRN_PASSED_KINDS];
	bool unusual = everything;

	memcpy(passed, counts->passed, sizeof passed);
	qsort(passed, PRN_PASSED_KINDS, sizeof *passed, compare_counts);
	for (size_t i = 0; i < PRN_PASSED_KINDS && passed[i].count; i++)
		unusual |= is_record_or_file(passed[i].what) && !is_usual(passed[i].what);
	if (counts->other_media) {
		fprintf(stderr, "perennial %s: passed over %llu capture%s of other media types", name,
		        (unsigned long long)counts->other_media, counts->other_media == 1 ? "" : "s");
		list_passed(passed, is_media);
		fputs(" (--media=all takes them)\n", stderr);
	}
	if (counts->ignored && unusual) {
		fprintf(stderr, "perennial %s: passed over %llu record%s or file%s that %s no capture%s", name, (unsigned long long)counts->ignored,
		        counts->ignored == 1 ? "" : "s", counts->ignored == 1 ? "" : "s", counts->ignored == 1 ? "is" : "are", counts->ignored == 1 ? "" : "s");
		list_passed(passed, is_record_or_file);
		fputc('\n', stderr);
	}
	say_sources(name, passed);
}

void term_say_zoneless(const char **before, uint64_t count)
{
	term_say_count(before, count, "time without a zone taken as UTC", "times without a zone taken as UTC");
}

void term_say_cut(const char **before, const uint64_t *cut)
{
	static const struct {
		const char *one, *many;
	} words[PRN_CUTS] = {
		{ "page read in part: more than 256 elements within one another",
		  "pages read in part: more than 256 elements within one another" },
		{ "page read in part: too many attributes or names", "pages read in part: too many attributes or names" },
		{ "page read in part: its parser wants too much memory", "pages read in part: their parsers want too much memory" },
		{ "page read in part: too many faults or pieces of markup", "pages read in part: too many faults or pieces of markup" },
	};

	for (unsigned i = 0; i < PRN_CUTS; i++)
		term_say_count(before, cut[i], words[i].one, words[i].many);
}
