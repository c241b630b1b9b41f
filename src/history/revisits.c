#include "history/revisits.h"

#include "perennial/time.h"

#define CANDIDATES 16 /* contents with one payload digest: mostly one, more if it was sent with several media types */

struct resolver {
	struct prn_importer *importer;
	struct prn_sorter *referring; /* seekers without a match by digest, by the page and time they refer to */
	struct prn_sorter *found;
	struct prn_capture_record candidates[CANDIDATES];
	size_t candidate_count;
};

static void report(const struct resolver *resolver, const struct prn_capture_record *record)
{
	const struct prn_importer *importer = resolver->importer;
	char time[PRN_TIME_TEXT];
	struct prn_error what;

	if (importer->counts.unresolved > PRN_IMPORT_REPORTS)
		return;
	prn_error_set(&what, PRN_E_NOT_FOUND, "%s at %s: a revisit of a capture that is in none of the sources%s",
	              importer->pages.entries[record->page].url, prn_time_format(record->time, time),
	              importer->lacks_digests && record->has_payload && !record->has_refers
	                      ? ", or in a trace that has no payload digests, while this revisit tells nothing else"
	                      : "");
	prn_importer_skip(importer, &what);
}

static int give_up(struct resolver *resolver, const struct prn_capture_record *seeker, struct prn_sorter *to,
                   struct prn_error *error)
{
	struct prn_capture_record record = *seeker;

	if (seeker->outside)
		return 0;
	resolver->importer->counts.unresolved++;
	report(resolver, seeker);
	record.kind = PRN_KIND_MISSING;
	record.role = PRN_RECORD_HOLDER;
	return prn_sorter_add(to, &record, error);
}

static int settle(const struct prn_capture_record *seeker, const struct prn_capture_record *holder,
                  struct prn_sorter *to, struct prn_error *error)
{
	struct prn_capture_record record = *seeker;

	record.role = PRN_RECORD_HOLDER;
	record.kind = holder->kind;
	record.body = holder->body;
	record.body_bytes = holder->body_bytes;
	record.media = holder->media;
	/* A filter goes by the media type that the revisit itself states. */
	if (!record.type || record.kind != PRN_KIND_CONTENT)
		record.type = holder->type;
	record.set_offset = holder->set_offset;
	record.set_count = holder->set_count;
	record.has_set = holder->has_set;
	record.no_body = holder->no_body;
	/* Bodies from traces are identified by their number on a page, which means nothing on another page. */
	record.from_trace = holder->from_trace && holder->page == seeker->page;
	return prn_sorter_add(to, &record, error);
}

static bool same_payload(const struct prn_capture_record *a, const struct prn_capture_record *b)
{
	return a->has_payload && b->has_payload && !prn_digest_compare(&a->payload, &b->payload);
}

/* Holders of one digest come in the order of their content, equal contents together. */
static void add_candidate(struct resolver *resolver, const struct prn_capture_record *holder)
{
	const struct prn_capture_record *last;

	if (resolver->candidate_count && !same_payload(&resolver->candidates[0], holder))
		resolver->candidate_count = 0;
	last = resolver->candidate_count ? &resolver->candidates[resolver->candidate_count - 1] : NULL;
	if (last && last->media == holder->media && !prn_digest_compare(&last->body, &holder->body))
		return;
	if (resolver->candidate_count < CANDIDATES)
		resolver->candidates[resolver->candidate_count++] = *holder;
}

/* Returns the content with the seeker's digest: the one of the seeker's own media type if there is one. */
static const struct prn_capture_record *find_candidate(const struct resolver *resolver,
                                                       const struct prn_capture_record *seeker)
{
	if (!resolver->candidate_count || !same_payload(&resolver->candidates[0], seeker))
		return NULL;
	for (size_t i = 0; i < resolver->candidate_count; i++)
		if (resolver->candidates[i].media == seeker->media)
			return &resolver->candidates[i];
	return &resolver->candidates[0];
}

static int seek_by_payload(struct resolver *resolver, const struct prn_capture_record *seeker, struct prn_error *error)
{
	const struct prn_capture_record *holder = find_candidate(resolver, seeker);
	struct prn_capture_record referring = *seeker;

	if (holder)
		return settle(seeker, holder, resolver->importer->captures, error);
	if (seeker->has_refers && prn_page_table_find(&resolver->importer->pages, &seeker->refers, &referring.refers_page))
		return prn_sorter_add(resolver->referring, &referring, error);
	return give_up(resolver, seeker, resolver->importer->captures, error);
}

static int resolve_payloads(struct resolver *resolver, struct prn_error *error)
{
	struct prn_sorter *sorter = resolver->importer->payloads;
	const void *next;
	int got = prn_sorter_rewind(sorter, error), code = 0;

	if (got)
		return got;
	while ((got = prn_sorter_next(sorter, &next, error)) == 1 && !code) {
		const struct prn_capture_record *record = next;

		if (record->role == PRN_RECORD_SEEKER)
			code = seek_by_payload(resolver, record, error);
		else
			add_candidate(resolver, record);
	}
	return code ? code : got;
}

/* Tells whether the capture that the seeker refers to can be what it repeats. */
static bool answers(const struct prn_capture_record *holder, const struct prn_capture_record *seeker)
{
	if (holder->kind == PRN_KIND_MISSING || holder->kind == PRN_KIND_SAME)
		return false;
	return seeker->any_kind || (holder->kind == seeker->kind && holder->has_set);
}

/* Negative if the holder's page and time come before those that the seeker refers to. */
static int compare_places(const struct prn_capture_record *holder, const struct prn_capture_record *seeker)
{
	if (holder->page != seeker->refers_page)
		return holder->page < seeker->refers_page ? -1 : 1;
	return (holder->time > seeker->refers_time) - (holder->time < seeker->refers_time);
}

/*
 * Makes one pass over all captures and the seekers in parallel.  Of several captures of one URL at one second
 * the import keeps the first, so the first is used here.
 */
static int resolve_references(struct resolver *resolver, struct prn_error *error)
{
	struct prn_sorter *captures = resolver->importer->captures;
	const void *holder = NULL, *seeker;
	int more, got, code = prn_sorter_rewind(captures, error);

	if (!code)
		code = prn_sorter_rewind(resolver->referring, error);
	if (code)
		return code;
	more = prn_sorter_next(captures, &holder, error);
	while (more >= 0 && (got = prn_sorter_next(resolver->referring, &seeker, error)) == 1) {
		while (more == 1 && compare_places(holder, seeker) < 0)
			more = prn_sorter_next(captures, &holder, error);
		if (more == 1 && !compare_places(holder, seeker) && answers(holder, seeker))
			code = settle(seeker, holder, resolver->found, error);
		else if (more >= 0)
			code = give_up(resolver, seeker, resolver->found, error);
		if (code)
			return code;
	}
	return more < 0 ? more : got;
}

int prn_revisits_resolve(struct prn_importer *importer, struct prn_sorter **found, struct prn_error *error)
{
	struct resolver resolver = { .importer = importer };
	size_t memory = importer->options.memory_bytes / 8, size = sizeof(struct prn_capture_record);
	const char *folder = importer->options.folder;
	int code = prn_sorter_open(&resolver.referring, size, memory, folder, prn_record_by_reference, error);

	if (!code)
		code = prn_sorter_open(&resolver.found, size, memory, folder, prn_record_by_page, error);
	if (!code)
		code = resolve_payloads(&resolver, error);
	prn_sorter_free(importer->payloads);
	importer->payloads = NULL;
	if (!code && prn_sorter_count(resolver.referring))
		code = resolve_references(&resolver, error);
	prn_sorter_free(resolver.referring);
	if (code) {
		prn_sorter_free(resolver.found);
		resolver.found = NULL;
	}
	*found = resolver.found;
	return code;
}
