#include "term/filtering.h"

#include "perennial/time.h"
#include "term/exit.h"

#include <string.h>

static const char *const pages[] = { PRN_MEDIA_OF_PAGES };

int term_digests_parse(void *digests, const char *value)
{
	if (strcmp(value, "check") && strcmp(value, "trust"))
		return PRN_E_INPUT;
	*(enum prn_digests *)digests = !strcmp(value, "trust") ? PRN_DIGESTS_TRUST : PRN_DIGESTS_CHECK;
	return 0;
}

/* Tells whether there can be a type that it matches: another is a mistake, and would leave nothing. */
static bool is_media(const char *item)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'^_`|~.+-";
	size_t type = strspn(item, letters), subtype;

	if (!strcmp(item, PRN_MEDIA_OF_PAGES) || !strcmp(item, "all") || !strcmp(item, "*/*") || !strcmp(item + type, "*"))
		return true;
	if (!type || item[type] != '/')
		return false;
	subtype = strspn(item + type + 1, letters);
	item += type + 1 + subtype;
	return !strcmp(item, "*") || (subtype && !*item);
}

int term_filter_check(const struct term_filter *given, struct prn_error *error)
{
	int code = given->git_base ? prn_git_base_check(given->git_base, error) : 0;

	if (given->from != PRN_TIME_UNKNOWN && given->to != PRN_TIME_UNKNOWN && given->from >= given->to)
		return term_usage_error(error, "--from must be before --to");
	for (size_t i = 0; i < given->media.count; i++)
		if (!is_media(given->media.items[i]))
			return term_usage_error(error, "--media takes media types without parameters (text/html, text/*), pages or all: '%s' is none of them",
			                        given->media.items[i]);
	if (!(given->sample > 0) || given->sample > 1)
		return term_usage_error(error, "--sample takes a number above 0, at most 1");
	if (code == PRN_E_ARGUMENT)
		prn_error_prefix(error, "--git-base");
	return code == PRN_E_ARGUMENT ? term_usage_blame(error) : code;
}

struct prn_source_filter term_filter_make(const struct term_filter *given)
{
	struct prn_source_filter filter = { .media = pages, .media_count = 1, .media_by_default = !given || !given->media.count };

	if (!given)
		return filter;
	if (given->media.count) {
		filter.media = (const char *const *)given->media.items;
		filter.media_count = given->media.count;
	}
	for (size_t i = 0; i < given->media.count; i++)
		if (!strcmp(given->media.items[i], "all"))
			filter.media_count = 0;
	filter.hosts = (const char *const *)given->hosts.items;
	filter.host_count = given->hosts.count;
	filter.surts = (const char *const *)given->surts.items;
	filter.surt_count = given->surts.count;
	filter.has_from = given->from != PRN_TIME_UNKNOWN;
	filter.from = given->from;
	filter.has_to = given->to != PRN_TIME_UNKNOWN;
	filter.to = given->to;
	filter.sample = given->sample;
	return filter;
}

bool term_filter_is_given(const struct term_filter *given)
{
	return given->media.count || given->hosts.count || given->surts.count || given->from != PRN_TIME_UNKNOWN ||
	       given->to != PRN_TIME_UNKNOWN || given->sample < 1;
}

void term_filter_release(struct term_filter *given)
{
	term_list_release(&given->media);
	term_list_release(&given->hosts);
	term_list_release(&given->surts);
}
