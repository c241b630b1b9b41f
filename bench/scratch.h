/*
 * Stores that benchmarks make and remove, with STORE_PAGES pages (default 2 million) in STORE_FOLDER (default: the current
 * one).
 */
#ifndef BENCH_SCRATCH_H
#define BENCH_SCRATCH_H

#include "bench/bench.h"
#include "perennial/error.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRATCH_PAGES 2000000
#define SCRATCH_FEWEST 10000
#define SCRATCH_BYTES_PER_PAGE 700.0 /* free space that is needed for a page: for the store, and for what commits write in addition */
#define SCRATCH_COMMITS 400 /* commits to fill the store; fewer are faster, but leave more free space in the file, because each keeps what it replaces */

static inline void bench_check(int failed, const struct prn_error *error)
{
	if (!failed)
		return;
	fprintf(stderr, "bench: %s\n", error->text);
	exit(1);
}

static inline const char *scratch_folder(void)
{
	const char *folder = getenv("STORE_FOLDER");

	return folder ? folder : ".";
}

static inline size_t scratch_pages(void)
{
	const char *pages = getenv("STORE_PAGES");
	size_t count = pages ? strtoul(pages, NULL, 10) : SCRATCH_PAGES;

	return count < SCRATCH_FEWEST ? SCRATCH_FEWEST : count;
}

static inline void scratch_path(char path[256])
{
	snprintf(path, 256, "%s/bench-store-%ld", scratch_folder(), (long)getpid());
}

/* Whether the disk has room for that; says so if not. */
static inline int scratch_fits(const char *what, size_t pages)
{
	double wanted = SCRATCH_BYTES_PER_PAGE * (double)pages;
	struct statvfs about;

	if (!statvfs(scratch_folder(), &about) && (double)about.f_bavail * (double)about.f_frsize > wanted)
		return 1;
	printf("%s: skipped: %zu pages want %.1f GB of disk\n", what, pages, 1e-9 * wanted);
	return 0;
}

static inline void scratch_remove(const char *path)
{
	static const char *const names[] = { "data.mdb", "lock.mdb", "writer.lock", "token" };
	char name[512];

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(name, sizeof name, "%s/%s", path, names[i]);
		unlink(name);
	}
	rmdir(path);
}

/* Runs the command perennial with words, which NULL ends, and drops what it prints.  Returns the seconds that it took. */
static inline double scratch_run(const char *const *words)
{
	const char *program = getenv("PERENNIAL"), *all[16] = { "perennial" };
	double start = bench_now(BENCH_WALL);
	pid_t child = fork();
	int status, nowhere;

	for (size_t i = 0; i < 14 && words[i]; i++)
		all[i + 1] = words[i];
	if (!child) {
		nowhere = open("/dev/null", O_WRONLY);
		if (nowhere >= 0 && dup2(nowhere, 1) == 1 && dup2(nowhere, 2) == 2)
			execv(program ? program : "./perennial", (char *const *)(uintptr_t)all);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status) {
		fprintf(stderr, "bench: perennial %s failed\n", words[0]);
		exit(1);
	}
	return bench_now(BENCH_WALL) - start;
}

/* Returns the memory of this process that is not of files, in MB. */
static inline double scratch_memory(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[128];
	double kb = 0;

	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "RssAnon: %lf kB", &kb) == 1)
			break;
	if (file)
		fclose(file);
	return kb / 1024;
}

#endif
