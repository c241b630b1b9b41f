#include "decide/intervals.h"

#include "perennial/page_state.h"
#include "perennial/url.h"

#include <math.h>
#include <string.h>

#define MIN_S 600.0
#define LONGEST_S (10000.0 * 366 * PRN_DAY_S) /* as durations are written (time.h) */

/* Ranks of rules: a rule by place is more specific than one by type, and a longer prefix more than a shorter one. */
#define BY_KIND 1
#define BY_TYPE 2
#define BY_PLACE 3

int prn_intervals_check(const struct prn_interval_rule *rules, size_t count, struct prn_error *error)
{
	for (size_t i = 0; i < count; i++) {
		const struct prn_interval_rule *rule = &rules[i];
		const char *about = rule->surt ? rule->surt : rule->media ? rule->media : "all pages";

		if (rule->surt && rule->media)
			return prn_error_set(error, PRN_E_ARGUMENT,
			                     "%s: an interval is for a SURT prefix or a media type, not both",
			                     about);
		if (rule->surt && (!*rule->surt || strpbrk(rule->surt, " \t\r\n")))
			return prn_error_set(error, PRN_E_ARGUMENT,
			                     "'%s': an interval's SURT prefix is not empty, and has no blanks",
			                     rule->surt);
		if (rule->media && (!strchr(rule->media, '/') || *rule->media == '/'))
			return prn_error_set(error, PRN_E_ARGUMENT,
			                     "'%s': an interval's media type is as text/html or image/*",
			                     rule->media);
		if (!(rule->min_s >= 0 && rule->min_s <= LONGEST_S) || !(rule->max_s >= 0 && rule->max_s <= LONGEST_S))
			return prn_error_set(
				error, PRN_E_ARGUMENT,
				"%s: the interval must be a finite duration, 0 or more, of at most 10000 years",
				about);
		if (rule->min_s > 0 && rule->max_s > 0 && rule->min_s > rule->max_s)
			return prn_error_set(error, PRN_E_ARGUMENT, "%s: the minimum interval is above the maximum",
			                     about);
	}
	return 0;
}

/* How specific the rule is; 0: it does not apply to the page, or it is the rule for all pages. */
static size_t rank_for_page(const struct prn_interval_rule *rule, const char *surt, uint32_t media)
{
	size_t slash;

	if (rule->surt)
		return prn_surt_under(surt, rule->surt) ? BY_PLACE + strlen(rule->surt) : 0;
	if (!rule->media)
		return 0;
	slash = strcspn(rule->media, "/");
	if (!prn_media_under(media, rule->media))
		return 0;
	return !rule->media[slash] || !rule->media[slash + 1] || rule->media[slash + 1] == '*' ? BY_KIND : BY_TYPE;
}

struct prn_interval_bounds prn_intervals_find(const struct prn_interval_rule *rules, size_t count,
                                              const char *normal_url, uint32_t media)
{
	struct prn_interval_bounds found = { MIN_S, PRN_INTERVAL_MOST_S };
	size_t min_rank = 0, max_rank = 0;
	char surt[PRN_URL_BYTES + 16];

	surt[0] = 0;
	if (count)
		prn_url_surt(normal_url, surt, sizeof surt);
	for (size_t i = 0; i < count; i++) {
		size_t particular = rank_for_page(&rules[i], surt, media);

		if (!particular && (rules[i].surt || rules[i].media))
			continue;
		if (rules[i].min_s > 0 && particular >= min_rank) {
			found.min_s = rules[i].min_s;
			min_rank = particular;
		}
		if (rules[i].max_s > 0 && particular >= max_rank) {
			found.max_s = rules[i].max_s;
			max_rank = particular;
		}
	}
	found.max_s = fmax(found.min_s, found.max_s);
	return found;
}
