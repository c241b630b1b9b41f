/* What is learned of URL patterns from page histories, against sums made by hand. */
#include "perennial/patterns.h"
#include "synthetic.h"
#include "tap.h"

#define PAGES 48
#define HOSTS 3

static const struct prn_prior prior = { 0.06, 6 };

static const char *section(size_t page)
{
	static const char *const sections[] = { "news/2024", "news/7", "about" };

	return sections[page / HOSTS % 3];
}

static bool is_of(size_t page, const struct prn_pattern *pattern)
{
	char host[32];

	snprintf(host, sizeof host, "h%zu.example", page % HOSTS);
	return !strcmp(pattern->host, host) && (page / HOSTS % 3 == 2) == !strcmp(pattern->text, "/about/");
}

int main(void)
{
	struct synthetic synthetic = { .pages = PAGES, .hosts = HOSTS };
	struct prn_pages pages = synthetic_pages(&synthetic);
	struct prn_life lives[PAGES];
	struct prn_patterns patterns;
	double worst = 0;
	bool counted = true, ordered = true;

	for (size_t i = 0; i < PAGES; i++)
		snprintf(synthetic.urls[i], sizeof *synthetic.urls, "http://h%zu.example/%s/%zu", i % HOSTS, section(i), i);
	if (prn_patterns_learn(&patterns, &pages, &prior, PRN_CLOCK_STEPS, 0, NULL) ||
	    prn_lives_read(lives, &pages, PRN_CLOCK_STEPS, 1, NULL))
		abort();
	ok(patterns.count == 2 * HOSTS, "pages of directories that differ in digits only are of one pattern");
	for (size_t k = 0; k < patterns.count; k++) {
		const struct prn_pattern *pattern = &patterns.list[k];
		double a_h = 0, b_h = 0, a_p = 0, b_p = 0, h;
		uint64_t visits = 0;
		size_t members = 0;

		for (size_t i = 0; i < PAGES; i++) {
			double moved = lives[i].drift.moved, time = lives[i].drift.time;
			bool same_host = pattern->host[1] == (char)('0' + (char)(i % HOSTS));

			if (!lives[i].captures || !same_host)
				continue;
			a_h += moved / (time + 1.5);
			b_h += time / (time + 1.5);
			if (!is_of(i, pattern))
				continue;
			a_p += moved / (time + 1.5);
			b_p += time / (time + 1.5);
			visits += lives[i].captures;
			members++;
		}
		h = (a_h + 0.02) / (b_h + 2);
		worst = fmax(worst, fabs(pattern->drift - fmin(fmax((a_p + h / 2) / (b_p + 0.5), 0.001), 0.16)));
		counted &= pattern->pages == members && pattern->visits == visits;
		ordered &= !k || strcmp(pattern[-1].host, pattern->host) < 0 ||
		           (!strcmp(pattern[-1].host, pattern->host) && strcmp(pattern[-1].text, pattern->text) < 0);
	}
	near(worst, 0, 1e-12, "the drift that is expected of a pattern is that of doc/theory.md §16");
	ok(counted, "a pattern has the pages and captures that it was learned from");
	ok(ordered, "patterns are in the order of hosts, and of their texts");
	prn_patterns_release(&patterns);
	ok(!patterns.count && !patterns.list, "what was released is empty");
	free(synthetic.urls);
	return done();
}
