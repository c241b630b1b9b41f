#include "perennial/siblings.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The weights by which a pattern is shrunk to its host, and a host to the mean of all, in known pages. */
#define PATTERN_WEIGHT 0.5
#define HOST_WEIGHT 2

/*
 * The maximum drift expected of any page, in means: a page about which only its siblings are known is first
 * visited at most twice as often.
 */
#define LEAST_RATE 0.1
#define LARGEST_RATE 4

/* The share of the siblings' weight that remains after each interval of the page's own. */
#define FADING 0.85

struct prn_evidence prn_evidence_of(double moved, double time, double half)
{
	return (struct prn_evidence){ moved / (time + half), time / (time + half) };
}

void prn_evidence_replace(struct prn_evidence *sum, const struct prn_evidence *before, const struct prn_evidence *now)
{
	sum->drift = fmax(sum->drift - before->drift, 0) + now->drift;
	sum->known = fmax(sum->known - before->known, 0) + now->known;
}

double prn_siblings_rate(const struct prn_siblings *siblings, double mean)
{
	const struct prn_evidence *pattern = &siblings->pattern, *host = &siblings->host;
	double of_host = (host->drift + HOST_WEIGHT * mean) / (host->known + HOST_WEIGHT);
	double rate = (pattern->drift + PATTERN_WEIGHT * of_host) / (pattern->known + PATTERN_WEIGHT);

	if (!(host->known > 0 || pattern->known > 0))
		return 0;
	if (rate < mean)
		rate = sqrt(rate * mean);
	return fmin(fmax(rate, LEAST_RATE * mean), LARGEST_RATE * mean);
}

double prn_siblings_left(uint64_t intervals)
{
	return intervals < PRN_SIBLINGS_INTERVALS ? pow(FADING, (double)intervals) : 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

size_t prn_url_pattern(const char *normal_url, char pattern[PRN_PATTERN_BYTES + 1])
{
	const char *scheme = strstr(normal_url, "://");
	const char *at = scheme ? scheme + 3 : normal_url, *end = at;
	size_t length = 0;

	at += strcspn(at, "/?#");
	end = at + strcspn(at, "?#");
	while (end > at && end[-1] != '/')
		end--;
	while (at < end && length < PRN_PATTERN_BYTES) {
		size_t taken = *at == '%' && end - at >= 3 ? 3 : 1;

		if (is_digit(*at)) {
			pattern[length++] = '#';
			while (is_digit(*at))
				at++;
			continue;
		}
		for (size_t i = 0; i < taken && length < PRN_PATTERN_BYTES; i++)
			pattern[length++] = *at++;
	}
	pattern[length] = 0;
	return length;
}
