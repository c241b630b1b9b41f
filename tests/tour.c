/*
 * The tour in doc/tour.md, compiled and run: tests/docs.sh checks that the two are the same text.
 */
#include <perennial/perennial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	static const char *const weather[] = { "fog", "sun", "rain", "wind", "sun", "hail" };
	static const char text[] = "<h1>Harbour</h1><p>Boats to the islands leave the old pier at nine in the morning and at"
				   " noon, and come back before dark.</p><p>Weather today: %s.</p><p>%s</p>";
	static const char notice[] = "From May on boats also leave the new pier on the north side at four.";
	char page[512];
	struct prn_extractor *extractors[3]; /* drift keeps two versions; the third reads the present one */
	struct prn_summary versions[3] = { 0 };
	struct prn_policy *policy;
	struct prn_decision next;
	void *state;

	for (int i = 0; i < 3; i++)
		if (prn_extractor_open(&extractors[i], PRN_SHINGLE_WORDS, PRN_SUMMARY_ALL))
			return 1;
	if (prn_policy_open(&policy, "drift", NULL, NULL) || !(state = calloc(1, prn_policy_state_size(policy))))
		return 1;
	for (int day = 0; day < 6; day++) {
		double divergence[2];
		struct prn_visit visit = { .time = day, .weight = 1, .threshold = 0.25, .divergence = divergence };

		snprintf(page, sizeof page, text, weather[day], day < 4 ? "" : notice);
		if (prn_extractor_summary(extractors[2], page, strlen(page), "text/html", &versions[2]))
			return 1;
		for (int slot = 0; slot < 2; slot++)
			divergence[slot] = prn_summary_divergence(&versions[slot], &versions[2]);
		prn_policy_visit(policy, state, &visit, &next);
		printf("day %d: %.2f away from the visit before, next visit in %.1f days\n", day,
		       day ? divergence[!next.keep] : 0, next.period);
		struct prn_extractor *spare = extractors[next.keep];
		extractors[next.keep] = extractors[2], versions[next.keep] = versions[2];
		extractors[2] = spare;
	}
	prn_policy_free(policy);
	free(state);
	for (int i = 0; i < 3; i++)
		prn_extractor_free(extractors[i]);
	return 0;
}
