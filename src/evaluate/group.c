#include "evaluate/group.h"

#include "evaluate/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A page on its way. */
struct prn_group_track {
	struct prn_member *member;
	struct prn_driver driver;
	struct prn_course course;
	struct prn_watched watched;
	struct prn_told *told; /* [sources] */
	bool acquired;
	double due;  /* on the page's clock */
	size_t at;   /* the capture of its next visit; captures: none */
	size_t hint; /* the next that it hears */
	double next; /* when something happens to it, seconds; INFINITY: nothing more */
};

int prn_group_init(struct prn_group *group, size_t room, size_t sources, size_t state_bytes)
{
	*group = (struct prn_group){ .room = room, .sources = sources, .state_bytes = state_bytes };
	group->tracks = calloc(room, sizeof *group->tracks);
	group->trust = calloc(sources, sizeof *group->trust);
	group->told = sources <= SIZE_MAX / room ? calloc(room * sources, sizeof *group->told) : NULL;
	group->states = calloc(room, state_bytes + 1);
	return group->tracks && group->trust && group->told && group->states ? 0 : PRN_E_MEMORY;
}

void prn_group_release(struct prn_group *group)
{
	free(group->tracks);
	free(group->trust);
	free(group->told);
	free(group->states);
	*group = (struct prn_group){ 0 };
}

static double capture_time(const struct prn_group_track *track)
{
	const struct prn_truth *truth = &track->member->truth;

	return track->at < truth->captures ? truth->start_s + truth->unit_s * truth->time[track->at] : INFINITY;
}

static double hint_time(const struct prn_group_track *track)
{
	const struct prn_hearing *hearing = &track->member->hearing;
	const struct prn_truth *truth = &track->member->truth;

	return track->hint < hearing->count ? truth->start_s + truth->unit_s * hearing->list[track->hint].time : INFINITY;
}

/* Whom a page believes most, or nobody. */
static struct prn_hints listen(const struct prn_group *group, const struct prn_group_track *track)
{
	struct prn_hints best = { 0 }, hints;

	for (size_t i = 0; i < group->sources; i++)
		if (group->trust[i].hints > 0) {
			prn_trust_hints(&group->trust[i], &track->told[i], &track->watched, &hints);
			if (hints.trust > best.trust)
				best = hints;
		}
	return best;
}

static void set_due(struct prn_group_track *track, double due)
{
	track->due = due;
	track->at = prn_truth_capture_at(&track->member->truth, track->course.replay.now + 1, due);
}

static void acquire(const struct prn_group *group, struct prn_group_track *track)
{
	track->acquired = true;
	track->driver.hints = listen(group, track);
	prn_course_begin(&track->course, &track->driver);
	set_due(track, track->course.period);
}

/* No hint puts a visit off: if trust fell meanwhile, the visit decided before stays. */
static void hear(const struct prn_group *group, struct prn_group_track *track)
{
	const struct prn_heard *heard = &track->member->hearing.list[track->hint++];
	double due;

	track->told[heard->source].since++;
	track->driver.hints = listen(group, track);
	if (!prn_hints_count(&track->driver.hints))
		return;
	due = fmax(heard->time, track->course.visited + prn_course_decide(&track->course, &track->driver));
	if (due < track->due)
		set_due(track, due);
}

/* What came of a visit for the trust in whoever ever spoke of this host. */
static void prove(struct prn_group *group, struct prn_group_track *track, double interval, bool changed)
{
	for (size_t i = 0; i < group->sources; i++)
		prn_trust_visit(&group->trust[i], &track->told[i], &track->watched, interval, changed);
	prn_watched_visit(&track->watched, interval, changed);
	track->driver.hints = listen(group, track);
}

static void visit(struct prn_group *group, struct prn_group_track *track)
{
	const struct prn_truth *truth = &track->member->truth;
	const uint32_t *of = truth->versions.of;
	size_t base = track->course.replay.base;
	double time = truth->time[track->at], waited = time - truth->time[track->course.replay.now];

	if (!truth->taken[track->at]) {
		prn_course_visit(&track->course, &track->driver, track->at);
		set_due(track, time + fmax(track->course.period, waited));
		return;
	}
	prove(group, track, time - track->course.visited,
	      track->driver.matrix[of[track->at] * truth->versions.count + of[base]] > 0);
	prn_course_visit(&track->course, &track->driver, track->at);
	set_due(track, time + track->course.period);
}

static int begin(struct prn_group *group, struct prn_member *members, size_t count, const struct prn_contender *contender,
                 const struct prn_setting *setting)
{
	memset(group->trust, 0, group->sources * sizeof *group->trust);
	memset(group->told, 0, count * group->sources * sizeof *group->told);
	for (size_t i = 0; i < count; i++) {
		struct prn_group_track *track = &group->tracks[i];
		struct prn_truth *truth = &members[i].truth;

		*track = (struct prn_group_track){ .member = &members[i], .told = &group->told[i * group->sources], .next = INFINITY };
		if (!members[i].counted)
			continue;
		track->driver = (struct prn_driver){ .truth = truth, .policy = contender->online,
			                             .dial = setting->in_seconds ? setting->value / truth->unit_s : setting->value,
			                             .state = &group->states[i * group->state_bytes] };
		track->next = truth->start_s;
		if (prn_truth_seen(truth, &members[i].page, prn_policy_summary(contender->online), &track->driver.matrix))
			return PRN_E_MEMORY;
	}
	return 0;
}

static struct prn_group_track *earliest(const struct prn_group *group, size_t count)
{
	struct prn_group_track *first = &group->tracks[0];

	for (size_t i = 1; i < count; i++)
		if (group->tracks[i].next < first->next)
			first = &group->tracks[i];
	return first;
}

int prn_group_replay(struct prn_group *group, struct prn_member *members, size_t count,
                     const struct prn_contender *contender, const struct prn_setting *setting, struct prn_score *scores,
                     size_t stride)
{
	struct prn_group_track *track;
	int code = begin(group, members, count, contender, setting);

	if (code)
		return code;
	for (track = earliest(group, count); isfinite(track->next); track = earliest(group, count)) {
		if (!track->acquired)
			acquire(group, track);
		else if (hint_time(track) <= capture_time(track))
			hear(group, track);
		else
			visit(group, track);
		track->next = fmin(hint_time(track), capture_time(track));
	}
	for (size_t i = 0; i < count; i++)
		if (members[i].counted)
			prn_replay_end(&group->tracks[i].course.replay, &scores[i * stride]);
	return 0;
}
