#include "history/rows.h"
#include "base/buffer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 64 /* versions between two lists of standing runs */
#define LEAST 64 /* length of a row, if there are so many versions */

_Static_assert(PRN_ROWS <= UINT8_MAX, "held has room for the number of a row");

void prn_rows_release(struct prn_rows *rows)
{
	free(rows->runs);
	free(rows->order);
	free(rows->starts);
	free(rows->standing);
	free(rows->blocks);
	free(rows->sizes);
	free(rows->steps);
	free(rows->held);
	free(rows->cells);
	prn_rows_init(rows);
}

/* Makes room in an array of the rows; `grown` is the caller's flag.  False without memory. */
#define GROW(name, count) \
	((grown = prn_array_grow(rows->name, &rows->name##_capacity, (count), sizeof *rows->name)) && ((rows->name = grown), true))

static int make_room(struct prn_rows *rows, size_t runs)
{
	size_t count = rows->count, cells = count > SIZE_MAX / PRN_ROWS ? SIZE_MAX : count * PRN_ROWS;
	void *grown;

	if (runs >= UINT32_MAX)
		return PRN_E_MEMORY;
	return GROW(runs, runs + 1) && GROW(order, runs + 1) && GROW(starts, count + 2) && GROW(blocks, count / BLOCK + 3) &&
	               GROW(sizes, count + 1) && GROW(steps, count + 1) && GROW(held, count) && GROW(cells, cells)
	               ? 0
	               : PRN_E_MEMORY;
}

/* Adds the runs of a stripe that lie in the life, for all stripes like it. */
static void add_stripe(struct prn_rows *rows, const struct prn_versions *versions, const struct prn_run *runs, uint32_t count,
                       uint32_t stripes)
{
	size_t first = rows->run_count;

	for (uint32_t i = 0; i < count; i++) {
		struct prn_run run = prn_versions_run(versions, &runs[i]);

		if (run.from == run.to)
			continue;
		if (rows->run_count > first)
			rows->runs[rows->run_count - 1].more = 1;
		rows->runs[rows->run_count++] = (struct prn_rows_run){ run.from, run.to, stripes, 0 };
	}
}

static int find_runs(struct prn_rows *rows, struct prn_versions *versions, const struct prn_page *page)
{
	size_t runs = 0, end;

	if (prn_versions_patterns(versions, page, 1))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < versions->pattern_count; i = prn_versions_alike(versions, page, i))
		runs += versions->patterns[i].stripe->count;
	if (make_room(rows, runs))
		return PRN_E_MEMORY;
	rows->run_count = 0;
	for (size_t i = 0; i < versions->pattern_count; i = end) {
		const struct prn_stripe *stripe = versions->patterns[i].stripe;

		end = prn_versions_alike(versions, page, i);
		add_stripe(rows, versions, &page->runs[stripe->first], stripe->count, (uint32_t)(end - i));
	}
	return 0;
}

static void count_fragments(struct prn_rows *rows)
{
	uint32_t size = 0;

	memset(rows->sizes, 0, (rows->count + 1) * sizeof *rows->sizes);
	for (size_t i = 0; i < rows->run_count; i++) {
		rows->sizes[rows->runs[i].from] += rows->runs[i].stripes;
		rows->sizes[rows->runs[i].to] -= rows->runs[i].stripes;
	}
	for (size_t v = 0; v < rows->count; v++)
		rows->sizes[v] = size += rows->sizes[v];
}

/*
 * Sorts by counting: starts[v + 1] is the place of the next run from v on, and in the end the place where those
 * of v + 1 begin.
 */
static void order_runs(struct prn_rows *rows)
{
	uint32_t *starts = rows->starts;

	memset(starts, 0, (rows->count + 2) * sizeof *starts);
	for (size_t i = 0; i < rows->run_count; i++)
		starts[rows->runs[i].from + 2]++;
	for (size_t v = 2; v < rows->count + 2; v++)
		starts[v] += starts[v - 1];
	for (size_t i = 0; i < rows->run_count; i++)
		rows->order[starts[rows->runs[i].from + 1]++] = (uint32_t)i;
}

/* The blocks at whose first version a run is present, after it began before. */
static size_t first_block(const struct prn_rows_run *run)
{
	return run->from / BLOCK + 1;
}

static size_t last_block(const struct prn_rows_run *run)
{
	return (run->to - 1) / BLOCK;
}

/* Sorts these by counting too, block by block. */
static int list_standing(struct prn_rows *rows)
{
	size_t count = rows->count / BLOCK + 1, *blocks = rows->blocks;
	void *grown;

	memset(blocks, 0, (count + 2) * sizeof *blocks);
	for (size_t i = 0; i < rows->run_count; i++)
		for (size_t b = first_block(&rows->runs[i]); b <= last_block(&rows->runs[i]); b++)
			blocks[b + 2]++;
	for (size_t b = 2; b < count + 2; b++)
		blocks[b] += blocks[b - 1];
	if (!GROW(standing, blocks[count + 1] + 1))
		return PRN_E_MEMORY;
	for (size_t i = 0; i < rows->run_count; i++)
		for (size_t b = first_block(&rows->runs[i]); b <= last_block(&rows->runs[i]); b++)
			rows->standing[blocks[b + 1]++] = (uint32_t)i;
	return 0;
}

int prn_rows_read(struct prn_rows *rows, struct prn_versions *versions, const struct prn_page *page)
{
	rows->count = versions->count;
	if (find_runs(rows, versions, page))
		return PRN_E_MEMORY;
	count_fragments(rows);
	order_runs(rows);
	memset(rows->held, 0, rows->count * sizeof *rows->held);
	for (size_t i = 0; i < PRN_ROWS; i++)
		rows->rows[i] = (struct prn_row){ .divergence = &rows->cells[i * rows->count] };
	return list_standing(rows);
}

/*
 * Adds a run that is present at version `of`, and the later runs of its stripes before version end: steps sums
 * up to the common fragments.
 */
static void add_steps(uint32_t *steps, const struct prn_rows_run *run, uint32_t of, uint32_t end)
{
	steps[0] += run->stripes;
	for (;; run++) {
		steps[(run->to < end ? run->to : end) - of] -= run->stripes;
		if (!run->more || run[1].from >= end)
			return;
		steps[run[1].from - of] += run->stripes;
	}
}

static void find_steps(struct prn_rows *rows, uint32_t of, uint32_t end)
{
	size_t block = of / BLOCK;

	memset(rows->steps, 0, (end - of + 1) * sizeof *rows->steps);
	for (size_t i = rows->blocks[block]; i < rows->blocks[block + 1]; i++) {
		const struct prn_rows_run *run = &rows->runs[rows->standing[i]];

		if (run->to > of)
			add_steps(rows->steps, run, of, end);
	}
	for (size_t i = rows->starts[block * BLOCK]; i < rows->starts[of + 1]; i++) {
		const struct prn_rows_run *run = &rows->runs[rows->order[i]];

		if (run->to > of)
			add_steps(rows->steps, run, of, end);
	}
}

/* Computed as in prn_versions_exact. */
static void make(struct prn_rows *rows, struct prn_row *row, size_t length)
{
	uint32_t of = row->version, common = 0;

	find_steps(rows, of, of + (uint32_t)length);
	for (size_t i = 0; i < length; i++) {
		double both = common += rows->steps[i], either = (double)rows->sizes[of] + rows->sizes[of + i] - both;

		row->divergence[i] = either > 0 ? 1 - both / either : 0;
	}
	row->length = length;
}

/* Reuses the row that was not requested for the longest time. */
static struct prn_row *reuse_row(struct prn_rows *rows, uint32_t version)
{
	struct prn_row *oldest = &rows->rows[0];

	for (size_t i = 1; i < PRN_ROWS; i++)
		if (rows->rows[i].used < oldest->used)
			oldest = &rows->rows[i];
	if (oldest->length)
		rows->held[oldest->version] = 0;
	rows->held[version] = (uint8_t)(oldest - rows->rows + 1);
	oldest->version = version;
	oldest->length = 0;
	return oldest;
}

const double *prn_rows_get(struct prn_rows *rows, uint32_t of, uint32_t to)
{
	struct prn_row *row = rows->held[of] ? &rows->rows[rows->held[of] - 1] : reuse_row(rows, of);
	size_t wanted = to - of + 1, length = LEAST, most = rows->count - of;

	row->used = ++rows->clock;
	if (wanted <= row->length)
		return row->divergence;
	while (length < wanted)
		length *= 2;
	make(rows, row, length < most ? length : most);
	return row->divergence;
}
