/* The dashboard for Grafana: JSON whose panels have places and queries of their own.  tests/cli/serve.sh holds its metrics against the daemon's. */
#include "../tap.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 24 /* of Grafana's grid */

static long member(const json_t *object, const char *name)
{
	return (long)json_integer_value(json_object_get(object, name));
}

static bool overlap(const json_t *one, const json_t *other)
{
	const json_t *a = json_object_get(one, "gridPos"), *b = json_object_get(other, "gridPos");

	return member(a, "x") < member(b, "x") + member(b, "w") && member(b, "x") < member(a, "x") + member(a, "w") &&
	       member(a, "y") < member(b, "y") + member(b, "h") && member(b, "y") < member(a, "y") + member(a, "h");
}

static void check_places(const json_t *panels)
{
	size_t i, j, alike = 0, outside = 0, shared = 0;
	const json_t *one, *other;

	json_array_foreach(panels, i, one) {
		const json_t *place = json_object_get(one, "gridPos");

		outside += member(place, "x") < 0 || member(place, "w") < 1 || member(place, "h") < 1 ||
		           member(place, "x") + member(place, "w") > COLUMNS;
		json_array_foreach(panels, j, other) {
			alike += j < i && member(one, "id") == member(other, "id");
			shared += j < i && overlap(one, other);
		}
	}
	ok(!alike, "each panel of the dashboard has an id of its own");
	ok(!outside, "each panel of the dashboard lies within its columns");
	ok(!shared, "no panel of the dashboard lies over another");
}

static bool is_balanced(const char *query)
{
	long depth = 0;

	for (; *query && depth >= 0; query++)
		depth += strchr("([{", *query) ? 1 : strchr(")]}", *query) ? -1 : 0;
	return !depth;
}

static void check_queries(const json_t *panels)
{
	size_t i, j, count = 0;
	const json_t *panel, *target;

	json_array_foreach(panels, i, panel) {
		json_array_foreach(json_object_get(panel, "targets"), j, target) {
			const char *query = json_string_value(json_object_get(target, "expr"));

			count++;
			if (!query || !strstr(query, "perennial_") || !strstr(query, "{instance=~\"$instance\"}") || !is_balanced(query))
				ok(false, "the query '%s' of '%s' is of a metric at the instances that are chosen", query ? query : "",
				   json_string_value(json_object_get(panel, "title")));
		}
		if (!json_array_size(json_object_get(panel, "targets")) && strcmp(json_string_value(json_object_get(panel, "type")), "row") != 0)
			ok(false, "the panel '%s' asks for something", json_string_value(json_object_get(panel, "title")));
	}
	ok(count >= json_array_size(panels), "the %zu queries of the dashboard are of metrics at the instances that are chosen", count);
}

static bool has_variable(const json_t *root, const char *name)
{
	const json_t *list = json_object_get(json_object_get(root, "templating"), "list"), *variable;
	size_t i;

	json_array_foreach(list, i, variable)
		if (!strcmp(json_string_value(json_object_get(variable, "name")), name))
			return true;
	return false;
}

int main(void)
{
	char path[4096];
	json_error_t error = { .text = "" };
	const json_t *panels;
	json_t *root;

	snprintf(path, sizeof path, "%s/tools/grafana/perennial.json", getenv("SRCDIR") ? getenv("SRCDIR") : ".");
	root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	if (!ok(root != NULL, "the dashboard is JSON: line %d: %s", error.line, error.text))
		return done();
	panels = json_object_get(root, "panels");
	ok(json_array_size(panels) > 10, "the dashboard has %zu panels", json_array_size(panels));
	ok(has_variable(root, "instance"), "the dashboard lets instances be chosen");
	check_places(panels);
	check_queries(panels);
	json_decref(root);
	return done();
}
