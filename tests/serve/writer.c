/* Group commit: order, grouping, failures, a full queue, and stopping. */
#include "../fixture.h"
#include "serve/writer.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A disk that can be held and can fail, and what it was given. */
struct disk {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool held, failing;
	int conflicts, conflicts_next; /* of commits to come: another writes first; after the one that is under way */
	uint64_t written;
	int staged, durable, commits, largest, saved;
	int order[64];
	int count;
	size_t entered, refused; /* the part that tasks write to; one that cannot be written to */
	int groups[8];           /* tasks of each commit */
};

struct job {
	struct serve_task task;
	struct disk *disk;
	int number, code, durable_then;
	bool fails, commits, done;
	int conflicts; /* that it meets when it is run */
	struct serve_writer *parts_of; /* it does its work in parts, that many more … */
	int parts;                     /* … by this writer */
};

static int run(void *context, struct serve_task *task, struct prn_error *error)
{
	struct disk *disk = context;
	struct job *job = (struct job *)task;

	disk->staged++;
	if (job->fails)
		return prn_error_set(error, PRN_E_INPUT, "job %d", job->number);
	if (job->commits) {
		disk->durable += disk->staged;
		disk->staged = 0;
	}
	if (disk->count < 64)
		disk->order[disk->count++] = job->number;
	return 0;
}

static void save(void *context)
{
	struct disk *disk = context;

	disk->saved = disk->staged;
}

static void restore(void *context)
{
	struct disk *disk = context;

	disk->staged = disk->saved;
}

static bool waits(void *context)
{
	return ((struct disk *)context)->staged > 0;
}

/* Counts a commit, which lasts for as long as the disk is held; under the lock from here on. */
static void begin_commit(struct disk *disk)
{
	pthread_mutex_lock(&disk->lock);
	disk->commits++;
	pthread_cond_broadcast(&disk->changed);
	while (disk->held)
		pthread_cond_wait(&disk->changed, &disk->lock);
}

static int commit(void *context, struct prn_error *error)
{
	struct disk *disk = context;
	int code = 0;

	begin_commit(disk);
	if (disk->staged > disk->largest)
		disk->largest = disk->staged;
	if (disk->failing)
		code = prn_error_set(error, PRN_E_IO, "disk full");
	else
		disk->durable += disk->staged;
	disk->staged = 0;
	pthread_mutex_unlock(&disk->lock);
	return code;
}

static void finish(void *context, struct serve_task *task, int code)
{
	struct disk *disk = context;
	struct job *job = (struct job *)task;

	if (job->parts-- > 0) {
		serve_writer_again(job->parts_of, task);
		return;
	}
	pthread_mutex_lock(&disk->lock);
	job->code = code;
	job->durable_then = disk->durable;
	job->done = true;
	pthread_cond_broadcast(&disk->changed);
	pthread_mutex_unlock(&disk->lock);
}

static void hold(struct disk *disk, bool held)
{
	pthread_mutex_lock(&disk->lock);
	disk->held = held;
	pthread_cond_broadcast(&disk->changed);
	pthread_mutex_unlock(&disk->lock);
}

/* Until the writer is in its n-th commit. */
static void await_commit(struct disk *disk, int n)
{
	pthread_mutex_lock(&disk->lock);
	while (disk->commits < n)
		pthread_cond_wait(&disk->changed, &disk->lock);
	pthread_mutex_unlock(&disk->lock);
}

static void await(struct job *job)
{
	pthread_mutex_lock(&job->disk->lock);
	while (!job->done)
		pthread_cond_wait(&job->disk->changed, &job->disk->lock);
	pthread_mutex_unlock(&job->disk->lock);
}

static struct job make(struct disk *disk, int number)
{
	return (struct job){ .task = { .run = run, .done = finish }, .disk = disk, .number = number };
}

static void check_groups(struct serve_writer *writer, struct disk *disk)
{
	struct job jobs[7];
	int codes[7];

	for (int i = 0; i < 7; i++)
		jobs[i] = make(disk, i);
	jobs[3].fails = true;
	hold(disk, true);
	ok(!serve_writer_submit(writer, &jobs[0].task), "a writer takes a task");
	await_commit(disk, 1);
	for (int i = 1; i < 7; i++)
		codes[i] = serve_writer_submit(writer, &jobs[i].task);
	ok(!codes[1] && !codes[5], "while the disk is busy other tasks queue up");
	ok(serve_writer_depth(writer) == 5, "five tasks wait in a queue for five");
	ok(codes[6] == PRN_E_LIMIT, "a queue takes no more tasks than it holds");
	ok(!jobs[0].done, "no task is answered before it is durable");
	hold(disk, false);
	for (int i = 0; i < 6; i++)
		await(&jobs[i]);
	ok(jobs[0].code == 0 && jobs[0].durable_then == 1, "the first task was answered after its own commit");
	ok(disk->commits == 3 && disk->largest == 3, "tasks that queued up shared two commits of at most four tasks");
	ok(jobs[3].code == PRN_E_INPUT && !strcmp(jobs[3].task.error.text, "job 3"), "a task that fails is told why");
	ok(jobs[4].code == 0 && disk->durable == 5, "what a task wrote before it failed is not in the commit of its group");
	same(tap_text("%d %d %d %d", disk->order[1], disk->order[2], disk->order[3], disk->order[4]), "1 2 4 5",
	     "tasks that queued up ran in the order they came");
}

/* A task that hands out leases commits all that waits before it answers. */
static void check_task_that_commits(struct serve_writer *writer, struct disk *disk)
{
	struct job first = make(disk, 40), before = make(disk, 41), commits = make(disk, 42), after = make(disk, 43);
	int commit_now;

	commits.commits = true;
	hold(disk, true);
	pthread_mutex_lock(&disk->lock);
	commit_now = disk->commits + 1;
	pthread_mutex_unlock(&disk->lock);
	serve_writer_submit(writer, &first.task);
	await_commit(disk, commit_now);
	serve_writer_submit(writer, &before.task);
	serve_writer_submit(writer, &commits.task);
	serve_writer_submit(writer, &after.task);
	hold(disk, false);
	await(&first);
	await(&before);
	await(&commits);
	await(&after);
	ok(!before.code && !after.code, "tasks around one that commits by itself succeed");
	ok(!commits.code, "a task that commits by itself succeeds");
	disk->failing = true;
	hold(disk, true);
	first = make(disk, 50), before = make(disk, 51), commits = make(disk, 52), after = make(disk, 53);
	commits.commits = true;
	commit_now = disk->commits + 1;
	serve_writer_submit(writer, &first.task);
	await_commit(disk, commit_now);
	serve_writer_submit(writer, &before.task);
	serve_writer_submit(writer, &commits.task);
	serve_writer_submit(writer, &after.task);
	hold(disk, false);
	await(&before);
	await(&commits);
	await(&after);
	ok(!before.code, "what a later task of the group made durable is not told as failed when the group's commit fails");
	ok(!commits.code, "a task that committed by itself is not told as failed either");
	ok(after.code == PRN_E_IO, "a task after it is told that the commit failed");
	disk->failing = false;
}

/* In a group whose commit fails, too, a task that failed before is told its own reason. */
static void check_own_failure(struct serve_writer *writer, struct disk *disk)
{
	struct job first = make(disk, 60), good = make(disk, 61), bad = make(disk, 62);
	int commit_now = disk->commits + 1;

	bad.fails = true;
	disk->failing = true;
	hold(disk, true);
	serve_writer_submit(writer, &first.task);
	await_commit(disk, commit_now);
	serve_writer_submit(writer, &good.task);
	serve_writer_submit(writer, &bad.task);
	hold(disk, false);
	await(&first);
	await(&good);
	await(&bad);
	ok(good.code == PRN_E_IO, "a good task of a group whose commit fails is told of that");
	ok(bad.code == PRN_E_INPUT && !strcmp(bad.task.error.text, "job 62"),
	   "a task that failed by itself in a group whose commit fails is told its own reason");
	disk->failing = false;
}

/* A task that hands itself in again for each of its parts. */
static void check_parts(struct serve_writer *writer, struct disk *disk)
{
	struct job long_one = make(disk, 80), other = make(disk, 81);
	int commit_now = disk->commits + 1, order = disk->count, durable = disk->durable;

	long_one.parts_of = writer;
	long_one.parts = 2;
	hold(disk, true);
	serve_writer_submit(writer, &long_one.task);
	await_commit(disk, commit_now);
	serve_writer_submit(writer, &other.task);
	hold(disk, false);
	await(&long_one);
	await(&other);
	same(tap_text("%d %d %d", disk->order[order], disk->order[order + 1], disk->order[order + 2]), "80 81 80",
	     "who waits is served between the parts of a long task");
	ok(long_one.durable_then == durable + 4 && !long_one.code, "a task in parts is answered when the last one is durable");
}

static void check_failure(struct serve_writer *writer, struct disk *disk)
{
	struct job job = make(disk, 10), after = make(disk, 11);

	disk->failing = true;
	ok(serve_writer_perform(writer, &job.task) == PRN_E_IO, "when the disk is full a task fails");
	same(job.task.error.text, "disk full", "a task that a full disk failed is told why");
	disk->failing = false;
	check_own_failure(writer, disk);
	ok(!serve_writer_perform(writer, &after.task) && after.done,
	   "the task after a failed commit succeeds, and is waited for");
}

/* What a watchdog hears. */
static void check_headway(struct serve_writer *writer, struct disk *disk)
{
	struct job first = make(disk, 70), second = make(disk, 71);
	uint64_t seen = 0;
	int commit_now;

	serve_writer_goes_on(writer, &seen);
	hold(disk, true);
	pthread_mutex_lock(&disk->lock);
	commit_now = disk->commits + 1;
	pthread_mutex_unlock(&disk->lock);
	serve_writer_submit(writer, &first.task);
	await_commit(disk, commit_now);
	serve_writer_goes_on(writer, &seen);
	ok(!serve_writer_goes_on(writer, &seen), "a writer that is at the same commit since it was looked at does not go on");
	serve_writer_submit(writer, &second.task);
	hold(disk, false);
	await(&first);
	await(&second);
	ok(serve_writer_goes_on(writer, &seen), "a writer that committed since it was looked at goes on");
	while (!serve_writer_goes_on(writer, &seen))
		continue;
	ok(serve_writer_goes_on(writer, &seen), "a writer that has nothing to do goes on");
}

struct crowd {
	struct serve_writer *writer;
	struct disk *disk;
	int performed;
};

static void *press(void *argument)
{
	struct crowd *crowd = argument;

	for (int i = 0; i < 500; i++) {
		struct job job = make(crowd->disk, 100);

		crowd->performed += !serve_writer_perform(crowd->writer, &job.task);
	}
	return NULL;
}

static void check_crowd(struct serve_writer *writer, struct disk *disk)
{
	struct crowd crowds[12];
	pthread_t threads[12];
	int before = disk->durable, performed = 0;

	for (int i = 0; i < 12; i++) {
		crowds[i] = (struct crowd){ writer, disk, 0 };
		pthread_create(&threads[i], NULL, press, &crowds[i]);
	}
	for (int i = 0; i < 12; i++) {
		pthread_join(threads[i], NULL);
		performed += crowds[i].performed;
	}
	ok(performed == 6000 && disk->durable == before + 6000,
	   "twelve threads wait for places in a queue of five: all 6000 tasks are durable, each once");
}

/* A disk to which another writes as well, sometimes first. */
static uint64_t count_commits(void *context)
{
	return ((struct disk *)context)->written;
}

static bool try_again(void *context, int code, unsigned *tries)
{
	struct disk *disk = context;

	if (code != PRN_E_CONFLICT || ++*tries > 5)
		return false;
	disk->staged = 0;
	return true;
}

static int run_shared(void *context, struct serve_task *task, struct prn_error *error)
{
	struct disk *disk = context;
	struct job *job = (struct job *)task;

	disk->order[disk->count++ % 64] = job->number;
	disk->staged++;
	if (job->commits) {
		disk->durable += disk->staged;
		disk->written++;
		disk->staged = 0;
	}
	return job->conflicts-- > 0 ? prn_error_set(error, PRN_E_CONFLICT, "another wrote first") : 0;
}

static int commit_shared(void *context, struct prn_error *error)
{
	struct disk *disk = context;
	int code = 0;

	begin_commit(disk);
	if (disk->conflicts > 0) {
		disk->conflicts--;
		code = prn_error_set(error, PRN_E_CONFLICT, "another wrote first");
	} else {
		disk->durable += disk->staged;
		disk->written++;
		disk->staged = 0;
		disk->conflicts = disk->conflicts_next;
		disk->conflicts_next = 0;
	}
	pthread_mutex_unlock(&disk->lock);
	return code;
}

/* Three jobs in one group, behind one that waits for the disk; returns what is durable of the three. */
static int run_three(struct serve_writer *writer, struct disk *disk, struct job jobs[3], int conflicts)
{
	struct job first = make(disk, 1);
	int before = disk->commits, durable;

	first.task.run = run_shared;
	hold(disk, true);
	must(!serve_writer_submit(writer, &first.task), "submit");
	await_commit(disk, before + 1);
	durable = disk->durable + 1;
	for (int i = 0; i < 3; i++) {
		jobs[i].task.run = run_shared;
		must(!serve_writer_submit(writer, &jobs[i].task), "submit");
	}
	/* The first one's commit is under way. */
	disk->count = 0;
	pthread_mutex_lock(&disk->lock);
	disk->conflicts_next = conflicts;
	pthread_mutex_unlock(&disk->lock);
	hold(disk, false);
	await(&first);
	for (int i = 0; i < 3; i++)
		await(&jobs[i]);
	return disk->durable - durable;
}

static bool ran(const struct disk *disk, const char *order)
{
	size_t count = strlen(order);

	for (size_t i = 0; i < count && (int)i < disk->count; i++)
		if (disk->order[i] != order[i] - '0')
			return false;
	return (size_t)disk->count == count;
}

static void check_shared(void)
{
	struct disk disk = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
	const struct serve_writer_options options = { .capacity = 5, .group = 4, .save = save, .restore = restore, .waits = waits,
	                                              .commit = commit_shared, .commits = count_commits, .again = try_again,
	                                              .context = &disk };
	struct job jobs[3] = { make(&disk, 2), make(&disk, 3), make(&disk, 4) };
	struct serve_writer *writer;
	int durable;

	must(!serve_writer_open(&writer, &options, NULL), "open a writer");
	durable = run_three(writer, &disk, jobs, 2);
	ok(durable == 3 && ran(&disk, "234234234"),
	   "a group that met two conflicts is run three times, and durable once");
	ok(!jobs[0].code && !jobs[2].code, "tasks of a group that met two conflicts succeed");
	jobs[0] = make(&disk, 2), jobs[1] = make(&disk, 3), jobs[2] = make(&disk, 4);
	jobs[1].conflicts = 1;
	durable = run_three(writer, &disk, jobs, 0);
	ok(durable == 3 && ran(&disk, "23234"), "a task that meets a conflict is run again, with those before it that were not durable");
	jobs[0] = make(&disk, 2), jobs[1] = make(&disk, 3), jobs[2] = make(&disk, 4);
	jobs[1].conflicts = 1;
	jobs[1].commits = true;
	durable = run_three(writer, &disk, jobs, 0);
	ok(durable == 4 && ran(&disk, "2334"),
	   "a task that meets a conflict after a commit of its own is run again without those that this made durable");
	ok(!jobs[0].code, "a task that another's commit made durable succeeds, whatever conflict that meets");
	jobs[0] = make(&disk, 2), jobs[1] = make(&disk, 3), jobs[2] = make(&disk, 4);
	durable = run_three(writer, &disk, jobs, 100);
	ok(jobs[0].code == PRN_E_CONFLICT && jobs[2].code == PRN_E_CONFLICT,
	   "tasks that meet conflicts without end are told so");
	ok(!durable, "tasks that meet conflicts without end are not durable");
	disk.conflicts = 0;
	serve_writer_free(writer);
}

static int enter(void *context, size_t part, struct prn_error *error)
{
	struct disk *disk = context;

	disk->entered = part;
	return part == disk->refused ? prn_error_set(error, PRN_E_BUSY, "part %zu", part) : 0;
}

/* Each in the part that it is for. */
static int run_in_part(void *context, struct serve_task *task, struct prn_error *error)
{
	struct disk *disk = context;

	return task->part == disk->entered ? run(context, task, error) : prn_error_set(error, PRN_E_ARGUMENT, "another part");
}

static int commit_part(void *context, struct prn_error *error)
{
	struct disk *disk = context;

	disk->groups[disk->commits % 8] = disk->staged;
	return commit(context, error);
}

/* A store of several parts: tasks of one part go together, and what is of all overtakes none. */
static void check_parts_of_store(void)
{
	enum { JOBS = 8 };
	static const size_t parts[JOBS] = { 1, 2, 1, 0, 2, 2, 3, 1 };
	static const int order[JOBS - 1] = { 0, 2, 1, 3, 4, 5, 7 };
	struct disk disk = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .refused = 3 };
	const struct serve_writer_options options = { .capacity = 20, .group = 20, .save = save, .restore = restore, .waits = waits,
		                                      .enter = enter, .commit = commit_part, .context = &disk };
	struct job jobs[JOBS], first = make(&disk, 60);
	struct serve_writer *writer;
	bool in_order = true;

	must(!serve_writer_open(&writer, &options, NULL), "start a writer");
	hold(&disk, true);
	serve_writer_submit(writer, &first.task);
	await_commit(&disk, 1);
	for (int i = 0; i < JOBS; i++) {
		jobs[i] = make(&disk, i);
		jobs[i].task.run = run_in_part;
		jobs[i].task.part = parts[i];
		serve_writer_submit(writer, &jobs[i].task);
	}
	hold(&disk, false);
	for (int i = 0; i < JOBS; i++)
		await(&jobs[i]);
	for (int i = 0; i < JOBS - 1; i++)
		in_order &= disk.order[i + 1] == order[i];
	ok(in_order, "tasks of one part run together, in their order, and none overtakes one that is of all parts");
	ok(disk.commits == 6, "each part has a commit of its own");
	same(tap_text("%d %d %d %d %d", disk.groups[1], disk.groups[2], disk.groups[3], disk.groups[4], disk.groups[5]), "2 1 1 2 1",
	     
	     "the commit of a part has the tasks of that part");
	ok(jobs[6].code == PRN_E_BUSY && !strcmp(jobs[6].task.error.text, "part 3"),
	   "a part that cannot be written to fails its own tasks");
	ok(!jobs[7].code, "a part that cannot be written to fails no task of another");
	serve_writer_free(writer);
}

/* A store whose parts are written to at the same time: each commit waits until it is let through. */
struct traffic {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	int through;                     /* commits that may go on … */
	size_t only;                     /* … of this part; 0: of any */
	int entered[4];                  /* threads that are in a part */
	int committing, durable, crowded;
	int settled, settled_beside;     /* how often, and while commits were under way */
	size_t leading;                  /* a part of which something follows in others */
	bool settle_fails;
};

struct lane {
	struct traffic *traffic;
	size_t part;
	int staged;
};

struct slip {
	struct serve_task task;
	int code;
	bool done, expected;
};

static int enter_lane(void *context, size_t part, struct prn_error *error)
{
	struct lane *lane = context;
	struct traffic *traffic = lane->traffic;
	int others = 0;

	(void)error;
	lane->part = part;
	lane->staged = 0;
	pthread_mutex_lock(&traffic->lock);
	for (int i = 0; i < 4; i++)
		others += i == (int)part || !i || !part ? traffic->entered[i] : 0;
	traffic->crowded += others > 0;
	traffic->entered[part]++;
	pthread_mutex_unlock(&traffic->lock);
	return 0;
}

static void do_nothing(void *context)
{
	(void)context;
}

static void expect_slip(void *context, struct serve_task *task)
{
	struct lane *lane = context;

	((struct slip *)task)->expected = lane->part == task->part;
	lane->staged++;
}

static int run_slip(void *context, struct serve_task *task, struct prn_error *error)
{
	(void)context;
	return ((struct slip *)task)->expected ? 0 : prn_error_set(error, PRN_E_ARGUMENT, "expected by another lane");
}

static bool lane_waits(void *context)
{
	return ((struct lane *)context)->staged > 0;
}

static int commit_lane(void *context, struct prn_error *error)
{
	struct lane *lane = context;
	struct traffic *traffic = lane->traffic;

	(void)error;
	pthread_mutex_lock(&traffic->lock);
	traffic->committing++;
	pthread_cond_broadcast(&traffic->changed);
	while (!traffic->through || (traffic->only && traffic->only != lane->part))
		pthread_cond_wait(&traffic->changed, &traffic->lock);
	traffic->through--;
	traffic->committing--;
	traffic->durable += lane->staged;
	traffic->entered[lane->part]--;
	pthread_cond_broadcast(&traffic->changed);
	pthread_mutex_unlock(&traffic->lock);
	return 0;
}

static bool lane_leads(void *context)
{
	struct lane *lane = context;

	return lane->part && lane->part == lane->traffic->leading;
}

static int settle_shelf(void *context, struct prn_error *error)
{
	struct traffic *traffic = context;

	pthread_mutex_lock(&traffic->lock);
	traffic->settled++;
	traffic->settled_beside += traffic->committing > 0;
	pthread_mutex_unlock(&traffic->lock);
	return traffic->settle_fails ? prn_error_set(error, PRN_E_IO, "nobody hears") : 0;
}

static void finish_slip(void *context, struct serve_task *task, int code)
{
	struct traffic *traffic = context;
	struct slip *slip = (struct slip *)task;

	pthread_mutex_lock(&traffic->lock);
	slip->code = code;
	slip->done = true;
	pthread_cond_broadcast(&traffic->changed);
	pthread_mutex_unlock(&traffic->lock);
}

static void hand_in(struct serve_writer *writer, struct slip *slips, const size_t *parts, int count)
{
	for (int i = 0; i < count; i++) {
		slips[i] = (struct slip){ .task = { .run = run_slip, .expect = expect_slip, .done = finish_slip, .part = parts[i] } };
		must(!serve_writer_submit(writer, &slips[i].task), "submit");
	}
}

/* Lets commits through, and waits until so many others have come; false: they did not within ten seconds. */
static bool let_through(struct traffic *traffic, int commits, int others)
{
	struct timespec until;
	int late = 0;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 10;
	pthread_mutex_lock(&traffic->lock);
	traffic->through += commits;
	pthread_cond_broadcast(&traffic->changed);
	while (!late && (traffic->through || traffic->committing != others))
		late = pthread_cond_timedwait(&traffic->changed, &traffic->lock, &until);
	pthread_mutex_unlock(&traffic->lock);
	return !late;
}

static bool is_done(struct traffic *traffic, const struct slip *slip)
{
	bool done;

	pthread_mutex_lock(&traffic->lock);
	done = slip->done;
	pthread_mutex_unlock(&traffic->lock);
	return done;
}

/* Parts 1, 2 and 3, what is of any, and part 3 again. */
static void check_beside(struct serve_writer *writer, struct traffic *traffic)
{
	static const size_t first = 0, parts[] = { 1, 2, 3, 2, 0, 3 };
	struct slip slips[7];

	hand_in(writer, slips, &first, 1);
	must(let_through(traffic, 0, 1), "wait for the first commit");
	hand_in(writer, slips + 1, parts, 6);
	ok(let_through(traffic, 1, 3), "parts are committed at the same time, each by a thread of its own");
	must(let_through(traffic, 1, 2) && let_through(traffic, 1, 1), "let two of them through");
	ok(traffic->entered[0] == 0 && !is_done(traffic, &slips[5]), "what is of any part waits until no part is written to");
	must(let_through(traffic, 1, 1), "let the third of them through");
	ok(traffic->entered[0] == 1 && !is_done(traffic, &slips[6]),
	   "what is of any part comes alone behind the parts before it");
	ok(is_done(traffic, &slips[1]) && is_done(traffic, &slips[4]),
	   "tasks of parts before one of any part are answered before that is done");
	must(let_through(traffic, 1, 1) && let_through(traffic, 1, 0), "let the rest through");
	serve_writer_stop(writer);
	ok(traffic->durable == 7, "what is of parts and of any part is all durable");
	ok(slips[6].done && !slips[6].code, "a task of one part succeeds behind one of any part");
	ok(!slips[0].code, "a task of one part succeeds before one of any part");
	ok(!traffic->crowded && !traffic->settled, "no part is written to by two threads, nor beside what is of any");
}

/* While the commit of one part lasts, others come and go. */
static void check_slow_part(struct serve_writer *writer, struct traffic *traffic)
{
	static const size_t slow = 1, others[] = { 2, 1, 2 };
	struct slip slips[4];

	hand_in(writer, slips, &slow, 1);
	must(let_through(traffic, 0, 1), "wait for a commit");
	hand_in(writer, slips + 1, others, 1);
	must(let_through(traffic, 0, 2), "wait for a commit beside it");
	hand_in(writer, slips + 2, others + 1, 2);
	usleep(20000);
	ok(let_through(traffic, 0, 2), "a part's next tasks wait for its commit, though threads have nothing to do");
	must(let_through(traffic, 4, 0), "let all through");
	serve_writer_stop(writer);
	ok(traffic->durable == 4 && !traffic->crowded, "tasks that came meanwhile are durable");
}

/* What follows from the commit of part 2 in other parts. */
static void check_settling(struct serve_writer *writer, struct traffic *traffic)
{
	static const size_t parts[] = { 1, 2, 3 };
	struct slip slips[3];

	traffic->leading = 2;
	hand_in(writer, slips, parts, 3);
	must(let_through(traffic, 0, 3), "wait for three commits");
	traffic->only = 2;
	must(let_through(traffic, 1, 2), "let one of them through");
	usleep(20000);
	traffic->only = 0;
	must(let_through(traffic, 2, 0), "let the others through");
	serve_writer_stop(writer);
	ok(traffic->settled == 1 && !slips[1].code, "what follows from a commit in other parts is seen to once");
	ok(!traffic->settled_beside,
	   "what follows from a commit in other parts is seen to while none of them is written to");
}

/* It fails: who waited for that commit is told so. */
static void check_settling_failed(struct serve_writer *writer, struct traffic *traffic)
{
	static const size_t parts[] = { 1, 2 };
	struct slip slips[2];

	traffic->leading = 2;
	traffic->settle_fails = true;
	traffic->through = 2;
	hand_in(writer, slips, parts, 2);
	serve_writer_stop(writer);
	ok(slips[1].code == PRN_E_IO && !strcmp(slips[1].task.error.text, "nobody hears"),
	   "who waited for a commit is told when what follows from it fails");
	ok(!slips[0].code, "when what follows from a commit fails nobody is told who did not wait for it");
}

static void check_lanes(void (*check)(struct serve_writer *writer, struct traffic *traffic))
{
	struct traffic traffic = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
	struct lane lanes[3] = { { .traffic = &traffic }, { .traffic = &traffic }, { .traffic = &traffic } };
	void *list[3] = { &lanes[0], &lanes[1], &lanes[2] };
	const struct serve_writer_options options = { .capacity = 20, .group = 20, .lanes = list, .lane_count = 3,
		                                      .enter = enter_lane, .begin = do_nothing, .gather = do_nothing,
		                                      .save = do_nothing, .restore = do_nothing, .waits = lane_waits,
		                                      .commit = commit_lane, .leads = lane_leads, .settle = settle_shelf, .context = &traffic };
	struct serve_writer *writer;

	must(!serve_writer_open(&writer, &options, NULL), "start a writer");
	check(writer, &traffic);
	serve_writer_free(writer);
}

int main(void)
{
	struct disk disk = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
	const struct serve_writer_options options = { .capacity = 5, .group = 4, .save = save, .restore = restore, .waits = waits,
	                                              .commit = commit, .context = &disk };
	struct job last = make(&disk, 20), late = make(&disk, 21);
	struct serve_writer *writer;

	if (!ok(!serve_writer_open(&writer, &options, NULL), "a writer starts"))
		return done();
	check_shared();
	check_parts_of_store();
	check_lanes(check_beside);
	check_lanes(check_slow_part);
	check_lanes(check_settling);
	check_lanes(check_settling_failed);
	check_groups(writer, &disk);
	check_task_that_commits(writer, &disk);
	check_parts(writer, &disk);
	check_failure(writer, &disk);
	check_headway(writer, &disk);
	check_crowd(writer, &disk);
	last.parts_of = writer;
	last.parts = 3;
	ok(!serve_writer_submit(writer, &last.task), "a writer takes a task before it stops");
	serve_writer_stop(writer);
	ok(last.done && last.code == 0, "a task that was handed in is finished, with all its parts, when the writer stops");
	ok(serve_writer_submit(writer, &late.task) == PRN_E_CANCELLED,
	   "a task that comes after the writer stopped is refused");
	ok(serve_writer_perform(writer, &late.task) == PRN_E_CANCELLED && !late.done,
	   "a task that would be waited for after the writer stopped is refused");
	serve_writer_free(writer);
	serve_writer_free(NULL);
	return done();
}
