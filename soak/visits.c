/*
 * "visits attempts STORE" prints "PAGE NUMBER" for each page http://hN.example/PAGE of a decider's store: the number that
 * its last attempt had; "visits leases STORE" prints "PAGE 1" for each that is leased.  A state that cannot be read is
 * an error.
 */
#include "soak/lines.h"

#include "perennial/decider.h"
#include "perennial/page_state.h"

#include <stdio.h>
#include <string.h>

static int print_page(struct prn_page_state *state, const struct prn_record *record, bool leases,
                      struct prn_error *error)
{
	unsigned page;
	int failed = prn_page_state_decode(state, record->state, record->state_bytes, error);

	if (failed || sscanf(record->url, "http://h%*u.example/%u", &page) != 1)
		return failed;
	if (leases && record->lease != PRN_TIME_UNKNOWN)
		printf("%u 1\n", page);
	if (!leases && state->attempted != PRN_TIME_UNKNOWN)
		printf("%u %u\n", page, soak_number(state->attempted));
	return 0;
}

static int print_pages(struct prn_view *view, struct prn_page_state *state, bool leases, struct prn_error *error)
{
	struct prn_record record;
	struct prn_walk *walk;
	int got = prn_walk_pages(&walk, view, NULL, error), failed = got;

	if (got)
		return got;
	while (!failed && (got = prn_walk_pages_next(walk, &record, error)) == 1)
		failed = print_page(state, &record, leases, error);
	prn_walk_free(walk);
	return failed ? failed : got;
}

static int run(const char *path, bool leases, struct prn_error *error)
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
		failed = print_pages(view, &state, leases, error);
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
	if (!run(argv[2], !strcmp(argv[1], "leases"), &error))
		return 0;
	fprintf(stderr, "visits: %s\n", error.text);
	return 3;
}
