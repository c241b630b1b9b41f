/*
 * Reads lines that name captures without bodies: an index of an archive, or, after a first byte "k", the histories of Kolobov
 * et al. with two pages that they may be of.
 */
#include "archive/index.h"
#include "archive/reader.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char urls[] = "http://a.example/1\t7\t1\nhttp://b.example/2\t5\t2\n";

static void note(void *context, const struct prn_error *what)
{
	if (!what->code || !*what->text)
		abort();
	++*(uint64_t *)context;
}

static void check(const struct prn_capture *capture)
{
	char normal[PRN_URL_BYTES + 1];
	bool has_content = capture->kind == PRN_KIND_CONTENT || capture->kind == PRN_KIND_REDIRECT;

	if (prn_url_normalize(capture->url, SIZE_MAX, normal, sizeof normal) || strcmp(normal, capture->normal_url))
		abort();
	if (capture->time == PRN_TIME_UNKNOWN || has_content != (capture->body_bytes == sizeof(struct prn_digest)))
		abort();
	if (!(capture->weight >= 0 && capture->weight <= PRN_WEIGHT_MOST) || capture->revisit != PRN_REVISIT_NONE)
		abort();
}

static void read_all(const char *path)
{
	uint64_t told = 0;
	struct prn_source_options options = { .skipped = note, .skipped_context = &told };
	struct prn_error error = { 0 };
	struct prn_capture capture;
	struct prn_source *source;
	int code;

	if (prn_source_open(&source, path, &options, &error)) {
		if (!*error.text)
			abort();
		return;
	}
	while ((code = prn_source_next(source, &capture, &error)) == 1)
		check(&capture);
	if ((code && !*error.text) || told != prn_source_counts(source)->damaged)
		abort();
	prn_source_free(source);
}

static void put(const char *folder, const char *name, const void *bytes, size_t length, char path[96])
{
	FILE *file;

	snprintf(path, 96, "%s/%s", folder, name);
	file = fopen(path, "wb");
	if (!file || (length && !fwrite(bytes, length, 1, file)) || fclose(file))
		abort();
}

/* Bytes that begin like an index certainly are one; other targets have other formats. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/perennial-fuzz-XXXXXX", path[96], other[96];

	if (!size || (*data != 'k' && !prn_index_starts(data, size)))
		return 0;
	if (!mkdtemp(folder))
		abort();
	if (*data == 'k') {
		put(folder, "url_urlid_hostid.txt", urls, sizeof urls - 1, other);
		put(folder, PRN_KOLOBOV_HISTORIES, data + 1, size - 1, path);
		read_all(folder);
	} else {
		put(folder, "a.cdx", data, size, path);
		put(folder, "b", "", 0, other);
		read_all(path);
	}
	unlink(path);
	unlink(other);
	rmdir(folder);
	return 0;
}
