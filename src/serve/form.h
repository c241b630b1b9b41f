/*
 * Parameters of a query as values.  Each function leaves *value alone when the parameter is not given, and
 * answers the request with 400 and returns false when it is not what it should be.
 */
#ifndef SERVE_FORM_H
#define SERVE_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "perennial/budget.h"
#include "serve/request.h"

/* A whole number of at most most. */
bool serve_form_count(struct serve_request *request, const char *name, uint64_t most, uint64_t *value);

/* A number of at least 0, if it is given. */
bool serve_form_seconds(struct serve_request *request, const char *name, double *seconds);

/* The weight of a page, if it is given. */
bool serve_form_weight(struct serve_request *request, double *weight);

/* A budget as the command line takes it, or a number of visits a day. */
bool serve_form_budget(struct serve_request *request, const char *name, struct prn_budget *budget);

/* ISO 8601, or Unix seconds. */
bool serve_form_time(struct serve_request *request, const char *name, int64_t *value);

/* "90s", "10m", "0", at most most_s. */
bool serve_form_duration(struct serve_request *request, const char *name, double most_s, double *seconds);

/*
 * The parameters "last_modified", a time, and "retry_after", seconds or an HTTP date as seconds after time, as a site sent
 * them.  One that makes no sense is ignored, and *value is left alone.
 */
void serve_form_last_modified(struct serve_request *request, int64_t *value);
void serve_form_retry_after(struct serve_request *request, int64_t time, int64_t *value);

/* "yes" or "no". */
bool serve_form_flag(struct serve_request *request, const char *name, bool *value);

/* The normal form of the parameter "url", which must be given, in out. */
bool serve_form_url(struct serve_request *request, const char *name, char *out, size_t capacity);

#endif
