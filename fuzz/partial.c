/*
 * Reads partial results.  The first byte says what the others are: 0 a whole file; otherwise its bits say which results of
 * one or two parts they are, which are put into files with the right checksums: of evaluate (1) or measure (2), of two parts
 * (4), with two bytes for the length of the first.
 */
#include "history/partial_file.h"
#include "perennial/comparison.h"
#include "perennial/evaluation.h"
#include "perennial/longevity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct prn_partial *open_bytes(const void *bytes, size_t size)
{
	int fd = memfd_create("partial", MFD_CLOEXEC);
	struct prn_partial *partial = NULL;
	char path[64];

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (prn_partial_open(&partial, path, NULL))
		partial = NULL;
	close(fd);
	return partial;
}

static struct prn_partial *make(uint32_t kind, uint32_t number, uint32_t of, const uint8_t *data, size_t size)
{
	struct prn_partial *partial;
	struct prn_buffer file;

	prn_buffer_init(&file);
	prn_buffer_append(&file, PRN_PARTIAL_MAGIC, 8);
	prn_buffer_append_u32(&file, PRN_PARTIAL_VERSION);
	prn_buffer_append_u32(&file, kind);
	prn_buffer_append_u32(&file, number);
	prn_buffer_append_u32(&file, of);
	prn_buffer_append_u32(&file, 1);
	prn_buffer_append_u32(&file, 0);
	prn_buffer_append_u64(&file, size);
	prn_buffer_append(&file, "", 1);
	prn_buffer_append(&file, data, size);
	prn_buffer_append_u64(&file, XXH3_64bits(file.data, file.length));
	partial = open_bytes(file.data, file.length);
	prn_buffer_release(&file);
	if (!partial)
		abort();
	return partial;
}

static void evaluate(const struct prn_partial *const *partials, size_t count)
{
	static const struct prn_setting periods[] = { { 1, false }, { 2, false } };
	const double targets[] = { 0.5 };
	const struct prn_comparison comparison = { .targets = targets, .target_count = 1, .resamples = 4, .threads = 1 };
	struct prn_contender *uniform;
	struct prn_sweep sweep = { (const struct prn_contender *const *)&uniform, periods, 2, false };
	struct prn_evaluation *evaluation;
	struct prn_compared compared;

	if (prn_contender_open(&uniform, "uniform", NULL, NULL))
		abort();
	if (!prn_evaluation_of_partials(&evaluation, &sweep, 1, partials, count, NULL)) {
		prn_evaluation_score(evaluation, 0, 1, PRN_WINDOW_ALL);
		if (prn_evaluation_compare(evaluation, &comparison, &compared))
			abort();
		prn_evaluation_free(evaluation);
	}
	prn_contender_free(uniform);
}

static void measure(const struct prn_partial *const *partials, size_t count)
{
	const struct prn_longevity_options options = { .resamples = 3, .draws = 1 };
	struct prn_longevity *longevity;

	if (prn_longevity_of_partials(&longevity, &options, partials, count, NULL))
		return;
	for (size_t scope = 0; scope < prn_longevity_scopes(longevity); scope++)
		for (size_t i = 0; prn_statistic_info(i); i++)
			prn_longevity_statistic(longevity, scope, i);
	prn_longevity_free(longevity);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prn_partial *partials[2] = { NULL, NULL };
	size_t count = size > 3 && data[0] & 4 ? 2 : 1, first;
	bool measured;

	if (!size)
		return 0;
	if (!data[0]) {
		prn_partial_free(open_bytes(data + 1, size - 1));
		return 0;
	}
	measured = data[0] & 2;
	first = count > 1 ? (size_t)(data[1] | data[2] << 8) : size - 1;
	data += count > 1 ? 3 : 1;
	size -= count > 1 ? 3 : 1;
	first = first < size ? first : size;
	partials[0] = make(measured, 1, (uint32_t)count, data, first);
	if (count > 1)
		partials[1] = make(measured, 2, 2, data + first, size - first);
	(measured ? measure : evaluate)((const struct prn_partial *const *)partials, count);
	prn_partial_free(partials[0]);
	prn_partial_free(partials[1]);
	return 0;
}
