/*
 * Members unpacked ahead: what is handed out is what the reader would have unpacked himself, and a source says the same, to the
 * last error, whether others unpack ahead of it or not.
 */
#include "archive/members_ahead.h"

#include "archive/gzip_whole.h"
#include "base/pipeline.h"
#include "base/random.h"
#include "fixture.h"
#include "perennial/digest.h"
#include "perennial/error.h"

#define MEMBERS 60
#define DAMAGED 60

static struct prn_random chance;

/* Text of length bytes that packs to about as many in a hundred. */
static struct prn_buffer make_page(size_t length, unsigned in_hundred)
{
	struct prn_buffer page = { 0 };

	for (size_t i = 0; i < length; i++) {
		char letter = prn_random_below(&chance, 100) < in_hundred ? (char)prn_random_below(&chance, 256) : 'a';

		add(&page, &letter, 1);
	}
	return page;
}

static void add_page(struct prn_buffer *record, size_t i, const struct prn_buffer *page)
{
	char path[16];

	snprintf(path, sizeof path, "/%zu", i);
	add_response(record, path, "2026-01-01T00:00:00Z", "200 OK", "Content-Type: text/plain\r\n", page->data, page->length);
}

/* Some are too large to be unpacked ahead, and of these some are small as they are stored, so that others begin close behind. */
static struct prn_buffer make_record(size_t i)
{
	bool is_large = i % 20 == 7 || i % 20 == 3;
	struct prn_buffer record = { 0 }, page = make_page(is_large ? 1500000 : 100 + prn_random_below(&chance, 40000), i % 20 == 3 ? 0 : i % 20 == 13 ? 100 : 50);

	add_page(&record, i, &page);
	prn_buffer_release(&page);
	return record;
}

static struct prn_buffer make_file(void)
{
	struct prn_buffer file = { 0 };

	for (size_t i = 0; i < MEMBERS; i++) {
		struct prn_buffer record = make_record(i);

		add_gzip(&file, record.data, record.length);
		prn_buffer_release(&record);
	}
	return file;
}

/* All that a source says, as text. */
static struct prn_buffer everything(const char *path, struct prn_spare *spare)
{
	struct prn_buffer said = { 0 }, skipped = { 0 };
	struct prn_source_options options = { .spare = spare, .skipped = note_skipped };
	struct reading *notes = calloc(1, sizeof *notes);
	struct prn_source *source = NULL;
	struct prn_capture capture;
	struct prn_error error = { 0 };
	int code;

	must(notes, "allocate");
	options.skipped_context = notes;
	code = prn_source_open(&source, path, &options, &error);
	add_text(&said, "opened %d\n", code);
	while (!code && (code = prn_source_next(source, &capture, &error)) == 1) {
		struct prn_digest body = prn_digest_bytes(capture.body, capture.body_bytes);

		add_text(&said, "%s %d %zu %llx %d\n", capture.url, capture.kind, capture.body_bytes, (unsigned long long)body.low,
		         capture.truncated);
		code = 0;
	}
	add_text(&said, "ended %d %s\n", code, code ? error.text : "");
	if (source) {
		const struct prn_source_counts *counts = prn_source_counts(source);

		add_text(&said, "%llu records, %llu damaged, %llu bytes\n", (unsigned long long)counts->records,
		         (unsigned long long)counts->damaged, (unsigned long long)counts->input_bytes);
	}
	add(&said, notes->skipped.data, notes->skipped.length);
	prn_buffer_terminate(&said);
	prn_source_free(source);
	prn_buffer_release(&notes->skipped);
	prn_buffer_release(&skipped);
	free(notes);
	return said;
}

static bool says_the_same(const char *name, const struct prn_buffer *file, struct prn_spare *spare)
{
	const char *path = put_buffer(name, file);
	struct prn_buffer alone = everything(path, NULL), helped = everything(path, spare);
	bool is = alone.length == helped.length && !memcmp(alone.data, helped.data, alone.length);

	if (!is)
		printf("# alone:\n# %.2000s\n# helped:\n# %.2000s\n", (char *)alone.data, (char *)helped.data);
	prn_buffer_release(&alone);
	prn_buffer_release(&helped);
	return is;
}

static size_t no_work(void *context, size_t thread, struct prn_pipeline_item *item)
{
	(void)context, (void)thread, (void)item;
	return 0;
}

static void no_wake(void *context)
{
	(void)context;
}

/* A reader's walk along the members of a file, others having unpacked what they could: how many of them they had. */
static size_t walk(struct prn_ahead *ahead, struct prn_spare *spare, const struct prn_buffer *file, bool *right)
{
	static unsigned char own[2 << 20];
	size_t at = 0, had = 0;

	for (*right = true; at < file->length;) {
		z_stream zlib = { .next_in = file->data + at, .avail_in = (uInt)(file->length - at), .next_out = own,
			          .avail_out = sizeof own };
		const unsigned char *bytes;
		size_t packed, length;

		must(inflateInit2(&zlib, 31) == Z_OK && inflate(&zlib, Z_FINISH) == Z_STREAM_END, "inflate");
		if (prn_ahead_take(ahead, at, &packed, &bytes, &length)) {
			had++;
			*right &= packed == zlib.total_in && length == zlib.total_out && !memcmp(bytes, own, length);
		}
		at += zlib.total_in;
		inflateEnd(&zlib);
		while (prn_spare_use(spare))
			;
	}
	return had;
}

static void test_members(const struct prn_buffer *file)
{
	struct prn_spare *spare = prn_spare_open(1, no_wake, NULL);
	int fd = open(put_buffer("members.gz", file), O_RDONLY);
	struct prn_ahead *ahead = prn_ahead_open(prn_gzip_ahead, fd, spare), *other = prn_ahead_open(prn_gzip_ahead, fd, spare);
	bool right;
	size_t had = walk(ahead, spare, file, &right);

	ok(!other, "of two readers that ask the same threads one has them");
	ok(right, "what was unpacked ahead is the member at the offset that was asked for");
	ok(had > MEMBERS / 2 && had < MEMBERS, "most members were unpacked ahead, and the large ones were not: %zu of %d", had, MEMBERS);
	prn_ahead_free(ahead);
	ahead = prn_ahead_open(prn_gzip_ahead, fd, spare);
	if (ok(ahead, "who ends hands the threads on to the next one")) {
		ok(walk(ahead, spare, file, &right) == had, "the next one has as many members unpacked ahead as the one that ended");
		ok(right, "what was unpacked ahead for the next one is the member at the offset that was asked for");
	}
	prn_ahead_free(ahead);
	prn_spare_close(spare);
	prn_spare_drop(spare);
	close(fd);
}

/* A page that is itself packed, and holds members: those are none of the file. */
static void test_nested(struct prn_spare *spare)
{
	struct prn_buffer file = { 0 }, inner = make_file();

	for (size_t i = 0; i < 4; i++) {
		struct prn_buffer record = { 0 };

		add_page(&record, i, &inner);
		add_gzip(&file, record.data, record.length);
		prn_buffer_release(&record);
	}
	ok(says_the_same("nested.warc.gz", &file, spare), "members within a page are no members of its file");
	prn_buffer_release(&file);
	prn_buffer_release(&inner);
}

static void test_forms(const struct prn_buffer *file, struct prn_spare *spare)
{
	static const unsigned char zeros[600];
	struct prn_buffer other = { 0 }, all = { 0 };

	ok(says_the_same("a.warc.gz", file, spare), "a file of a member a record says the same when it is unpacked ahead");
	for (size_t i = 0; i < MEMBERS; i++) {
		struct prn_buffer record = make_record(i);

		add(&all, record.data, record.length);
		add_gzip(&other, record.data, record.length);
		add(&other, zeros, prn_random_below(&chance, sizeof zeros));
		prn_buffer_release(&record);
	}
	ok(says_the_same("padded.warc.gz", &other, spare), "a file with padding between its members says the same");
	prn_buffer_clear(&other);
	add_gzip(&other, all.data, all.length);
	ok(says_the_same("one.warc.gz", &other, spare), "a file of one member says the same");
	prn_buffer_clear(&other);
	for (size_t at = 0; at < all.length; at += 15000)
		add_gzip(&other, all.data + at, all.length - at < 15000 ? all.length - at : 15000);
	ok(says_the_same("pieces.warc.gz", &other, spare), "a file whose members end inside records says the same");
	ok(says_the_same("plain.warc", &all, spare), "a file that is not packed says the same");
	prn_buffer_release(&other);
	prn_buffer_release(&all);
}

static void test_damage(const struct prn_buffer *file, struct prn_spare *spare)
{
	bool all = true, cut = true;

	for (size_t i = 0; i < DAMAGED; i++) {
		struct prn_buffer damaged = { 0 };

		add(&damaged, file->data, file->length);
		for (size_t n = 1 + prn_random_below(&chance, 20); n--;)
			damaged.data[prn_random_below(&chance, file->length)] ^= (unsigned char)(1 + prn_random_below(&chance, 255));
		all &= says_the_same("damaged.warc.gz", &damaged, spare);
		damaged.length = prn_random_below(&chance, file->length);
		cut &= says_the_same("cut.warc.gz", &damaged, spare);
		prn_buffer_release(&damaged);
	}
	ok(all, "damage is told with the same words, and what follows it is read all the same");
	ok(cut, "a file that is cut ends with the same words");
}

int main(void)
{
	const struct prn_pipeline_options options = { .threads = 2, .queued_most = 1, .bytes_most = 1, .work = no_work };
	struct prn_pipeline *pipeline;
	struct prn_buffer file;

	make_scratch();
	prn_random_seed(&chance, 7, 0);
	must(!prn_pipeline_open(&pipeline, &options), "start threads");
	file = make_file();
	if (prn_gzip_ahead)
		test_members(&file);
	test_forms(&file, prn_pipeline_spare(pipeline));
	test_nested(prn_pipeline_spare(pipeline));
	test_damage(&file, prn_pipeline_spare(pipeline));
	prn_pipeline_free(pipeline);
	prn_buffer_release(&file);
	remove_scratch();
	done();
}
