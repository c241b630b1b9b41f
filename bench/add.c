/*
 * Measures adding a million URLs to a store that has none, adding them again, and exporting them: the commands, as they are
 * typed, from the first byte of the file to the end of the process.  Times are wall-clock times, because the disk is part of
 * what is measured.
 */
#include "bench/bench.h"
#include "bench/scratch.h"

#define PAGES 1000000
#define HOSTS 9973
#define ADD_MOST_S 2.0
#define EXPORT_LEAST 500000.0

static void write_urls(const char *path)
{
	FILE *file = fopen(path, "w");

	for (size_t i = 0; file && i < PAGES; i++)
		fprintf(file, "http://www.h%zu.example/section/%zu.html\n", i % HOSTS, i);
	if (!file || fclose(file)) {
		fprintf(stderr, "bench/add: cannot write %s\n", path);
		exit(1);
	}
}

int main(void)
{
	char store[256], urls[300], option[300];
	const char *const init[] = { "init", option, NULL };
	const char *const add[] = { "add", option, urls, NULL };
	const char *const export[] = { "export", option, NULL };
	double added, again, exported;

	if (!scratch_fits("add", PAGES))
		return 0;
	scratch_path(store);
	snprintf(urls, sizeof urls, "%s.urls", store);
	snprintf(option, sizeof option, "--state=%s", store);
	write_urls(urls);
	scratch_run(init);
	added = scratch_run(add);
	again = scratch_run(add);
	exported = PAGES / scratch_run(export);
	bench_row("add: 10^6 URLs to a store that has none", "<= 2 s", added, "s", added <= ADD_MOST_S);
	bench_row("add: 10^6 URLs that it knows", "<= 2 s", again, "s", again <= ADD_MOST_S);
	bench_row("export: pages that were never visited", ">= 500000 a second", exported, "pages/s", exported >= EXPORT_LEAST);
	unlink(urls);
	scratch_remove(store);
	return 0;
}
