#include "soak/paired.h"

#include <math.h>

#define HALF_PI 1.57079632679489661923

/* This is Welford's algorithm, which takes no difference of large sums. */
void paired_add(struct paired *paired, double measured, double beside)
{
	double ratio = measured / beside, off = ratio - paired->mean;

	paired->mean += off / (double)++paired->count;
	paired->squares += off * (ratio - paired->mean);
}

/*
 * The share follows from the angle whose tangent is t / sqrt(degrees): it is a finite series in its cosine, of odd or of even
 * powers.
 */
static double within_angle(double angle, uint64_t degrees)
{
	double cosine = cos(angle), term = degrees % 2 ? cosine : 1, sum = degrees > 1 ? term : 0;

	for (uint64_t power = 2 + degrees % 2; power + 2 <= degrees; power += 2) {
		term *= cosine * cosine * (double)(power - 1) / (double)power;
		sum += term;
	}
	return degrees % 2 ? (angle + sin(angle) * sum) / HALF_PI : sin(angle) * sum;
}

double paired_student_within(double t, uint64_t degrees)
{
	return within_angle(atan(t / sqrt((double)degrees)), degrees);
}

double paired_student_bound(double share, uint64_t degrees)
{
	double low = 0, high = HALF_PI;

	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (within_angle(middle, degrees) < share)
			low = middle;
		else
			high = middle;
	}
	return sqrt((double)degrees) * tan(high);
}

double paired_half_width(const struct paired *paired, double confidence)
{
	double degrees = (double)paired->count - 1;

	if (paired->count < 2)
		return INFINITY;
	return paired_student_bound(confidence, paired->count - 1) * sqrt(paired->squares / degrees / (double)paired->count);
}

enum paired_shown paired_shows(const struct paired *paired, double allowed, double confidence)
{
	double half = paired_half_width(paired, confidence);

	return paired->mean + half <= allowed ? PAIRED_HELD : paired->mean - half <= allowed ? PAIRED_OPEN : PAIRED_BROKEN;
}
