#include "archive/source_files.h"

#include "archive/collection.h"
#include "archive/git.h"
#include "archive/reader.h"

#include <string.h>
#include <sys/stat.h>

static void pass_over(void *context, const char *path, int fault)
{
	(void)context, (void)path, (void)fault;
}

static bool of_snapshot(void *snapshot, prn_source_file_fn *take, void *context)
{
	bool found = prn_snapshot_files(snapshot, take, context);

	prn_reader_snapshot.free(snapshot);
	return found;
}

/* In the order in which a source is recognised (source.c). */
static bool of_dates_or_archives(const char *folder, prn_source_file_fn *take, void *context)
{
	struct prn_reading reading = { 0 };
	struct prn_collection *archives;
	bool found = false;
	void *snapshot;
	int code = prn_snapshot_open(&snapshot, folder, &reading, NULL);

	if (!code)
		return of_snapshot(snapshot, take, context);
	if (code == PRN_E_INPUT)
		code = prn_collection_open(&archives, folder, pass_over, NULL, NULL);
	if (!code) {
		found = prn_collection_files(archives, take, context);
		prn_collection_free(archives);
	} else if (code == PRN_E_NOT_FOUND && !prn_snapshot_open_hosts(&snapshot, folder, &reading, NULL)) {
		found = of_snapshot(snapshot, take, context);
	}
	return found;
}

static bool of_folder(const char *folder, prn_source_file_fn *take, void *context)
{
	struct prn_buffer path = { 0 };
	struct stat about;
	bool found = false;

	if (!prn_buffer_printf(&path, "%s/manifest.tsv", folder) && !prn_buffer_terminate(&path)) {
		if (!stat((char *)path.data, &about) && S_ISREG(about.st_mode))
			found = prn_manifest_files((char *)path.data, take, context);
		else if (prn_kolobov_is(folder))
			found = prn_kolobov_files(folder, take, context);
		else
			found = of_dates_or_archives(folder, take, context);
	}
	prn_buffer_release(&path);
	return found;
}

bool prn_source_files(const char *path, prn_source_file_fn *take, void *context)
{
	size_t length = strlen(path);
	struct stat about;

	if (!strncmp(path, PRN_GIT_PREFIX, strlen(PRN_GIT_PREFIX)))
		return prn_git_files(path, take, context);
	if (!strcmp(path, "-") || stat(path, &about))
		return false;
	if (S_ISDIR(about.st_mode))
		return of_folder(path, take, context);
	if (length > 4 && !strcmp(path + length - 4, ".tsv"))
		return prn_manifest_files(path, take, context);
	return take(context, path);
}
