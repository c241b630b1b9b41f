#include "cli/listing.h"

#include "base/json.h"
#include "base/number.h"
#include "base/text_lines.h"
#include "perennial/digest.h"
#include "perennial/source.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COLUMNS_MOST 256

/* One file as it is read. */
struct reading {
	struct cli_listing *listing;
	const char *name;
	struct prn_text_lines lines;
	char *line;                /* the present one, */
	unsigned long long number; /* … its number from 1, … */
	bool is_ahead;             /* … and whether the next one is this again */
};

int cli_listing_parse(void *kind, const char *name)
{
	static const char *const names[] = { "nutch", "stormcrawler", "csv", "export", "cdxj" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i])) {
			*(enum cli_listing_kind *)kind = (enum cli_listing_kind)(CLI_LISTING_NUTCH + i);
			return 0;
		}
	return PRN_E_INPUT;
}

/* "Thu Jan 08 18:38:42 CST 2015", as Java prints a date.  What a zone's name means depends on the place: it is taken as UTC. */
static bool read_java_date(const char *text, int64_t *time, bool *zoneless)
{
	char start[32], zone[32], plain[64];
	int year;

	if (sscanf(text, "%*3s %15[A-Za-z0-9 :] %31s %d", start, zone, &year) != 3)
		return false;
	snprintf(plain, sizeof plain, "Thu %.15s %d", start, year);
	*zoneless = strcmp(zone, "UTC") && strcmp(zone, "GMT");
	return !prn_time_parse_http(plain, time);
}

/* Any time that crawlers write: ISO 8601, Unix seconds or milliseconds, Java's.  Empty or no time: PRN_TIME_UNKNOWN. */
static int64_t read_time(struct cli_listing *listing, const char *text)
{
	bool zoneless = false;
	double number;
	int64_t time;

	if (prn_number_read(text, &number) && strlen(text) != 14) {
		/* What is beyond the year 5138 in seconds is milliseconds. */
		number = fabs(number) > 1e11 ? number / 1000 : number;
		return fabs(number) <= (double)PRN_TIME_LAST ? (int64_t)number : PRN_TIME_UNKNOWN;
	}
	if (!prn_time_parse(text, &time))
		zoneless = prn_time_is_zoneless(text);
	else if (!read_java_date(text, &time, &zoneless))
		return PRN_TIME_UNKNOWN;
	listing->counts.zoneless += zoneless;
	return time;
}

static int hand_out(const struct reading *reading, const struct cli_listed *page, struct prn_error *error)
{
	char where[300];

	snprintf(where, sizeof where, "%.200s, line %llu", reading->name, reading->number);
	return reading->listing->listed(reading->listing->context, page, where, error);
}

static void tell(const struct reading *reading, const char *text)
{
	struct prn_error why;

	prn_error_set(&why, PRN_E_INPUT, "%.200s, line %llu: %s", reading->name, reading->number, text);
	reading->listing->unlisted(reading->listing->context, &why);
}

/* The next line, without its end: 1, or 0 at the end. */
static int next_line(struct reading *reading, struct prn_error *error)
{
	struct prn_error why;
	int code = 1;

	while (!reading->is_ahead && (code = prn_text_lines_next(&reading->lines)) == PRN_TEXT_LINE_LONG) {
		prn_text_lines_wrong(&reading->lines, code, &why);
		reading->listing->unlisted(reading->listing->context, &why);
	}
	reading->is_ahead = false;
	reading->line = reading->lines.line;
	reading->number = reading->lines.number;
	return code < 0 ? prn_text_lines_wrong(&reading->lines, code, error) : code;
}

/* A record of "readdb -dump": "URL <tab> Version: 7", then lines "Name: value" until an empty one. */
struct crawl_datum {
	char *url; /* NULL: none has begun */
	int64_t due;
	bool is_gone;
};

static int finish_datum(struct reading *reading, struct crawl_datum *datum, struct prn_error *error)
{
	const struct cli_listed page = { datum->url, 0, datum->due };
	int code = 0;

	if (datum->url && datum->is_gone)
		reading->listing->counts.passed++;
	else if (datum->url)
		code = hand_out(reading, &page, error);
	free(datum->url);
	*datum = (struct crawl_datum){ .due = PRN_TIME_UNKNOWN };
	return code;
}

static int read_nutch(struct reading *reading, struct prn_error *error)
{
	struct crawl_datum datum = { .due = PRN_TIME_UNKNOWN };
	int code;

	while ((code = next_line(reading, error)) > 0) {
		char *line = reading->line, *version = strstr(line, "Version:");

		code = 0;
		if (version && version > line && isspace((unsigned char)version[-1])) {
			code = finish_datum(reading, &datum, error);
			datum.url = strndup(line, strcspn(line, " \t"));
			if (!code && !datum.url)
				code = prn_error_memory(error);
		} else if (!strncmp(line, "Fetch time: ", 12)) {
			datum.due = read_time(reading->listing, line + 12);
		} else if (!strncmp(line, "Status: ", 8)) {
			datum.is_gone = strstr(line, "db_gone");
		}
		if (code)
			break;
	}
	if (!code)
		code = finish_datum(reading, &datum, error);
	free(datum.url);
	return code;
}

static const char *member_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

/* "_source" of a search's hit is the document. */
static int read_object(struct reading *reading, const json_t *object, struct prn_error *error)
{
	bool is_export = reading->listing->kind == CLI_LISTING_EXPORT;
	const json_t *source = json_object_get(object, "_source");
	struct cli_listed page = { .due = PRN_TIME_UNKNOWN };
	const char *status, *due;

	object = json_is_object(source) ? source : object;
	page.url = member_text(object, "url");
	status = member_text(object, "status");
	due = member_text(object, is_export ? "next_time" : "nextFetchDate");
	if (!page.url) {
		tell(reading, "it has no \"url\"");
		return 0;
	}
	if (status && !strcmp(status, is_export ? "retired" : "ERROR")) {
		reading->listing->counts.passed++;
		return 0;
	}
	if (due)
		page.due = read_time(reading->listing, due);
	if (is_export)
		page.weight = json_number_value(json_object_get(object, "weight"));
	return hand_out(reading, &page, error);
}

static int read_objects(struct reading *reading, struct prn_error *error)
{
	int code;

	while ((code = next_line(reading, error)) > 0) {
		json_t *object = NULL;
		json_error_t why;

		if (!reading->line[strspn(reading->line, " \t")])
			continue;
		if (prn_json_load(reading->line, strlen(reading->line), 0, PRN_JSON_LINE_VALUES, &object, &why) == PRN_E_MEMORY)
			return prn_error_memory(error);
		if (json_is_object(object))
			code = read_object(reading, object, error);
		else
			tell(reading, "it is no JSON object");
		json_decref(object);
		if (code < 0)
			break;
	}
	return code;
}

/* Takes a line of RFC 4180 apart in place: how many fields it has, or 0 where it is none; a field over several lines is not read. */
static int split_record(char *line, char *fields[COLUMNS_MOST])
{
	char *from = line, *to = from;
	int count = 0;

	for (; count < COLUMNS_MOST; count++) {
		bool quoted = *from == '"';

		fields[count] = to;
		if (quoted)
			from++;
		while (*from && (quoted ? *from != '"' || from[1] == '"' : *from != ',')) {
			from += quoted && *from == '"';
			*to++ = *from++;
		}
		if (quoted && !*from)
			return 0;
		from += quoted;
		if (*from && *from != ',')
			return 0;
		quoted = *from == ',';
		from += quoted;
		*to++ = 0;
		if (!quoted)
			return count + 1;
	}
	return 0;
}

/* Where the columns that are used stand; -1: there is none. */
struct columns {
	int url, due, last, seconds, days, weight, status;
};

static int named(char *const *fields, int count, const char *const *names)
{
	for (; *names; names++)
		for (int i = 0; i < count; i++)
			if (!strcasecmp(fields[i], *names))
				return i;
	return -1;
}

#define NAMED(...) named(fields, count, (const char *const[]){ __VA_ARGS__, NULL })

static void find_columns(struct columns *columns, char *const *fields, int count)
{
	*columns = (struct columns){
		.url = NAMED("url", "uri", "loc", "address", "page"),
		.due = NAMED("next_time", "nextfetchdate", "next_fetch_date", "next_fetch", "next_fetch_time", "due", "fetch time"),
		.last = NAMED("last_fetch", "last_fetched", "last_fetch_time", "last_crawled", "lastfetchdate", "fetched", "last_visit", "time"),
		.seconds = NAMED("interval_s", "interval", "fetch_interval", "fetchinterval", "interval_seconds", "retry interval seconds"),
		.days = NAMED("interval_days"),
		.weight = NAMED("weight", "priority"),
		.status = NAMED("status name", "status"),
	};
}

/* A number of seconds, or a duration with its unit. */
static double read_interval(const char *text, double unit)
{
	double number;

	if (prn_number_read(text, &number))
		return number * unit;
	return prn_duration_parse(text, &number) ? NAN : number;
}

static int take_record(struct reading *reading, const struct columns *columns, char *const *fields, int count, struct prn_error *error)
{
	const char *const none = "";
	const char *values[7];
	const int places[7] = { columns->url, columns->due, columns->last, columns->seconds, columns->days, columns->weight, columns->status };
	struct cli_listed page = { .due = PRN_TIME_UNKNOWN };
	double interval;
	int64_t last;

	for (size_t i = 0; i < 7; i++)
		values[i] = places[i] >= 0 && places[i] < count ? fields[places[i]] : none;
	page.url = values[0];
	if (!strcmp(values[6], "db_gone") || !strcmp(values[6], "ERROR") || !strcmp(values[6], "retired")) {
		reading->listing->counts.passed++;
		return 0;
	}
	if (*values[1])
		page.due = read_time(reading->listing, values[1]);
	last = page.due == PRN_TIME_UNKNOWN && *values[2] ? read_time(reading->listing, values[2]) : PRN_TIME_UNKNOWN;
	interval = *values[3] ? read_interval(values[3], 1) : *values[4] ? read_interval(values[4], PRN_DAY_S) : 0;
	if (last != PRN_TIME_UNKNOWN && interval >= 0 && interval <= (double)PRN_TIME_LAST)
		page.due = last + (int64_t)interval;
	if (*values[5] && (!prn_number_read(values[5], &page.weight) || page.weight < 0))
		page.weight = 0;
	return hand_out(reading, &page, error);
}

static int read_csv(struct reading *reading, struct prn_error *error)
{
	char *fields[COLUMNS_MOST];
	struct columns columns;
	int code = next_line(reading, error), count;

	if (code <= 0)
		return code;
	count = split_record(reading->line, fields);
	find_columns(&columns, fields, count);
	if (columns.url < 0)
		return prn_error_set(error, PRN_E_INPUT, "%s: its first line names no column of URLs, such as url", reading->name);
	while ((code = next_line(reading, error)) > 0) {
		if (!*reading->line)
			continue;
		count = split_record(reading->line, fields);
		if (count > 0)
			code = take_record(reading, &columns, fields, count, error);
		else
			tell(reading, "it is no record of CSV on one line");
		if (code < 0)
			break;
	}
	return code;
}

/* What an index tells of a page, whose lines follow each other. */
struct indexed {
	char *url, *normal;
	int64_t first, last;
	uint64_t visits, changes;
	struct prn_digest content;
};

static int finish_indexed(struct reading *reading, struct indexed *page, struct prn_error *error)
{
	struct cli_listed listed = { page->url, 0, PRN_TIME_UNKNOWN };
	int code = 0;

	/* As long after the last look as it took to change, on the average; where it never did, as long as it was watched. */
	if (page->visits > 1)
		listed.due = page->last + (page->last - page->first) / (int64_t)(page->changes ? page->changes : 1);
	if (page->url)
		code = hand_out(reading, &listed, error);
	free(page->url);
	free(page->normal);
	*page = (struct indexed){ 0 };
	return code;
}

static int note_capture(struct reading *reading, struct indexed *page, const struct prn_capture *capture, struct prn_error *error)
{
	struct prn_digest content = prn_digest_bytes(capture->body, capture->body_bytes);
	int code = 0;

	if (page->url && strcmp(page->normal, capture->normal_url))
		code = finish_indexed(reading, page, error);
	if (!code && !page->url) {
		page->url = strdup(capture->url);
		page->normal = strdup(capture->normal_url);
		page->first = page->last = capture->time;
		if (!page->url || !page->normal)
			code = prn_error_memory(error);
	}
	if (code || !capture->body_bytes)
		return code;
	page->changes += page->visits && (content.high != page->content.high || content.low != page->content.low);
	page->visits++;
	page->content = content;
	page->first = capture->time < page->first ? capture->time : page->first;
	page->last = capture->time > page->last ? capture->time : page->last;
	return 0;
}

static void tell_skipped(void *context, const struct prn_error *what)
{
	const struct reading *reading = context;

	reading->listing->unlisted(reading->listing->context, what);
}

static int read_index(struct reading *reading, const char *path, struct prn_error *error)
{
	const struct prn_source_options options = { .skipped = tell_skipped, .skipped_context = reading };
	struct indexed page = { 0 };
	struct prn_capture capture;
	struct prn_source *source;
	int code = prn_source_open(&source, path, &options, error);

	if (code)
		return code;
	while ((code = prn_source_next(source, &capture, error)) == 1) {
		reading->number = prn_source_counts(source)->records;
		code = note_capture(reading, &page, &capture, error);
		if (code)
			break;
	}
	if (!code)
		code = finish_indexed(reading, &page, error);
	free(page.url);
	free(page.normal);
	prn_source_free(source);
	return code;
}

int cli_listing_read(struct cli_listing *listing, const char *path, struct prn_error *error)
{
	bool is_standard = !strcmp(path, "-");
	struct reading reading = { .listing = listing, .name = is_standard ? "standard input" : path };
	int code;

	if (listing->kind == CLI_LISTING_CDXJ)
		return read_index(&reading, path, error);
	reading.lines.name = reading.name;
	reading.lines.file = is_standard ? stdin : fopen(path, "re");
	if (!reading.lines.file)
		return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
	code = next_line(&reading, error);
	reading.is_ahead = code > 0;
	if (code <= 0)
		goto out;
	if (listing->kind == CLI_LISTING_CSV || (listing->kind == CLI_LISTING_NUTCH && (*reading.line == 'U' || *reading.line == '"')))
		code = read_csv(&reading, error);
	else if (listing->kind == CLI_LISTING_NUTCH)
		code = read_nutch(&reading, error);
	else
		code = read_objects(&reading, error);
out:
	prn_buffer_release(&reading.lines.text);
	if (!is_standard)
		fclose(reading.lines.file);
	return code;
}
