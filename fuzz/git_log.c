/*
 * Reads output of git log, in pieces of the length that the first byte gives, and whole: the changes are the same, and each
 * is complete.
 */
#include "archive/git_log.h"
#include "base/hex.h"
#include "perennial/digest.h"
#include "perennial/time.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
	const uint8_t *bytes;
	size_t length, at, piece;
};

static int read_text(void *context, void *to, size_t room, size_t *got, struct prn_error *error)
{
	struct text *text = context;
	size_t left = text->length - text->at, most = text->piece < room ? text->piece : room;

	(void)error;
	*got = left < most ? left : most;
	memcpy(to, text->bytes + text->at, *got);
	text->at += *got;
	return 0;
}

static struct prn_digest sum_change(struct prn_digest sum, const struct prn_git_change *change)
{
	const char *path = change->path ? change->path : "a commit of no time";
	struct prn_digest parts[3] = { sum, prn_digest_bytes(change->id, strlen(change->id)), prn_digest_bytes(path, strlen(path)) };

	if (change->time < PRN_TIME_FIRST || change->time > PRN_TIME_LAST || !*path || strlen(path) > PRN_GIT_PATH_BYTES)
		abort();
	if (strlen(change->id) != 40 && strlen(change->id) != PRN_GIT_ID_BYTES)
		abort();
	for (const char *c = change->id; *c; c++)
		if (prn_hex_digit(*c) < 0)
			abort();
	return prn_digest_bytes(parts, sizeof parts);
}

static struct prn_digest read_all(const uint8_t *data, size_t size, size_t piece)
{
	struct text text = { data, size, 0, piece };
	struct prn_git_log log = { .read = read_text, .context = &text, .changes_most = 3 };
	struct prn_git_change change;
	struct prn_error error = { 0 };
	struct prn_digest sum = { 0 };
	int code;

	while ((code = prn_git_log_next(&log, &change, &error)) == 1)
		sum = sum_change(sum, &change);
	if (code && !*error.text)
		abort();
	sum.low += (uint64_t)-code;
	prn_git_log_release(&log);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct prn_digest one, other;

	if (!size)
		return 0;
	one = read_all(data + 1, size - 1, 1 + *data % 64);
	other = read_all(data + 1, size - 1, SIZE_MAX);
	if (one.high != other.high || one.low != other.low)
		abort();
	return 0;
}
