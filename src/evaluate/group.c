#include "evaluate/group.h"

#include "evaluate/replay.h"
#include "policy/policy_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int prn_group_init(struct prn_group *group, size_t room, size_t sources, size_t state_bytes, bool heeds_siblings)
{
	*group = (struct prn_group){ .room = room, .sources = sources, .state_bytes = state_bytes,
		                     .heeds_siblings = heeds_siblings };
	group->tracks = calloc(room, sizeof *group->tracks);
	group->pages = calloc(room, sizeof *group->pages);
	group->patterns = calloc(room, sizeof *group->patterns);
	group->trust = calloc(sources + 1, sizeof *group->trust);
	group->counts = sources < SIZE_MAX / room ? calloc(room * sources + 1, sizeof *group->counts) : NULL;
	group->states = calloc(room, state_bytes + 1);
	return group->tracks && group->pages && group->patterns && group->trust && group->counts && group->states ? 0 : PRN_E_MEMORY;
}

void prn_group_release(struct prn_group *group)
{
	free(group->tracks);
	free(group->pages);
	free(group->patterns);
	free(group->trust);
	free(group->counts);
	free(group->states);
	*group = (struct prn_group){ 0 };
}

static double capture_time(const struct prn_group_track *track)
{
	const struct prn_truth *truth = &track->member->truth;

	return track->page->at < truth->captures ? truth->start_s + truth->unit_s * truth->time[track->page->at] : INFINITY;
}

static double hint_time(const struct prn_group_track *track)
{
	const struct prn_replay_hints *hearing = &track->member->hearing;
	const struct prn_truth *truth = &track->member->truth;

	return track->page->hint < hearing->count ? truth->start_s + truth->unit_s * hearing->list[track->page->hint].time
	                                          : INFINITY;
}

/* Finds the next event of a page, if its own clock has reached it. */
static void plan(struct prn_group_track *track, double until)
{
	const struct prn_group_page *page = track->page;
	const struct prn_truth *truth = &track->member->truth;
	const struct prn_replay_hints *hearing = &track->member->hearing;
	double capture = page->at < truth->captures ? truth->time[page->at] : INFINITY;
	double hint = page->hint < hearing->count ? hearing->list[page->hint].time : INFINITY;

	track->next = fmin(hint, capture) > until ? INFINITY : fmin(hint_time(track), capture_time(track));
}

/* Gives a page the hints of the source that it believes most, or none. */
static void choose_hints(const struct prn_group *group, const struct prn_trust *trust, struct prn_group_track *track)
{
	struct prn_hints best = { 0 }, hints;

	for (size_t i = 0; i < group->sources; i++)
		if (trust[i].hints > 0) {
			prn_trust_hints(&trust[i], &track->counts[i], &track->page->watched, &hints);
			if (hints.trust > best.trust)
				best = hints;
		}
	best.ahead = track->page->ahead;
	track->page->hints = track->driver.hints = best;
}

static void set_due(struct prn_group_track *track, double due)
{
	struct prn_group_page *page = track->page;

	page->due = due;
	page->at = prn_truth_capture_at(&track->member->truth, page->course.replay.now + 1, due);
}

static void report_evidence(struct prn_group *group, struct prn_group_track *track)
{
	struct prn_evidence now, *said = &track->page->said;

	if (!group->heeds_siblings || !prn_policy_evidence(track->driver.policy, track->driver.state, &now))
		return;
	prn_evidence_replace(&group->patterns[track->member->pattern], said, &now);
	prn_evidence_replace(&group->host, said, &now);
	*said = now;
}

static void acquire(const struct prn_group *group, const struct prn_trust *trust, struct prn_group_track *track)
{
	track->page->acquired = true;
	track->page->dial = track->driver.dial;
	choose_hints(group, trust, track);
	if (group->heeds_siblings)
		track->driver.siblings = (struct prn_siblings){ group->patterns[track->member->pattern], group->host };
	prn_course_begin(&track->page->course, &track->driver);
	track->driver.siblings = (struct prn_siblings){ 0 };
	set_due(track, track->page->course.period);
}

/*
 * Tells whether a hint may bring the page's visit forward.  As in a decider, a page whose last visit failed is
 * not visited earlier.
 */
static bool may_come_sooner(const struct prn_group_track *track)
{
	return prn_policy_heeds_hints(track->driver.policy) &&
	       track->member->truth.taken[track->page->course.replay.now] && prn_hints_count(&track->page->hints);
}

/* No hint delays a visit: if trust has fallen in the meantime, the earlier decision stays. */
static void take_hint(const struct prn_group *group, const struct prn_trust *trust, struct prn_group_track *track)
{
	struct prn_group_page *page = track->page;
	const struct prn_replay_hint *heard = &track->member->hearing.list[page->hint++];
	struct prn_driver driver;
	double due;

	track->counts[heard->source].since++;
	choose_hints(group, trust, track);
	if (!may_come_sooner(track))
		return;
	driver = track->driver;
	driver.dial = page->dial;
	due = fmax(heard->time, page->course.visited + prn_course_decide(&page->course, &driver));
	if (due < page->due)
		set_due(track, due);
}

/* Updates the trust in every source that has given hints for this host with the outcome of a visit. */
static void prove(const struct prn_group *group, struct prn_trust *trust, struct prn_group_track *track, double interval,
                  bool changed)
{
	struct prn_driver driver = track->driver; /* with the dial by which the previous visit was decided */

	driver.dial = track->page->dial;
	for (size_t i = 0; i < group->sources; i++)
		prn_trust_visit(&trust[i], &track->counts[i], &track->page->watched, interval, changed);
	prn_watched_visit(&track->page->watched, interval, changed);
	track->page->ahead =
		prn_hints_ahead(track->page->ahead, true, interval, prn_course_earning(&track->page->course, &driver));
	choose_hints(group, trust, track);
}

static void visit(struct prn_group *group, struct prn_trust *trust, struct prn_group_track *track)
{
	const struct prn_truth *truth = &track->member->truth;
	struct prn_course *course = &track->page->course;
	const uint32_t *of = truth->versions.of;
	size_t base = course->replay.base, at = track->page->at;
	double time = truth->time[at];

	if (!truth->taken[at]) {
		prn_course_visit(course, &track->driver, at);
		set_due(track, time + course->period);
		return;
	}
	prove(group, trust, track, time - course->visited,
	      prn_seen_divergence(track->driver.seen, of[at], of[base]) > 0);
	prn_course_visit(course, &track->driver, at);
	report_evidence(group, track);
	track->page->dial = track->driver.dial;
	set_due(track, time + course->period);
}

static struct prn_group_track *earliest(const struct prn_group *group, size_t count)
{
	struct prn_group_track *first = &group->tracks[0];

	for (size_t i = 1; i < count; i++)
		if (group->tracks[i].next < first->next)
			first = &group->tracks[i];
	return first;
}

int prn_group_seat(struct prn_group *group, size_t i, const struct prn_group_track *seated)
{
	struct prn_group_track *track = &group->tracks[i];
	struct prn_member *member = seated->member;

	*track = *seated;
	track->next = INFINITY;
	if (!member->counted)
		return 0;
	track->driver.truth = &member->truth;
	track->driver.hints = track->page->hints;
	return prn_truth_seen(&member->truth, &member->page, prn_policy_summary(track->driver.policy), &track->driver.seen);
}

void prn_group_run(struct prn_group *group, size_t count, struct prn_trust *trust, double until)
{
	struct prn_group_track *track;

	for (size_t i = 0; i < count; i++)
		if (group->tracks[i].member->counted) {
			if (group->tracks[i].page->acquired)
				plan(&group->tracks[i], until);
			else
				group->tracks[i].next = group->tracks[i].member->truth.start_s;
		}
	for (track = earliest(group, count); isfinite(track->next); track = earliest(group, count)) {
		if (!track->page->acquired)
			acquire(group, trust, track);
		else if (hint_time(track) <= capture_time(track))
			take_hint(group, trust, track);
		else
			visit(group, trust, track);
		plan(track, until);
	}
}

int prn_group_replay(struct prn_group *group, struct prn_member *members, size_t count,
                     const struct prn_contender *contender, const struct prn_setting *setting, struct prn_score *scores,
                     size_t stride)
{
	group->host = (struct prn_evidence){ 0 };
	memset(group->patterns, 0, count * sizeof *group->patterns);
	memset(group->trust, 0, group->sources * sizeof *group->trust);
	memset(group->counts, 0, count * group->sources * sizeof *group->counts);
	memset(group->pages, 0, count * sizeof *group->pages);
	for (size_t i = 0; i < count; i++) {
		double unit_s = members[i].counted && setting->in_seconds ? members[i].truth.unit_s : 1;
		const struct prn_group_track track = { .member = &members[i],
			                               .driver = { .policy = contender->online,
			                                           .dial = setting->value / unit_s,
			                                           .state = &group->states[i * group->state_bytes] },
			                               .page = &group->pages[i],
			                               .counts = &group->counts[i * group->sources] };

		if (prn_group_seat(group, i, &track))
			return PRN_E_MEMORY;
	}
	prn_group_run(group, count, group->trust, INFINITY);
	for (size_t i = 0; i < count; i++)
		if (members[i].counted)
			prn_replay_end(&group->pages[i].course.replay, &scores[i * stride]);
	return 0;
}
