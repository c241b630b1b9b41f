#include "serve/form.h"
#include "base/number.h"
#include "archive/http.h"

#include "perennial/source.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse_value(struct serve_request *request, const char *name, const char *takes)
{
	serve_request_refuse(request, 400, "the parameter '%s' takes %s, not '%.200s'", name, takes,
	                     serve_request_parameter(request, name));
	return false;
}

static bool read_count(const char *text, uint64_t most, uint64_t *value)
{
	char *end;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return !*end && !errno && *value <= most;
}

bool serve_form_count(struct serve_request *request, const char *name, uint64_t most, uint64_t *value)
{
	const char *text = serve_request_parameter(request, name);
	uint64_t count;

	if (!text)
		return true;
	if (!read_count(text, most, &count)) {
		serve_request_refuse(request, 400, "the parameter '%s' takes a whole number up to %llu, not '%.200s'",
		                     name, (unsigned long long)most, text);
		return false;
	}
	*value = count;
	return true;
}

bool serve_form_seconds(struct serve_request *request, const char *name, double *seconds)
{
	const char *text = serve_request_parameter(request, name);
	double number;

	if (!text)
		return true;
	if (!prn_number_read(text, &number) || !(number >= 0))
		return refuse_value(request, name, "seconds from 0");
	*seconds = number;
	return true;
}

bool serve_form_weight(struct serve_request *request, double *weight)
{
	const char *text = serve_request_parameter(request, "weight");
	double number;

	if (!text)
		return true;
	if (!prn_number_read(text, &number) || !(number > 0 && number <= PRN_WEIGHT_MOST))
		return refuse_value(request, "weight", "a number above 0, at most 1e9");
	*weight = number;
	return true;
}

bool serve_form_budget(struct serve_request *request, const char *name, struct prn_budget *budget)
{
	const char *text = serve_request_parameter(request, name);

	if (!text || prn_budget_parse(text, budget))
		return true;
	*budget = (struct prn_budget){ 0, PRN_UNIT_VISITS };
	if (!prn_number_read(text, &budget->per_day) || budget->per_day < PRN_BUDGET_LEAST)
		return refuse_value(request, name, PRN_BUDGET_TAKES);
	return true;
}

/* Fourteen digits are an archive's date (YYYYMMDDhhmmss), as everywhere; nine to eleven are Unix seconds. */
static bool read_time(const char *text, int64_t *value)
{
	uint64_t seconds;

	if (strlen(text) <= 11 && strlen(text) > 8 && read_count(text, INT64_MAX, &seconds)) {
		*value = (int64_t)seconds;
		return true;
	}
	return !prn_time_parse(text, value) || !prn_time_parse_http(text, value);
}

bool serve_form_time(struct serve_request *request, const char *name, int64_t *value)
{
	const char *text = serve_request_parameter(request, name);

	if (text && !read_time(text, value))
		return refuse_value(request, name, "a time such as 2026-05-10T12:00:00Z or 1778414400");
	return true;
}

void serve_form_last_modified(struct serve_request *request, int64_t *value)
{
	const char *text = serve_request_parameter(request, "last_modified");

	if (text)
		read_time(text, value);
}

bool serve_form_duration(struct serve_request *request, const char *name, double most_s, double *seconds)
{
	const char *text = serve_request_parameter(request, name);
	char takes[96], most[PRN_TIME_TEXT];
	double given;

	if (!text)
		return true;
	if (prn_duration_parse(text, &given) || given > most_s) {
		snprintf(takes, sizeof takes, "a duration such as 90s, 10m or 2h, at most %s",
		         prn_duration_format(most_s, most));
		return refuse_value(request, name, takes);
	}
	*seconds = given;
	return true;
}

void serve_form_retry_after(struct serve_request *request, int64_t time, int64_t *value)
{
	const char *text = serve_request_parameter(request, "retry_after");
	int64_t after = text ? prn_http_retry_after(text, time) : PRN_TIME_UNKNOWN;

	if (after != PRN_TIME_UNKNOWN)
		*value = after;
}

bool serve_form_flag(struct serve_request *request, const char *name, bool *value)
{
	const char *text = serve_request_parameter(request, name);

	if (!text)
		return true;
	if (strcmp(text, "yes") && strcmp(text, "no"))
		return refuse_value(request, name, "yes or no");
	*value = *text == 'y';
	return true;
}

bool serve_form_url(struct serve_request *request, const char *name, char *out, size_t capacity)
{
	const char *url = serve_request_parameter(request, name);
	int code;

	if (!url) {
		serve_request_refuse(request, 400, "the parameter '%s' is missing", name);
		return false;
	}
	code = prn_url_normalize(url, SIZE_MAX, out, capacity);
	if (code == PRN_E_MEMORY)
		serve_request_fail_memory(request);
	else if (code)
		refuse_value(request, name, "an http or https URL of at most 8192 bytes");
	return !code;
}
