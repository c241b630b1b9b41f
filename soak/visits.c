/*
 * "visits attempts STORE" prints "PAGE NUMBER" for each page http://hN.example/PAGE of a decider's store: the number that
 * its last attempt had; "visits hints STORE" that of its last attempt or of what a source told of it last, if that is later, and 1 of
 * a page that has neither and an odd number, which a hint added; "visits leases STORE" prints "PAGE 1" for each that is leased.
 * A state that cannot be read is an error.
 */
#include "soak/lines.h"

#include "decide/hint_sources.h"
#include "perennial/decider.h"
#include "perennial/page_state.h"

#include <stdio.h>
#include <string.h>

enum what { ATTEMPTS, HINTS, LEASES };

/* Returns the later of a number and those of hints about the page. */
static int take_hints(struct prn_view *view, const struct prn_record *record, unsigned *number, struct prn_error *error)
{
	const struct prn_store_reader reader = { .view = view };
	struct prn_page_sources sources;
	int failed = prn_page_sources_read(&sources, &reader, &record->key, error);

	for (size_t i = 0; !failed && i < sources.count; i++)
		if (soak_number(sources.sources[i].stamp) > *number)
			*number = soak_number(sources.sources[i].stamp);
	return failed;
}

static int print_page(struct prn_view *view, struct prn_page_state *state, const struct prn_record *record, enum what what,
                      struct prn_error *error)
{
	unsigned page, number;
	int failed = prn_page_state_decode(state, record->state, record->state_bytes, error);

	if (failed || sscanf(record->url, "http://h%*u.example/%u", &page) != 1)
		return failed;
	number = soak_number(state->attempted);
	if (what == HINTS) {
		number = number ? number : page % 2;
		failed = take_hints(view, record, &number, error);
	}
	if (what == LEASES)
		number = record->lease != PRN_TIME_UNKNOWN;
	if (!failed && number)
		printf("%u %u\n", page, number);
	return failed;
}

static int print_pages(struct prn_view *view, struct prn_page_state *state, enum what what, struct prn_error *error)
{
	struct prn_record record;
	struct prn_walk *walk;
	int got = prn_walk_pages(&walk, view, NULL, error), failed = got;

	if (got)
		return got;
	while (!failed && (got = prn_walk_pages_next(walk, &record, error)) == 1)
		failed = print_page(view, state, &record, what, error);
	prn_walk_free(walk);
	return failed ? failed : got;
}

static int run(const char *path, enum what what, struct prn_error *error)
{
	struct prn_page_state state = { 0 };
	struct prn_decider *decider;
	struct prn_view *view = NULL;
	int failed = prn_decider_open(&decider, path, PRN_STORE_READ, NULL, error);

	if (failed)
		return failed;
	failed = prn_page_state_init(&state, prn_decider_policy(decider), prn_decider_summary(decider));
	if (!failed)
		failed = prn_view_open(&view, prn_decider_store(decider), error);
	if (!failed)
		failed = print_pages(view, &state, what, error);
	prn_view_close(view);
	prn_page_state_release(&state);
	prn_decider_free(decider);
	return failed;
}

int main(int argc, char **argv)
{
	struct prn_error error = { .text = "out of memory" };

	if (argc != 3)
		return 2;
	if (!run(argv[2], !strcmp(argv[1], "leases") ? LEASES : !strcmp(argv[1], "hints") ? HINTS : ATTEMPTS, &error))
		return 0;
	fprintf(stderr, "visits: %s\n", error.text);
	return 3;
}
