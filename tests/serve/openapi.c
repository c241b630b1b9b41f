/*
 * man/openapi.yaml and the daemon agree: paths, methods, parameters, whether a token is asked for, whether a body is
 * taken, the members of what is answered, and the words that stand in them.
 */
#include "../tap.h"
#include "serve/json.h"
#include "serve/routes.h"

#include "perennial/outcome.h"

#include <ctype.h>
#include <jansson.h>
#include <stdlib.h>

#define LINES 1000

/* The file as lines with their indentation: it is written so that this suffices. */
static struct {
	size_t indent;
	char *text;
} lines[LINES];
static size_t line_count;

static void read_file(void)
{
	char path[4096], *line = NULL;
	size_t capacity = 0;
	ssize_t length;
	FILE *file;

	snprintf(path, sizeof path, "%s/man/openapi.yaml", getenv("SRCDIR") ? getenv("SRCDIR") : ".");
	file = fopen(path, "r");
	while (file && line_count < LINES && (length = getline(&line, &capacity, file)) >= 0) {
		line[strcspn(line, "\n")] = 0;
		lines[line_count].indent = strspn(line, " ");
		lines[line_count++].text = strdup(line + strspn(line, " "));
	}
	free(line);
	if (!ok(file && line_count > 100, "man/openapi.yaml has %zu lines", line_count))
		exit(done());
	fclose(file);
}

/* The line "text" at an indentation within [from, to), or to. */
static size_t find(size_t from, size_t to, size_t indent, const char *text)
{
	while (from < to && (lines[from].indent != indent || strcmp(lines[from].text, text)))
		from++;
	return from;
}

/* Where the block that begins in a line ends. */
static size_t end_of(size_t begin)
{
	size_t at = begin + 1;

	while (at < line_count && (!*lines[at].text || lines[at].indent > lines[begin].indent))
		at++;
	return at;
}

static bool says(size_t from, size_t to, size_t indent, const char *format, const char *value)
{
	char text[200];

	snprintf(text, sizeof text, format, value);
	return find(from, to, indent, text) < to;
}

/* Names of parameters, each with a space before it. */
static void list_parameters(size_t from, size_t to, char *out, size_t capacity)
{
	size_t used = 0;

	*out = 0;
	for (size_t i = from; i < to; i++)
		if (lines[i].indent == 8 && !strncmp(lines[i].text, "- name: ", 8) && used < capacity)
			used += (size_t)snprintf(out + used, capacity - used, " %s", lines[i].text + 8);
}

static void check_route(const struct serve_route *route)
{
	char path[200], method[20], told[500], known[500] = "";
	size_t begin, end, used = 0;

	snprintf(path, sizeof path, "%s:", route->path);
	snprintf(method, sizeof method, "%s:", route->method);
	for (char *c = method; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	begin = find(0, line_count, 2, path);
	end = begin < line_count ? end_of(begin) : begin;
	begin = find(begin, end, 4, method);
	if (!ok(begin < end, "%s %s is described", route->method, route->path))
		return;
	end = end_of(begin);
	ok(says(begin, end, 6, "operationId: %s", route->name),
	   "%s %s is described under the name that metrics have", route->method, route->path);
	for (const char *const *parameter = route->parameters; parameter && *parameter; parameter++)
		used += (size_t)snprintf(known + used, sizeof known - used, " %s", *parameter);
	list_parameters(begin, end, told, sizeof told);
	same(told, known, "%s %s is described with the parameters that it takes", route->method, route->path);
	ok(says(begin, end, 6, "%s", "security: []") == route->open,
	   "%s %s is described as asking for the token or not", route->method, route->path);
	ok(says(begin, end, 6, "%s", "requestBody:") == (route->body_limit != NULL),
	   "%s %s is described as taking a body or not", route->method, route->path);
	ok(says(begin, end, 8, "\"%s\": { $ref: \"#/components/responses/Refused\" }", "400") ||
	           !route->parameters,
	   "%s %s is described as refusing wrong parameters if it takes any", route->method, route->path);
}

static size_t count_operations(void)
{
	size_t begin = find(0, line_count, 0, "paths:"), end = end_of(begin), count = 0;

	for (size_t i = begin; i < end; i++)
		count += lines[i].indent == 6 && !strncmp(lines[i].text, "operationId: ", 13);
	return count;
}

/* The members of a schema, in order, against those of an object that was printed. */
static void check_schema(const char *name, struct prn_buffer *line)
{
	json_t *object = json_loadb((const char *)line->data, line->length, 0, NULL), *value;
	char title[100], told[1000] = "", printed[1000] = "";
	size_t begin, end, used = 0;
	const char *key;

	snprintf(title, sizeof title, "%s:", name);
	begin = find(0, line_count, 4, title);
	end = begin < line_count ? end_of(begin) : begin;
	for (size_t i = find(begin, end, 6, "properties:") + 1; i < end; i++)
		if (lines[i].indent == 8)
			used += (size_t)snprintf(told + used, sizeof told - used, " %.*s",
			                         (int)strcspn(lines[i].text, ":"), lines[i].text);
	used = 0;
	json_object_foreach(object, key, value)
		used += (size_t)snprintf(printed + used, sizeof printed - used, " %s", key);
	same(told, printed, "the schema %s has the members that are printed", name);
	json_decref(object);
	prn_buffer_clear(line);
}

/* The words of an enum: a line "enum: [a, b]" within a schema's block. */
static void check_words(const char *schema, const char *member, const char *words)
{
	char title[100], want[1000];
	size_t begin, end;

	snprintf(title, sizeof title, "%s:", schema);
	begin = find(0, line_count, 4, title);
	end = end_of(begin);
	snprintf(title, sizeof title, "%s:", member);
	if (*member)
		begin = find(begin, end, 8, title);
	snprintf(want, sizeof want, "enum: [%s]", words);
	ok(find(begin, end, *member ? 10 : 6, want) < end, "%s %s is one of %s", schema, member, words);
}

static void check_enums(void)
{
	char words[1000] = "";
	size_t used = 0;

	/* Stale, the last, is not told here: the daemon makes such an observation again. */
	for (int i = 0; i < PRN_OUTCOME_STALE; i++)
		used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? ", " : "",
		                         prn_outcome_name((enum prn_outcome_kind)i));
	check_words("Decision", "outcome", words);
	used = 0;
	for (int i = 0; i < PRN_NEXTS; i++)
		used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? ", " : "",
		                         prn_next_name((enum prn_next)i));
	check_words("Reason", "", words);
}

int main(void)
{
	struct prn_buffer line = { 0 };

	read_file();
	ok(count_operations() == serve_route_count,
	   "man/openapi.yaml describes as many operations as there are routes");
	for (size_t i = 0; i < serve_route_count; i++)
		check_route(&serve_routes[i]);
	serve_json_outcome(&line, "http://a.example/", 0, &(struct prn_outcome){ .kind = PRN_OUTCOME_REDIRECT, .cut = PRN_CUT_DEEP, .target_refused = true, .anew = true, .hints = 1 });
	check_schema("Decision", &line);
	serve_json_due(&line, &(struct prn_due){ .url = "http://a.example/", .validators = { .etag = "\"a\"" } });
	check_schema("Due", &line);
	serve_json_due_list(&line, &(struct prn_due_list){ .next = PRN_TIME_UNKNOWN, .over_budget = true, .unreadable = 1, .damaged_shards = 1 }, 0);
	check_schema("Next", &line);
	serve_json_explanation(&line, &(struct prn_explanation){ .url = (char *)"http://a.example/" });
	check_schema("Page", &line);
	serve_json_tuning(&line, &(struct prn_tuning){ .pages = 1, .unit = PRN_UNIT_BYTES, .damaged_shards = 1 }, NULL, &(struct prn_error){ PRN_E_IO, "gone" }, true);
	check_schema("Tuning", &line);
	serve_json_stats(&line, &(struct prn_stats){ .budget_per_day = 1, .damaged_shards = 1 }, NULL, &(struct keep_counts){ 2, 8192 });
	check_schema("Stats", &line);
	serve_json_added(&line, "http://a.example/", PRN_ADDED_KNOWN);
	check_schema("Added", &line);
	serve_json_released(&line, "http://a.example/", true);
	check_schema("Released", &line);
	serve_json_skipped(&line, "\xff is no UTF-8");
	ok(memmem(line.data, line.length, "\xef\xbf\xbd is no UTF-8", 15) != NULL,
	   "bytes that are not UTF-8 are replaced in an error");
	check_schema("Error", &line);
	check_enums();
	prn_buffer_release(&line);
	for (size_t i = 0; i < line_count; i++)
		free(lines[i].text);
	return done();
}
