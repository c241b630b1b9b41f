/*
 * Damage to WARC files: every cut point, and a flipped bit in every byte, of files of five records in each packing.
 * Whatever stands before a cut, and every record but the damaged one, is handed out untouched.
 */
#include "fixture.h"
#include "perennial/digest.h"

#define RECORDS 5

/* The records as they stand in the file, and where each ends. */
struct file {
	const char *name;
	struct prn_buffer bytes;
	size_t start[RECORDS], end[RECORDS];
	bool checked;    /* the packing tells every flipped bit */
	size_t preamble; /* bytes before the first record: the dictionary */
};

static struct prn_buffer records[RECORDS], bodies[RECORDS];
static struct reading reading;

static void make_records(void)
{
	unsigned state = 1;

	for (size_t i = 0; i < RECORDS; i++) {
		char path[16];

		for (size_t n = 0; n < 300 + 40 * i; n++) {
			state = state * 1103515245 + 12345;
			add_text(&bodies[i], "%c", "abcdefghijklmnop qrstuvwxyz\n<>/"[state >> 16 & 31]);
		}
		snprintf(path, sizeof path, "/%zu", i);
		add_response(&records[i], path, "2026-01-01T00:00:00Z", "200 OK", "Content-Type: text/html\r\n",
		             bodies[i].data, bodies[i].length);
	}
}

static struct file make_plain(void)
{
	struct file file = { .name = "plain.warc" };

	for (size_t i = 0; i < RECORDS; i++) {
		file.start[i] = file.bytes.length;
		add(&file.bytes, records[i].data, records[i].length);
		file.end[i] = file.bytes.length;
	}
	return file;
}

static struct file make_gzip(void)
{
	struct file file = { .name = "members.warc.gz", .checked = true };

	for (size_t i = 0; i < RECORDS; i++) {
		file.start[i] = file.bytes.length;
		add_gzip(&file.bytes, records[i].data, records[i].length);
		file.end[i] = file.bytes.length;
	}
	return file;
}

static void add_frame_header(struct prn_buffer *out, uint32_t magic, size_t length)
{
	prn_buffer_append_u32(out, magic);
	prn_buffer_append_u32(out, (uint32_t)length);
}

/* A skippable frame stands before the records, as tools may put one. */
static struct file make_zstd(void)
{
	struct file file = { .name = "frames.warc.zst", .checked = true };

	add_frame_header(&file.bytes, 0x184d2a50, 3);
	add(&file.bytes, "abc", 3);
	file.preamble = file.bytes.length;
	for (size_t i = 0; i < RECORDS; i++) {
		file.start[i] = file.bytes.length;
		add_zstd(&file.bytes, records[i].data, records[i].length, NULL);
		file.end[i] = file.bytes.length;
	}
	return file;
}

/* Whether capture i of the reading is record n. */
static bool is_record(size_t i, size_t n)
{
	const struct seen *seen = &reading.seen[i];
	char url[64];

	snprintf(url, sizeof url, "http://a.example/%zu", n);
	return !strcmp(seen->normal, url) && seen->capture.body_bytes == bodies[n].length &&
	       !memcmp(seen->body, bodies[n].data, bodies[n].length);
}

/* Behind those that are whole there may be what a cut left of one more: a transfer that was cut short. */
static bool has_records(size_t n)
{
	const struct prn_capture *last = &reading.seen[n].capture;

	return reading.count == n ||
	       (reading.count == n + 1 && last->truncated && last->kind == PRN_KIND_ERROR && reading.ended == PRN_E_TRUNCATED);
}

/* After a cut, exactly the records that end before it; *code is what the end is to be. */
static size_t expect_after_cut(const struct file *file, size_t cut, int *code)
{
	size_t n = 0;

	*code = PRN_E_TRUNCATED;
	while (n < RECORDS && file->end[n] <= cut)
		n++;
	if (cut == (n ? file->end[n - 1] : file->preamble))
		*code = 0;
	/* A plain record needs no more than its block: the blank lines after it are missed, not their record. */
	if (!file->checked && n < RECORDS && cut >= file->end[n] - 4)
		n++;
	return n;
}

static void cut_everywhere(const struct file *file)
{
	size_t wrong = 0;

	for (size_t cut = 1; cut < file->bytes.length; cut++) {
		int code;
		size_t n = expect_after_cut(file, cut, &code);
		bool good;

		read_source(&reading, put_file(file->name, file->bytes.data, cut), NULL);
		/* Nothing but a preamble is an empty file. */
		good = reading.opened ? !n : reading.ended == code && has_records(n) && !reading.counts.damaged;
		for (size_t i = 0; good && i < n; i++)
			good = is_record(i, i);
		if (good && code == PRN_E_TRUNCATED)
			good = strstr(reading.error.text, file->name) && strstr(reading.error.text, "the file ends");
		if (!good && !wrong++)
			printf("# cut at %zu: code %d, %zu captures of %zu, %s\n# %s", cut, reading.ended, reading.count, n,
			       reading.error.text, skipped_text(&reading));
	}
	ok(!wrong, "%s cut at each of %zu points gives what stands before the cut", file->name, file->bytes.length - 1);
}

/* Whether all records but one came through, and the damage was told; the damaged one may be whole all the same. */
static bool survived(const struct file *file, size_t damaged)
{
	size_t at = 0;
	bool whole = false;

	for (size_t n = 0; n < RECORDS; n++) {
		if (at < reading.count && is_record(at, n))
			at++, whole |= n == damaged;
		else if (n != damaged)
			return false;
		else if (at < reading.count && !file->checked && reading.count - at > RECORDS - 1 - n)
			at++; /* a plain record does not know its own text */
	}
	if (!has_records(at))
		return false;
	if (whole || !file->checked)
		return true;
	return reading.counts.damaged > 0 || reading.ended == PRN_E_TRUNCATED;
}

static void flip_everywhere(const struct file *file, unsigned char mask)
{
	size_t wrong = 0, told = 0;

	for (size_t at = file->preamble, n = 0; at < file->bytes.length; at++) {
		unsigned char *byte = &file->bytes.data[at];

		n += at == file->end[n];
		*byte ^= mask;
		read_source(&reading, put_buffer(file->name, &file->bytes), NULL);
		*byte ^= mask;
		told += reading.counts.damaged > 0 || reading.ended < 0;
		if (!survived(file, n) && !wrong++)
			printf("# byte %zu of record %zu: code %d, %zu captures, %s\n# %s\n", at, n, reading.ended,
			       reading.count, reading.error.text, skipped_text(&reading));
	}
	ok(!wrong, "%s with each byte flipped by %02x in turn loses no other record", file->name, mask);
	/* Header bytes of a member that nothing depends on (time, system) are a few of each record. */
	if (file->checked)
		ok(told > (file->bytes.length - file->preamble) * 9 / 10,
		   "%s with each byte flipped by %02x in turn tells of nearly all: %zu of %zu", file->name, mask, told,
		   file->bytes.length - file->preamble);
}

/* A pipe cannot be read again: the same damage, told by offset, and the records after it all the same. */
static void damage_in_a_pipe(const struct file *file)
{
	int ends[2], kept = dup(STDIN_FILENO);
	size_t at = (file->start[2] + file->end[2]) / 2;
	char offset[64];

	must(!pipe(ends) && kept >= 0, "make a pipe");
	file->bytes.data[at] ^= 0xff;
	must(write(ends[1], file->bytes.data, file->bytes.length) == (ssize_t)file->bytes.length, "write to a pipe");
	file->bytes.data[at] ^= 0xff;
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	read_source(&reading, "-", NULL);
	dup2(kept, STDIN_FILENO);
	close(kept);
	close(ends[0]);
	snprintf(offset, sizeof offset, "at offset %zu", file->start[2]);
	ok(!reading.ended && reading.count == RECORDS - 1, "%s through a pipe loses only the damaged record", file->name);
	ok(is_record(2, 3) && is_record(3, 4), "%s through a pipe has the records behind the damaged one", file->name);
	ok(reading.counts.damaged == 1 && HOLDS(skipped_text(&reading), "standard input", offset),
	   "%s through a pipe says with its offset which record is damaged", file->name);
}

static void all_damage(struct file file)
{
	cut_everywhere(&file);
	flip_everywhere(&file, 0x01);
	flip_everywhere(&file, 0xff);
	if (file.checked)
		damage_in_a_pipe(&file);
	prn_buffer_release(&file.bytes);
}

/* How many records are whole in the first bytes that zlib, asked directly, gets out of a cut file. */
static size_t whole_records(const struct prn_buffer *packed, size_t cut)
{
	unsigned char out[16384];
	z_stream zlib = { .next_in = packed->data, .avail_in = (uInt)cut, .next_out = out, .avail_out = sizeof out };
	size_t n = 0, end = 0, got;

	must(inflateInit2(&zlib, 16 + MAX_WBITS) == Z_OK, "inflate");
	inflate(&zlib, Z_SYNC_FLUSH);
	got = sizeof out - zlib.avail_out;
	inflateEnd(&zlib);
	while (n < RECORDS && (end += records[n].length) <= got)
		n++;
	return n;
}

/* A record is sure once the next one has begun. */
static void cut_one_member(void)
{
	struct prn_buffer all = { 0 }, packed = { 0 };
	size_t wrong = 0;

	for (size_t i = 0; i < RECORDS; i++)
		add(&all, records[i].data, records[i].length);
	add_gzip(&packed, all.data, all.length);
	for (size_t cut = 20; cut < packed.length; cut++) {
		size_t n = whole_records(&packed, cut);
		bool good;

		read_source(&reading, put_file("one.warc.gz", packed.data, cut), NULL);
		good = reading.ended == PRN_E_TRUNCATED && (has_records(n) || (n && has_records(n - 1)));
		for (size_t i = 0; good && i + 1 < n; i++)
			good = is_record(i, i);
		if (!good && !wrong++)
			printf("# cut at %zu: code %d, %zu captures of %zu\n", cut, reading.ended, reading.count, n);
	}
	ok(!wrong, "one member for all, cut at each of %zu points, gives the records before the cut", packed.length - 20);
	packed.data[packed.length - 6] ^= 1;
	read_source(&reading, put_buffer("one.warc.gz", &packed), NULL);
	ok(!reading.ended && reading.count == RECORDS - 1, "a wrong checksum of one member for all takes only the last record along");
	ok(reading.counts.damaged == 1, "a wrong checksum of one member for all is damage once");
	ok(HOLDS(skipped_text(&reading), "one.warc.gz", "bytes into its member (http://a.example/4)",
	         "gzip member at offset 0: incorrect data check"),
	   "a wrong checksum of one member for all is told with the record that it takes along");
	prn_buffer_release(&packed);
	prn_buffer_release(&all);
}

/*
 * Each of many headers claims all the rest of the file.  Looking behind every one of them would be quadratic work: it
 * ends after a share of it, having told of those it looked at.
 */
static void many_false_lengths(void)
{
	struct prn_buffer file = { 0 };

	while (file.length < (size_t)2 << 20)
		add_text(&file, "WARC/1.0\r\nWARC-Type: metadata\r\nContent-Length: 99999999\r\n\r\n");
	read_source(&reading, put_buffer("false.warc", &file), NULL);
	ok(reading.ended == PRN_E_TRUNCATED, "a file of false lengths is told to be cut");
	ok(reading.counts.damaged > 5 && reading.counts.damaged < 20, "a file of false lengths is given up after a few: %llu",
	   (unsigned long long)reading.counts.damaged);
	prn_buffer_release(&file);
}

int main(void)
{
	make_scratch();
	make_records();
	all_damage(make_plain());
	all_damage(make_gzip());
	all_damage(make_zstd());
	cut_one_member();
	many_false_lengths();
	read_source(&reading, put_file("empty.warc.gz", "", 0), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "empty.warc.gz: the file is empty"),
	   "an empty file is refused");
	reading_release(&reading);
	for (size_t i = 0; i < RECORDS; i++) {
		prn_buffer_release(&records[i]);
		prn_buffer_release(&bodies[i]);
	}
	return done();
}
