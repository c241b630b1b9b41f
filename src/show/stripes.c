#include "show/html.h"

#include "text/person.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STRIPES 160 /* lives that are drawn */

const char *show_region_class(enum prn_region region)
{
	static const char *const classes[] = { "s", "c", "r", "u" };

	return classes[region];
}

static void print_expected(const struct show *show, const struct show_life *life, char *text, size_t room)
{
	double mean = show->mean_days[life->region];
	char days[TEXT_PERSON_BYTES];

	if (life->region == PRN_REGION_STATIC)
		snprintf(text, room, "; never seen to go");
	else if (isfinite(mean))
		snprintf(text, room, "; %s content lives %s here, in the mean",
		         life->region == PRN_REGION_UNKNOWN ? "such" : prn_region_name(life->region), text_person_days(mean, days));
	else
		snprintf(text, room, "; no such content was seen to go");
}

void show_print_life(const struct show *show, const struct show_life *life, size_t capture, char *text, size_t room)
{
	bool since_first = life->from == show->first;
	char from[TEXT_PERSON_BYTES], age[TEXT_PERSON_BYTES], to[TEXT_PERSON_BYTES], lived[TEXT_PERSON_BYTES], expected[128];
	char end[3 * TEXT_PERSON_BYTES] = "";

	print_expected(show, life, expected, sizeof expected);
	if (life->ended)
		snprintf(end, sizeof end, "; gone by %s, lived %s%s", text_person_time(show->page.captures[life->to].time, to),
		         since_first ? "at least " : "", text_person_days(life->days, lived));
	snprintf(text, room, "%s, there since %s%s (%s old)%s%s", prn_region_name(life->region), since_first ? "the first capture, " : "",
	         text_person_time(show->page.captures[life->from].time, from),
	         text_person_days(show_days(show, life->from, capture), age), end, expected);
}

static int size_order(const void *a, const void *b)
{
	const struct show_life *const *x = a, *const *y = b;

	if ((*x)->fragments != (*y)->fragments)
		return (*x)->fragments > (*y)->fragments ? -1 : 1;
	return (*x > *y) - (*x < *y);
}

static int place_order(const void *a, const void *b)
{
	const struct show_life *const *x = a, *const *y = b;

	return (*x > *y) - (*x < *y);
}

static bool is_in(const struct show_version *version, const struct show *show, uint32_t life)
{
	for (size_t i = 0; i < version->text.count; i++)
		if (show->passages.list[version->text.passages[i]].mark == life)
			return true;
	return false;
}

static void print_stripe(FILE *out, const struct show *show, const struct show_life *life)
{
	uint32_t index = (uint32_t)(life - show->lives);
	double whole = show_days(show, show->first, show->last), from = show_days(show, show->first, life->from);
	size_t end = life->to <= show->last ? life->to : show->last;
	double width = show_days(show, life->from, end), height = fmin(36, fmax(5, 2 * sqrt((double)life->fragments)));
	bool here = life->from <= show->capture && show->capture < life->to;
	char words[512];

	show_print_life(show, life, end, words, sizeof words);
	fprintf(out, "<li><a class=\"%s%s\" data-l=\"%u\"", show_region_class(life->region), here ? "" : " away", index);
	if (is_in(&show->versions[show->shown], show, index))
		fprintf(out, " href=\"#L%u\"", index);
	fprintf(out, " title=\"%zu fragment%s: %s\"><i style=\"left:%.2f%%;width:%.2f%%;height:%.0fpx\"></i>"
	             "<span class=\"vh\">%zu fragment%s: %s</span></a></li>\n",
	        life->fragments, life->fragments == 1 ? "" : "s", words, whole > 0 ? 100 * from / whole : 0,
	        whole > 0 ? 100 * width / whole : 100, height, life->fragments, life->fragments == 1 ? "" : "s", words);
}

int show_print_stripes(FILE *out, const struct show *show)
{
	size_t count = show->life_count < STRIPES ? show->life_count : STRIPES;
	const struct show_life **lives = calloc(show->life_count + 1, sizeof *lives);

	if (!lives)
		return PRN_E_MEMORY;
	for (size_t i = 0; i < show->life_count; i++)
		lives[i] = &show->lives[i];
	qsort(lives, show->life_count, sizeof *lives, size_order);
	qsort(lives, count, sizeof *lives, place_order);
	fputs("<ol class=\"stripes\" id=\"stripes\" tabindex=\"-1\">\n", out);
	for (size_t i = 0; i < count; i++)
		print_stripe(out, show, lives[i]);
	fputs("</ol>\n", out);
	if (count < show->life_count)
		fprintf(out, "<p class=\"note\">%zu of %zu stripes: those of most fragments.</p>\n", count, show->life_count);
	free(lives);
	return 0;
}
