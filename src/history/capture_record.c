#include "history/capture_record.h"

#define COMPARE(a, b)                                                                              \
	if ((a) != (b))                                                                            \
	return (a) < (b) ? -1 : 1

static int by_content(const struct prn_capture_record *x, const struct prn_capture_record *y)
{
	int by_body = prn_digest_compare(&x->body, &y->body);

	if (by_body)
		return by_body;
	COMPARE(x->media, y->media);
	return 0;
}

int prn_record_by_page(const void *a, const void *b)
{
	const struct prn_capture_record *x = a, *y = b;
	int order;

	COMPARE(x->page, y->page);
	COMPARE(x->time, y->time);
	COMPARE(x->kind, y->kind);
	COMPARE(y->has_links, x->has_links);
	order = by_content(x, y);
	if (order)
		return order;
	/* A known Last-Modified comes before a missing one, which is the smallest number. */
	COMPARE(y->modified, x->modified);
	COMPARE(y->has_payload, x->has_payload);
	return prn_digest_compare(&x->payload, &y->payload);
}

int prn_record_by_payload(const void *a, const void *b)
{
	const struct prn_capture_record *x = a, *y = b;
	int by_payload;

	COMPARE(y->has_payload, x->has_payload);
	by_payload = prn_digest_compare(&x->payload, &y->payload);
	if (by_payload)
		return by_payload;
	COMPARE(x->role, y->role);
	return by_content(x, y);
}

int prn_record_by_reference(const void *a, const void *b)
{
	const struct prn_capture_record *x = a, *y = b;

	COMPARE(x->refers_page, y->refers_page);
	COMPARE(x->refers_time, y->refers_time);
	return 0;
}
