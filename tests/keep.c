/* The last two bodies of each page, in a folder: also for who is killed, whose disk is full, and beside links, pipes and damage. */
#include "keep/folder.h"
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE "http://a.example/"
#define TYPE "text/html"
#define MOST ((uint64_t)1 << 20)
#define DAY 86400

static char base[] = "keep-XXXXXX", folder[64], path[256];

/* Calls that change the folder: the process is killed at one, or it fails. */
static int kill_at, fail_at, failure = ENOSPC;

static bool fails(void)
{
	if (kill_at && !--kill_at)
		kill(getpid(), SIGKILL);
	if (!fail_at || --fail_at)
		return false;
	errno = failure;
	return true;
}

ssize_t __real_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length);
ssize_t __wrap_write(int fd, const void *bytes, size_t length)
{
	size_t some = length > 100 ? 100 : length;

	/* A disk that fills up takes a part before it takes nothing. */
	return fails() ? -1 : __real_write(fd, bytes, some);
}

int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __wrap_fsync(int fd)
{
	return fails() ? -1 : __real_fsync(fd);
}

#ifdef HAVE_SYNCFS
int __real_syncfs(int fd);
int __wrap_syncfs(int fd);
int __wrap_syncfs(int fd)
{
	return fails() ? -1 : __real_syncfs(fd);
}
#endif

int __real_futimens(int fd, const struct timespec times[2]);
int __wrap_futimens(int fd, const struct timespec times[2]);
int __wrap_futimens(int fd, const struct timespec times[2])
{
	return fails() ? -1 : __real_futimens(fd, times);
}

int __real_renameat(int from, const char *old, int to, const char *anew);
int __wrap_renameat(int from, const char *old, int to, const char *anew);
int __wrap_renameat(int from, const char *old, int to, const char *anew)
{
	return fails() ? -1 : __real_renameat(from, old, to, anew);
}

static const char *file_of(const char *url, unsigned i)
{
	char name[KEEP_NAME];

	snprintf(path, sizeof path, "%s/%s", folder, keep_file_name(url, i, name));
	return path;
}

static struct keep *open_keep(uint64_t most)
{
	struct keep *keep = NULL;
	struct prn_error error = { 0 };

	if (keep_open(&keep, folder, most, &error))
		printf("# %s\n", error.text);
	return keep;
}

/* The last error of a put. */
static void take_error(void *context, const struct prn_error *error)
{
	*(struct prn_error *)context = *error;
}

static int put_bytes(struct keep *keep, const char *url, int day, const char *type, const void *bytes, size_t length, struct prn_error *error)
{
	const struct keep_report report = { url, (int64_t)day * DAY, type, bytes, length };
	struct prn_error why = { 0 };
	int code = keep_put(keep, &report, 1, take_error, &why, &why);

	if (error)
		*error = why;
	return code ? code : why.code;
}

static int put(struct keep *keep, const char *url, int day, const char *body)
{
	return put_bytes(keep, url, day, TYPE, body, strlen(body), NULL);
}

/* The bodies of a page in a row, "one|two"; "!" for each that cannot be read. */
static const char *bodies(struct keep *keep, const char *url)
{
	static char text[256];
	struct keep_pair *pair = calloc(1, sizeof *pair);
	size_t used = 0;

	if (!pair || keep_get(keep, url, pair, NULL))
		abort();
	*text = '\0';
	for (size_t i = 0; i < pair->count; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s", i ? "|" : "", (int)pair->bodies[i].body.length,
		                         (const char *)pair->bodies[i].body.data);
	for (size_t i = 0; i < pair->unread; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "!");
	keep_pair_release(pair);
	free(pair);
	return text;
}

static bool counts(struct keep *keep, uint64_t want, uint64_t blocks)
{
	struct keep_counts got;

	if (keep_count(keep, &got, NULL))
		return false;
	if (got.bodies != want || got.bytes != blocks * KEEP_BLOCK)
		printf("# %llu bodies of %llu bytes\n", (unsigned long long)got.bodies, (unsigned long long)got.bytes);
	return got.bodies == want && got.bytes == blocks * KEEP_BLOCK;
}

/* How many names are in the folder, of which a part, if it is not NULL, is this. */
static int names(const char *part)
{
	DIR *stream = opendir(folder);
	int count = 0;

	for (struct dirent *entry; stream && (entry = readdir(stream)) != NULL;)
		count += entry->d_name[0] != '.' && (!part || strstr(entry->d_name, part));
	if (stream)
		closedir(stream);
	return count;
}

static void start_over(void)
{
	char command[160];

	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	if (system(command))
		abort();
}

static void test_turns(void)
{
	struct keep *keep = open_keep(MOST);
	struct stat about;

	same(bodies(keep, PAGE), "", "of a page that was never reported there is no body");
	put(keep, PAGE, 1, "one");
	same(bodies(keep, PAGE), "one", "the first body of a page is kept");
	put(keep, PAGE, 2, "two");
	same(bodies(keep, PAGE), "one|two", "of two bodies the later one is the last");
	put(keep, PAGE, 3, "three");
	same(bodies(keep, PAGE), "two|three", "of three bodies the last two are kept");
	put(keep, PAGE, 4, "four");
	same(bodies(keep, PAGE), "three|four", "bodies take turns");
	put(keep, PAGE, 5, "four");
	same(bodies(keep, PAGE), "three|four", "a body that comes again takes the place of none");
	fail_at = 1;
	ok(!put(keep, PAGE, 5, "four"), "a body that comes again is not written again");
	fail_at = 0;
	ok(!put_bytes(keep, PAGE, 6, "text/plain", "four", 4, NULL), "the same bytes of another type are taken");
	same(bodies(keep, PAGE), "four|four", "the same bytes of another type are another body");
	put(keep, PAGE, 6, "late");
	same(bodies(keep, PAGE), "four|four", "a body that is not later than the last one is dropped");
	put(keep, "http://b.example/", 1, "other");
	same(bodies(keep, PAGE), "four|four", "another page's body takes the place of none");
	ok(counts(keep, 3, 3), "bodies and blocks of all pages are counted");
	ok(names(".part") == 0, "nothing is left beside the bodies");
	ok(!stat(folder, &about) && (about.st_mode & 07777) == 0700, "the folder is its owner's alone");
	ok(!stat(file_of(PAGE, 0), &about) && (about.st_mode & 07777) == 0600, "a body's file is its owner's alone");
	ok(about.st_mtime == 6 * DAY || about.st_mtime == 4 * DAY, "the time of a file is that of its capture");
	ok(put(keep, "http://empty.example/", 1, "") == 0, "a body of no bytes is taken");
	ok(keep_has(keep, "http://empty.example/") && !keep_has(keep, "http://none.example/"), "of a page it is told whether there is a body");
	keep_free(keep);
	keep = open_keep(MOST);
	ok(counts(keep, 4, 4), "who opens the folder again counts what is there");
	same(bodies(keep, PAGE), "four|four", "who opens the folder again finds the bodies");
	keep_free(keep);
	start_over();
}

static bool is_b(void *context, const char *url)
{
	(void)context;
	return strstr(url, "b.example") != NULL;
}

static void test_forget(void)
{
	struct keep *keep = open_keep(MOST);

	put(keep, PAGE, 1, "one");
	put(keep, PAGE, 2, "two");
	put(keep, "http://b.example/x", 1, "x");
	put(keep, "http://b.example/y", 1, "y");
	ok(!keep_forget(keep, PAGE, NULL), "a page is forgotten");
	same(bodies(keep, PAGE), "", "of a page that was forgotten no body is left");
	ok(counts(keep, 2, 2), "of a page that was forgotten no body is counted");
	ok(!keep_forget(keep, PAGE, NULL), "a page without bodies is forgotten as well");
	put(keep, PAGE, 1, "anew");
	same(bodies(keep, PAGE), "anew", "a page that was forgotten begins anew, at an earlier time too");
	ok(!keep_forget_all(keep, is_b, NULL, NULL), "pages are forgotten by what they are called");
	ok(counts(keep, 1, 1) && !strcmp(bodies(keep, PAGE), "anew"), "of pages that are forgotten together no other page is touched");
	keep_free(keep);
	start_over();
}

/* Bodies that zstd cannot pack, each of which takes two blocks. */
static int put_noise(struct keep *keep, const char *url, int day, unsigned seed, struct prn_error *error)
{
	unsigned char noise[6000];

	for (size_t i = 0; i < sizeof noise; i++) {
		seed = seed * 1664525 + 1013904223;
		noise[i] = (unsigned char)(seed >> 24);
	}
	return put_bytes(keep, url, day, TYPE, noise, sizeof noise, error);
}

static void test_sweep(void)
{
	struct keep *keep = open_keep(16 * KEEP_BLOCK);
	char url[64];
	struct prn_error error = { 0 };

	for (int i = 0; i < 8; i++) {
		snprintf(url, sizeof url, "http://h%d.example/", i);
		put_noise(keep, url, 10 - i, (unsigned)i + 1, NULL);
	}
	ok(counts(keep, 8, 16), "up to the bound nothing is swept");
	put_noise(keep, "http://last.example/", 20, 99, NULL);
	ok(counts(keep, 7, 14), "above the bound bodies go until an eighth of it is free");
	ok(!keep_has(keep, "http://h7.example/") && !keep_has(keep, "http://h6.example/"),
	   "those go first whose captures are eldest, whenever they were written");
	ok(keep_has(keep, "http://h5.example/") && keep_has(keep, "http://last.example/"), "those stay whose captures are not the eldest");
	keep_free(keep);
	keep = open_keep(8 * KEEP_BLOCK);
	ok(counts(keep, 3, 6), "a bound that is lower from now on is kept from now on");
	ok(keep_has(keep, "http://last.example/") && keep_has(keep, "http://h0.example/"), "bodies of later captures stay when the bound is lowered");
	keep_free(keep);
	keep = open_keep(KEEP_BLOCK);
	ok(!put(keep, PAGE, 1, "x"), "a body that has room is taken");
	ok(put_noise(keep, PAGE, 2, 5, &error) == PRN_E_LIMIT && strstr(error.text, "more than all that --keep-bodies allows"),
	   "a body that alone is above the bound is refused, and it is told");
	ok(counts(keep, 1, 1), "a body that is refused takes the place of none");
	keep_free(keep);
	start_over();
}

#define WRITERS 4

static int busy; /* writers that have not ended */
static struct keep *shared;

/* Puts bodies of pages of its own and of one that all have, and forgets some. */
static void *write_some(void *argument)
{
	unsigned self = *(unsigned *)argument;
	char url[64];

	for (unsigned i = 0; i < 60; i++) {
		snprintf(url, sizeof url, "http://t%u.example/%u", self, i % 10);
		put_noise(shared, url, (int)(100 * self + i), 1000 * self + i, NULL);
		put_noise(shared, PAGE, (int)(WRITERS * i + self), 5000 * self + i, NULL);
		if (i % 7 == 6)
			keep_forget(shared, url, NULL);
	}
	__atomic_sub_fetch(&busy, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void test_together(void)
{
	unsigned numbers[WRITERS];
	pthread_t threads[WRITERS];
	struct keep_counts counted, there;
	struct keep *reader;
	bool bounded = true, whole = true;

	shared = open_keep(24 * KEEP_BLOCK);
	keep_open_read(&reader, folder, NULL);
	busy = WRITERS;
	for (unsigned i = 0; i < WRITERS; i++) {
		numbers[i] = i;
		if (pthread_create(&threads[i], NULL, write_some, &numbers[i]))
			abort();
	}
	do {
		struct keep_pair *pair = calloc(1, sizeof *pair);

		keep_count(shared, &counted, NULL);
		bounded &= counted.bytes <= 24 * KEEP_BLOCK;
		whole &= pair && !keep_get(reader, PAGE, pair, NULL) && !pair->unread;
		keep_pair_release(pair);
		free(pair);
	} while (__atomic_load_n(&busy, __ATOMIC_SEQ_CST));
	for (unsigned i = 0; i < WRITERS; i++)
		pthread_join(threads[i], NULL);
	keep_count(shared, &counted, NULL);
	keep_count(reader, &there, NULL);
	ok(there.bodies && counted.bodies == there.bodies, "bodies that several threads put, sweep and forget are counted rightly");
	ok(counted.bytes == there.bytes, "bytes that several threads put, sweep and forget are counted rightly");
	ok(bounded, "what several threads put stays within the bound and what they have in hand");
	ok(whole, "who looks meanwhile finds whole bodies");
	ok(names(".part") == 0, "several threads leave nothing beside the bodies");
	keep_free(reader);
	keep_free(shared);
	start_over();
}

/* Somebody takes all files away beneath it: what is counted then does not sweep the new ones. */
static void test_emptied(void)
{
	struct keep *keep = open_keep(8 * KEEP_BLOCK);
	char url[64], command[160];

	for (int i = 0; i < 4; i++) {
		snprintf(url, sizeof url, "http://h%d.example/", i);
		put_noise(keep, url, i, (unsigned)i, NULL);
	}
	snprintf(command, sizeof command, "rm -f '%s'/*.0", folder);
	if (system(command))
		abort();
	for (int i = 0; i < 3; i++) {
		snprintf(url, sizeof url, "http://h%d.example/", i);
		put_noise(keep, url, 10 + i, 20 + (unsigned)i, NULL);
	}
	ok(counts(keep, 3, 6), "where files were taken away beneath it, it counts anew before it sweeps");
	keep_free(keep);
	start_over();
}

/* In a child: opens, and puts a third body; it is killed at its n-th call. */
static bool put_killed(int n)
{
	pid_t child = fork();
	int status;

	if (!child) {
		struct keep *keep = open_keep(MOST);

		kill_at = n;
		put(keep, PAGE, 3, "three");
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		abort();
	return WIFSIGNALED(status);
}

static void test_killed(void)
{
	bool whole = true, clean = true, counted = true, before = false, after = false, killed = true;
	int n = 0;

	while (killed) {
		struct keep *keep = open_keep(MOST);
		const char *got;

		put(keep, PAGE, 1, "one");
		put(keep, PAGE, 2, "two");
		keep_free(keep);
		killed = put_killed(++n);
		keep = open_keep(MOST);
		got = bodies(keep, PAGE);
		before |= !strcmp(got, "one|two");
		after |= !strcmp(got, "two|three");
		whole &= !strcmp(got, "one|two") || !strcmp(got, "two|three");
		clean &= names(".part") == 0;
		counted &= counts(keep, 2, 2);
		keep_free(keep);
		start_over();
	}
	ok(n > 4, "a body is put in several calls (%d)", n - 1);
	ok(whole, "who is killed at any call leaves the two bodies before it, or those after it");
	ok(before && after, "who is killed at an early call leaves the bodies before it, and at a late one those after it");
	ok(clean, "what was being written by who was killed is taken away by the next");
	ok(counted, "what is there after one was killed is counted rightly");
}

static void test_full(void)
{
	struct keep *keep = open_keep(MOST);
	bool told = true, stays = true, counted = true, clean = true;
	int n = 0, code;

	put(keep, PAGE, 1, "one");
	put(keep, PAGE, 2, "two");
	do {
		struct prn_error error = { 0 };

		fail_at = ++n;
		code = put_bytes(keep, PAGE, 3, TYPE, "three", 5, &error);
		told &= !code || (code == PRN_E_IO && strstr(error.text, "No space left on device"));
		stays &= !code || !strcmp(bodies(keep, PAGE), "one|two");
		counted &= counts(keep, 2, 2);
		clean &= names(".part") == 0;
	} while (code);
	fail_at = 0;
	ok(n > 4 && told, "a disk that is full at any call is told (%d)", n - 1);
	ok(stays, "a put that failed keeps the two bodies before it");
	ok(counted, "a put that failed leaves the counts as they were");
	ok(clean, "a put that failed leaves nothing beside the bodies");
	same(bodies(keep, PAGE), "two|three", "where there is room again the next body is kept");
	keep_free(keep);
	start_over();
}

static int told; /* bodies that were told not to be kept */

static void count_told(void *context, const struct prn_error *error)
{
	(void)context;
	told += error->code == PRN_E_IO && strstr(error->text, "No space left on device") != NULL;
}

/* Reports of one page three times and of others once, all at once, with a call that fails. */
static int put_many(struct keep *keep, int failing)
{
	static char urls[6][40];
	struct keep_report reports[8];

	for (int i = 0; i < 6; i++) {
		snprintf(urls[i], sizeof urls[i], "http://m%d.example/", i);
		reports[i] = (struct keep_report){ urls[i], DAY, TYPE, urls[i], strlen(urls[i]) };
	}
	reports[6] = (struct keep_report){ urls[0], 2 * DAY, TYPE, "second", 6 };
	reports[7] = (struct keep_report){ urls[0], 3 * DAY, TYPE, "third", 5 };
	told = 0;
	fail_at = failing;
	return keep_put(keep, reports, 8, count_told, NULL, NULL);
}

static void test_many(void)
{
	struct keep *keep = open_keep(MOST);
	bool right = true, clean = true, counted = true;
	int n = 0, most = 0;

	ok(!put_many(keep, 0) && !told, "many bodies are put at once, and no error is told");
	ok(counts(keep, 7, 7), "many bodies that are put at once are counted");
	same(bodies(keep, "http://m0.example/"), "second|third", "of bodies of one page that are put at once the last two are kept");
	ok(!put_many(keep, 0) && counts(keep, 7, 7), "many bodies that come again take the place of none");
	same(bodies(keep, "http://m0.example/"), "second|third", "of bodies of one page that come again at once the last two are kept");
	{
		static const struct keep_report back[] = { { PAGE, 2 * DAY, TYPE, "another", 7 }, { PAGE, 3 * DAY, TYPE, "one", 3 } };

		put(keep, PAGE, 1, "one");
		keep_put(keep, back, 2, count_told, NULL, NULL);
		same(bodies(keep, PAGE), "another|one", "a page that goes there and back within what is put at once is where it went last");
	}
	keep_free(keep);
	do {
		struct keep_counts got;

		start_over();
		keep = open_keep(MOST);
		put_many(keep, ++n);
		keep_count(keep, &got, NULL);
		/* A sync that fails is of all; what else fails is of one, which may be one that would have been replaced. */
		right &= fail_at || told == 1 ? got.bodies >= 6 : told == 8 && got.bodies == 0;
		most = told > most ? told : most;
		clean &= names(".part") == 0;
		fail_at = 0;
		{
			struct keep *reader;
			struct keep_counts there;

			keep_open_read(&reader, folder, NULL);
			keep_count(reader, &there, NULL);
			counted &= there.bodies == got.bodies && there.bytes == got.bytes;
			keep_free(reader);
		}
		keep_free(keep);
	} while (told);
	ok(n > 8 * 4 - 1 && right, "of many bodies one that cannot be written costs no other (%d)", n - 1);
	ok(most == 8, "of many bodies all are told that cannot be synced: %d", most);
	ok(clean && counted, "what is not kept of many leaves nothing, and is not counted");
	start_over();
}

/* Replaces a page's file by something else. */
static void test_kinds(void)
{
	struct keep *keep = open_keep(MOST);
	char secret[80], name[KEEP_NAME], other[256];
	struct prn_error error = { 0 };
	struct stat about;
	FILE *file;

	snprintf(secret, sizeof secret, "%s/secret", base);
	file = fopen(secret, "w");
	fputs("secret", file);
	fclose(file);
	put(keep, PAGE, 1, "one");
	unlink(file_of(PAGE, 0));
	if (symlink("../secret", path))
		abort();
	same(bodies(keep, PAGE), "!", "a link in the place of a body is told, and not followed");
	ok(keep_has(keep, PAGE), "a link in the place of a body is not passed over without a word");
	ok(!put(keep, PAGE, 2, "two"), "a body is put in the place of a link");
	ok(!lstat(path, &about) && S_ISREG(about.st_mode), "a body takes the place of a link");
	same(bodies(keep, PAGE), "two", "a body that took the place of a link is read");
	ok(!stat(secret, &about) && about.st_size == 6, "what the link led to is as it was");

	unlink(file_of(PAGE, 0));
	snprintf(other, sizeof other, "%s/kept", base);
	put(keep, "http://real.example/", 1, "real");
	if (rename(file_of("http://real.example/", 0), other) || symlink("../kept", file_of(PAGE, 0)))
		abort();
	same(bodies(keep, PAGE), "!", "a link to a good body is told, and not followed");
	unlink(file_of(PAGE, 0));

	if (mkfifo(path, 0600))
		abort();
	same(bodies(keep, PAGE), "!", "a pipe in the place of a body is told, and not waited for");
	ok(!put(keep, PAGE, 3, "three"), "a body is put in the place of a pipe");
	ok(!lstat(path, &about) && S_ISREG(about.st_mode), "a body takes the place of a pipe");

	put(keep, "http://c.example/", 1, "c");
	unlink(file_of("http://c.example/", 0));
	if (mkdir(path, 0700))
		abort();
	same(bodies(keep, "http://c.example/"), "!", "a folder in the place of a body is told");
	ok(!keep_forget(keep, "http://c.example/", NULL) && !lstat(path, &about), "a folder in the place of a body is nothing to forget");
	ok(put_bytes(keep, "http://c.example/", 1, TYPE, "c", 1, &error) == PRN_E_IO && strstr(error.text, "cannot be replaced"),
	   "a body does not take the place of a folder, which is told");
	rmdir(path);

	keep_free(keep);
	snprintf(other, sizeof other, "%s/%s", folder, keep_file_name("http://d.example/", 1, name));
	if (mkfifo(other, 0600))
		abort();
	keep = open_keep(KEEP_BLOCK);
	ok(counts(keep, 1, 1), "what is no regular file is not counted");
	put(keep, "http://e.example/", 9, "e");
	ok(!lstat(other, &about), "what is no regular file is not swept");
	ok(!keep_forget_all(keep, is_b, NULL, NULL), "pages are forgotten beside a pipe that nobody writes to");
	keep_free(keep);
	start_over();
}

/* Flips a byte of a page's file. */
static void damage(const char *url, long at)
{
	FILE *file = fopen(file_of(url, 0), "r+");
	int byte;

	if (!file || fseek(file, at, at < 0 ? SEEK_END : SEEK_SET))
		abort();
	byte = fgetc(file);
	fseek(file, -1, SEEK_CUR);
	fputc(byte ^ 1, file);
	fclose(file);
}

static void test_damage(void)
{
	struct keep *keep = open_keep(MOST);
	struct keep_pair *pair = calloc(1, sizeof *pair);
	bool found = true;
	long bytes;
	struct stat about;
	char name[2][KEEP_NAME];

	put(keep, PAGE, 1, "the first body");
	if (stat(file_of(PAGE, 0), &about))
		abort();
	bytes = (long)about.st_size;
	for (long i = 0; i < bytes; i++) {
		damage(PAGE, i);
		found &= !strcmp(bodies(keep, PAGE), "!");
		damage(PAGE, i);
	}
	ok(found, "a bit that is wrong anywhere in a body's file is found (%ld bytes)", bytes);
	same(bodies(keep, PAGE), "the first body", "a body's file whose every bit is right again is whole");
	found = true;
	for (long i = bytes - 1; i >= 0; i--) {
		if (truncate(file_of(PAGE, 0), i))
			abort();
		found &= !strcmp(bodies(keep, PAGE), "!");
	}
	ok(found, "a body's file that ends early is found, wherever it does");
	put(keep, PAGE, 2, "the second body");
	same(bodies(keep, PAGE), "the second body", "a body takes the place of one that is damaged");
	put(keep, "http://b.example/", 9, "b's");
	if (renameat(AT_FDCWD, file_of("http://b.example/", 0), keep->folder, keep_file_name(PAGE, 1, name[0])))
		abort();
	keep_pair_init(pair);
	ok(!keep_get(keep, PAGE, pair, NULL) && pair->count == 1, "beside the body of another page under a page's name its own is read");
	ok(pair->unread == 1 && strstr(pair->why.text, "another page"),
	   "the body of another page under a page's name is not taken for its own");
	ok(strstr(pair->why.text, name[0]) != NULL, "a body that cannot be read is reported with its file");
	put(keep, PAGE, 3, "the third body");
	same(bodies(keep, PAGE), "the second body|the third body", "a body takes the place of another page's, whatever its time");
	keep_pair_release(pair);
	free(pair);
	keep_free(keep);
	start_over();
}

static void test_folder(void)
{
	struct keep *keep = NULL, *other = NULL;
	struct prn_error error = { 0 };
	char link_path[80], file_path[80];
	FILE *file;

	ok(keep_open_read(&keep, folder, &error) == PRN_E_NOT_FOUND && strstr(error.text, "no bodies are kept there"),
	   "who looks makes no folder");
	ok(keep_open(&keep, folder, 0, &error) == PRN_E_NOT_FOUND && names(NULL) == 0, "who forgets makes no folder");
	keep = open_keep(MOST);
	ok(keep_open(&other, folder, MOST, &error) == PRN_E_BUSY && strstr(error.text, "another process keeps bodies there"),
	   "two do not keep bodies in one folder at a time");
	put(keep, PAGE, 1, "one");
	ok(!keep_open_read(&other, folder, &error), "beside who keeps bodies another may look");
	same(bodies(other, PAGE), "one", "who looks finds what is kept");
	ok(counts(other, 1, 1), "who looks counts what is kept");
	keep_free(other);
	keep_free(keep);
	chmod(folder, 0750);
	ok(keep_open(&keep, folder, MOST, &error) == PRN_E_ARGUMENT && strstr(error.text, "chmod 700"),
	   "a folder that others may look into is refused");
	chmod(folder, 0700);
	snprintf(link_path, sizeof link_path, "%s/link", base);
	if (symlink("bodies", link_path))
		abort();
	ok(keep_open(&keep, link_path, MOST, &error) == PRN_E_ARGUMENT && strstr(error.text, "is a link or no folder"),
	   "a link in the place of the folder is refused");
	snprintf(file_path, sizeof file_path, "%s/file", base);
	file = fopen(file_path, "w");
	fclose(file);
	ok(keep_open(&keep, file_path, MOST, &error) == PRN_E_ARGUMENT, "a file in the place of the folder is refused");
	start_over();
}

/* A frame that unpacks to more than it says, and one that says more than it has. */
static void test_hostile(void)
{
	struct prn_buffer file = { 0 };
	struct keep_body *body = calloc(1, sizeof *body);
	struct prn_error error = { 0 };
	unsigned char *large = calloc(1, KEEP_BODY_MOST + 1);
	size_t head;

	if (!large || !body)
		abort();
	ok(keep_body_pack(&file, PAGE, 1, NULL, large, KEEP_BODY_MOST + 1, &error) == PRN_E_LIMIT && !file.length,
	   "a body that is longer than any is not packed");
	ok(!keep_body_pack(&file, PAGE, 1, NULL, large, (size_t)100 << 20, &error) && file.length < 100000, "100 MiB of nothing take little room");
	ok(!keep_body_read(body, file.data, file.length, &error) && body->body.length == (size_t)100 << 20, "a body of 100 MiB is read back");
	keep_body_release(body);
	ok(!*body->type, "a body without a type has none");
	ok(!keep_body_read_head(body, file.data, file.length, &head, &error) && !body->body.data, "to read a head no body is unpacked");
	/* A frame of 100 MiB under the head of a small body. */
	{
		struct prn_buffer small = { 0 };
		size_t small_head;

		keep_body_pack(&small, PAGE, 1, NULL, "x", 1, NULL);
		keep_body_read_head(body, small.data, small.length, &small_head, NULL);
		small.length = small_head;
		prn_buffer_append(&small, file.data + head, file.length - head);
		ok(keep_body_read(body, small.data, small.length, &error) == PRN_E_INPUT && strstr(error.text, "more bytes than its head says"),
		   "a frame that holds more than its head says is refused");
		ok(body->body.capacity < 100000, "a frame that holds more than its head says takes no memory for it");
		keep_body_release(body);
		prn_buffer_release(&small);
	}
	prn_buffer_append(&file, "x", 1);
	ok(keep_body_read(body, file.data, file.length, &error) == PRN_E_INPUT && strstr(error.text, "behind its frame"),
	   "bytes behind the frame are refused");
	keep_body_release(body);
	prn_buffer_release(&file);
	free(body);
	free(large);
}

static void test_place(void)
{
	struct prn_error error = { 0 };
	char *place = NULL;

	ok(!keep_place("crawl/store", NULL, &place, &error) && !strcmp(place, "crawl/store/bodies"), "bodies are kept within the store's folder");
	free(place);
	ok(!keep_place("lmdb:s", NULL, &place, &error) && !strcmp(place, "s/bodies"), "an engine's name is no part of a folder");
	free(place);
	ok(!keep_place("memory:", "/x", &place, &error) && !strcmp(place, "/x"), "where a folder is given bodies are kept there");
	free(place);
	ok(keep_place("memory:", NULL, &place, &error) == PRN_E_ARGUMENT && strstr(error.text, "--keep-in=DIR"),
	   "a store without a folder needs one to be given");
}

int main(void)
{
	if (!mkdtemp(base))
		abort();
	snprintf(folder, sizeof folder, "%s/bodies", base);
	test_turns();
	test_forget();
	test_sweep();
	test_together();
	test_emptied();
	test_killed();
	test_full();
	test_many();
	test_kinds();
	test_damage();
	test_folder();
	test_hostile();
	test_place();
	{
		char command[160];

		snprintf(command, sizeof command, "rm -rf '%s'", base);
		return system(command) ? 1 : done();
	}
}
