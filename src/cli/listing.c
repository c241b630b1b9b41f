#include "cli/listing.h"

#include "base/ascii.h"
#include "base/json.h"
#include "base/number.h"
#include "base/text_lines.h"
#include "perennial/digest.h"
#include "perennial/extractor.h"
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

#define COLUMNS_MOST 256

/* A file that is being read. */
struct reading {
	struct cli_listing *listing;
	const char *name;
	struct prn_text_lines lines;
	char *line;                /* the current line */
	unsigned long long number; /* its number, from 1 */
	bool is_ahead;             /* the next call returns this line again */
	char separator;            /* of the columns of a CSV */
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

/*
 * Reads "Thu Jan 08 18:38:42 CST 2015", as Java prints a date.  What the name of a zone means depends on the place: the time
 * is taken as UTC.
 */
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

static int hand_out(const struct reading *reading, const struct cli_listed *page, struct prn_error *error)
{
	char where[300];

	snprintf(where, sizeof where, "%.200s, line %llu", reading->name, reading->number);
	return reading->listing->listed(reading->listing->context, page, where, error);
}

static void print_skipped_line(const struct reading *reading, const char *text)
{
	struct prn_error why;

	prn_error_set(&why, PRN_E_INPUT, "%.200s, line %llu: %s", reading->name, reading->number, text);
	reading->listing->unlisted(reading->listing->context, &why);
}

/* Reports a field that cannot be read, and what it could have been. */
static void print_wrong_field(const struct reading *reading, const char *name, const char *text, const char *wrong)
{
	struct prn_error why;

	prn_error_set(&why, PRN_E_INPUT, "%.200s, line %llu: %.100s '%.100s' %s", reading->name, reading->number, name, text, wrong);
	reading->listing->unlisted(reading->listing->context, &why);
}

/*
 * Reads Unix seconds or milliseconds.  A number that would be before 1973 is no time of a visit, but a day as spreadsheets
 * count them, or a year.
 */
static bool read_unix(double number, int64_t *time)
{
	/* A number that would be after the year 5138 in seconds is milliseconds. */
	number = fabs(number) > 1e11 ? number / 1000 : number;
	if ((number < 1e8 && number != 0) || number > (double)PRN_TIME_LAST)
		return false;
	*time = (int64_t)number;
	return true;
}

/*
 * Reads any time that crawlers write: ISO 8601, Unix seconds or milliseconds, Java's.  Returns false if it is none, which is
 * reported.
 */
static bool read_time(const struct reading *reading, const char *name, const char *text, int64_t *time)
{
	size_t digits = strspn(text, "0123456789");
	bool is_date = !text[digits] && (digits == 8 || digits == 14), zoneless = false;
	double number;

	if (!is_date && prn_number_read(text, &number)) {
		if (read_unix(number, time))
			return true;
	} else if (!prn_time_parse(text, time)) {
		reading->listing->counts.zoneless += prn_time_is_zoneless(text);
		return true;
	} else if (read_java_date(text, time, &zoneless)) {
		reading->listing->counts.zoneless += zoneless;
		return true;
	}
	print_wrong_field(reading, name, text, "is no time: expected 2026-12-20T08:00:00Z, or Unix seconds or milliseconds");
	return false;
}

static bool check_weight(const struct reading *reading, const char *name, const char *text, bool is_number, double weight)
{
	if (is_number && weight > 0 && weight <= PRN_WEIGHT_MOST)
		return true;
	print_wrong_field(reading, name, text, "is no weight: expected a number above 0, at most 1e9");
	return false;
}

/* Reads the next line, without its end.  Returns 1, or 0 at the end. */
static int next_line(struct reading *reading, struct prn_error *error)
{
	struct prn_error why;
	int code = 1;

	while (!reading->is_ahead && (code = prn_text_lines_next(&reading->lines)) > 1) {
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
	bool is_wrong; /* some field cannot be read, which was reported */
};

static int finish_datum(struct reading *reading, struct crawl_datum *datum, struct prn_error *error)
{
	const struct cli_listed page = { datum->url, 0, datum->due };
	int code = 0;

	if (datum->url && datum->is_gone)
		reading->listing->counts.passed++;
	else if (datum->url && !datum->is_wrong)
		code = hand_out(reading, &page, error);
	free(datum->url);
	*datum = (struct crawl_datum){ .due = PRN_TIME_UNKNOWN };
	return code;
}

/* The length of the URL with which a line begins a record; 0: it begins none. */
static size_t begins_datum(const char *line)
{
	size_t length = strcspn(line, " \t"), gap = strspn(line + length, " \t");

	return gap && !strncmp(line + length + gap, "Version:", 8) ? length : 0;
}

static int read_nutch(struct reading *reading, struct prn_error *error)
{
	struct crawl_datum datum = { .due = PRN_TIME_UNKNOWN };
	bool is_dump = false;
	int code;

	while ((code = next_line(reading, error)) > 0) {
		char *line = reading->line;
		size_t length = begins_datum(line);

		code = 0;
		if (length) {
			is_dump = true;
			code = finish_datum(reading, &datum, error);
			datum.url = strndup(line, length);
			if (!code && !datum.url)
				code = prn_error_memory(error);
		} else if (!strncmp(line, "Fetch time: ", 12)) {
			datum.is_wrong = !read_time(reading, "Fetch time", line + 12, &datum.due);
		} else if (!strncmp(line, "Status: ", 8)) {
			datum.is_gone = strstr(line, "db_gone");
		}
		if (code)
			break;
	}
	if (!code)
		code = finish_datum(reading, &datum, error);
	free(datum.url);
	if (!code && !is_dump)
		code = prn_error_set(error, PRN_E_INPUT, "%s: this is no dump of Nutch: no line is 'URL Version: N' (nutch readdb CRAWLDB -dump DIR writes DIR/part-*)", reading->name);
	return code;
}

static const char *member_text(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

/* Returns a member of an object as text: a string as it is, another value as JSON.  NULL: it is missing or null. */
static const char *member_written(const json_t *object, const char *name, char *text, size_t room)
{
	const json_t *value = json_object_get(object, name);
	size_t length;

	if (!value || json_is_null(value) || json_is_string(value))
		return json_string_value(value);
	length = json_dumpb(value, text, room - 1, JSON_ENCODE_ANY | JSON_COMPACT);
	text[length < room - 1 ? length : room - 1] = 0;
	return text;
}

/* In a hit of a search the document is in "_source". */
static int read_object(struct reading *reading, const json_t *object, struct prn_error *error)
{
	bool is_export = reading->listing->kind == CLI_LISTING_EXPORT;
	const json_t *source = json_object_get(object, "_source");
	struct cli_listed page = { .due = PRN_TIME_UNKNOWN };
	const char *due_name = is_export ? "next_time" : "nextFetchDate", *status, *due, *weight;
	char text[64];

	object = json_is_object(source) ? source : object;
	page.url = member_text(object, "url");
	status = member_text(object, "status");
	if (!page.url) {
		print_skipped_line(reading, "it has no \"url\"");
		return 0;
	}
	if (status && !strcmp(status, is_export ? "retired" : "ERROR")) {
		reading->listing->counts.passed++;
		return 0;
	}
	due = member_written(object, due_name, text, sizeof text);
	if (due && *due && !read_time(reading, due_name, due, &page.due))
		return 0;
	weight = is_export ? member_written(object, "weight", text, sizeof text) : NULL;
	page.weight = weight ? json_number_value(json_object_get(object, "weight")) : 0;
	if (weight && !check_weight(reading, "weight", weight, true, page.weight))
		return 0;
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
			print_skipped_line(reading, "it is no JSON object");
		json_decref(object);
		if (code < 0)
			break;
	}
	return code;
}

/*
 * Splits a line of RFC 4180 in place.  Returns how many fields it has, or 0 if it is no such line; a field over several lines
 * is not read.
 */
static int split_record(char *line, char separator, char *fields[COLUMNS_MOST])
{
	char *from = line, *to = from;
	int count = 0;

	for (; count < COLUMNS_MOST; count++) {
		bool quoted = *from == '"';

		fields[count] = to;
		if (quoted)
			from++;
		while (*from && (quoted ? *from != '"' || from[1] == '"' : *from != separator)) {
			from += quoted && *from == '"';
			*to++ = *from++;
		}
		if (quoted && !*from)
			return 0;
		from += quoted;
		if (*from && *from != separator)
			return 0;
		quoted = *from == separator;
		from += quoted;
		*to++ = 0;
		if (!quoted)
			return count + 1;
	}
	return 0;
}

/* The columns that are used. */
enum column { COLUMN_URL, COLUMN_DUE, COLUMN_LAST, COLUMN_SECONDS, COLUMN_DAYS, COLUMN_WEIGHT, COLUMN_STATUS, COLUMNS };

#define NAMES_MOST 8

/* The names that different crawlers give these columns; the first that a file has is taken. */
static const char *const column_names[COLUMNS][NAMES_MOST + 1] = {
	[COLUMN_URL] = { "url", "uri", "loc", "address", "page" },
	[COLUMN_DUE] = { "next_time", "nextfetchdate", "next_fetch_date", "next_fetch", "next_fetch_time", "due", "fetch_time" },
	[COLUMN_LAST] = { "last_fetch", "last_fetched", "last_fetch_time", "last_crawled", "lastfetchdate", "fetched", "last_visit", "time" },
	[COLUMN_SECONDS] = { "interval_s", "interval", "fetch_interval", "fetchinterval", "interval_seconds", "retry_interval_seconds" },
	[COLUMN_DAYS] = { "interval_days" },
	[COLUMN_WEIGHT] = { "weight", "priority" },
	[COLUMN_STATUS] = { "status_name", "status" },
};

/* The places of the columns in a record; -1: there is none. */
struct columns {
	int at[COLUMNS];
	char *names[COLUMNS]; /* as the first line has them */
};

/* Compares a name as files write it: "Last Crawled" and "last-crawled" are last_crawled. */
static bool is_name(const char *text, const char *name)
{
	for (; *text && *name; text++, name++)
		if (prn_ascii_lower(*text) != *name && !(*name == '_' && (*text == ' ' || *text == '-')))
			return false;
	return !*text && !*name;
}

static int find_column(enum column column, char *const *fields, int count)
{
	for (const char *const *name = column_names[column]; *name; name++)
		for (int i = 0; i < count; i++)
			if (is_name(fields[i], *name))
				return i;
	return -1;
}

/* Names the columns that are not read: a schedule may be among them. */
static void note_others(const struct reading *reading, const struct columns *columns, char *const *fields, int count)
{
	char text[1000];
	int length = snprintf(text, sizeof text, "%.200s: not read: ", reading->name), start = length;

	for (int i = 0; i < count; i++) {
		bool used = !*fields[i];

		for (int k = 0; k < COLUMNS; k++)
			used |= columns->at[k] == i;
		if (!used && (size_t)length + 110 < sizeof text)
			length += snprintf(text + length, sizeof text - (size_t)length, "%s%.100s", length > start ? ", " : "", fields[i]);
	}
	if (length > start)
		reading->listing->noted(reading->listing->context, text);
}

/*
 * Reads the first line.  Its columns are separated by commas, or by what else is usual if only then one of them has URLs.
 * names becomes the memory of the names that are used.
 */
static int read_names(struct reading *reading, struct columns *columns, char **names, struct prn_error *error)
{
	static const char separators[] = ",;\t";
	char *fields[COLUMNS_MOST];
	int count = 0;

	*names = NULL;
	columns->at[COLUMN_URL] = -1;
	for (const char *separator = separators; *separator && columns->at[COLUMN_URL] < 0; separator++) {
		free(*names);
		*names = strdup(reading->line);
		if (!*names)
			return prn_error_memory(error);
		reading->separator = *separator;
		count = split_record(*names, *separator, fields);
		for (int i = 0; i < COLUMNS; i++)
			columns->at[i] = find_column((enum column)i, fields, count);
	}
	if (columns->at[COLUMN_URL] < 0)
		return prn_error_set(error, PRN_E_INPUT, "%s: its first line names no column of URLs, such as url, between commas, "
		                     "semicolons or tabs", reading->name);
	for (int i = 0; i < COLUMNS; i++)
		columns->names[i] = columns->at[i] >= 0 ? fields[columns->at[i]] : NULL;
	/* The other columns of a dump of Nutch are known not to matter here. */
	if (reading->listing->kind == CLI_LISTING_CSV)
		note_others(reading, columns, fields, count);
	return 0;
}

/*
 * Reads a number of seconds or days, or a duration with its unit; an empty field is 0.  Returns false if it is none of these,
 * which is reported.
 */
static bool read_interval(const struct reading *reading, const struct columns *columns, char *const *values, double *interval)
{
	enum column column = *values[COLUMN_SECONDS] ? COLUMN_SECONDS : COLUMN_DAYS;
	const char *text = values[column];
	double number;

	*interval = 0;
	if (!*text)
		return true;
	if (prn_number_read(text, &number))
		number *= column == COLUMN_DAYS ? PRN_DAY_S : 1;
	else if (prn_duration_parse(text, &number))
		number = NAN;
	if (number >= 0 && number <= (double)PRN_TIME_LAST) {
		*interval = number;
		return true;
	}
	print_wrong_field(reading, columns->names[column], text, column == COLUMN_DAYS ? "is no number of days" : "is no interval: expected seconds, or a duration such as 2d");
	return false;
}

/* Reads what a record says of its page.  Returns false if some field cannot be read, which is reported. */
static bool read_record(const struct reading *reading, const struct columns *columns, char *const *values, struct cli_listed *page)
{
	int64_t last = PRN_TIME_UNKNOWN;
	double interval;
	bool is_number;

	if (*values[COLUMN_DUE] && !read_time(reading, columns->names[COLUMN_DUE], values[COLUMN_DUE], &page->due))
		return false;
	if (*values[COLUMN_LAST] && !read_time(reading, columns->names[COLUMN_LAST], values[COLUMN_LAST], &last))
		return false;
	if (!read_interval(reading, columns, values, &interval))
		return false;
	if (page->due == PRN_TIME_UNKNOWN && last != PRN_TIME_UNKNOWN)
		page->due = last + (int64_t)interval;
	if (!*values[COLUMN_WEIGHT])
		return true;
	is_number = prn_number_read(values[COLUMN_WEIGHT], &page->weight);
	return check_weight(reading, columns->names[COLUMN_WEIGHT], values[COLUMN_WEIGHT], is_number, page->weight);
}

static int take_record(struct reading *reading, const struct columns *columns, char *const *fields, int count, struct prn_error *error)
{
	static char none[] = "";
	struct cli_listed page = { .due = PRN_TIME_UNKNOWN };
	char *values[COLUMNS];
	const char *status;

	for (int i = 0; i < COLUMNS; i++)
		values[i] = columns->at[i] >= 0 && columns->at[i] < count ? fields[columns->at[i]] : none;
	page.url = values[COLUMN_URL];
	status = values[COLUMN_STATUS];
	if (!strcmp(status, "db_gone") || !strcmp(status, "ERROR") || !strcmp(status, "retired")) {
		reading->listing->counts.passed++;
		return 0;
	}
	return read_record(reading, columns, values, &page) ? hand_out(reading, &page, error) : 0;
}

static int read_csv(struct reading *reading, struct prn_error *error)
{
	char *fields[COLUMNS_MOST], *names;
	struct columns columns;
	int code = next_line(reading, error), count;

	if (code <= 0)
		return code;
	code = read_names(reading, &columns, &names, error);
	while (!code && (code = next_line(reading, error)) > 0) {
		code = 0;
		if (!*reading->line)
			continue;
		count = split_record(reading->line, reading->separator, fields);
		if (count > 0)
			code = take_record(reading, &columns, fields, count, error);
		else
			print_skipped_line(reading, "it is no record of CSV on one line");
	}
	free(names);
	return code;
}

/*
 * What an index has on a page.  Its lines follow one another but for those of pages that have the same key, such as the same page by http
 * and https: so several pages are open at a time.
 */
#define OPEN 64

struct indexed {
	char *url, *normal; /* NULL: a free place */
	uint64_t line; /* the last */
	int64_t first, last;
	uint64_t visits, changes;
	struct prn_digest content;
	int64_t seen; /* time of its last line of any kind */
	bool is_gone; /* that line says that the page was gone */
	int64_t typed;
	bool is_other; /* the last line that has a media type has one that no page has */
};

static int finish_indexed(struct reading *reading, struct indexed *page, struct prn_error *error)
{
	struct cli_listed listed = { page->url, 0, PRN_TIME_UNKNOWN };
	int code = 0;

	/*
	 * The next visit is due after the mean time between changes; for a page that never changed, after as long as it was
	 * watched.
	 */
	if (page->visits > 1)
		listed.due = page->last + (page->last - page->first) / (int64_t)(page->changes ? page->changes : 1);
	if (page->url && page->is_gone)
		reading->listing->counts.passed++;
	else if (page->url && page->is_other)
		reading->listing->counts.media++;
	else if (page->url)
		code = hand_out(reading, &listed, error);
	free(page->url);
	free(page->normal);
	*page = (struct indexed){ 0 };
	return code;
}

/* Notes whether a line says that there is a page, if it is the latest of those that were read. */
static void note_kind(struct indexed *page, const struct prn_capture *capture)
{
	const char *media = capture->is_digest ? capture->digest_media : capture->content_type;

	if (capture->time >= page->seen) {
		page->seen = capture->time;
		page->is_gone = capture->kind == PRN_KIND_GONE;
	}
	if (capture->kind != PRN_KIND_CONTENT || !media || capture->time < page->typed)
		return;
	page->typed = capture->time;
	page->is_other = !prn_media_is_page(media);
}

/* The place of a page: its own, or a free one, or the one whose last line is longest ago. */
static struct indexed *find_open(struct indexed *open, const char *normal)
{
	struct indexed *oldest = open;

	for (struct indexed *page = open; page < open + OPEN; page++) {
		if (page->url && !strcmp(page->normal, normal))
			return page;
		if (page->line < oldest->line)
			oldest = page;
	}
	return oldest;
}

static int note_capture(struct reading *reading, struct indexed *open, const struct prn_capture *capture, struct prn_error *error)
{
	struct prn_digest content = prn_digest_bytes(capture->body, capture->body_bytes);
	struct indexed *page = find_open(open, capture->normal_url);
	int code = 0;

	if (page->url && strcmp(page->normal, capture->normal_url))
		code = finish_indexed(reading, page, error);
	page->line = reading->number;
	if (!code && !page->url) {
		page->url = strdup(capture->url);
		page->normal = strdup(capture->normal_url);
		page->first = page->last = capture->time;
		page->seen = page->typed = INT64_MIN;
		if (!page->url || !page->normal)
			code = prn_error_memory(error);
	}
	if (!code)
		note_kind(page, capture);
	if (code || !capture->body_bytes)
		return code;
	page->changes += page->visits && (content.high != page->content.high || content.low != page->content.low);
	page->visits++;
	page->content = content;
	page->first = capture->time < page->first ? capture->time : page->first;
	page->last = capture->time > page->last ? capture->time : page->last;
	return 0;
}

/* The one whose last line is longest ago of those that are open, so that they are handed out in their order. */
static struct indexed *next_open(struct indexed *open)
{
	struct indexed *next = open;

	for (struct indexed *page = open; page < open + OPEN; page++)
		if (page->url && (!next->url || page->line < next->line))
			next = page;
	return next;
}

static void print_skipped(void *context, const struct prn_error *what)
{
	const struct reading *reading = context;

	reading->listing->unlisted(reading->listing->context, what);
}

static int read_index(struct reading *reading, const char *path, struct prn_error *error)
{
	const struct prn_source_options options = { .skipped = print_skipped, .skipped_context = reading };
	struct indexed open[OPEN] = { { 0 } };
	struct prn_capture capture;
	struct prn_source *source;
	int code = prn_source_open(&source, path, &options, error);

	if (code)
		return code;
	while ((code = prn_source_next(source, &capture, error)) == 1) {
		reading->number = prn_source_counts(source)->records;
		code = note_capture(reading, open, &capture, error);
		if (code)
			break;
	}
	for (size_t i = 0; i < OPEN && !code; i++)
		code = finish_indexed(reading, next_open(open), error);
	for (size_t i = 0; i < OPEN; i++) {
		free(open[i].url);
		free(open[i].normal);
	}
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
