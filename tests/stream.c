/*
 * Packings: the same records as plain text, gzip members, one member, zstd frames with dictionaries, padding and
 * pieces, through files and pipes.  All give the same captures.
 */
#include "archive/stream.h"
#include "fixture.h"
#include "perennial/error.h"

#include <zdict.h>

#define RECORDS 40

static struct prn_buffer records[RECORDS], all;
static struct reading reading;

static void make_records(void)
{
	for (size_t i = 0; i < RECORDS; i++) {
		struct prn_buffer body = { 0 };
		char path[16];

		for (size_t n = 0; n < 30 + i; n++)
			add_text(&body, "<p>Item %zu of page %zu, which has many like it.</p>\n", n * 7919 % 1000, i);
		snprintf(path, sizeof path, "/%zu", i);
		add_response(&records[i], path, "2026-01-01T00:00:00Z", "200 OK", "Content-Type: text/html\r\n", body.data,
		             body.length);
		add(&all, records[i].data, records[i].length);
		prn_buffer_release(&body);
	}
}

static bool all_came(void)
{
	bool came = !reading.opened && !reading.ended && reading.count == RECORDS && !reading.counts.damaged;

	for (size_t i = 0; came && i < RECORDS; i++) {
		const struct prn_capture *capture = &reading.seen[i].capture;
		const unsigned char *body = records[i].data + records[i].length - 4 - capture->body_bytes;

		came = capture->body_bytes > 1000 && !memcmp(capture->body, body, capture->body_bytes);
	}
	if (!came)
		printf("# opened %d, ended %d, %zu captures, %llu damaged: %s\n# %s\n", reading.opened, reading.ended,
		       reading.count, (unsigned long long)reading.counts.damaged, reading.error.text,
		       skipped_text(&reading));
	return came;
}

static void same_captures(const char *name, struct prn_buffer *file, const char *what)
{
	read_source(&reading, put_buffer(name, file), NULL);
	ok(all_came() && reading.counts.input_bytes == file->length, "%s: the same captures", what);
	prn_buffer_release(file);
}

static struct prn_buffer gzip_members(void)
{
	struct prn_buffer file = { 0 };

	for (size_t i = 0; i < RECORDS; i++)
		add_gzip(&file, records[i].data, records[i].length);
	return file;
}

/* Members of size bytes whatever the records, as parallel packers make. */
static struct prn_buffer gzip_pieces(size_t size)
{
	struct prn_buffer file = { 0 };

	for (size_t at = 0; at < all.length; at += size)
		add_gzip(&file, all.data + at, all.length - at < size ? all.length - at : size);
	return file;
}

static void gzip_files(void)
{
	struct prn_buffer file = { 0 };

	file = gzip_members();
	same_captures("a.warc.gz", &file, "gzip, a member a record");
	file = gzip_members();
	same_captures("a.bin", &file, "gzip by its first bytes, whatever its name");
	add_gzip(&file, all.data, all.length);
	same_captures("a.warc.gz", &file, "gzip, one member for all");
	file = gzip_pieces(1500);
	same_captures("a.warc.gz", &file, "gzip, members of 1500 bytes that end inside records");
	file = gzip_pieces(7);
	same_captures("a.warc.gz", &file, "gzip, members of 7 bytes");
	file = gzip_members();
	add(&file, "trailing garbage", 16);
	read_source(&reading, put_buffer("a.warc.gz", &file), NULL);
	ok(reading.count == RECORDS && !reading.ended, "garbage after the last member of a file costs nothing");
	ok(reading.counts.damaged == 1 && HOLDS(skipped_text(&reading), "a.warc.gz: gzip member at offset", "does not begin like one"),
	   
	   "garbage after the last member of a file is told");
	prn_buffer_release(&file);
}

/* Zeros at the end fill a block of 512 bytes or one of a tape; any others stand where members were. */
static void gzip_zeros(void)
{
	static const unsigned char zeros[3 * 10240];
	struct prn_buffer file = gzip_members(), one = { 0 };
	size_t length = file.length;

	add(&file, zeros, 511);
	same_captures("a.warc.gz", &file, "gzip, filled up with 511 zeros");
	file = gzip_members();
	add(&file, zeros, 10240 - length % 10240);
	same_captures("a.warc.gz", &file, "gzip, filled up with zeros to a block of a tape");
	for (int more = 0; more < 2; more++) {
		size_t count = more ? 20480 - length % 10240 : 512;
		char told[128];

		file = gzip_members();
		add(&file, zeros, count);
		read_source(&reading, put_buffer("a.warc.gz", &file), NULL);
		same(tally(&reading), "40 captures, 1 damaged", "%zu zeros at the end of a file are damage", count);
		snprintf(told, sizeof told, "/a.warc.gz: %zu bytes of zeros at offset %zu where a gzip member should be\n", count, length);
		ok(HOLDS(skipped_text(&reading), told), "%zu zeros at the end of a file are told", count);
		prn_buffer_release(&file);
	}
	add_gzip(&one, records[0].data, records[0].length);
	file = gzip_members();
	memset(file.data, 0, one.length);
	read_source(&reading, put_buffer("a.warc.gz", &file), NULL);
	same(tally(&reading), "39 captures, 1 damaged", "zeros in place of the first member are damage");
	prn_buffer_release(&file);
	add(&file, one.data, one.length);
	add(&file, zeros, 100);
	add(&file, one.data, one.length);
	read_source(&reading, put_buffer("a.warc.gz", &file), NULL);
	same(tally(&reading), "2 captures, 1 damaged", "few zeros between two members are damage too");
	prn_buffer_release(&file);
	prn_buffer_release(&one);
}

static struct prn_buffer train_dictionary(void)
{
	struct prn_buffer dictionary = { 0 };
	size_t sizes[RECORDS], got;

	for (size_t i = 0; i < RECORDS; i++)
		sizes[i] = records[i].length;
	must(!prn_buffer_reserve(&dictionary, 4096), "allocate");
	got = ZDICT_trainFromBuffer(dictionary.data, 4096, all.data, sizes, RECORDS);
	must(!ZDICT_isError(got), "train a dictionary");
	dictionary.length = got;
	return dictionary;
}

enum dictionary_form { NO_DICTIONARY, DICTIONARY_AS_IS, DICTIONARY_PACKED };

static struct prn_buffer zstd_frames(const struct prn_buffer *dictionary, enum dictionary_form form)
{
	struct prn_buffer file = { 0 }, stored = { 0 };

	if (form == DICTIONARY_AS_IS)
		add(&stored, dictionary->data, dictionary->length);
	if (form == DICTIONARY_PACKED)
		add_zstd(&stored, dictionary->data, dictionary->length, NULL);
	if (form != NO_DICTIONARY) {
		prn_buffer_append_u32(&file, 0x184d2a5d);
		prn_buffer_append_u32(&file, (uint32_t)stored.length);
		add(&file, stored.data, stored.length);
	}
	for (size_t i = 0; i < RECORDS; i++)
		add_zstd(&file, records[i].data, records[i].length, dictionary);
	prn_buffer_release(&stored);
	return file;
}

static void zstd_files(void)
{
	struct prn_buffer dictionary = train_dictionary(), file = { 0 }, second = { 0 };
	size_t plain_bytes;

	file = zstd_frames(NULL, NO_DICTIONARY);
	plain_bytes = file.length;
	same_captures("a.warc.zst", &file, "zstd, a frame a record, no dictionary");
	file = zstd_frames(&dictionary, DICTIONARY_AS_IS);
	ok(file.length < plain_bytes, "the dictionary is of use: %zu bytes with it, %zu without", file.length, plain_bytes);
	same_captures("a.warc.zst", &file, "zstd with its dictionary as it is");
	file = zstd_frames(&dictionary, DICTIONARY_PACKED);
	same_captures("a.bin", &file, "zstd with its dictionary compressed, whatever its name");
	add_zstd(&file, all.data, all.length, NULL);
	same_captures("a.warc.zst", &file, "zstd, one frame for all");

	file = zstd_frames(&dictionary, DICTIONARY_AS_IS);
	second = zstd_frames(NULL, NO_DICTIONARY);
	add(&file, second.data, second.length);
	prn_buffer_release(&second);
	second = zstd_frames(&dictionary, DICTIONARY_PACKED);
	add(&file, second.data, second.length);
	read_source(&reading, put_buffer("a.warc.zst", &file), NULL);
	ok(!reading.ended && !reading.counts.damaged,
	   "three zstd files with dictionaries put together with cat are read to their end");
	ok(reading.count == 3 * RECORDS,
	   "three zstd files with dictionaries put together with cat are read with all their records");
	prn_buffer_release(&second);
	prn_buffer_release(&file);

	file = zstd_frames(&dictionary, NO_DICTIONARY);
	read_source(&reading, put_buffer("a.warc.zst", &file), NULL);
	ok(!reading.count && reading.counts.damaged == 1,
	   "a file of frames whose dictionary is not there is given up");
	ok(HOLDS(skipped_text(&reading), "a.warc.zst: zstd frame at offset 0: Dictionary mismatch"),
	   "frames whose dictionary is not there are told");
	prn_buffer_release(&file);
	prn_buffer_release(&dictionary);
}

static void refused_dictionary(const struct prn_buffer *file, int code, const char *text)
{
	read_source(&reading, put_buffer("bad.warc.zst", file), NULL);
	ok(reading.opened == code && HOLDS(reading.error.text, "bad.warc.zst: ", text),
	   "a dictionary is refused: %s", text);
}

static void bad_dictionaries(void)
{
	struct prn_buffer file = { 0 };

	prn_buffer_append_u32(&file, 0x184d2a5d);
	prn_buffer_append_u32(&file, 16);
	add_text(&file, "not a dictionary, and then some");
	refused_dictionary(&file, PRN_E_INPUT, "holds no zstd dictionary");
	file.length = 20;
	refused_dictionary(&file, PRN_E_TRUNCATED, "ends inside a skippable frame");
	memset(file.data + 4, 0x7f, 4);
	refused_dictionary(&file, PRN_E_INPUT, "above 33554432 bytes");
	memcpy(file.data + 4, "\x01\0\0\x02", 4); /* 2^25 + 1 */
	refused_dictionary(&file, PRN_E_INPUT, "above 33554432 bytes");
	prn_buffer_clear(&file);
	prn_buffer_append_u32(&file, 0x184d2a5d);
	prn_buffer_append_u32(&file, 12);
	prn_buffer_append_u32(&file, 0xfd2fb528);
	add_text(&file, "and damage");
	refused_dictionary(&file, PRN_E_INPUT, "dictionary is damaged");
	prn_buffer_release(&file);
}

/* Runs a source on standard input, fed by a child so that a full pipe does not stop us. */
static void through_a_pipe(const char *what, struct prn_buffer *file)
{
	int ends[2], kept = dup(STDIN_FILENO);

	must(kept >= 0 && !pipe(ends), "make a pipe");
	fflush(stdout);
	if (!fork()) {
		close(ends[0]);
		for (size_t at = 0; at < file->length; at += 1000)
			if (write(ends[1], file->data + at, file->length - at < 1000 ? file->length - at : 1000) < 0)
				break;
		_exit(0);
	}
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	read_source(&reading, "-", NULL);
	dup2(kept, STDIN_FILENO);
	close(kept);
	ok(all_came(), "%s through a pipe in pieces of 1000 bytes", what);
	prn_buffer_release(file);
}

/*
 * 4 GiB of zeros in a record that is passed over, in a file with a hole: the offset behind it, in the message of a
 * damaged record, is right.
 */
static void above_4_gib(void)
{
	struct prn_buffer start = { 0 }, rest = { 0 };
	uint64_t block = ((uint64_t)4 << 30) + 10;
	char offset[64];
	const char *path;
	int file;

	add_text(&start, "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: %llu\r\n\r\n", (unsigned long long)block);
	add_text(&rest, "\r\n\r\n");
	snprintf(offset, sizeof offset, "record at offset %llu:", (unsigned long long)(start.length + block + 4));
	add_text(&rest, "WARC/1.0\r\nWARC-Type: response\r\n\r\n\r\n\r\n");
	add(&rest, records[0].data, records[0].length);
	path = put_buffer("large.warc", &start);
	file = open(path, O_WRONLY);
	must(file >= 0, "open a file");
	if (pwrite(file, rest.data, rest.length, (off_t)(start.length + block)) != (ssize_t)rest.length) {
		skip("no room for a file with a hole of 4 GiB");
	} else {
		read_source(&reading, path, NULL);
		ok(!reading.ended && reading.count == 1, "of a file above 4 GiB a record behind that is read");
		ok(HOLDS(skipped_text(&reading), "large.warc: ", offset),
		   "a place in a file above 4 GiB is told: %s", offset);
	}
	close(file);
	remove(path);
	prn_buffer_release(&start);
	prn_buffer_release(&rest);
}

/* 3 MiB of a record that claims 64, and is passed over, and a whole record after it: what is not there is not counted. */
static void claims_more_than_its_file(void)
{
	struct prn_buffer file = { 0 };
	unsigned char *zeros = calloc(3, 1 << 20);

	must(zeros != NULL, "memory");
	add_text(&file, "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: %d\r\n\r\n", 64 << 20);
	add(&file, zeros, 3 << 20);
	add_text(&file, "\r\n\r\n");
	add(&file, records[0].data, records[0].length);
	read_source(&reading, put_buffer("claims.warc", &file), NULL);
	ok(!reading.ended && reading.count == 1,
	   "a record that claims to be longer than its file by far costs itself only");
	ok(reading.counts.damaged == 1,
	   "a record that claims to be longer than its file by far is counted as damaged");
	ok(reading.counts.input_bytes == file.length, "no more bytes are counted as read than the file has");
	prn_buffer_release(&file);
	free(zeros);
}

#define SITEMAP "<?xml version='1.0'?>\n<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://a.example/</loc></url></urlset>"

static void refused_file(const char *name, const char *bytes, size_t length, const char *text)
{
	read_source(&reading, put_file(name, bytes, length), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, name, text),
	   "the file %s is refused: %s", name, text);
}

static void other_files(void)
{
	struct prn_buffer file = { 0 };

	refused_file("a.txt", "text", 4, "not a WARC or ARC file, CDX or JSON lines (plain, gzip, zstd or lz4), WACZ, a page saved as MHTML");
	refused_file("a.tsx", "text", 4, "a manifest or a git repository (git:FOLDER); import takes traces too");
	refused_file("s.xml", SITEMAP, strlen(SITEMAP), "s.xml: this is a sitemap, which has no captures: 'perennial hint' takes it");
	refused_file("f.xml", "<rss version='2.0'></rss>", 25, "f.xml: this is a feed, which has no captures: 'perennial hint' takes it");
	add_gzip(&file, SITEMAP, strlen(SITEMAP));
	refused_file("s.xml.gz", (char *)file.data, file.length, "s.xml.gz: this is a sitemap");
	prn_buffer_clear(&file);
	refused_file("a.html", "<!DOCTYPE html>", 15, "an HTML page without the comment by which SingleFile and monolith tell its URL");
	add_gzip(&file, "ustar", 5);
	refused_file("a.tar.gz", (char *)file.data, file.length, "not a WARC or ARC file, CDX or JSON lines");
	prn_buffer_release(&file);
	refused_file("a.warc", "\xfd" "7zXZ\0\0\4\xe6", 9, "packed by xz, which is not read: unpack it first");
	refused_file("a.warc.bz2", "BZh91AY&SY", 10, "packed by bzip2, which is not read");
	refused_file("a.warc.trace", "PRNTRACE........", 16, "a trace: what takes traces reads them from files of their own");
	refused_file("a.warc.gz", "\0\0\0\0\0\0\0\0", 8, "the file holds nothing but padding");
	refused_file("b.warc.gz", "", 0, "the file is empty");
	read_source(&reading, in_scratch("nowhere.warc.gz"), NULL);
	ok(reading.opened == PRN_E_IO && HOLDS(reading.error.text, "nowhere.warc.gz: cannot be opened: No such file"),
	   "a file that is not there is named");
}

/* What a stream shows of its member, or NULL. */
static const char *peeked(struct prn_stream *stream, size_t want)
{
	const unsigned char *bytes;
	size_t length;

	return prn_stream_peek(stream, want, &bytes, &length, NULL) ? NULL : tap_text("%.*s", (int)length, (const char *)bytes);
}

/* The contract of stream.h, in small. */
static void stream_contract(void)
{
	struct prn_buffer file = { 0 };
	struct prn_stream_from from = { .name = NULL };
	struct prn_stream *stream;
	const unsigned char *bytes;
	size_t first, length;

	add_gzip(&file, "WARC/one", 8);
	first = file.length;
	add_gzip(&file, "WARC/second", 11);
	from.input.path = from.name = put_buffer("s.gz", &file);
	must(!prn_stream_open(&stream, &from, NULL), "open a stream");
	ok(!prn_stream_peek(stream, 1, &bytes, &length, NULL) && !length, "a stream stands before its first member");
	ok(prn_stream_next_member(stream, NULL) == 1 && prn_stream_member(stream) == 0,
	   "the first member of a stream is at 0");
	same(peeked(stream, 100), "WARC/one", "a stream shows no more than its member has");
	prn_stream_take(stream, 5);
	ok(prn_stream_position(stream) == 5, "a stream counts the bytes that were taken from it");
	same(peeked(stream, 1), "one", "bytes that were taken from a stream are gone");
	ok(!prn_stream_rewind(stream, 0), "a packed stream has no way back");
	ok(prn_stream_next_member(stream, NULL) == 1 && prn_stream_member(stream) == first,
	   "the second member of a stream is where it was written");
	ok(prn_stream_position(stream) == 0, "a stream counts bytes from the beginning of its member");
	ok(!prn_stream_peek(stream, 11, &bytes, &length, NULL) && !memcmp(bytes, "WARC/second", 11),
	   "the second member of a stream has its bytes");
	ok(prn_stream_next_member(stream, NULL) == 0 && prn_stream_next_member(stream, NULL) == 0,
	   "a stream ends after its last member");
	ok(prn_stream_input_bytes(stream) == file.length, "a stream that ended has used all its bytes");
	prn_stream_free(stream);
	prn_buffer_release(&file);
}

/* A member whose checksum is wrong, and one behind it. */
static void damaged_at_its_end(void)
{
	struct prn_buffer file = { 0 };
	struct prn_stream_from from = { .name = NULL };
	struct prn_stream *stream;
	const unsigned char *bytes;
	size_t length;

	add_gzip(&file, "WARC/one", 8);
	file.data[file.length - 8] ^= 1;
	from.input.path = from.name = put_buffer("s.gz", &file);
	must(!prn_stream_open(&stream, &from, NULL) && prn_stream_next_member(stream, NULL) == 1, "open a stream");
	same(peeked(stream, 8), "WARC/one", "the bytes of a gzip member are shown though its checksum is wrong");
	prn_stream_take(stream, 8);
	ok(prn_stream_peek(stream, 1, &bytes, &length, NULL) == PRN_E_INPUT,
	   "a wrong checksum of a gzip member is told after its bytes");
	prn_stream_free(stream);
	prn_buffer_release(&file);
}

/* What of a member comes, by peeking at so many bytes at a time; *code is what ends it. */
static void read_member(struct prn_stream *stream, size_t wanted, struct prn_buffer *out, int *code)
{
	const unsigned char *bytes;
	size_t length;

	prn_buffer_clear(out);
	while (!(*code = prn_stream_peek(stream, wanted, &bytes, &length, NULL)) && length) {
		add(out, bytes, length);
		prn_stream_take(stream, length);
	}
}

/* Small members may be unpacked whole, large ones never are: what comes of them is the same. */
static void members_of_any_size(void)
{
	static const size_t sizes[] = { 0, 1, 63, 64, 65, 1000, PRN_STREAM_WINDOW - 1, PRN_STREAM_WINDOW, PRN_STREAM_WINDOW + 1,
		                        (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20 };
	const size_t count = sizeof sizes / sizeof *sizes;
	unsigned char *content = malloc(3 << 20);
	struct prn_buffer file = { 0 }, out = { 0 };
	bool same = true, told = true;

	must(content != NULL, "memory");
	for (size_t i = 0; i < 3 << 20; i++)
		content[i] = (unsigned char)(i * i >> 7 & 0xff);
	for (size_t i = 0; i < count; i++)
		add_gzip(&file, content, sizes[i]);
	for (size_t wanted = 1; wanted <= PRN_STREAM_WINDOW; wanted *= 362) {
		struct prn_stream_from from = { .name = "s.gz", .input.path = put_buffer("s.gz", &file) };
		struct prn_stream *stream;
		int code;

		must(!prn_stream_open(&stream, &from, NULL), "open a stream");
		for (size_t i = 0; i < count; i++) {
			same = same && prn_stream_next_member(stream, NULL) == 1;
			read_member(stream, wanted, &out, &code);
			same = same && !code && out.length == sizes[i] && (!out.length || !memcmp(out.data, content, sizes[i]));
		}
		same = same && !prn_stream_next_member(stream, NULL) && prn_stream_input_bytes(stream) == file.length;
		prn_stream_free(stream);
	}
	ok(same, "gzip members of every size have their bytes");
	for (size_t i = 0; i < count; i++)
		for (size_t damage = 1; damage <= 8; damage += 7) {
			struct prn_stream_from from = { .name = "s.gz" };
			struct prn_stream *stream;
			int code;

			prn_buffer_clear(&file);
			add_gzip(&file, content, sizes[i]);
			file.data[file.length - damage] ^= 0x40;
			add_gzip(&file, "WARC/one", 8);
			from.input.path = put_buffer("s.gz", &file);
			must(!prn_stream_open(&stream, &from, NULL) && prn_stream_next_member(stream, NULL) == 1, "open a stream");
			read_member(stream, 1, &out, &code);
			told = told && code == PRN_E_INPUT && out.length == sizes[i];
			prn_stream_free(stream);
		}
	ok(told, "a wrong checksum or length of a gzip member of any size is told after its bytes");
	prn_buffer_release(&file);
	prn_buffer_release(&out);
	free(content);
}

/* Lets a hundred windows be decoded. */
static bool after_a_hundred(void *context)
{
	return ++*(size_t *)context > 100;
}

/* A record that inflates to 64 MB, and another: whoever wants no more is not kept until its end. */
static void cancelled(void)
{
	struct prn_buffer file = { 0 }, record = { 0 };
	unsigned char *zeros = calloc(64, 1 << 20);
	size_t asked = 0;
	const struct prn_source_options options = { .cancelled = after_a_hundred, .cancelled_context = &asked,
		                                    .body_bytes_max = 1000 };

	must(zeros, "memory");
	add_response(&record, "/0", "2026-01-01T00:00:00Z", "200 OK", "Content-Type: text/html\r\n", zeros, 64 << 20);
	add_gzip(&file, record.data, record.length);
	add_gzip(&file, records[1].data, records[1].length);
	read_source(&reading, put_buffer("large.warc.gz", &file), &options);
	ok(!reading.opened && reading.ended == PRN_E_CANCELLED, "a source that is cancelled ends as that");
	ok(reading.count <= 1 && asked == 101, "a source that is cancelled ends within a record");
	ok(!reading.counts.damaged, "the record in which a source is cancelled does not count as damaged");
	prn_buffer_release(&record);
	prn_buffer_release(&file);
	free(zeros);
}

static bool at_once(void *context)
{
	return ++*(size_t *)context > 3;
}

/* What is searched for the next member is no record that would be asked within. */
static void cancelled_searches(void)
{
	size_t asked = 0, length = 4 << 20;
	const struct prn_source_options options = { .cancelled = at_once, .cancelled_context = &asked };
	struct prn_buffer file = { 0 };
	unsigned char *filling = malloc(length);

	must(filling, "memory");
	for (int byte = 0; byte < 2; byte++) {
		prn_buffer_clear(&file);
		add_gzip(&file, records[0].data, records[0].length);
		add(&file, memset(filling, byte, length), length);
		asked = 0;
		read_source(&reading, put_buffer("filled.warc.gz", &file), &options);
		ok(reading.ended == PRN_E_CANCELLED && asked == 4, "a source is cancelled while it passes %s: %zu",
		   byte ? "what is no member" : "zeros", asked);
	}
	prn_buffer_release(&file);
	free(filling);
}

int main(void)
{
	struct prn_buffer file = { 0 };

	make_scratch();
	make_records();
	add(&file, all.data, all.length);
	same_captures("a.warc", &file, "plain");
	add(&file, all.data, all.length);
	same_captures("a.warc.gz", &file, "plain under the name of a gzip file");
	gzip_files();
	gzip_zeros();
	zstd_files();
	bad_dictionaries();
	add(&file, all.data, all.length);
	through_a_pipe("plain", &file);
	file = gzip_members();
	through_a_pipe("gzip", &file);
	file = zstd_frames(NULL, NO_DICTIONARY);
	through_a_pipe("zstd", &file);
	above_4_gib();
	claims_more_than_its_file();
	other_files();
	stream_contract();
	members_of_any_size();
	damaged_at_its_end();
	cancelled();
	cancelled_searches();
	reading_release(&reading);
	prn_buffer_release(&all);
	for (size_t i = 0; i < RECORDS; i++)
		prn_buffer_release(&records[i]);
	return done();
}
