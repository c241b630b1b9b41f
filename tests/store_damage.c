/*
 * A store's file in which a bit has flipped, wherever that is: nothing that reads or writes it crashes, nothing that
 * succeeds has left something out, a copy is whole or is not there, and what is made anew is whole.
 */
#include "store/lmdb_pages.h"
#include "stores.h"

#include <sys/wait.h>

#define NEVER PRN_TIME_UNKNOWN
#define PAGES 1500
#define FLIPS 120
#define PAGE_BYTES 4096 /* at least: of a file with larger ones, other bytes flip */

static unsigned char *data;
static size_t data_bytes;
static uint64_t whole; /* of the store as it was made */

/* Some pages have a record that is too long for a page of the file. */
static void put_any(struct prn_batch *batch, unsigned number)
{
	static char url[3000];
	struct prn_record page;

	page = make_page(number, number % 3 ? (int64_t)number : NEVER, number % 7 ? NEVER : (int64_t)number + 600);
	if (number % 40 == 3) {
		memset(url, 'x', sizeof url);
		memcpy(url + snprintf(url, 32, "http://h%u.example/%u", number % 97, number), "x", 1);
		url[sizeof url - 1] = '\0';
		page.url = url;
		page.key = prn_url_key(url);
	}
	if (number % 11 == 5)
		page.waits_for = prn_host_number(prn_host_name(page.url));
	must(!prn_batch_put(batch, &page, NULL), "put");
}

/* A sum over all pages; false if they could not be read to the end. */
static bool sum_of(struct prn_store *store, uint64_t *sum)
{
	struct prn_record record;
	struct prn_walk *walk;
	struct prn_view *view;
	int got;

	*sum = 0;
	if (prn_view_open(&view, store, NULL))
		return false;
	if (prn_walk_pages(&walk, view, NULL, NULL)) {
		prn_view_close(view);
		return false;
	}
	while ((got = prn_walk_pages_next(walk, &record, NULL)) == 1)
		*sum += record.key.low ^ (uint64_t)record.due ^ (uint64_t)record.lease ^ record.state_bytes ^ strlen(record.url);
	prn_walk_free(walk);
	prn_view_close(view);
	return !got;
}

static void make_data(const char *path)
{
	struct prn_store *store;
	struct prn_batch *batch;
	struct stat about;
	FILE *file;

	must(!prn_store_create(path, &(struct prn_store_setting){ "policy", "drift" }, 1, NULL), "make a store");
	store = open_store(path, PRN_STORE_WRITE);
	batch = open_batch(store);
	for (unsigned i = 0; i < PAGES; i++) {
		put_any(batch, i);
		if (i % 300 == 299)
			commit(batch);
	}
	for (unsigned i = 0; i < PAGES; i += 5)
		put_any(batch, i);
	commit(batch);
	prn_batch_free(batch);
	/* Turns that waiting pages lack, so that the store is as one that is used. */
	check_store(store, true);
	must(sum_of(store, &whole), "read a store");
	prn_store_free(store);
	file = fopen(in_scratch("good/data.mdb"), "rb");
	must(file && !fstat(fileno(file), &about), "open a file");
	data_bytes = (size_t)about.st_size;
	data = malloc(data_bytes);
	must(data && fread(data, 1, data_bytes, file) == data_bytes, "read a file");
	fclose(file);
}

static void write_data(const char *path)
{
	char name[512];
	FILE *file;

	mkdir(path, 0777);
	snprintf(name, sizeof name, "%s/data.mdb", path);
	unlink(name);
	file = fopen(name, "wb");
	must(file && fwrite(data, 1, data_bytes, file) == data_bytes && !fclose(file), "write a file");
}

static bool is_whole(const char *path, uint64_t *sum)
{
	struct prn_store_findings found = { 0 };
	struct prn_store *store;
	bool good;

	if (prn_store_open(&store, path, PRN_STORE_READ, 0, NULL))
		return false;
	good = !prn_store_check(store, NULL, &found, NULL) && !faults_of(&found) && sum_of(store, sum);
	prn_store_free(store);
	return good;
}

/* What a round may find, as the exit code of its process; more than one is told as the first. */
enum { FINE, SILENT_READ, SILENT_COPY, HALF_COPY, WRITE_HURT, BAD_REPAIR, CHANGED, LOST, ENDS, NOT_COMMITTED };

static bool same_data(const char *path)
{
	char name[512];
	unsigned char *now = malloc(data_bytes + 1);
	FILE *file;
	bool same;

	snprintf(name, sizeof name, "%s/data.mdb", path);
	file = fopen(name, "rb");
	same = file && now && fread(now, 1, data_bytes + 1, file) == data_bytes && !memcmp(now, data, data_bytes);
	if (file)
		fclose(file);
	free(now);
	return same;
}

/* Reads, copies. */
static int look(const char *path, const char *copy, bool *whole_there)
{
	struct prn_store_findings found = { 0 };
	struct prn_store *store;
	uint64_t sum;

	*whole_there = false;
	if (prn_store_open(&store, path, PRN_STORE_READ, 0, NULL))
		return FINE;
	*whole_there = !prn_store_check(store, NULL, &found, NULL) && !faults_of(&found);
	if (sum_of(store, &sum) && sum != whole)
		return SILENT_READ;
	if (!prn_store_backup(store, copy, NULL)) {
		if (!is_whole(copy, &sum) || sum != whole)
			return SILENT_COPY;
	} else if (!access(copy, F_OK)) {
		return HALF_COPY;
	}
	prn_store_free(store);
	return FINE;
}

/*
 * Writes; that it succeeds on a damaged store is fine, but what it wrote is then there.  NOT_COMMITTED: the commit was
 * refused.
 */
static int use(const char *path)
{
	struct prn_record page = make_page(PAGES + 5, 77, NEVER), got;
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_view *view;
	int failed, end = FINE;

	if (prn_store_open(&store, path, PRN_STORE_WRITE, 0, NULL))
		return FINE;
	batch = open_batch(store);
	failed = prn_batch_put(batch, &page, NULL);
	for (unsigned i = 0; i < PAGES && !failed; i += 3) {
		struct prn_digest key = make_page(i, 0, 0).key;

		failed = prn_batch_delete(batch, &key, NULL);
		failed = failed == PRN_E_NOT_FOUND ? 0 : failed;
	}
	if (!failed && prn_batch_commit(batch, NULL) == PRN_E_DAMAGED) {
		end = NOT_COMMITTED;
	} else if (!failed) {
		struct prn_digest key = make_page(PAGES + 5, 0, 0).key;

		view = open_view(store);
		failed = prn_view_get(view, &key, &got, NULL);
		if (failed || got.due != 77)
			return WRITE_HURT;
		prn_view_close(view);
	}
	prn_batch_free(batch);
	prn_store_free(store);
	return end;
}

static int mend(const char *path)
{
	struct prn_store_rebuilt rebuilt;
	uint64_t sum;

	if (prn_store_rebuild(path, 0, &rebuilt, NULL))
		return same_data(path) && access(in_scratch("hurt/repair.part"), F_OK) ? FINE : CHANGED;
	if (!is_whole(path, &sum))
		return BAD_REPAIR;
	/* One flipped bit costs a record at most, unless it is in a page's own data. */
	if (rebuilt.pages + 40 < PAGES)
		return LOST;
	return unlink(rebuilt.kept) ? BAD_REPAIR : FINE;
}

static int one_round(void)
{
	const char *path = in_scratch("hurt"), *copy = in_scratch("copy");
	bool whole_there;
	int end;

	write_data(path);
	end = look(path, copy, &whole_there);
	if (end == FINE)
		end = use(path);
	if (end == NOT_COMMITTED)
		end = FINE;
	write_data(path);
	return end == FINE ? mend(path) : end;
}

static void remove_copy(void)
{
	unlink(in_scratch("copy/data.mdb"));
	unlink(in_scratch("copy/lock.mdb"));
	rmdir(in_scratch("copy"));
}

static size_t offset_for(struct prn_random *random, unsigned i)
{
	size_t page;

	/* Every third in the heads and the first bytes of a page, where what leads to other pages stands. */
	if (i % 8 == 0)
		return (size_t)prn_random_below(random, 2) * PAGE_BYTES + (size_t)prn_random_below(random, 160);
	do
		page = (size_t)prn_random_below(random, data_bytes / PAGE_BYTES);
	while (page < 2 || (i % 4 == 1 && data[page * PAGE_BYTES + 10] != 1 && prn_random_below(random, 400)));
	return page * PAGE_BYTES + (size_t)prn_random_below(random, i % 2 ? 64 : PAGE_BYTES);
}

/* How a child ends that writes to the file as it is now; -1: not by itself. */
static int end_of_use(void)
{
	const char *path = in_scratch("hurt");
	int status;
	pid_t child;

	write_data(path);
	child = fork();
	must(child >= 0, "fork");
	if (!child)
		_exit(use(path));
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The pages of the file as it is now, and the newer one of its heads. */
static struct prn_lmdb_pages pages_of_data(struct prn_file_head *newest)
{
	struct prn_lmdb_pages pages = { .map = data };
	struct prn_file_head heads[2];

	must(prn_file_head_read(data, data_bytes, &heads[0]), "read a head");
	pages.page_bytes = heads[0].free.page_bytes;
	pages.count = data_bytes / pages.page_bytes;
	must(prn_file_head_read(data + pages.page_bytes, data_bytes - pages.page_bytes, &heads[1]), "read a head");
	*newest = heads[heads[1].commit > heads[0].commit];
	return pages;
}

/* Of all pages, looked up one by one: how many are said not to be there. */
static void look_up_all(unsigned *missing, unsigned *refused)
{
	struct prn_record page, found;
	struct prn_store *store;
	struct prn_view *view;

	write_data(in_scratch("hurt"));
	store = open_store(in_scratch("hurt"), PRN_STORE_READ);
	must(!prn_view_open(&view, store, NULL), "open a view");
	for (unsigned i = 0; i < PAGES; i++) {
		int code;

		page = make_page(i, 0, 0);
		code = prn_view_get(view, &page.key, &found, NULL);
		*missing += code == PRN_E_NOT_FOUND && i % 40 != 3;
		*refused += code == PRN_E_DAMAGED;
	}
	prn_view_close(view);
	prn_store_free(store);
}

static void exchange(unsigned char *a, unsigned char *b)
{
	unsigned char kept[6]; /* of a branch's node: the page below it */

	memcpy(kept, a, sizeof kept);
	memcpy(a, b, sizeof kept);
	memcpy(b, kept, sizeof kept);
}

/* A branch that leads to sound pages, but to each other's: what is looked up below it is not taken for missing. */
static void exchanged(void)
{
	struct prn_file_head head;
	struct prn_lmdb_pages pages = pages_of_data(&head);
	unsigned missing = 0, refused = 0, rounds = 0;
	struct prn_lmdb_page page;

	for (size_t i = 2; i < pages.count && rounds < 24; i++) {
		struct prn_node a, b;

		if (!prn_lmdb_page_read(&pages, i, &page) || page.leaf || page.count < 3)
			continue;
		for (unsigned at = 0; at + 1 < page.count && rounds < 24; at += 1 + page.count / 4) {
			unsigned char *first, *second;

			must(prn_lmdb_page_node(&pages, &page, at, &a) && prn_lmdb_page_node(&pages, &page, at + 1, &b), "read a node");
			first = data + ((const unsigned char *)a.key.data - data) - 8;
			second = data + ((const unsigned char *)b.key.data - data) - 8;
			exchange(first, second);
			look_up_all(&missing, &refused);
			exchange(first, second);
			rounds++;
		}
	}
	ok(rounds > 3 && refused > rounds, "pages of which a branch mixes up two are told as damaged: %u in %u rounds", refused, rounds);
	ok(!missing, "none of them is said not to be there: %u", missing);
}

/* What LMDB goes through when it writes, though nothing was read there before: queues, and the list of free pages. */
static void written_to(void)
{
	struct prn_file_head head;
	struct prn_lmdb_pages pages = pages_of_data(&head);
	struct prn_lmdb_page page;
	struct prn_node node;
	unsigned hurt = 0, bad = 0, refused = 0;
	int end;

	for (size_t i = 2; i < pages.count; i++) {
		unsigned char *bytes = data + i * pages.page_bytes, was;
		size_t at = sizeof(size_t) + 9; /* the high byte of the first node's place */

		if (!prn_lmdb_page_read(&pages, i, &page) || hurt >= 100)
			continue;
		was = bytes[at];
		bytes[at] = 0xff;
		end = end_of_use();
		bad += end != FINE && end != NOT_COMMITTED;
		refused += end == NOT_COMMITTED;
		bytes[at] = was;
		hurt++;
	}
	ok(hurt > 20 && !bad, "a node's place that leads out of its page ends no writer, on whichever page: %u of %u", bad, hurt);
	ok(refused > 0, "a commit that would go through a damaged page of a queue is refused: %u of %u", refused, hurt);
	must(head.free.root != PRN_PAGE_NONE && prn_lmdb_page_read(&pages, head.free.root, &page) && page.leaf &&
		     prn_lmdb_page_node(&pages, &page, 0, &node),
	     "find the list of free pages");
	hurt = bad = 0;
	for (size_t at = 0; at < sizeof(size_t) + 8 && at < node.value.length; at++) {
		unsigned char *byte = data + ((const unsigned char *)node.value.data - data) + at, was = *byte;

		*byte ^= 0x40;
		end = end_of_use();
		bad += end != FINE && end != NOT_COMMITTED;
		*byte = was;
		hurt++;
	}
	ok(hurt && !bad, "a damaged list of free pages ends no writer: %u of %u", bad, hurt);
}

int main(void)
{
	static const char *const titles[ENDS] = {
		[FINE] = NULL,
		[SILENT_READ] = "pages that were read to the end of a damaged store are all of it",
		[SILENT_COPY] = "a copy that was made of a damaged store is whole",
		[HALF_COPY] = "a copy that could not be made is not there",
		[WRITE_HURT] = "what a damaged store acknowledged can be read from it",
		[BAD_REPAIR] = "a store that was made anew has no fault",
		[CHANGED] = "a store that could not be made anew is as it was",
		[LOST] = "what is made anew has the pages that are whole",
	};
	unsigned ends[ENDS] = { 0 }, crashes = 0;
	struct prn_random random;

	make_scratch();
	make_data(in_scratch("good"));
	prn_random_seed(&random, 21, 0);
	for (unsigned i = 0; i < FLIPS; i++) {
		size_t at = offset_for(&random, i);
		unsigned char bit = (unsigned char)(1u << prn_random_below(&random, 8));
		int status;
		pid_t child;

		data[at] ^= bit;
		child = fork();
		must(child >= 0, "fork");
		if (!child)
			_exit(one_round());
		waitpid(child, &status, 0);
		data[at] ^= bit;
		remove_copy();
		if (!WIFEXITED(status) || WEXITSTATUS(status) >= ENDS)
			crashes++;
		else
			ends[WEXITSTATUS(status)]++;
		if (status)
			printf("# byte %zu of page %zu, bit %02x: %d\n", at % PAGE_BYTES, at / PAGE_BYTES, bit, status);
	}
	ok(!crashes, "no bit of a store's file that flips ends a process: %u of %d", crashes, FLIPS);
	for (unsigned i = 1; i < ENDS; i++)
		ok(!ends[i], "%s: %u of %d", titles[i], ends[i], FLIPS);
	exchanged();
	written_to();
	free(data);
	return done();
}
