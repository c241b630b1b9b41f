#include "history/partial_file.h"
#include "longevity/scope.h"
#include "longevity/statistics.h"
#include "longevity/survival_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One scope of one part, until its rows and tallies are placed. */
struct piece {
	struct prn_clusters clusters;
	uint64_t pages, left_out;
	double *sums; /* [rows][PRN_SUMS] */
	size_t rows;
	struct prn_cursor tallies; /* where they begin */
};

#define SURVIVALS (3 + PRN_SCOPE_NATURES)

static void list_survivals(const struct prn_scope *s, struct prn_survival *all[SURVIVALS])
{
	all[0] = s->lifetimes;
	all[1] = s->unchanged;
	all[2] = s->k;
	for (size_t i = 0; i < PRN_SCOPE_NATURES; i++)
		all[3 + i] = s->scaled[i];
}

/* The tallies have their length before them, so that they can be read when all clusters are known. */
static int write_tallies(const struct prn_scope *s, struct prn_buffer *out)
{
	struct prn_survival *survivals[SURVIVALS];
	int code = prn_poisson_write(&s->poisson, out);

	list_survivals(s, survivals);
	for (size_t i = 0; i < SURVIVALS && !code; i++)
		code = prn_survival_write(survivals[i], out);
	return code ? code : prn_partial_put_doubles(out, s->k_weights, PRN_CURVE_ITEMS + 1);
}

static int write_scope(const struct prn_scope *s, struct prn_buffer *out)
{
	struct prn_buffer tallies;
	int failed;

	prn_buffer_init(&tallies);
	failed = prn_clusters_write(&s->clusters, out) || prn_buffer_append_varint(out, s->pages) ||
	         prn_buffer_append_varint(out, s->left_out) || prn_partial_put_doubles(out, s->sums, s->rows * PRN_SUMS) ||
	         write_tallies(s, &tallies) || prn_buffer_append_varint(out, tallies.length) ||
	         prn_buffer_append(out, tallies.data, tallies.length);
	prn_buffer_release(&tallies);
	return failed;
}

int prn_longevity_save(const struct prn_longevity *longevity, const char *path, const struct prn_partial_about *about,
                       struct prn_error *error)
{
	struct prn_partial_about own = *about;
	struct prn_buffer out;
	int code;

	own.kind = PRN_PARTIAL_LONGEVITY;
	own.part = longevity->part.of ? longevity->part : (struct prn_part){ 1, 1 };
	prn_buffer_init(&out);
	code = prn_buffer_append_varint(&out, longevity->scope_count);
	for (size_t i = 0; i < longevity->scope_count && !code; i++)
		code = write_scope(&longevity->scopes[i], &out);
	code = code ? prn_error_memory(error) : prn_partial_write(path, &own, &out, error);
	prn_buffer_release(&out);
	return code;
}

static void piece_release(struct piece *piece)
{
	prn_clusters_release(&piece->clusters);
	free(piece->sums);
}

static int read_piece(struct piece *piece, const struct prn_part *part, struct prn_cursor *in)
{
	const unsigned char *tallies = NULL;
	uint64_t length = 0;
	int code = prn_clusters_read(&piece->clusters, in, part);

	if (code)
		return code;
	piece->rows = part->of > 1 ? piece->clusters.rows : piece->clusters.count;
	if (prn_cursor_varint(in, &piece->pages) || prn_cursor_varint(in, &piece->left_out) || piece->pages > UINT32_MAX ||
	    piece->left_out > UINT32_MAX || piece->rows * PRN_SUMS > (in->length - in->at) / sizeof(double))
		return PRN_E_INPUT;
	piece->sums = calloc(piece->rows + 1, PRN_SUMS * sizeof *piece->sums);
	if (!piece->sums)
		return PRN_E_MEMORY;
	if (prn_partial_get_doubles(in, piece->sums, piece->rows * PRN_SUMS) || prn_cursor_varint(in, &length) ||
	    length > in->length || prn_cursor_bytes(in, (size_t)length, &tallies))
		return PRN_E_INPUT;
	for (size_t i = 0; i < piece->rows * PRN_SUMS; i++)
		if (!isfinite(piece->sums[i]))
			return PRN_E_INPUT;
	piece->tallies = (struct prn_cursor){ tallies, (size_t)length, 0 };
	return 0;
}

static int add_tallies(struct prn_scope *s, struct piece *piece, const uint32_t *to)
{
	struct prn_survival *survivals[SURVIVALS];
	double weights[PRN_CURVE_ITEMS + 1];
	int code = prn_poisson_add_written(&s->poisson, &piece->tallies);

	list_survivals(s, survivals);
	for (size_t i = 0; i < SURVIVALS && !code; i++)
		code = prn_survival_add_written(survivals[i], to, piece->clusters.count, &piece->tallies);
	if (code)
		return code;
	if (prn_partial_get_doubles(&piece->tallies, weights, PRN_CURVE_ITEMS + 1) || piece->tallies.at < piece->tallies.length)
		return PRN_E_INPUT;
	for (size_t i = 0; i <= PRN_CURVE_ITEMS; i++) {
		/* They count lifetimes. */
		if (!(weights[i] >= 0) || weights[i] > 0x1p53)
			return PRN_E_INPUT;
		s->k_weights[i] += weights[i];
	}
	return 0;
}

static int add_piece(struct prn_scope *s, struct piece *piece, const uint32_t *to)
{
	for (size_t i = 0; i < piece->clusters.count; i++) {
		size_t from = prn_clusters_row(&piece->clusters, &s->clusters, i);

		if (from >= piece->rows)
			from = i;
		memcpy(&s->sums[to[i] * PRN_SUMS], &piece->sums[from * PRN_SUMS], PRN_SUMS * sizeof *s->sums);
	}
	s->pages += (size_t)piece->pages;
	s->left_out += (size_t)piece->left_out;
	return add_tallies(s, piece, to);
}

/* One scope of all parts. */
static int join_scope(struct prn_scope *s, struct piece *pieces, size_t count, size_t draws)
{
	const struct prn_clusters **clusters = calloc(count, sizeof *clusters);
	uint32_t **to = calloc(count, sizeof *to);
	int code = clusters && to ? 0 : PRN_E_MEMORY;

	for (size_t i = 0; i < count && !code; i++)
		clusters[i] = &pieces[i].clusters;
	if (!code)
		code = prn_clusters_join(&s->clusters, clusters, count, to);
	if (!code)
		code = prn_scope_open(s, &(struct prn_part){ 0 }, draws);
	for (size_t i = 0; i < count && !code; i++)
		code = add_piece(s, &pieces[i], to[i]);
	for (size_t i = 0; to && i < count; i++)
		free(to[i]);
	free(to);
	free(clusters);
	return code;
}

/* The next scope of every part. */
static int read_scope(struct prn_scope *s, struct prn_cursor *cursors, const struct prn_partial *const *partials, size_t count,
                      size_t draws, struct prn_error *error)
{
	struct piece *pieces = calloc(count, sizeof *pieces);
	int code = pieces ? 0 : PRN_E_MEMORY;

	for (size_t i = 0; i < count && !code; i++) {
		code = read_piece(&pieces[i], &prn_partial_about(partials[i])->part, &cursors[i]);
		if (code == PRN_E_INPUT)
			prn_partial_damaged(partials[i], error);
	}
	if (!code) {
		code = join_scope(s, pieces, count, draws);
		if (code == PRN_E_INPUT)
			prn_error_set(error, code, "the survival curves of a partial result are damaged, or of another number of draws");
	}
	if (code == PRN_E_MEMORY)
		prn_error_memory(error);
	for (size_t i = 0; pieces && i < count; i++)
		piece_release(&pieces[i]);
	free(pieces);
	return code;
}

#define SCOPES_MOST 4096

/* Reads the number of scopes, which all parts must have; the cursors then stand behind it. */
static int count_scopes(struct prn_cursor *cursors, const struct prn_partial *const *partials, size_t count, size_t *scopes,
                        struct prn_error *error)
{
	uint64_t first = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t own = 0;

		cursors[i] = prn_partial_result(partials[i]);
		if (prn_cursor_varint(&cursors[i], &own) || !own || own > SCOPES_MOST || (i && own != first))
			return prn_partial_damaged(partials[i], error);
		first = own;
	}
	*scopes = (size_t)first;
	return 0;
}

static int join_all(struct prn_longevity *whole, struct prn_cursor *cursors, const struct prn_partial *const *partials,
                    size_t count, size_t draws, struct prn_error *error)
{
	int code = count_scopes(cursors, partials, count, &whole->scope_count, error);

	if (code)
		return code;
	whole->scopes = calloc(whole->scope_count, sizeof *whole->scopes);
	if (!whole->scopes)
		return prn_error_memory(error);
	for (size_t i = 0; i < whole->scope_count && !code; i++)
		code = read_scope(&whole->scopes[i], cursors, partials, count, draws, error);
	for (size_t i = 0; i < count && !code; i++)
		if (cursors[i].at < cursors[i].length)
			code = prn_partial_damaged(partials[i], error);
	return code;
}

int prn_longevity_of_partials(struct prn_longevity **out, const struct prn_longevity_options *options,
                              const struct prn_partial *const *partials, size_t count, struct prn_error *error)
{
	struct prn_longevity *whole = calloc(1, sizeof *whole);
	struct prn_cursor *cursors = calloc(count + 1, sizeof *cursors);
	int code = whole && cursors ? prn_partials_check(partials, count, error) : prn_error_memory(error);

	if (!code && prn_partial_about(partials[0])->kind != PRN_PARTIAL_LONGEVITY)
		code = prn_error_set(error, PRN_E_ARGUMENT, "the partial results are not of what pages were measured to be");
	if (!code)
		code = join_all(whole, cursors, partials, count, options->draws, error);
	if (!code)
		code = prn_longevity_finish(whole, options, error);
	free(cursors);
	if (code)
		prn_longevity_free(whole);
	else
		*out = whole;
	return code;
}
