/*
 * The sums over the points at one rate, and the best v by them, for as many curves at a time as a vector has lanes.  This is
 * a template: fit_trial.c includes it for each kind of vector that it needs.  Before,
 *
 * LANES	is the type of the vector: two, four or eight,
 * NUMBER	is the type of its elements: double or float,
 * LANES_source	is a struct that tells which curves are meant, and
 * LANES_read	is a function that writes c0, c1 and c2 (fit_internal.h) of these curves at a point.
 *
 * Vectors go by pointer, for how those of 32 bytes are passed depends on the processor that is compiled for.
 */
#define JOIN(a, b) a##_##b
#define NAME_OF(lanes, name) JOIN(lanes, name)
#define NAME(name) NAME_OF(LANES, name)

/* Σ M², Σ M d and Σ M'² by the powers of v. */
struct NAME(sums) {
	LANES model[2 * PRN_FIT_TERMS - 1], cross[PRN_FIT_TERMS], rise[PRN_FIT_TERMS];
};

static inline void NAME(sum)(const struct prn_fit_data *data, const struct NAME(source) *source, struct NAME(sums) *sums)
{
	LANES aa = { 0 }, ab = { 0 }, ac = { 0 }, bb = { 0 }, bc = { 0 }, cc = { 0 }, ad = { 0 }, bd = { 0 }, cd = { 0 };

	for (size_t i = 0; i < data->n; i++) {
		NUMBER d = (NUMBER)data->divergences[i];
		LANES a, b, c;

		NAME(read)(source, i, &a, &b, &c);
		aa += a * a;
		ab += a * b;
		ac += a * c;
		bb += b * b;
		bc += b * c;
		cc += c * c;
		ad += a * d;
		bd += b * d;
		cd += c * d;
	}
	*sums = (struct NAME(sums)){
		.model = { aa, 2 * ab, 2 * ac + bb, 2 * bc, cc },
		.cross = { ad, bd, cd },
		.rise = { bb, 4 * bc, 4 * cc },
	};
}

/* What is not a number becomes low. */
static inline void NAME(at_least)(NUMBER low, LANES *lanes)
{
	LANES lows = (LANES){ 0 } + low;
	NAME(int) is = *lanes > lows;

	*lanes = (LANES)((is & (NAME(int))*lanes) | (~is & (NAME(int))lows));
}

static inline void NAME(at_most)(NUMBER high, LANES *lanes)
{
	LANES highs = (LANES){ 0 } + high;
	NAME(int) is = *lanes < highs;

	*lanes = (LANES)((is & (NAME(int))*lanes) | (~is & (NAME(int))highs));
}

/* Writes what q and v would be if D* were proportional to q, as it nearly is, and for churn exactly. */
static inline void NAME(guess)(const struct NAME(sums) *sums, LANES *q, LANES *v)
{
	LANES model = sums->model[0];

	NAME(at_least)((NUMBER)TINY, &model);
	*q = sums->cross[0] / model;
	NAME(at_least)(0, q);
	NAME(at_most)(1, q);
	*v = *q / (1 - (NUMBER)PRN_FIT_BEND * *q);
}

/* Σ M² and Σ M d at v. */
static inline void NAME(sums_at)(const struct NAME(sums) *sums, const LANES *at, LANES *model, LANES *cross)
{
	const LANES *p = sums->model, *r = sums->cross;
	LANES v = *at;

	*model = p[0] + v * (p[1] + v * (p[2] + v * (p[3] + v * p[4])));
	*cross = r[0] + v * (r[1] + v * r[2]);
}

/* Goes Gauss-Newton's step from v, whose q is limit. */
static inline void NAME(step)(const struct NAME(sums) *sums, const LANES *limit, LANES *at)
{
	const LANES *p = sums->model, *r = sums->cross, *m = sums->rise;
	LANES q = *limit, v = *at, turn = 1 / (1 + (NUMBER)PRN_FIT_BEND * v), q_rise = turn * turn, model, cross;
	LANES half_rise = (NUMBER)0.5 * p[1] + v * (p[2] + v * ((NUMBER)1.5 * p[3] + v * 2 * p[4]));
	LANES cross_rise = r[1] + 2 * v * r[2], slope, curvature;

	NAME(sums_at)(sums, at, &model, &cross);
	slope = q * (q_rise * model + q * half_rise) - (q_rise * cross + q * cross_rise);
	curvature = q_rise * (q_rise * model + 2 * q * half_rise) + q * q * (m[0] + v * (m[1] + v * m[2]));
	NAME(at_least)((NUMBER)TINY, &curvature);
	*at = v - slope / curvature;
	NAME(at_least)(0, at);
	NAME(at_most)((NUMBER)PRN_FIT_V_MAX, at);
}

/* Writes Σ (d - qM)²; squares is Σ d². */
static inline void NAME(misfit)(const struct NAME(sums) *sums, NUMBER squares, const LANES *at, LANES *misfit)
{
	LANES q = *at / (1 + (NUMBER)PRN_FIT_BEND * *at), model, cross;

	NAME(sums_at)(sums, at, &model, &cross);
	*misfit = squares + q * (q * model - 2 * cross);
	NAME(at_least)(0, misfit);
}

#undef JOIN
#undef NAME_OF
#undef NAME
