#include "archive/filter.h"
#include "archive/line_reader.h"
#include "archive/reader.h"
#include "base/number.h"
#include "base/text_lines.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define URLS "url_urlid_hostid.txt"
#define WEIGHTS "urlid_imp.txt"

#define LINE_BYTES ((size_t)16 << 20) /* bytes of the longest history */
#define DAYS_MOST 36500.0             /* days that a history may last */
#define WEIGHT_LEAST 1e-9             /* for an importance of 0: a weight of 0 would mean no weight */

/* The data give visits in days after their beginning, an unknown day of 2017. */
#define BEGINNING 1483228800 /* 2017-01-01T00:00:00Z */

/* A page in the file of URLs. */
struct place {
	uint64_t id, offset;
};

/*
 * The public data of A.  Kolobov, Y.  Peres, C.  Lu, E.  Horvitz, "Staying up to Date with Online Content
 * Changes Using Reinforcement Learning for Scheduling", NeurIPS 2019, as a source.  URLs and importances are in
 * files of their own, by number, in any order: they take twenty bytes of memory a page.
 */
struct kolobov {
	struct prn_reading *reading;
	char *urls_path, *histories_path, *weights_path;
	int urls; /* descriptor of the file of URLs */
	off_t first; /* where its first line begins: behind a byte order mark, if it has one */
	struct place *places; /* by id */
	float *weights;       /* of each page; 0: unknown */
	size_t count, capacity;
	struct prn_stream *stream; /* file of histories */
	struct prn_line_reader line;
	bool ended;

	/* The current history. */
	const char *next;  /* the rest of it; NULL: take the next line */
	size_t page;       /* its page */
	uint64_t versions; /* of the page so far */
	double days;       /* time of its last visit */
	unsigned char content[16]; /* a digest of page and version, little-endian on all machines, as what it is of */
	char url[PRN_URL_BYTES + 1], normal[PRN_URL_BYTES + 1];
};

bool prn_kolobov_is(const char *folder)
{
	struct prn_buffer path = { 0 };
	bool is = !prn_buffer_append(&path, folder, strlen(folder)) &&
	          !prn_buffer_append(&path, "/" PRN_KOLOBOV_HISTORIES, sizeof PRN_KOLOBOV_HISTORIES + 1) &&
	          !access((char *)path.data, R_OK);

	prn_buffer_release(&path);
	return is;
}

static void kolobov_free(void *reader)
{
	struct kolobov *kolobov = reader;

	prn_stream_free(kolobov->stream);
	prn_buffer_release(&kolobov->line.text);
	if (kolobov->urls >= 0)
		close(kolobov->urls);
	free(kolobov->urls_path);
	free(kolobov->histories_path);
	free(kolobov->weights_path);
	free(kolobov->places);
	free(kolobov->weights);
	free(kolobov);
}

/* Reads a file by lines from its beginning to its end. */
typedef int take_line_fn(struct kolobov *kolobov, char *line, uint64_t offset, struct prn_error *error);

static int read_lines(struct kolobov *kolobov, const char *path, take_line_fn *take, struct prn_error *error)
{
	FILE *file = fopen(path, "re");
	struct prn_text_lines lines = { .file = file, .name = path };
	uint64_t offset = 0;
	int code = 0;

	if (!file)
		return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", path, strerror(errno));
	while (!code && (code = prn_text_lines_need(&lines, error)) > 0) {
		code = take(kolobov, lines.line, offset, error);
		offset = lines.at;
	}
	kolobov->reading->counts.input_bytes += offset;
	prn_buffer_release(&lines.text);
	fclose(file);
	return code;
}

/* Reads a number in digits, up to a tab or the end. */
static bool read_id(const char *text, uint64_t *id)
{
	size_t digits = strspn(text, "0123456789");

	*id = strtoull(text, NULL, 10);
	return digits && digits < 19 && (!text[digits] || text[digits] == '\t');
}

/* "URL TAB id TAB host": a heading, if there is one, has no number. */
static int take_url(struct kolobov *kolobov, char *line, uint64_t offset, struct prn_error *error)
{
	char *tab = strchr(line, '\t');
	struct place *places;
	uint64_t id;

	if (!tab || !read_id(tab + 1, &id))
		return 0;
	places = prn_array_grow(kolobov->places, &kolobov->capacity, kolobov->count + 1, sizeof *places);
	if (!places)
		return prn_error_memory(error);
	kolobov->places = places;
	places[kolobov->count++] = (struct place){ id, offset };
	return 0;
}

static int by_id(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->offset > y->offset) - (x->offset < y->offset);
}

static bool find(const struct kolobov *kolobov, uint64_t id, size_t *page)
{
	size_t low = 0, high = kolobov->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (kolobov->places[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	*page = low;
	return low < kolobov->count && kolobov->places[low].id == id;
}

/* "id TAB importance". */
static int take_weight(struct kolobov *kolobov, char *line, uint64_t offset, struct prn_error *error)
{
	char *tab = strchr(line, '\t');
	double weight = tab ? prn_number_scan(tab + 1, NULL) : NAN;
	uint64_t id;
	size_t page;

	(void)offset, (void)error;
	if (read_id(line, &id) && find(kolobov, id, &page) && weight >= 0 && weight <= PRN_WEIGHT_MOST)
		kolobov->weights[page] = (float)fmax(weight, WEIGHT_LEAST);
	return 0;
}

static char *path_in(const char *folder, const char *name)
{
	size_t length = strlen(folder) + strlen(name) + 2;
	char *path = malloc(length);

	if (path)
		snprintf(path, length, "%s/%s", folder, name);
	return path;
}

static int open_pages(struct kolobov *kolobov, struct prn_error *error)
{
	int code = read_lines(kolobov, kolobov->urls_path, take_url, error);
	unsigned char start[3];

	if (code)
		return code;
	if (kolobov->count)
		qsort(kolobov->places, kolobov->count, sizeof *kolobov->places, by_id);
	kolobov->weights = calloc(kolobov->count + 1, sizeof *kolobov->weights);
	kolobov->urls = open(kolobov->urls_path, O_RDONLY | O_CLOEXEC);
	if (!kolobov->weights)
		return prn_error_memory(error);
	if (kolobov->urls < 0)
		return prn_error_set(error, PRN_E_IO, "%s: cannot be opened: %s", kolobov->urls_path, strerror(errno));
	if (pread(kolobov->urls, start, sizeof start, 0) == sizeof start && prn_line_start(start, sizeof start, 1) == sizeof start)
		kolobov->first = sizeof start;
	return access(kolobov->weights_path, F_OK) ? 0 : read_lines(kolobov, kolobov->weights_path, take_weight, error);
}

static int open_histories(struct kolobov *kolobov, struct prn_error *error)
{
	struct prn_stream_from from = { .input.path = kolobov->histories_path, .input.interrupt = &kolobov->reading->interrupt,
		                        .name = kolobov->histories_path };
	int code = prn_stream_open(&kolobov->stream, &from, error), found = code ? code : prn_stream_next_member(kolobov->stream, error);

	if (found < 0)
		prn_error_prefix(error, "%s", kolobov->histories_path);
	kolobov->line = (struct prn_line_reader){ .stream = kolobov->stream, .limit = LINE_BYTES };
	return found < 0 ? found : 0;
}

bool prn_kolobov_files(const char *folder, prn_source_file_fn *take, void *context)
{
	static const char *const names[] = { URLS, WEIGHTS, PRN_KOLOBOV_HISTORIES };
	bool found = false;

	for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++) {
		char *path = path_in(folder, names[i]);

		found = path && take(context, path);
		free(path);
	}
	return found;
}

int prn_kolobov_open(void **out, const char *folder, struct prn_reading *reading, struct prn_error *error)
{
	struct kolobov *kolobov = calloc(1, sizeof *kolobov);
	int code = 0;

	if (!kolobov)
		return prn_error_memory(error);
	kolobov->reading = reading;
	kolobov->urls = -1;
	kolobov->urls_path = path_in(folder, URLS);
	kolobov->weights_path = path_in(folder, WEIGHTS);
	kolobov->histories_path = path_in(folder, PRN_KOLOBOV_HISTORIES);
	if (!kolobov->urls_path || !kolobov->weights_path || !kolobov->histories_path)
		code = prn_error_memory(error);
	if (!code)
		code = open_pages(kolobov, error);
	if (!code)
		code = open_histories(kolobov, error);
	if (code)
		kolobov_free(kolobov);
	else
		*out = kolobov;
	return code;
}

/* Reads the URL of the current page, and its normal form; PRN_E_INPUT if it has none. */
static int read_url(struct kolobov *kolobov)
{
	off_t offset = (off_t)kolobov->places[kolobov->page].offset;
	ssize_t got = pread(kolobov->urls, kolobov->url, sizeof kolobov->url - 1, offset ? offset : kolobov->first);

	kolobov->url[got > 0 ? got : 0] = 0;
	if (!strchr(kolobov->url, '\t'))
		return PRN_E_INPUT;
	*strchr(kolobov->url, '\t') = 0;
	return prn_url_normalize(kolobov->url, SIZE_MAX, kolobov->normal, sizeof kolobov->normal);
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/* Skips one of the characters; false if none of them is there. */
static bool accept(const char **text, const char *characters)
{
	*text = skip_blanks(*text);
	if (!**text || !strchr(characters, **text))
		return false;
	++*text;
	return true;
}

static bool take_days(const char **text, double *days)
{
	char *end;
	double number = prn_number_scan(skip_blanks(*text), &end);

	if (end == skip_blanks(*text) || !(number >= 0 && *days + number <= DAYS_MOST))
		return false;
	*days += number;
	*text = end;
	return true;
}

/* Begins the history "id TAB days TAB [[days, 0 or 1], …]": its first visit is current, or *fault says why not. */
static int begin(struct kolobov *kolobov, char *line, const char **fault)
{
	const char *tab = strchr(line, '\t');
	uint64_t id;
	int code;

	*fault = NULL;
	if (!tab || !read_id(line, &id)) {
		*fault = "it is not \"id TAB days TAB [[days, 0 or 1], …]\"";
		return 0;
	}
	if (!find(kolobov, id, &kolobov->page)) {
		*fault = "the file of URLs does not have this page";
		return 0;
	}
	code = read_url(kolobov);
	if (code) {
		*fault = "its URL is not an http or https URL of at most 8192 bytes";
		return code == PRN_E_MEMORY ? code : 0;
	}
	kolobov->days = 0;
	kolobov->versions = 1;
	kolobov->next = tab + 1;
	if (!take_days(&kolobov->next, &kolobov->days) || !accept(&kolobov->next, "[")) {
		kolobov->next = NULL;
		*fault = "behind its number there are no days and a list";
	}
	return 0;
}

static void report(struct kolobov *kolobov, const char *what)
{
	struct prn_error why;

	prn_error_set(&why, PRN_E_INPUT, "%.300s: line %llu: %s", kolobov->histories_path,
	              (unsigned long long)kolobov->line.number, what);
	prn_reading_skip(kolobov->reading, &kolobov->reading->counts.damaged, &why);
}

/* Moves to the next visit in the list at next; false if there is none. */
static bool take_visit(struct kolobov *kolobov, const char *next)
{
	accept(&next, ",");
	if (!accept(&next, "[") || !take_days(&next, &kolobov->days) || !accept(&next, ","))
		return false;
	next = skip_blanks(next);
	if (*next != '0' && *next != '1')
		return false;
	kolobov->versions += *next++ == '1';
	if (!accept(&next, "]"))
		return false;
	kolobov->next = next;
	return true;
}

/* Moves to the next visit of the current history; tells whether there is one. */
static bool go_on(struct kolobov *kolobov)
{
	const char *next = kolobov->next, *end = next;

	kolobov->next = NULL;
	if (accept(&end, "]") && !*skip_blanks(end))
		return false;
	if (take_visit(kolobov, next))
		return true;
	report(kolobov, "what follows is no list of [days, 0 or 1]: the history ends before it");
	return false;
}

/* Takes the next line, and its first visit: 1, or 0 if there is none, or a negative code. */
static int take_line(struct kolobov *kolobov, struct prn_error *error)
{
	const char *fault = "it is longer than 16 MB";
	struct prn_error why;
	bool whole;
	char *line;
	int code = prn_line_reader_next(&kolobov->line, &whole, &why);

	if (code < 0 && prn_reading_goes_on(kolobov->reading, kolobov->stream, kolobov->histories_path, &why))
		return 0;
	kolobov->ended = code <= 0;
	if (code < 0 && error) {
		*error = why;
		prn_error_prefix(error, "%.300s", kolobov->histories_path);
	}
	if (code <= 0)
		return code;
	if (prn_buffer_terminate(&kolobov->line.text))
		return prn_error_memory(error);
	line = (char *)kolobov->line.text.data;
	line += prn_line_start(kolobov->line.text.data, kolobov->line.text.length, kolobov->line.number);
	line[strcspn(line, "\r")] = 0;
	if (whole && !*line)
		return 0;
	kolobov->reading->counts.records++;
	if (whole && begin(kolobov, line, &fault))
		return prn_error_memory(error);
	if (fault)
		report(kolobov, fault);
	return !fault;
}

/* Makes a capture of the current visit: 1, or 0 if it is left out. */
static int make_capture(struct kolobov *kolobov, struct prn_capture *capture)
{
	const struct prn_source_filter *filter = &kolobov->reading->options.filter;
	int64_t time = BEGINNING + (int64_t)floor(kolobov->days * PRN_DAY_S);
	struct prn_digest digest;

	if (!prn_filter_capture(filter, kolobov->normal, time, NULL)) {
		kolobov->reading->counts.filtered++;
		return 0;
	}
	prn_capture_init(capture, kolobov->url, kolobov->normal, time, PRN_KIND_CONTENT);
	prn_little_put_two(kolobov->content, kolobov->places[kolobov->page].id, kolobov->versions);
	digest = prn_digest_bytes(kolobov->content, sizeof kolobov->content);
	prn_little_put_two(kolobov->content, digest.high, digest.low);
	capture->status = 200;
	capture->content_type = "application/octet-stream";
	capture->is_digest = true;
	capture->body = kolobov->content;
	capture->body_bytes = sizeof kolobov->content;
	capture->weight = (double)kolobov->weights[kolobov->page];
	return 1;
}

static int kolobov_next(void *reader, struct prn_capture *capture, struct prn_error *error)
{
	struct kolobov *kolobov = reader;
	int code = 0;

	while (!code && !kolobov->ended) {
		code = kolobov->next ? go_on(kolobov) : take_line(kolobov, error);
		if (code == 1)
			code = make_capture(kolobov, capture);
	}
	return code;
}

const struct prn_reader prn_reader_kolobov = { .next = kolobov_next, .free = kolobov_free };
