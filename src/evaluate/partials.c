#include "evaluate/evaluation_internal.h"
#include "history/partial_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int prn_evaluation_save(const struct prn_evaluation *evaluation, const char *path, const struct prn_partial_about *about,
                        struct prn_error *error)
{
	struct prn_partial_about own = *about;
	struct prn_buffer out;
	int failed;

	own.kind = PRN_PARTIAL_EVALUATION;
	own.part = evaluation->part.of ? evaluation->part : (struct prn_part){ 1, 1 };
	prn_buffer_init(&out);
	failed = prn_clusters_write(&evaluation->clusters, &out) || prn_buffer_append_varint(&out, evaluation->rows) ||
	         prn_buffer_append_varint(&out, evaluation->settings) || prn_buffer_append_varint(&out, evaluation->pages) ||
	         prn_buffer_append_varint(&out, evaluation->left_out) || prn_buffer_append_varint(&out, evaluation->replays) ||
	         prn_buffer_append_varint(&out, evaluation->captures) ||
	         prn_buffer_append_varint(&out, (uint64_t)evaluation->changed | (uint64_t)evaluation->in_part << 1) ||
	         prn_partial_put_doubles(&out, &evaluation->interval, 1) ||
	         prn_partial_put_doubles(&out, evaluation->row_weights, evaluation->rows) ||
	         prn_partial_put_doubles(&out, evaluation->row_units, evaluation->rows) ||
	         prn_partial_put_doubles(&out, evaluation->row_sums, prn_evaluation_row(evaluation, evaluation->rows));
	failed = failed ? prn_error_memory(error) : prn_partial_write(path, &own, &out, error);
	prn_buffer_release(&out);
	return failed;
}

/* Sums of weights and scores are never negative, and NaN would spread. */
static bool are_sums(const double *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!(values[i] >= 0) || !isfinite(values[i]))
			return false;
	return true;
}

static int read_rows(struct prn_evaluation *evaluation, struct prn_cursor *in)
{
	size_t sums = prn_evaluation_row(evaluation, evaluation->rows);

	if (prn_partial_get_doubles(in, &evaluation->interval, 1) ||
	    prn_partial_get_doubles(in, evaluation->row_weights, evaluation->rows) ||
	    prn_partial_get_doubles(in, evaluation->row_units, evaluation->rows) ||
	    prn_partial_get_doubles(in, evaluation->row_sums, sums) || in->at < in->length)
		return PRN_E_INPUT;
	return are_sums(&evaluation->interval, 1) && are_sums(evaluation->row_weights, evaluation->rows) &&
	                       are_sums(evaluation->row_units, evaluation->rows) && are_sums(evaluation->row_sums, sums)
	               ? 0
	               : PRN_E_INPUT;
}

static int read_counts(struct prn_evaluation *evaluation, const uint64_t counts[5])
{
	if (counts[0] > SIZE_MAX / 2 || counts[1] > SIZE_MAX / 2 || counts[2] > SIZE_MAX / 2 || counts[4] > 3)
		return PRN_E_INPUT;
	evaluation->pages = (size_t)counts[0];
	evaluation->left_out = (size_t)counts[1];
	evaluation->replays = (size_t)counts[2];
	evaluation->captures = counts[3];
	evaluation->changed = counts[4] & 1;
	evaluation->in_part = counts[4] >> 1;
	return 0;
}

/* One part as it was saved. */
static int load(struct prn_evaluation **out, const struct prn_sweep *sweeps, size_t sweep_count,
                const struct prn_partial *partial, struct prn_error *error)
{
	const struct prn_part *part = &prn_partial_about(partial)->part;
	struct prn_cursor in = prn_partial_result(partial);
	struct prn_evaluation *evaluation = NULL;
	uint64_t rows = 0, settings = 0, counts[5] = { 0 };
	size_t wanted = 0, rows_wanted;
	struct prn_clusters clusters;
	int code = prn_clusters_read(&clusters, &in, part);

	for (size_t i = 0; i < sweep_count; i++)
		wanted += sweeps[i].setting_count;
	rows_wanted = part->of > 1 ? clusters.rows : clusters.count;
	if (!code && (prn_cursor_varint(&in, &rows) || prn_cursor_varint(&in, &settings) || rows != rows_wanted || settings != wanted))
		code = PRN_E_INPUT;
	for (int i = 0; i < 5 && !code; i++)
		code = prn_cursor_varint(&in, &counts[i]) ? PRN_E_INPUT : 0;
	/* No memory is allocated for data that the file does not contain. */
	if (!code && (in.length - in.at) / sizeof(double) != 1 + rows_wanted * (2 + wanted * PRN_WINDOWS * PRN_COLUMNS))
		code = PRN_E_INPUT;
	if (code)
		prn_clusters_release(&clusters);
	else
		code = prn_evaluation_open_take(&evaluation, &clusters, part, sweeps, sweep_count);
	if (!code)
		code = read_counts(evaluation, counts);
	if (!code)
		code = read_rows(evaluation, &in);
	if (code) {
		prn_evaluation_free(evaluation);
		return code == PRN_E_INPUT ? prn_partial_damaged(partial, error) : prn_error_memory(error);
	}
	*out = evaluation;
	return 0;
}

/* Copies a part's rows to their places; each row of the whole comes from one part. */
static void place_rows(struct prn_evaluation *whole, const struct prn_evaluation *part, const uint32_t *to)
{
	size_t sums = prn_evaluation_row_sums(whole);

	for (size_t i = 0; i < part->clusters.count; i++) {
		size_t from = prn_clusters_row(&part->clusters, &whole->clusters, i), place = to[i];

		if (from >= part->rows)
			from = i;
		whole->row_weights[place] = part->row_weights[from];
		whole->row_units[place] = part->row_units[from];
		memcpy(&whole->row_sums[prn_evaluation_row(whole, place)], &part->row_sums[prn_evaluation_row(part, from)],
		       sums * sizeof *whole->row_sums);
	}
	if (part->pages && (!whole->pages || part->interval < whole->interval))
		whole->interval = part->interval;
	whole->pages += part->pages;
	whole->left_out += part->left_out;
	whole->replays += part->replays;
	whole->captures += part->captures;
	whole->changed |= part->changed;
	whole->in_part |= part->in_part;
}

static int join(struct prn_evaluation **out, struct prn_evaluation *const *parts, size_t count,
                const struct prn_sweep *sweeps, size_t sweep_count)
{
	const struct prn_clusters **clusters = calloc(count, sizeof *clusters);
	uint32_t **to = calloc(count, sizeof *to);
	struct prn_clusters all = { 0 };
	int code = clusters && to ? 0 : PRN_E_MEMORY;

	for (size_t i = 0; i < count && !code; i++)
		clusters[i] = &parts[i]->clusters;
	if (!code)
		code = prn_clusters_join(&all, clusters, count, to);
	if (!code)
		code = prn_evaluation_open_take(out, &all, &(struct prn_part){ 0 }, sweeps, sweep_count);
	for (size_t i = 0; i < count && !code; i++)
		place_rows(*out, parts[i], to[i]);
	if (!code)
		prn_evaluation_finish(*out);
	prn_clusters_release(&all);
	for (size_t i = 0; to && i < count; i++)
		free(to[i]);
	free(to);
	free(clusters);
	return code;
}

int prn_evaluation_of_partials(struct prn_evaluation **out, const struct prn_sweep *sweeps, size_t sweep_count,
                               const struct prn_partial *const *partials, size_t count, struct prn_error *error)
{
	struct prn_evaluation **parts = calloc(count + 1, sizeof *parts), *whole = NULL;
	int code = parts ? prn_partials_check(partials, count, error) : prn_error_memory(error);

	if (!code && prn_partial_about(partials[0])->kind != PRN_PARTIAL_EVALUATION)
		code = prn_error_set(error, PRN_E_ARGUMENT, "the partial results are of no evaluation");
	for (size_t i = 0; i < count && !code; i++)
		code = load(&parts[i], sweeps, sweep_count, partials[i], error);
	if (!code && join(&whole, parts, count, sweeps, sweep_count))
		code = prn_error_memory(error);
	for (size_t i = 0; parts && i < count; i++)
		prn_evaluation_free(parts[i]);
	free(parts);
	if (!code && !whole->pages) {
		code = prn_error_set(error, PRN_E_NOT_FOUND, "no page has %d captures or more in its life: %zu left out",
		                     PRN_LIFE_CAPTURES, whole->left_out);
		prn_evaluation_free(whole);
	}
	if (!code)
		*out = whole;
	return code;
}
