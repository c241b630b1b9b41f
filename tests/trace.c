/* Trace files: pages in, pages out, one at a time or by many threads; damage is refused with words. */
#include "history/trace_format.h"
#include "history/trace_write.h"
#include "perennial/extractor.h"
#include "perennial/trace.h"
#include "perennial/version.h"
#include "random_page.h"
#include "tap.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGES 300
#define THREADS 4

static char folder[] = "/tmp/perennial-trace-XXXXXX";

static const char *in_folder(const char *name)
{
	static char paths[4][256];
	static int turn;
	char *path = paths[turn++ % 4];

	snprintf(path, sizeof paths[0], "%s/%s", folder, name);
	return path;
}

/* Page i of the test trace, the same at each call; every 100th is larger than a block. */
static void make_page(size_t i, struct prn_page *page)
{
	struct prn_random random;
	char url[64];

	prn_random_seed(&random, 3, i);
	prn_page_init(page);
	random_page(&random, 60, i % 100 == 7 ? 14000 : 40, page);
	snprintf(url, sizeof url, i % 3 ? "http://a.example/%04zu" : "HTTP://A.example/%04zu", i);
	page->url = strdup(url);
}

static int write_trace_by(const char *path, char *provenance, size_t pages, size_t threads)
{
	struct prn_trace_about about = { .fragment_rule = PRN_FRAGMENT_RULE, .shingle_words = 5,
		                         .links = true, .media = true, .provenance = provenance };
	struct prn_trace_writer *writer;
	struct prn_error error;
	int failed = prn_trace_writer_open(&writer, path, &about, &error);

	if (failed)
		return failed;
	failed = prn_trace_writer_use_threads(writer, threads, &error);
	for (size_t i = 0; i < pages && !failed; i++) {
		struct prn_page page;

		make_page(i, &page);
		failed = prn_trace_writer_add(writer, &page, &error);
		prn_page_release(&page);
	}
	if (!failed)
		return prn_trace_writer_close(writer, &error);
	prn_trace_writer_free(writer);
	return failed;
}

static int write_trace(const char *path, char *provenance, size_t pages)
{
	return write_trace_by(path, provenance, pages, 1);
}

static bool page_is_right(const struct prn_trace *trace, size_t i, struct prn_page *page)
{
	struct prn_page want;
	bool right;

	make_page(i, &want);
	right = !prn_trace_page(trace, i, page, NULL) && same_page(page, &want) && !strcmp(page->url, want.url) &&
	        !strcmp(prn_trace_url(trace, i), want.url);
	prn_page_release(&want);
	return right;
}

struct reader {
	const struct prn_trace *trace;
	size_t from, right;
};

static void *read_pages(void *context)
{
	struct reader *reader = context;
	struct prn_page page;

	prn_page_init(&page);
	for (size_t i = 0; i < PAGES; i++)
		reader->right += page_is_right(reader->trace, (reader->from + 7 * i) % PAGES, &page);
	prn_page_release(&page);
	return NULL;
}

static void reading(const char *path)
{
	struct reader readers[THREADS];
	pthread_t threads[THREADS];
	struct prn_trace *trace;
	struct prn_page page;
	struct prn_error error;
	size_t at = 0, right = 0;

	if (!ok(!prn_trace_open(&trace, path, &error), "a trace opens"))
		return;
	ok(prn_trace_pages(trace) == PAGES, "a trace has as many pages as were written");
	ok(prn_trace_about(trace)->shingle_words == 5, "a trace knows the words of a shingle");
	same(prn_trace_about(trace)->tool, "perennial " PRN_VERSION_TEXT, "a trace knows what wrote it");
	same(prn_trace_about(trace)->provenance, "seed=3",
	     "a trace knows with which parameters it was written");
	prn_page_init(&page);
	for (size_t i = PAGES; i-- > 0;)
		right += page_is_right(trace, i, &page);
	ok(right == PAGES, "every page comes back as it was, read in reverse order");
	ok(!prn_trace_find(trace, "http://a.example/0123", &at) && at == 123, "a page is found by its normal URL");
	ok(prn_trace_find(trace, "http://a.example/", &at) == PRN_E_NOT_FOUND && at == 123,
	   "a page that is not in a trace is not found, and the place is left alone");
	ok(prn_trace_page(trace, PAGES, &page, &error) == PRN_E_ARGUMENT, "there is no page past the last");
	prn_page_release(&page);
	for (size_t i = 0; i < THREADS; i++) {
		readers[i] = (struct reader){ trace, i * PAGES / THREADS, 0 };
		pthread_create(&threads[i], NULL, read_pages, &readers[i]);
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	ok(readers[0].right + readers[1].right + readers[2].right + readers[3].right == THREADS * PAGES,
	   "%d threads read every page right at the same time", THREADS);
	prn_trace_free(trace);
}

static size_t load(const char *path, unsigned char **bytes)
{
	FILE *file = fopen(path, "rb");
	struct stat about;
	size_t got;

	if (!file || fstat(fileno(file), &about))
		abort();
	*bytes = malloc((size_t)about.st_size);
	got = fread(*bytes, 1, (size_t)about.st_size, file);
	fclose(file);
	return got;
}

static void save(const char *path, const unsigned char *bytes, size_t length)
{
	FILE *file = fopen(path, "wb");

	if (!file || fwrite(bytes, 1, length, file) != length || fclose(file))
		abort();
}

/* Opens and reads all; the first code that is not 0, its text in *error. */
static int read_all(const char *path, struct prn_error *error)
{
	struct prn_trace *trace;
	struct prn_page page;
	int failed = prn_trace_open(&trace, path, error);

	if (failed)
		return failed;
	prn_page_init(&page);
	for (size_t i = 0; i < prn_trace_pages(trace) && !failed; i++)
		failed = prn_trace_page(trace, i, &page, error);
	prn_page_release(&page);
	prn_trace_free(trace);
	return failed;
}

static void damaged(const char *whole)
{
	const char *path = in_folder("damaged");
	struct prn_error error;
	unsigned char *bytes;
	size_t length = load(whole, &bytes), flips = 0, refused = 0, cuts = 0, cut_refused = 0;
	struct prn_random random;

	prn_random_seed(&random, 4, 0);
	for (; flips < 150; flips++) {
		/* Every header byte that is not version or length, the trailer, and many between. */
		size_t at = flips < 20 ? 16 + flips : flips < 60 ? length - 1 - (flips - 20) : prn_random_below(&random, length);
		int failed;

		bytes[at] ^= 0x40;
		save(path, bytes, length);
		failed = read_all(path, &error);
		refused += (failed == PRN_E_INPUT || failed == PRN_E_TRUNCATED) && strstr(error.text, "damaged") != NULL;
		bytes[at] ^= 0x40;
	}
	ok(refused == flips, "%zu of %zu changed bytes are noticed, and the text names the file", refused, flips);
	for (; cuts < 60; cuts++) {
		save(path, bytes, cuts < 30 ? length - 1 - cuts : prn_random_below(&random, length - 100));
		cut_refused += read_all(path, &error) < 0;
	}
	ok(cut_refused == cuts, "a trace that is cut off is refused");
	save(path, bytes, length - 3);
	ok(read_all(path, &error) == PRN_E_TRUNCATED,
	   "a trace that lacks its last three bytes is refused as truncated: %s", error.text);
	bytes[8] = PRN_TRACE_VERSION + 1;
	save(path, bytes, length);
	ok(read_all(path, &error) == PRN_E_VERSION && strstr(error.text, "newer"),
	   "a trace of a newer version is refused: %s",
	   error.text);
	save(path, bytes, 5);
	ok(read_all(path, &error) == PRN_E_INPUT, "five bytes are no trace: %s", error.text);
	free(bytes);
	ok(read_all(in_folder("nothing"), &error) == PRN_E_IO,
	   "a trace that is not there is refused: %s", error.text);
	ok(read_all(folder, &error) == PRN_E_INPUT, "a folder is refused as a trace: %s", error.text);
}

static bool same_bytes(const char *a, const char *b, size_t *length)
{
	FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
	bool same = x && y;
	int byte;

	*length = 0;
	while (same && (byte = getc(x)) != EOF) {
		same = getc(y) == byte;
		++*length;
	}
	same = same && getc(y) == EOF;
	if (x)
		fclose(x);
	if (y)
		fclose(y);
	return same;
}

/* Writes a trace of one page; returns the code of what failed first. */
static int write_page(const char *path, const struct prn_trace_about *about, const struct prn_page *page)
{
	struct prn_trace_writer *writer;
	int code = prn_trace_writer_open(&writer, path, about, NULL);

	if (code)
		return code;
	code = prn_trace_writer_add(writer, page, NULL);
	if (!code)
		return prn_trace_writer_close(writer, NULL);
	prn_trace_writer_free(writer);
	return code;
}

/* A page with links and media types in a trace with either, neither or both. */
static void left_out(bool links, bool media)
{
	struct prn_trace_about about = { .fragment_rule = PRN_FRAGMENT_RULE, .shingle_words = 5, .links = links, .media = media };
	struct prn_page_capture capture = { .time = 1, .modified = PRN_TIME_UNKNOWN, .kind = PRN_KIND_CONTENT, .media = 1 };
	char url[] = "http://a.example/", type[] = "text/html";
	uint64_t link = 7;
	const struct prn_page page = { .url = url, .weight = 1, .captures = &capture, .capture_count = 1, .links = &link, .link_count = 1,
		                       .linked = 1, .media = type, .media_length = sizeof type };
	const char *with_links = links ? "with" : "without", *with_media = media ? "with" : "without";
	struct prn_trace *trace = NULL;
	struct prn_page back;

	prn_page_init(&back);
	ok(!write_page(in_folder("left"), &about, &page),
	   "a page is written to a trace %s links and %s media types", with_links, with_media);
	if (ok(!prn_trace_open(&trace, in_folder("left"), NULL) && !prn_trace_page(trace, 0, &back, NULL),
	       "a page is read from a trace %s links and %s media types", with_links, with_media)) {
		ok(prn_trace_about(trace)->links == links && prn_trace_about(trace)->media == media,
		   "a trace %s links and %s media types says that it is", with_links, with_media);
		ok(back.linked == links && back.link_count == links,
		   "a page of a trace %s links and %s media types comes back %s links", with_links,
		   with_media, with_links);
		same(prn_page_media(&back, 0), media ? type : NULL,
		     "a capture of a trace %s links and %s media types comes back %s its media type",
		     with_links, with_media, with_media);
		ok(media || !back.media_length,
		   "a page of a trace %s links and %s media types has none that no capture has", with_links, with_media);
	}
	prn_page_release(&back);
	prn_trace_free(trace);
	unlink(in_folder("left"));
}

/* Of more blocks than are packed at a time. */
static void packing_threads(void)
{
	static const size_t threads[] = { 0, 2, 3, 8, 1000 };
	char provenance[] = "of several threads";
	const char *one = in_folder("one"), *many = in_folder("many");
	size_t length = 0;

	if (!ok(!write_trace(one, provenance, PAGES), "a trace of many blocks is written"))
		return;
	for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
		ok(!write_trace_by(many, provenance, PAGES, threads[i]) && same_bytes(one, many, &length),
		   "a trace whose blocks are packed on %zu threads has the bytes of one that is packed on one", threads[i]);
		ok(length > 3 * PRN_TRACE_BLOCK_BYTES,
		   "a trace that is packed on %zu threads is of more than three blocks", threads[i]);
		unlink(many);
	}
}

/* The disk is full, at any block. */
static void full_disk(void)
{
	char provenance[] = "of a full disk";
	struct rlimit before, small;
	size_t refused = 0, tried = 0;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	for (size_t threads = 1; threads < 4; threads++)
		for (size_t most = 100; most < 4 * PRN_TRACE_BLOCK_BYTES; most = 3 * most, tried++) {
			const char *path = in_folder("full");

			small = (struct rlimit){ .rlim_cur = most, .rlim_max = before.rlim_max };
			setrlimit(RLIMIT_FSIZE, &small);
			refused += write_trace_by(path, provenance, PAGES, threads) == PRN_E_IO && access(path, F_OK) != 0;
			setrlimit(RLIMIT_FSIZE, &before);
		}
	ok(refused == tried, "a trace that the disk has no room for is PRN_E_IO on any number of threads, and not there: %zu of %zu",
	   refused, tried);
}

static void refusing_to_write(void)
{
	struct prn_trace_about about = { .fragment_rule = PRN_FRAGMENT_RULE, .shingle_words = 5 };
	const char *path = in_folder("refused");
	char first[] = "http://b.example/", second[] = "http://a.example/", third[] = "mailto:a@example";
	struct prn_trace_writer *writer;
	struct prn_page page = { .url = first, .weight = 1 };
	struct prn_error error;

	if (!ok(!prn_trace_writer_open(&writer, path, &about, &error), "a writer of a trace opens"))
		return;
	ok(!prn_trace_writer_add(writer, &page, &error), "a page without captures can be written");
	ok(prn_trace_writer_add(writer, &page, &error) == PRN_E_ARGUMENT,
	   "a page is not written twice to a trace: %s", error.text);
	page.url = second;
	ok(prn_trace_writer_add(writer, &page, &error) == PRN_E_ARGUMENT,
	   "a page is not written to a trace out of order: %s", error.text);
	page.url = third;
	ok(prn_trace_writer_add(writer, &page, &error) == PRN_E_ARGUMENT,
	   "a page is not written to a trace without a web address: %s", error.text);
	ok(access(path, F_OK) != 0, "nothing stands at a trace's path while it is written");
	prn_trace_writer_free(writer);
	ok(access(path, F_OK) != 0, "nothing stands at a trace's path after its writer gave up");
	mkfifo(in_folder("pipe"), 0666);
	ok(prn_trace_writer_open(&writer, in_folder("pipe"), &about, &error) == PRN_E_IO,
	   "what is no regular file is not replaced by a trace: %s", error.text);
	unlink(in_folder("pipe"));
	ok(prn_trace_writer_open(&writer, in_folder("no/such/folder"), &about, &error) == PRN_E_IO,
	   "no trace is written into a folder that is not there: %s", error.text);
}

static int open_by_rule(uint32_t rule, struct prn_trace **trace, struct prn_error *error)
{
	const struct prn_trace_about about = { .fragment_rule = rule, .shingle_words = 5 };
	const char *path = in_folder("rule");
	struct prn_trace_writer *writer;

	if (prn_trace_writer_open(&writer, path, &about, error) || prn_trace_writer_close(writer, error))
		printf("# %s\n", error->text);
	return prn_trace_open(trace, path, error);
}

/* All fragments of a trace are of one rule: whichever it is, they can be compared. */
static void other_rules(void)
{
	struct prn_error error = { 0 };
	struct prn_trace *trace;

	for (uint32_t rule = 1; rule <= PRN_FRAGMENT_RULE; rule++) {
		ok(!open_by_rule(rule, &trace, &error) && prn_trace_about(trace)->fragment_rule == rule,
		   "a trace whose fragments were made by rule %u is read, and says so", rule);
		prn_trace_free(trace);
	}
	ok(open_by_rule(PRN_FRAGMENT_RULE + 1, &trace, &error) == PRN_E_VERSION && strstr(error.text, "newer"),
	   "a trace whose fragments were made by a newer rule is refused: %s", error.text);
}

/* Regular histories pack far better than PRN_TRACE_EXPANSION: they must still be read. */
static void extreme_packing(void)
{
	const char *path = in_folder("regular");
	struct prn_trace_about about = { .fragment_rule = PRN_FRAGMENT_RULE, .shingle_words = 5 };
	struct prn_page page, back;
	size_t n = 1000000;

	prn_page_init(&page);
	prn_page_init(&back);
	page.url = strdup("http://a.example/");
	page.captures = calloc(n, sizeof *page.captures);
	page.capture_count = n;
	for (size_t i = 0; i < n; i++)
		page.captures[i] = (struct prn_page_capture){ .time = (int64_t)i * 60, .modified = PRN_TIME_UNKNOWN, .kind = PRN_KIND_SAME };
	ok(!write_page(path, &about, &page), "a page of a million captures is written");
	{
		struct prn_trace *trace;

		if (ok(!prn_trace_open(&trace, path, NULL), "a trace of a million captures opens")) {
			ok(!prn_trace_page(trace, 0, &back, NULL) && same_page(&page, &back),
			   "a page of a million captures comes back as it was");
			prn_trace_free(trace);
		}
	}
	prn_page_release(&page);
	prn_page_release(&back);
}

/* tests/older/trace1.trace was written by trace version 1, of eight captures; what it lacks are the bodies. */
static void older(void)
{
	char path[512];
	struct prn_trace *trace;
	struct prn_page page;
	bool known = false;

	if (!getenv("SRCDIR")) {
		skip("SRCDIR does not say where the trace of version 1 is");
		return;
	}
	snprintf(path, sizeof path, "%s/tests/older/trace1.trace", getenv("SRCDIR"));
	prn_page_init(&page);
	if (!ok(!prn_trace_open(&trace, path, NULL) && !prn_trace_page(trace, 0, &page, NULL), "a trace of version 1 is read"))
		return;
	ok(prn_trace_pages(trace) == 2, "a trace of version 1 has its two pages");
	ok(page.capture_count == 6 && page.stripe_count == 5,
	   "a page of version 1 has as many captures and fragments as it had");
	ok(page.capture_count == 6 && page.captures[2].kind == PRN_KIND_SAME,
	   "a capture of a page of version 1 has the kind that it had");
	ok(page.capture_count == 6 && page.captures[5].time == 1432000,
	   "a capture of a page of version 1 has the time that it had");
	for (size_t i = 0; i < page.capture_count; i++)
		known |= page.captures[i].body || page.captures[i].body_bytes;
	ok(!known, "bodies of a page of version 1 are not known");
	prn_trace_free(trace);
	trace = NULL;
	snprintf(path, sizeof path, "%s/tests/older/trace4.trace", getenv("SRCDIR"));
	if (ok(!prn_trace_open(&trace, path, NULL) && !prn_trace_page(trace, 0, &page, NULL),
	       "a trace of version 4 is read")) {
		ok(page.linked == 2 && page.link_count == 1, "a page of version 4 has its links");
		ok(!page.media_length, "a page of version 4 has no media types");
		ok(prn_trace_about(trace)->links && !prn_trace_about(trace)->media,
		   "a trace of version 4 says that it has links and no media types");
	}
	prn_page_release(&page);
	prn_trace_free(trace);
}

int main(void)
{
	char path[256], command[300], seed[] = "seed=3";
	unsigned char *a, *b;
	size_t length;

	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof path, "%s", in_folder("a.trace"));
	ok(!write_trace(path, seed, PAGES), "a trace is written");
	reading(path);
	older();
	ok(!write_trace(in_folder("b.trace"), seed, PAGES), "the same trace is written again");
	length = load(path, &a);
	ok(load(in_folder("b.trace"), &b) == length && !memcmp(a, b, length),
	   "a trace that is written again has the same bytes");
	free(a);
	free(b);
	if (write_trace(path, seed, PAGES / 8)) /* it is read hundreds of times */
		return 1;
	damaged(path);
	ok(!write_trace(path, NULL, 0), "a trace without pages can be written");
	ok(!read_all(path, NULL), "a trace without pages can be read");
	for (int what = 0; what < 4; what++)
		left_out(what & 1, what & 2);
	packing_threads();
	full_disk();
	refusing_to_write();
	extreme_packing();
	other_rules();
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	ok(!system(command), "the scratch folder is removed");
	return done();
}
