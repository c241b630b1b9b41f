#include "show/show.h"

#include "evaluate/replay.h"
#include "perennial/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BETWEEN 8 /* settings that are tried between two that a sweep would choose */

/* A replay of a policy over the page's life. */
struct course {
	struct prn_course course;
	struct prn_driver driver;
};

static int begin(struct course *course, const struct show *show, const struct prn_policy *policy, double dial)
{
	struct prn_truth *truth = (struct prn_truth *)&show->truth;

	*course = (struct course){ .driver = { .truth = truth, .policy = policy, .dial = dial } };
	if (prn_truth_seen(truth, &show->page, prn_policy_summary(policy), &course->driver.seen))
		return PRN_E_MEMORY;
	course->driver.state = calloc(1, prn_policy_state_size(policy) + 1);
	if (!course->driver.state)
		return PRN_E_MEMORY;
	prn_course_begin(&course->course, &course->driver);
	return 0;
}

/* Returns the capture of the next visit, counted in the life; the number of captures if there is none. */
static size_t next_visit(const struct course *course)
{
	const struct prn_truth *truth = course->driver.truth;
	size_t now = course->course.replay.now;

	return prn_truth_capture_at(truth, now + 1, truth->time[now] + course->course.period);
}

static int cost_at(const struct show *show, const struct prn_policy *policy, double dial, double *cost)
{
	struct prn_score scores[PRN_WINDOWS];
	struct course course;
	int code = begin(&course, show, policy, dial);

	if (!code) {
		prn_course_run(&course.course, &course.driver, INFINITY);
		prn_replay_end(&course.course.replay, scores);
		*cost = scores[PRN_WINDOW_ALL].cost;
		free(course.driver.state);
	}
	return code;
}

/* Chooses the setting whose cost comes closest; the middle one of several, so that a little more or less changes nothing. */
static int choose_setting(const struct show *show, const struct prn_policy *policy, double wanted, double *setting)
{
	const struct prn_life life = { .weight = show->truth.weight, .interval = 1, .captures = show->truth.captures };
	struct prn_setting settings[PRN_SETTINGS];
	size_t count = prn_settings_choose(prn_policy_about(policy)->dial, &life, 1, settings), first = 0, last = 0;
	double best = INFINITY;
	int code = 0;

	for (size_t i = 0; i + BETWEEN < count * BETWEEN && !code; i++) {
		const struct prn_setting *at = &settings[i / BETWEEN];
		double dial = at->value * pow(at[1].value / at->value, (double)(i % BETWEEN) / BETWEEN), cost = 0;

		code = cost_at(show, policy, dial, &cost);
		if (fabs(cost - wanted) < best) {
			best = fabs(cost - wanted);
			first = i;
		}
		if (fabs(cost - wanted) <= best)
			last = i;
	}
	first = (first + last) / 2;
	*setting = settings[first / BETWEEN].value *
	           pow(settings[first / BETWEEN + 1].value / settings[first / BETWEEN].value, (double)(first % BETWEEN) / BETWEEN);
	return code;
}

static int keep_visit(struct show_replay *replay, struct show_visit visit)
{
	struct show_visit *visits = prn_array_grow(replay->visits, &replay->visit_capacity, replay->visit_count + 1, sizeof *visits);

	if (!visits)
		return PRN_E_MEMORY;
	replay->visits = visits;
	visits[replay->visit_count++] = visit;
	return 0;
}

static int replay_visits(const struct show *show, const struct prn_policy *policy, struct show_replay *replay)
{
	struct prn_score scores[PRN_WINDOWS];
	size_t captures = show->truth.captures, base = 0, done = 0;
	struct course course;
	int code = begin(&course, show, policy, replay->setting);

	if (code)
		return code;
	while (!code) {
		size_t at = next_visit(&course);
		bool taken;

		for (; done < at && done < captures; done++)
			replay->stale[done] = prn_truth_divergence(&show->truth, base, done);
		if (at >= captures)
			break;
		taken = prn_course_visit(&course.course, &course.driver, at);
		base = taken ? at : base;
		code = keep_visit(replay, (struct show_visit){ .at = show->first + at, .taken = taken });
	}
	prn_replay_end(&course.course.replay, scores);
	replay->cost = scores[PRN_WINDOW_ALL].cost;
	replay->staleness = scores[PRN_WINDOW_ALL].staleness;
	free(course.driver.state);
	return code;
}

/* Counts what each visit saw first, and what it came too late for: a life without a visit in it. */
static void count_catches(const struct show *show, struct show_replay *replay)
{
	for (size_t i = 0; i < show->life_count; i++) {
		const struct show_life *life = &show->lives[i];
		size_t at = 0;

		if (life->from == show->first)
			continue;
		replay->born += life->fragments;
		while (at < replay->visit_count && (!replay->visits[at].taken || replay->visits[at].at < life->from))
			at++;
		if (at < replay->visit_count && replay->visits[at].at < life->to) {
			replay->visits[at].caught += life->fragments;
			replay->caught += life->fragments;
			continue;
		}
		replay->missed += life->ended ? life->fragments : 0;
		if (at < replay->visit_count)
			replay->visits[at].missed += life->fragments;
	}
}

static void count_changes(const struct show *show, struct show_replay *replay)
{
	size_t before = SIZE_MAX;

	replay->changes = show->version_count - 1;
	for (size_t i = 0; i < replay->visit_count; i++) {
		size_t version = show_version_at(show, replay->visits[i].at);

		if (replay->visits[i].taken && version > 0 && version != before) {
			replay->changes_caught++;
			before = version;
		}
	}
}

int show_replay(const struct show *show, const struct prn_policy *policy, double setting, double cost,
                struct show_replay *replay, struct prn_error *error)
{
	int code = 0;

	*replay = (struct show_replay){ .dial = prn_policy_about(policy)->dial, .unit_s = show->truth.unit_s };
	if (!(setting > 0))
		code = choose_setting(show, policy, cost, &setting);
	replay->setting = setting;
	replay->stale = calloc(show->truth.captures, sizeof *replay->stale);
	if (!code)
		code = replay->stale ? replay_visits(show, policy, replay) : PRN_E_MEMORY;
	if (code)
		return prn_error_set(error, code, "%s", prn_error_text(code));
	count_catches(show, replay);
	count_changes(show, replay);
	return 0;
}

void show_replay_release(struct show_replay *replay)
{
	free(replay->visits);
	free(replay->stale);
	*replay = (struct show_replay){ 0 };
}
