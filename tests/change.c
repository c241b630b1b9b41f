/* The order in which changes are written: by table, then by key. */
#include "store/change.h"
#include "tap.h"

#define COUNT 6

/* In their order. */
static const struct prn_change ordered[COUNT] = {
	{ .table = PRN_TABLE_PAGES, .key = { "a", 1 } },  { .table = PRN_TABLE_PAGES, .key = { "ab", 2 } },
	{ .table = PRN_TABLE_PAGES, .key = { "b", 1 } },  { .table = PRN_TABLE_DUE, .key = { "a\0a", 3 } },
	{ .table = PRN_TABLE_DUE, .key = { "a\0b", 3 } }, { .table = PRN_TABLE_META, .key = { "a", 1 } },
};

static bool are_in_order(const struct prn_change *changes)
{
	bool all = true;

	for (size_t i = 0; i < COUNT; i++)
		all &= !prn_change_compare(&changes[i], &ordered[i]);
	return all;
}

int main(void)
{
	struct prn_change changes[COUNT];
	size_t rising = 0, sorted = 0, swaps = 0;

	for (size_t i = 0; i < COUNT; i++)
		for (size_t j = 0; j < COUNT; j++)
			rising += (prn_change_compare(&ordered[i], &ordered[j]) < 0) == (i < j);
	ok(rising == COUNT * COUNT, "a change stands before those of later tables, and of later keys of its own table");
	memcpy(changes, ordered, sizeof changes);
	prn_changes_sort(changes, COUNT);
	ok(are_in_order(changes), "changes that are in order stay so");
	for (size_t i = 0; i < COUNT; i++)
		changes[i] = ordered[COUNT - 1 - i];
	prn_changes_sort(changes, COUNT);
	ok(are_in_order(changes), "changes in the reverse of their order are sorted");
	for (size_t i = 0; i < COUNT; i++)
		for (size_t j = i + 1; j < COUNT; j++, swaps++) {
			memcpy(changes, ordered, sizeof changes);
			changes[i] = ordered[j];
			changes[j] = ordered[i];
			prn_changes_sort(changes, COUNT);
			sorted += are_in_order(changes);
		}
	ok(sorted == swaps, "changes of which any two are out of order are sorted");
	prn_changes_sort(changes, 0);
	ok(are_in_order(changes), "where there are no changes none is touched");
	return done();
}
