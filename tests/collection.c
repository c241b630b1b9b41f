/* Archives in folders and in WACZ files, which are zip files: one source of all of them. */
#include "archive/passed.h"
#include "archive/reader.h"
#include "archive/wacz.h"
#include "fixture.h"

#include <sys/resource.h>
#if HAVE_LZ4
#include <lz4frame.h>
#endif

static struct reading reading;

static struct prn_buffer warc(const char *path)
{
	struct prn_buffer file = { 0 };

	add_response(&file, path, "2026-01-01T00:00:00Z", "200 OK", "Content-Type: text/html\r\n", "<p>page", 7);
	return file;
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !strcmp(text + length - tail, end);
}

static bool has_pages(const char *const *paths)
{
	for (size_t i = 0; i < reading.count || paths[i]; i++) {
		if (i >= reading.count || !paths[i] || !ends_with(reading.seen[i].normal, paths[i]))
			return false;
	}
	return true;
}

#define PAGES(...) has_pages((const char *const[]){ __VA_ARGS__, NULL })

static void names(void)
{
	static const char *const archives[] = { "a.warc", "a.warc.gz", "f/a.warc.zst", "a.warc.lz4", "a.arc", "a.arc.gz", "a.warc.wet.gz",
		                                "CC-MAIN-1.warc.wat.gz", "a.wacz", "a.b.warc.gz", "D.WARC.GZ",
		                                "web.archive.org-2000.arc", "crawl.warcs.warc", "a.warc.gz.warc.gz", "a.warc.warc.wet.gz" };
	static const char *const others[] = { "warc", "a.warc.gz.md5", "a.warc.cdx", "a.warc.gz.open", ".a.warc", "a.arcs", "a.html", "a.warc/x",
		                              "a.wacz.tmp",
		                              "web.archive.org.html", "" };

	for (size_t i = 0; i < sizeof archives / sizeof *archives; i++)
		ok(prn_is_archive_name(archives[i]), "'%s' is the name of an archive", archives[i]);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ok(!prn_is_archive_name(others[i]), "'%s' is not the name of an archive", others[i]);
}

static void folders(void)
{
	struct prn_buffer one = warc("/1"), two = warc("/2"), three = warc("/3"), packed = { 0 };
	const char *folder;

	add_gzip(&packed, two.data, two.length);
	put_buffer("crawl/b/part-2.warc.gz", &packed);
	put_buffer("crawl/a/part-1.warc", &one);
	put_buffer("crawl/part-3.warc", &three);
	put_file("crawl/a/index.cdx", "x", 1);
	put_file("crawl/notes.txt", "x", 1);
	folder = in_scratch("crawl");
	read_source(&reading, folder, NULL);
	same(tally(&reading), "3 captures, 2 ignored", "a folder of archives is read to its end");
	ok(PAGES("/1", "/2", "/3"), "a folder's archives are read, those of its folders too");
	ok(HOLDS(passed_over(&reading), "1 *.cdx", "1 *.txt"), "what stands beside archives is counted by the endings of its names");
	ok(reading.counts.records == 3 && reading.counts.captures == 3, "the records and captures of a folder's archives are summed");
	ok(reading.counts.input_bytes == one.length + three.length + packed.length, "the bytes of a folder's archives are summed");

	put_buffer("crawl/b/part-2.warc.gz", &(struct prn_buffer){ .data = packed.data, .length = packed.length - 9 });
	put_file("crawl/b/part-4.warc", "hello", 5);
	read_source(&reading, in_scratch("crawl"), NULL);
	ok(!reading.ended && reading.counts.captures >= 2, "beside an archive that is cut, or is none, the others are read");
	ok(reading.counts.damaged == 2, "an archive that is cut, and one that is none, are damage");
	ok(HOLDS(skipped_text(&reading), "crawl/b/part-2.warc.gz: ", "crawl/b/part-4.warc: "),
	   "an archive that is cut, or is none, is told by its name");

	put_buffer("dated/20260101T000000Z/x.warc", &one);
	put_file("dated/notes.txt", "x", 1);
	read_source(&reading, in_scratch("dated"), NULL);
	ok(!reading.opened && PAGES("/1"), "folders of dates that hold archives are read as archives");
	same(passed_over(&reading), "1 *.txt", "what stands beside folders of dates that hold archives is counted once");
	must(!mkdir(in_scratch("none"), 0777), "make a folder");
	read_source(&reading, in_scratch("none"), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "without manifest.tsv, and without WARC, ARC, WACZ or MHTML files"),
	   "a folder without any is refused");
	prn_buffer_release(&one);
	prn_buffer_release(&two);
	prn_buffer_release(&three);
	prn_buffer_release(&packed);
}

/* What would be read if it were named. */
static void other_sources(void)
{
	char kinds[400];
	static const char *const sources[] = { "*.jsonl", "*.jsonl.gz", "*.ndjson.zst", "*.json.gz", "*.cdx", "*.cdxj.gz", "*.warc.gz", "*.wacz", PRN_PASSED_DATES, PRN_PASSED_GIT };
	static const char *const others[] = { "*.json", "*.gz", "*.txt", "hidden *.jsonl", "*.jsonl.txt", "*.cdxx", "metadata", "" };
	struct prn_buffer one = warc("/1");

	for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
		ok(prn_passed_is_source(sources[i]), "'%s' is a kind of source", sources[i]);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ok(!prn_passed_is_source(others[i]), "'%s' is no kind of source", others[i]);
	put_buffer("mixed/a.warc", &one);
	put_file("mixed/lines.jsonl", "{}", 2);
	put_file("mixed/packed.JSONL.gz", "{}", 2);
	put_file("mixed/v1.2.gz", "{}", 2);
	put_file("mixed/.lines.jsonl", "{}", 2);
	put_file("mixed/.hidden", "{}", 2);
	put_file("mixed/mirrors/20260220/a.example/index.html", "one", 3);
	put_file("mixed/mirrors/20260221/a.example/index.html", "two", 3);
	put_file("mixed/websites/a.example/20260220130000/index.html", "one", 3);
	put_file("mixed/repository/.git/HEAD", "ref: refs/heads/main", 20);
	put_file("mixed/releases/20260220/notes.html", "no host", 7);
	put_buffer("mixed/crawls/20260220/a.example/a.warc", &one);
	read_source(&reading, in_scratch("mixed"), NULL);
	/* They are in the order of the folder, which is any. */
	snprintf(kinds, sizeof kinds, "%s,", passed_over(&reading));
	ok(HOLDS(kinds, "1 *.jsonl,", "1 *.jsonl.gz,", "1 *.gz,"), "files that are no archives are told by both endings where these tell a source");
	ok(HOLDS(passed_over(&reading), "1 hidden *.jsonl", "1 hidden files"), "hidden files are told as hidden");
	ok(HOLDS(passed_over(&reading), "2 " PRN_PASSED_DATES), "folders of dated snapshots within a folder of archives are told, and those with archives in them not");
	ok(HOLDS(passed_over(&reading), "1 " PRN_PASSED_GIT), "repositories within a folder of archives are told");
	same(tally(&reading), "2 captures, 9 ignored", "such folders are not counted among files");
	prn_buffer_release(&one);
}

#define LINE "{\"url\":\"http://a.example/\",\"time\":1,\"path\":\"secret\"}\n"

/* Lines in the place of an archive: whoever made the archive would say which file is read. */
static void lines_as_archives(void)
{
	static const char *const names[] = { "given/data.warc", "given/data.arc", "given/page.mhtml" };

	put_file("given/secret", "a secret", 8);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		read_source(&reading, put_file(names[i], LINE, strlen(LINE)), NULL);
		same(tally(&reading), "0 captures, 1 damaged", "lines in a file named as %s read no file", names[i]);
		ok(HOLDS(skipped_text(&reading), "line 1: \"path\" is not read here"), "that lines in a file named as %s read no file is told", names[i]);
	}
	read_source(&reading, in_scratch("given"), NULL);
	same(tally(&reading), "0 captures, 1 ignored, 3 damaged", "lines in a folder of archives read no file");
	read_source(&reading, put_file("given/lines", LINE, strlen(LINE)), NULL);
	same(tally(&reading), "1 capture", "lines that are named as lines read a file");
}

static void hidden_and_deep(void)
{
	struct prn_buffer one = warc("/1");
	char name[128] = "depths/";

	put_buffer("depths/a.warc", &one);
	put_buffer("depths/.part.warc.gz", &one);
	put_buffer("depths/.trash/b/b.warc", &one);
	put_buffer("depths/.trash/notes", &one);
	read_source(&reading, in_scratch("depths"), NULL);
	same(tally(&reading), "1 capture, 2 ignored", "hidden archives, and those of hidden folders, are passed over and counted");
	ok(HOLDS(passed_over(&reading), "1 hidden *.warc.gz", "1 hidden *.warc"), "hidden archives are told as hidden, by the endings of their names");
	for (int i = 0; i < 17; i++)
		strcat(name, "d/");
	strcat(name, "c.warc");
	put_buffer(name, &one);
	read_source(&reading, in_scratch("depths"), NULL);
	same(tally(&reading), "1 capture, 2 ignored, 1 damaged", "a folder in more than sixteen is damage");
	ok(HOLDS(skipped_text(&reading), "d/d/d: folders are too deep"), "a folder in more than sixteen is told");
	prn_buffer_release(&one);
}

/* A folder within one that can be opened cannot: there is one descriptor left. */
static void unreadable_folders(void)
{
	struct prn_buffer one = warc("/1");
	struct rlimit before, few;
	const char *folder;
	int next;

	put_buffer("closed/a.warc", &one);
	put_buffer("closed/sub/b.warc", &one);
	folder = in_scratch("closed");
	next = dup(0);
	must(next >= 0 && !close(next) && !getrlimit(RLIMIT_NOFILE, &before), "ask for the limit of descriptors");
	few = (struct rlimit){ (rlim_t)next + 1, before.rlim_max };
	must(!setrlimit(RLIMIT_NOFILE, &few), "limit descriptors");
	read_source(&reading, folder, NULL);
	must(!setrlimit(RLIMIT_NOFILE, &before), "free descriptors");
	same(tally(&reading), "1 capture, 1 damaged", "a folder within a folder of archives that cannot be opened is damage");
	ok(PAGES("/1"), "what is in the folder around one that cannot be opened is read");
	ok(HOLDS(skipped_text(&reading), "closed/sub: cannot be read: Too many open files"),
	   "a folder within a folder of archives that cannot be opened is told");
	prn_buffer_release(&one);
}

/* An archive may be elsewhere, for it says itself what it is; one that is not there must not be missed without a word. */
static void links_and_pipes(void)
{
	struct prn_buffer one = warc("/1"), two = warc("/2");

	put_buffer("linked/1.warc", &one);
	put_buffer("elsewhere/2.warc", &two);
	must(!symlink("../elsewhere/2.warc", in_scratch("linked/2.warc")), "make a link");
	must(!symlink("nowhere", in_scratch("linked/3.warc.gz")), "make a link");
	must(!symlink("nowhere", in_scratch("linked/notes.txt")), "make a link");
	must(!symlink("../elsewhere", in_scratch("linked/folder")), "make a link");
	must(!mkfifo(in_scratch("linked/4.warc"), 0600), "make a pipe");
	read_source(&reading, in_scratch("linked"), NULL);
	same(tally(&reading), "2 captures, 2 ignored, 2 damaged", "a link to an archive is followed; one to nothing and a pipe are damage where an archive should be");
	ok(HOLDS(skipped_text(&reading), "linked/3.warc.gz: what stands there is no file, nor a link to one", "linked/4.warc: what stands there"),
	   "what is no file where an archive should be is told");
	prn_buffer_release(&one);
	prn_buffer_release(&two);
}

static void texts(void)
{
	static const char fields[] = "WARC-Target-URI: http://a.example/1\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: text/plain\r\n";
	struct prn_buffer file = { 0 };

	add_record(&file, "warcinfo", "", "a: b\r\n", 6);
	add_record(&file, "conversion", fields, "words of a page", 15);
	read_source(&reading, put_buffer("a.warc.wet", &file), NULL);
	ok(!reading.ended && PAGES("/1"), "a text of a WET file is a page");
	ok(reading.seen[0].capture.kind == PRN_KIND_CONTENT, "a text of a WET file is content");
	same((char *)reading.seen[0].body, "words of a page", "a text of a WET file is the content of its page");
	same(reading.seen[0].type, "text/plain", "a text of a WET file has the media type of its record");
	add_response(&file, "/2", "2026-01-01T00:00:00Z", "200 OK", "", "<p>page", 7);
	add_record(&file, "conversion", fields, "words of a page", 15);
	read_source(&reading, put_buffer("a.warc", &file), NULL);
	ok(PAGES("/1", "/2") && reading.counts.ignored == 2, "texts beside the pages they were made of are passed over");
	prn_buffer_release(&file);
}

#if HAVE_LZ4
static void add_lz4(struct prn_buffer *out, const struct prn_buffer *bytes)
{
	size_t got;

	must(!prn_buffer_reserve(out, LZ4F_compressFrameBound(bytes->length, NULL)), "allocate");
	got = LZ4F_compressFrame(out->data + out->length, out->capacity - out->length, bytes->data, bytes->length, NULL);
	must(!LZ4F_isError(got), "compress");
	out->length += got;
}

static void packed_by_lz4(void)
{
	static const char large[1 << 20];
	struct prn_buffer one = warc("/1"), two = warc("/2"), file = { 0 };
	size_t first;

	add_lz4(&file, &one);
	first = file.length;
	add_lz4(&file, &two);
	add_lz4(&file, &one);
	read_source(&reading, put_buffer("a.bin", &file), NULL);
	same(tally(&reading), "3 captures", "a file with an lz4 frame a record is read, whatever its name");
	ok(PAGES("/1", "/2", "/1"), "the records of lz4 frames come in their order");
	file.data[first + 20] ^= 0x11;
	file.data[first + 4] ^= 0xff;
	read_source(&reading, put_buffer("a.warc.lz4", &file), NULL);
	same(tally(&reading), "2 captures, 1 damaged", "a damaged lz4 frame is damage, and ends nothing");
	ok(PAGES("/1", "/1"), "a damaged lz4 frame costs no other");
	ok(HOLDS(skipped_text(&reading), "lz4 frame at offset"), "a damaged lz4 frame is told with its offset");
	read_source(&reading, put_buffer("a.warc.lz4", &(struct prn_buffer){ .data = file.data, .length = first - 3 }), NULL);
	ok(reading.ended == PRN_E_TRUNCATED, "an lz4 frame that is cut is told");
	prn_buffer_clear(&one);
	prn_buffer_clear(&file);
	add_response(&one, "/1", "2026-01-01T00:00:00Z", "200 OK", "", large, sizeof large);
	add_lz4(&file, &one);
	read_source(&reading, put_buffer("a.warc.lz4", &file), NULL);
	ok(!reading.ended && PAGES("/1"), "a page whose body unpacks to many times its length is read");
	ok(reading.seen[0].capture.body_bytes == sizeof large && file.length < PRN_STREAM_WINDOW,
	   "a body that unpacks to many times its length is whole");
	prn_buffer_clear(&one);
	for (int i = 0; i < 200; i++) {
		struct prn_buffer more = warc("/1");

		add(&one, more.data, more.length);
		prn_buffer_release(&more);
	}
	prn_buffer_clear(&file);
	add_lz4(&file, &one);
	read_source(&reading, put_buffer("a.warc.lz4", &file), NULL);
	ok(!reading.ended && reading.count == 200, "an lz4 frame of many records is read");
	prn_buffer_release(&one);
	prn_buffer_release(&two);
	prn_buffer_release(&file);
}
#else
static void packed_by_lz4(void)
{
	read_source(&reading, put_file("a.warc.lz4", "\4\"M\30", 4), NULL);
	ok(reading.opened == PRN_E_UNSUPPORTED && HOLDS(reading.error.text, "a.warc.lz4", "without lz4"), "a program without lz4 says that it reads none");
}
#endif

/* A zip file of stored and deflated members, by PKWARE's APPNOTE 4.3; wide: with the fields of zip64 (4.5.3). */
struct zip {
	struct prn_buffer bytes, directory;
	unsigned count;
};

static void add_number(struct prn_buffer *out, uint64_t number, size_t length)
{
	for (; length--; number >>= 8)
		add(out, &(unsigned char){ number & 0xff }, 1);
}

static bool is_ascii(const char *text)
{
	while (*text && !(*text & 0x80))
		text++;
	return !*text;
}

static void add_fields(struct prn_buffer *out, int method, uint32_t check, size_t packed, size_t length, const char *name)
{
	add_number(out, 20, 2);
	add_number(out, is_ascii(name) ? 0 : 1 << 11, 2); /* of names in UTF-8 */
	add_number(out, (uint64_t)method, 2);
	add_number(out, 0x5a210000, 4);
	add_number(out, check, 4);
	add_number(out, packed, 4);
	add_number(out, length, 4);
	add_number(out, strlen(name), 2);
	add_number(out, 0, 2);
}

static void add_member(struct zip *zip, const char *name, const void *bytes, size_t length, bool deflated)
{
	uint32_t check = (uint32_t)crc32(crc32(0, NULL, 0), bytes, (uInt)length);
	struct prn_buffer packed = { 0 };
	size_t start = zip->bytes.length;

	if (deflated)
		add_deflated(&packed, bytes, length, -15);
	else
		add(&packed, bytes, length);
	add(&zip->bytes, "PK\3\4", 4);
	add_fields(&zip->bytes, deflated ? 8 : 0, check, packed.length, length, name);
	add(&zip->bytes, name, strlen(name));
	add(&zip->bytes, packed.data ? packed.data : (const void *)"", packed.length);
	add(&zip->directory, "PK\1\2\24\0", 6);
	add_fields(&zip->directory, deflated ? 8 : 0, check, packed.length, length, name);
	add_number(&zip->directory, 0, 10);
	add_number(&zip->directory, start, 4);
	add(&zip->directory, name, strlen(name));
	zip->count++;
	prn_buffer_release(&packed);
}

static void add_directory(struct zip *zip, bool wide, uint64_t claimed)
{
	size_t start = zip->bytes.length, bytes = zip->directory.length, end;

	add(&zip->bytes, zip->directory.data, bytes);
	end = zip->bytes.length;
	if (wide) {
		add(&zip->bytes, "PK\6\6", 4);
		add_number(&zip->bytes, 44, 8);
		add_number(&zip->bytes, 45, 2);
		add_number(&zip->bytes, 45, 2);
		add_number(&zip->bytes, 0, 8);
		add_number(&zip->bytes, zip->count, 8);
		add_number(&zip->bytes, zip->count, 8);
		add_number(&zip->bytes, claimed ? claimed : bytes, 8);
		add_number(&zip->bytes, start, 8);
		add(&zip->bytes, "PK\6\7\0\0\0\0", 8);
		add_number(&zip->bytes, end, 8);
		add_number(&zip->bytes, 1, 4);
	}
	add(&zip->bytes, "PK\5\6\0\0\0\0", 8);
	add_number(&zip->bytes, wide ? 0xffff : zip->count, 2);
	add_number(&zip->bytes, wide ? 0xffff : zip->count, 2);
	add_number(&zip->bytes, wide ? 0xffffffff : claimed ? claimed : bytes, 4);
	add_number(&zip->bytes, wide ? 0xffffffff : start, 4);
	add(&zip->bytes, "\2\0hi", 4);
}

static void zip_release(struct zip *zip)
{
	prn_buffer_release(&zip->bytes);
	prn_buffer_release(&zip->directory);
	*zip = (struct zip){ .count = 0 };
}

#if HAVE_LIBARCHIVE
static void wacz_of(struct zip *zip, bool wide, uint64_t claimed)
{
	struct prn_buffer one = warc("/1"), two = warc("/2"), packed = { 0 };

	add_gzip(&packed, one.data, one.length);
	add_member(zip, "datapackage.json", "{}", 2, true);
	add_member(zip, "archive/data.warc.gz", packed.data, packed.length, false);
	add_member(zip, "archive/more.warc", two.data, two.length, true);
	add_member(zip, "indexes/index.cdx", "x", 1, false);
	add_member(zip, "archive/rec-00001", one.data, one.length, false);
	add_member(zip, "archive/", "", 0, false);
	add_member(zip, "pages/pages.jsonl", "{}", 2, true);
	add_directory(zip, wide, claimed);
	prn_buffer_release(&one);
	prn_buffer_release(&two);
	prn_buffer_release(&packed);
}

static void wacz(void)
{
	struct zip zip = { .count = 0 };
	struct prn_error error = { 0 };
	struct prn_source *source;
	struct prn_capture capture;
	int fd, count = 0;

	wacz_of(&zip, false, 0);
	read_source(&reading, put_buffer("a.wacz", &zip.bytes), NULL);
	same(tally(&reading), "3 captures", "a WACZ file is read to its end");
	ok(PAGES("/1", "/2", "/1"), "the archives of a WACZ file are read, stored or deflated, whatever they are called");
	ok(reading.counts.records == 3, "of a WACZ file nothing is read but its archives");
	fd = open(put_buffer("a.bin", &zip.bytes), O_RDONLY);
	must(fd >= 0 && lseek(fd, 20, SEEK_SET) == 20, "open a file");
	ok(!prn_source_open_fd(&source, fd, "upload", NULL, &error), "a WACZ file is read from a descriptor, whatever its name");
	while (prn_source_next(source, &capture, &error) == 1)
		count++;
	prn_source_free(source);
	ok(count == 3, "a WACZ file that is read from a descriptor has its three captures");
	ok(lseek(fd, 0, SEEK_CUR) == 20, "a descriptor that a WACZ file is read from is not moved, and stays open");
	close(fd);

	put_buffer("folder/a.wacz", &zip.bytes);
	read_source(&reading, in_scratch("folder"), NULL);
	ok(!reading.ended && PAGES("/1", "/2", "/1"), "a folder of WACZ files is read");
	zip_release(&zip);
	wacz_of(&zip, true, 0);
	read_source(&reading, put_buffer("a.wacz", &zip.bytes), NULL);
	ok(!reading.ended && PAGES("/1", "/2", "/1"), "a WACZ file with the fields of zip64 is read");
	zip_release(&zip);
	for (int wide = 0; wide < 2; wide++) {
		wacz_of(&zip, wide, PRN_WACZ_DIRECTORY_BYTES + 1);
		read_source(&reading, put_buffer("a.wacz", &zip.bytes), NULL);
		ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "a.wacz", "list of files is longer"),
		   "a zip file that says to have a list of files beyond all measure is refused%s", wide ? ", by zip64 too" : "");
		zip_release(&zip);
	}
}

/* A list of files that says to be short, and goes on: the library reads it to where it ends. */
static void longer_lists(void)
{
	for (int wide = 0; wide < 2; wide++) {
		struct zip zip = { .count = 0 };

		wacz_of(&zip, wide, 46);
		read_source(&reading, put_buffer("a.wacz", &zip.bytes), NULL);
		ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "a.wacz", "its list of files"),
		   "a zip file whose list of files is longer than it says is refused%s", wide ? ", by zip64 too" : "");
		zip_release(&zip);
	}
}

/* Members of no bytes, all of which have their one head: of as many files as no archive has. */
static void many_files(void)
{
	struct zip zip = { .count = 0 };
	struct prn_buffer entry;

	add_member(&zip, "x", "", 0, false);
	entry = zip.directory;
	zip.directory = (struct prn_buffer){ 0 };
	for (zip.count = 0; zip.count <= PRN_WACZ_FILES; zip.count++)
		add(&zip.directory, entry.data, entry.length);
	add_directory(&zip, true, 0);
	read_source(&reading, put_buffer("a.wacz", &zip.bytes), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "a.wacz", "more than 524288 files"),
	   "a zip file of more files than are read is refused");
	prn_buffer_release(&entry);
	zip_release(&zip);
}

/* This program is in the locale "C", as it never says otherwise. */
static void foreign_names(void)
{
	static const char *const taken[] = { "archive/donn\xc3\xa9\x65s.warc", "\xe6\x97\xa5.warc", "archive/\xff.warc" };
	struct prn_buffer one = warc("/1");

	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
		struct zip zip = { .count = 0 };

		add_member(&zip, taken[i], one.data, one.length, true);
		add_member(&zip, "indexes/donn\xc3\xa9" "es.cdx", "x", 1, false);
		add_directory(&zip, false, 0);
		read_source(&reading, put_buffer("a.wacz", &zip.bytes), NULL);
		same(tally(&reading), "1 capture", "a WACZ file with an archive called '%s' is read to its end", taken[i]);
		ok(PAGES("/1"), "an archive called '%s' is read, and no index", taken[i]);
		zip_release(&zip);
	}
	prn_buffer_release(&one);
}

static void damaged_wacz(void)
{
	struct zip zip = { .count = 0 };
	bool made_up = false;

	wacz_of(&zip, false, 0);
	read_source(&reading, put_buffer("a.wacz", &(struct prn_buffer){ .data = zip.bytes.data, .length = zip.bytes.length - 30 }), NULL);
	ok(reading.opened == PRN_E_INPUT && HOLDS(reading.error.text, "a.wacz", "cut or damaged"), "a WACZ file that is cut is refused");
	for (size_t at = 0; at < zip.bytes.length; at++) {
		zip.bytes.data[at] ^= 0xff;
		read_source(&reading, put_buffer("b.wacz", &zip.bytes), NULL);
		zip.bytes.data[at] ^= 0xff;
		made_up |= reading.count > 3;
		for (size_t i = 0; i < reading.count; i++)
			made_up |= reading.seen[i].capture.kind == PRN_KIND_CONTENT && !reading.seen[i].capture.truncated &&
			           reading.seen[i].capture.body_bytes != 7 && !reading.counts.damaged;
	}
	ok(!made_up, "whichever byte of a WACZ file is damaged, no capture is made up");
	zip_release(&zip);
	add_member(&zip, "archive/data.warc", "hello", 5, false);
	add_directory(&zip, false, 0);
	read_source(&reading, put_buffer("a.wacz", &zip.bytes), NULL);
	same(tally(&reading), "0 captures, 1 damaged", "what of a WACZ file is no archive is damage");
	ok(HOLDS(skipped_text(&reading), "a.wacz: archive/data.warc: record at offset 0"),
	   "what of a WACZ file is no archive is told by its name");
	zip_release(&zip);
}

static void lines_in_a_wacz(void)
{
	struct zip zip = { .count = 0 };

	add_member(&zip, "archive/data.warc", LINE, strlen(LINE), false);
	add_member(&zip, "archive/rec", LINE, strlen(LINE), false);
	add_directory(&zip, false, 0);
	read_source(&reading, put_buffer("given/a.zip", &zip.bytes), NULL);
	same(tally(&reading), "0 captures, 2 damaged", "lines in a WACZ file read no file");
	ok(HOLDS(skipped_text(&reading), "a.zip: archive/data.warc: line 1: \"path\" is not read here", "a.zip: archive/rec: line 1: \"path\" is not read here"), "that lines in a WACZ file read no file is told");
	zip_release(&zip);
}
#else
static void wacz(void)
{
	struct zip zip = { .count = 0 };

	add_member(&zip, "archive/data.warc", "hello", 5, false);
	add_directory(&zip, false, 0);
	read_source(&reading, put_buffer("a.wacz", &zip.bytes), NULL);
	ok(reading.opened == PRN_E_UNSUPPORTED && HOLDS(reading.error.text, "a.wacz", "without libarchive"), "a program without libarchive says that it reads no WACZ");
	zip_release(&zip);
}

static void longer_lists(void) {}
static void many_files(void) {}
static void foreign_names(void) {}

static void damaged_wacz(void) {}
static void lines_in_a_wacz(void) {}
#endif

int main(void)
{
	make_scratch();
	names();
	folders();
	other_sources();
	lines_as_archives();
	hidden_and_deep();
	unreadable_folders();
	links_and_pipes();
	texts();
	packed_by_lz4();
	wacz();
	longer_lists();
	many_files();
	foreign_names();
	damaged_wacz();
	lines_in_a_wacz();
	reading_release(&reading);
	return done();
}
