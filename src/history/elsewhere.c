#include "history/elsewhere.h"

#include "base/buffer.h"
#include "perennial/url.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int prn_elsewhere_init(struct prn_elsewhere *elsewhere, const struct prn_import_options *options)
{
	size_t memory = options->memory_bytes / 16;
	int code = options->part.of > 1 ? prn_digest_filter_init(&elsewhere->places, memory) : 0;

	elsewhere->part = options->part;
	elsewhere->filter = options->filter;
	for (int pass = PRN_PASS_SOUGHT; pass < PRN_PASSES && options->part.of > 1 && !code; pass++)
		code = prn_digest_filter_init(&elsewhere->payloads[pass], memory);
	return code;
}

void prn_elsewhere_release(struct prn_elsewhere *elsewhere)
{
	for (size_t i = 0; i < elsewhere->path_count; i++)
		free(elsewhere->paths[i]);
	free(elsewhere->paths);
	prn_digest_filter_release(&elsewhere->places);
	for (int pass = 0; pass < PRN_PASSES; pass++)
		prn_digest_filter_release(&elsewhere->payloads[pass]);
}

int prn_elsewhere_check(const char *path, struct prn_error *error)
{
	struct stat about;

	if (strcmp(path, "-") && (stat(path, &about) || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)))
		return 0;
	return prn_error_set(error, PRN_E_UNSUPPORTED,
	                     "%s: for a part of it a source must be a file or a folder, which can be read again", path);
}

int prn_elsewhere_add(struct prn_elsewhere *elsewhere, const char *path)
{
	char **paths = prn_array_grow(elsewhere->paths, &elsewhere->path_capacity, elsewhere->path_count + 1, sizeof *paths);

	if (!paths)
		return PRN_E_MEMORY;
	elsewhere->paths = paths;
	paths[elsewhere->path_count] = strdup(path);
	if (!paths[elsewhere->path_count])
		return PRN_E_MEMORY;
	elsewhere->path_count++;
	return 0;
}

static struct prn_digest place_of(const char *normal_url, int64_t time)
{
	struct prn_digest key = prn_url_key(normal_url);
	const uint64_t place[3] = { key.high, key.low, (uint64_t)time };

	return prn_digest_bytes(place, sizeof place);
}

bool prn_elsewhere_is_place(const struct prn_elsewhere *elsewhere, const char *normal_url, int64_t time)
{
	struct prn_digest place = place_of(normal_url, time);

	return prn_digest_filter_has(&elsewhere->places, &place);
}

bool prn_elsewhere_wants(void *context, const char *normal_url, int64_t time, const struct prn_digest *payload)
{
	const struct prn_elsewhere *elsewhere = context;
	const struct prn_source_filter *filter = &elsewhere->filter;

	if (filter->wanted && !filter->wanted(filter->wanted_context, normal_url, time, payload))
		return false;
	if (prn_part_has(&elsewhere->part, normal_url))
		return elsewhere->pass == PRN_PASS_OWN;
	if (payload && prn_digest_filter_has(&elsewhere->payloads[elsewhere->pass], payload))
		return true;
	return elsewhere->pass == PRN_PASS_SOUGHT && prn_elsewhere_is_place(elsewhere, normal_url, time);
}

void prn_elsewhere_seek(struct prn_elsewhere *elsewhere, const struct prn_digest *payload, const char *refers_to,
                        int64_t refers_time)
{
	if (payload)
		prn_digest_filter_add(&elsewhere->payloads[elsewhere->pass + 1], payload);
	if (refers_to && elsewhere->pass == PRN_PASS_OWN) {
		struct prn_digest place = place_of(refers_to, refers_time);

		prn_digest_filter_add(&elsewhere->places, &place);
	}
}

bool prn_elsewhere_next_pass(struct prn_elsewhere *elsewhere)
{
	if (elsewhere->pass + 1 == PRN_PASSES)
		return false;
	if (!elsewhere->payloads[elsewhere->pass + 1].any && !(elsewhere->pass == PRN_PASS_OWN && elsewhere->places.any))
		return false;
	elsewhere->pass++;
	return true;
}
