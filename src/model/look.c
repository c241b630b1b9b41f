#include "perennial/look.h"

#include <math.h>

#define FORGETTING 0.9

static bool costs_a_fetch(const struct prn_look *look)
{
	return !(look->cost > 0 && look->cost < 1 && look->rate > 0);
}

double prn_look_cost(const struct prn_look *look, double t)
{
	return costs_a_fetch(look) ? 1 : look->cost - (1 - look->cost) * expm1(-look->rate * t);
}

double prn_look_price(const struct prn_look *look, double t)
{
	double x = look->rate * t;

	if (costs_a_fetch(look) || x > 700)
		return 1;
	return look->cost + (1 - look->cost) * (-expm1(-x) - x * exp(-x));
}

void prn_looks_add(struct prn_looks *looks, double interval, bool fetched)
{
	looks->fetched = FORGETTING * looks->fetched + fetched;
	looks->visits = FORGETTING * looks->visits + 1;
	looks->time = FORGETTING * looks->time + interval;
}

double prn_looks_rate(const struct prn_looks *looks)
{
	if (!(looks->visits > 0) || !(looks->time > 0))
		return 0;
	return -log1p(-(looks->fetched + 0.3) / (looks->visits + 1)) * looks->visits / looks->time;
}
