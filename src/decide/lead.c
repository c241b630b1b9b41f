#include "decide/lead.h"

#include "base/number.h"

#include <math.h>
#include <string.h>

#define KEY "lead"

int prn_lead_read(struct prn_lead *lead, const struct prn_store_reader *reader, struct prn_error *error)
{
	char text[64], *end;
	const void *bytes;
	size_t count;
	double cost;
	int code = prn_store_reader_side(reader, PRN_SIDE_META, KEY, strlen(KEY), &bytes, &count, error);

	*lead = (struct prn_lead){ 0 };
	if (code == PRN_E_NOT_FOUND)
		return 0;
	if (code || count >= sizeof text)
		return code;
	memcpy(text, bytes, count);
	text[count] = 0;
	cost = prn_number_scan(text, &end);
	if (end != text && !*end && cost >= 0 && isfinite(cost))
		lead->cost = lead->stored = cost;
	return 0;
}

int prn_lead_put(const struct prn_lead *lead, struct prn_batch *batch, struct prn_error *error)
{
	char text[64];
	int length;

	if (!(lead->cost < lead->stored) && !(lead->cost > lead->stored))
		return 0;
	length = prn_number_print(text, sizeof text, "%.17g", lead->cost);
	return prn_batch_side_put(batch, PRN_SIDE_META, KEY, strlen(KEY), lead->cost > 0 ? text : NULL, (size_t)length, error);
}

void prn_lead_count(struct prn_lead *lead, bool is_new, double cost, bool is_known_due)
{
	if (!is_new)
		lead->cost = fmax(0, lead->cost - cost);
	else if (is_known_due)
		lead->cost += cost;
}
