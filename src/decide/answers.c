#include "decide/answers.h"

#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int prn_answers_read(struct prn_answers *answers, const struct prn_store_reader *reader, struct prn_error *error)
{
	const void *bytes = NULL;
	char text[192], *end;
	size_t count = 0;
	double numbers[5];
	int64_t since;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, PRN_ANSWERS_NAME, strlen(PRN_ANSWERS_NAME), &bytes, &count,
	                                 error);

	*answers = (struct prn_answers){ 0 };
	if (code || count >= sizeof text)
		return code == PRN_E_NOT_FOUND ? 0 : code;
	memcpy(text, bytes, count);
	text[count] = 0;
	since = strtoll(text, &end, 10);
	for (int i = 0; i < 5; i++) {
		numbers[i] = prn_number_scan(end, &end);
		if (!(numbers[i] >= 0) || !isfinite(numbers[i]))
			return 0;
	}
	if (!*end)
		*answers = (struct prn_answers){ since, numbers[0], numbers[1], numbers[2], numbers[3], numbers[4] };
	return 0;
}

int prn_answers_put(const struct prn_answers *answers, struct prn_batch *batch, struct prn_error *error)
{
	char text[192];
	int length = prn_number_print(text, sizeof text, "%" PRId64 " %.17g %.17g %.17g %.17g %.17g", answers->since, answers->looks,
	                      answers->not_modified, answers->same, answers->bytes, answers->spared);

	return prn_batch_side_put(batch, PRN_SIDE_META, PRN_ANSWERS_NAME, strlen(PRN_ANSWERS_NAME), text, (size_t)length, error);
}

int prn_answers_drop(struct prn_batch *batch, struct prn_error *error)
{
	return prn_batch_side_put(batch, PRN_SIDE_META, PRN_ANSWERS_NAME, strlen(PRN_ANSWERS_NAME), NULL, 0, error);
}

int prn_answers_count(struct prn_batch *batch, const struct prn_page_state *state, const struct prn_observation *look,
                      struct prn_error *error)
{
	struct prn_store_reader reader = { .batch = batch };
	struct prn_answers answers;
	bool not_modified = look->kind == PRN_KIND_SAME && !look->repeated;
	int code = prn_answers_read(&answers, &reader, error);

	if (code)
		return code;
	if (!(answers.looks > 0) || look->time < answers.since)
		answers.since = look->time;
	answers.looks++;
	answers.not_modified += not_modified;
	answers.same += (look->repeated && look->kind == PRN_KIND_SAME) ||
	                (look->kind == PRN_KIND_CONTENT && state->visits && look->body == state->body);
	answers.bytes += (double)look->bytes;
	if (not_modified && state->cost.bytes > 0)
		answers.spared += fmax(0, state->cost.bytes - PRN_COST_HEAD_BYTES);
	return prn_answers_put(&answers, batch, error);
}

void prn_answers_add(struct prn_answers *to, const struct prn_answers *answers)
{
	if (!(answers->looks > 0))
		return;
	if (!(to->looks > 0) || answers->since < to->since)
		to->since = answers->since;
	to->looks += answers->looks;
	to->not_modified += answers->not_modified;
	to->same += answers->same;
	to->bytes += answers->bytes;
	to->spared += answers->spared;
}
