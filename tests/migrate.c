/*
 * Stores that older programs wrote.  tests/older/schemaN.mdb.gz was made by the program of that schema: observed were,
 * under example.org, the URLs below by their older spellings, %7Eann and a%7Cb once, ~ann three times and a|b twice,
 * odd|page with a suspect body, and four pages of a host with a u umlaut; three pages of each host are on lease, and in
 * schema 2 the others wait for their host.
 */
#include "decide/host.h"
#include "decide/suspect.h"
#include "desk.h"
#include "killed.h"
#include "perennial/explanation.h"
#include "store/schema.h"
#include "store/shared.h"
#include "stores.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#define NOW ((int64_t)1788220830) /* 2026-09-01T00:00:30Z */
#define UMLAUT "http://b\xc3\xbc" "cher.example.org/"
#define PUNYCODE "xn--bcher-kva.example.org"

/* The store of an older schema, in the scratch folder. */
static const char *unpack(int schema)
{
	const char *path;
	static unsigned number;
	char from[4096], name[32], to[4200];
	unsigned char bytes[4096];
	gzFile in;
	FILE *out;
	int got;

	snprintf(from, sizeof from, "%s/tests/older/schema%d.mdb.gz", getenv("SRCDIR"), schema);
	snprintf(name, sizeof name, "schema%d-%u", schema, number++);
	path = in_scratch(name);
	must(!mkdir(path, 0700), "make a folder");
	snprintf(to, sizeof to, "%s/data.mdb", path);
	in = gzopen(from, "rb");
	out = fopen(to, "wb");
	must(in && out, "open files");
	while ((got = gzread(in, bytes, sizeof bytes)) > 0)
		must(fwrite(bytes, 1, (size_t)got, out) == (size_t)got, "write a file");
	must(!got && !fclose(out), "unpack a store");
	gzclose(in);
	return path;
}

static struct prn_decider *open_decider(const char *path, enum prn_store_mode mode)
{
	struct prn_decider *decider = NULL;
	struct prn_error error = { 0 };

	if (prn_decider_open(&decider, path, mode, NULL, &error))
		printf("# %s\n", error.text);
	must(decider != NULL, "open a decider");
	return decider;
}

/* How often a page was visited, and how its URL is spelled; UINT32_MAX: it is not there. */
static uint32_t visits_of(struct prn_decider *decider, const char *url, char spelled[256])
{
	struct prn_explanation page;
	uint32_t visits = UINT32_MAX;

	prn_explanation_init(&page);
	if (!prn_decider_explain(decider, url, NOW, &page, NULL)) {
		visits = page.visits;
		snprintf(spelled, 256, "%s", page.url);
	}
	prn_explanation_release(&page);
	return visits;
}

static void check_visits(struct prn_decider *decider, const char *url, uint32_t want, const char *want_spelled)
{
	char spelled[256] = "";
	uint32_t visits = visits_of(decider, url, spelled);

	ok(visits == want && !strcmp(spelled, want_spelled), "%s is the page %s with its %u visits", url, want_spelled, want);
}

static void check_pages(struct prn_decider *decider)
{
	check_visits(decider, "http://example.org/plain", 2, "http://example.org/plain");
	check_visits(decider, "http://example.org/%7Eann", 3, "http://example.org/~ann");
	check_visits(decider, "http://example.org/a%7cb", 2, "http://example.org/a|b");
	check_visits(decider, "http://example.org/y", 1, "http://example.org/x/../y");
	check_visits(decider, "http://example.org/?q=%E6%97%A5%E6%9C%AC", 1, "http://example.org/?q=\xe6\x97\xa5\xe6\x9c\xac");
	check_visits(decider, "http://example.org/odd%7Cpage", 4, "http://example.org/odd|page");
	check_visits(decider, UMLAUT "1", 2, "http://" PUNYCODE "/1");
	check_visits(decider, "http://" PUNYCODE "/moved", 0, "http://" PUNYCODE "/moved");
	check_visits(decider, "http://example.org/~ann/new", 0, "http://example.org/%7eann/new");
}

static struct prn_host known_of(const struct prn_store_reader *reader, const char *name)
{
	const struct prn_decider_options options = { 0 };
	struct prn_known_host known;

	must(!prn_host_find(&known, reader, &options, (struct prn_host_name){ name, strlen(name) }, NULL), "read a host");
	return known.host;
}

static void check_sides(struct prn_decider *decider, int schema)
{
	struct prn_digest key = prn_url_key("http://example.org/odd%7Cpage");
	struct prn_store_reader reader = { 0 };
	struct prn_suspect suspect;
	struct prn_host host;
	char older_name[256];
	bool older;

	must(!prn_view_open(&reader.view, prn_decider_store(decider), NULL), "open a view");
	must(!prn_suspect_init(&suspect, prn_decider_summary(decider)), "allocate");
	ok(!prn_suspect_read(&suspect, &reader, &key, prn_decider_summary(decider), NULL),
	   "a suspect body of schema %d is found by its page's present key", schema);
	prn_suspect_release(&suspect);
	host = known_of(&reader, PUNYCODE);
	ok(host.leased == 3, "a host of schema %d has its leases by its present name", schema);
	/* Programs of schema 1 forgot these. */
	if (schema > 1)
		ok(host.until == 1767830400 && host.redirects == 1,
		   "a host of schema %d has its Retry-After, and what its redirects added, by its present name", schema);
	host = known_of(&reader, "example.org");
	ok(host.leased == 2, "a page of schema %d that another took the place of is taken off its host's leases", schema);
	snprintf(older_name, sizeof older_name, "%.*s", (int)(strlen(UMLAUT) - 8), &UMLAUT[7]);
	host = known_of(&reader, older_name);
	ok(!host.leased && !host.redirects, "no page is out and no redirect known of a host by its name of schema %d", schema);
	ok(host.turn == PRN_TIME_UNKNOWN, "a host has no turn by its name of schema %d", schema);
	ok(!prn_schema_is_older(reader.view, &older, NULL) && !older,
	   "a store of schema %d that was moved is of the present one", schema);
	prn_view_close(reader.view);
}

static struct prn_store_totals check_whole(const char *path, const char *when)
{
	struct prn_store *store = open_store(path, PRN_STORE_READ);
	struct prn_store_totals totals = { 0 };
	struct prn_store_findings found;

	must(!prn_store_check(store, NULL, &found, NULL), "check a store");
	must(!prn_store_totals(store, &totals, NULL), "read totals");
	ok(!prn_store_faults(&found), "a check finds no fault %s", when);
	prn_store_free(store);
	return totals;
}

static void reading(const char *path, int schema)
{
	struct prn_decider *decider = open_decider(path, PRN_STORE_READ);
	struct prn_explanation page;
	struct prn_error error = { 0 };
	char spelled[256] = "";

	ok(visits_of(decider, "http://example.org/plain", spelled) == 2, "a page of schema %d is read before it is moved",
	   schema);
	prn_explanation_init(&page);
	ok(prn_decider_explain(decider, "http://example.org/y", NOW, &page, &error) == PRN_E_NOT_FOUND &&
	           strstr(error.text, "a command that writes"),
	   "what is not found in a store of schema %d may be there by an older spelling, and that is said: %s", schema, error.text);
	prn_explanation_release(&page);
	prn_decider_free(decider);
	check_whole(path, "before pages are moved");
}

static void older_store(int schema)
{
	const char *path = unpack(schema);
	struct prn_store_totals totals, again;
	struct prn_decider *decider;

	reading(path, schema);
	prn_store_free(open_store(path, PRN_STORE_WRITE));
	check_whole(path, "in a store that was only opened, and whose pages are still to be moved");
	prn_decider_free(open_decider(path, PRN_STORE_WRITE));
	totals = check_whole(path, "once pages are moved");
	ok(totals.pages == 12, "of a store of schema %d every page is there once, and what is no URL any more is gone", schema);
	ok(totals.suspects == 1, "a store of schema %d has one suspect body when it was moved", schema);
	decider = open_decider(path, PRN_STORE_WRITE);
	check_pages(decider);
	check_sides(decider, schema);
	prn_decider_free(decider);
	again = check_whole(path, "when a store that was moved was opened again");
	ok(again.pages == totals.pages && again.leased == totals.leased, "a moved store of schema %d has the pages and leases that it had when it is opened again",
	   schema);
	ok(again.hosts == totals.hosts && again.due == totals.due, "a moved store of schema %d has the hosts and the queue that it had when it is opened again",
	   schema);
}

#define PAGES 9000

static void name_page(unsigned number, bool present, char url[64])
{
	snprintf(url, 64, "http://h%u.example/%s%u", number % 7, present ? "~" : "%7e", number);
}

/* Gives each page the key that schema 2 gave its spelling; every fifth is there by its present spelling too. */
static void make_older(const char *path)
{
	struct prn_change change = { PRN_TABLE_META, false, { "schema", 6 }, { "2", 1 } };
	struct prn_store *store = open_store(path, PRN_STORE_WRITE);
	struct prn_batch *batch = open_batch(store);
	struct prn_tables *tables;
	char url[64];

	for (unsigned i = 0; i < PAGES; i++) {
		struct prn_record record, copy;
		struct prn_digest key;
		unsigned char state[1024];
		char spelled[64];

		name_page(i, true, url);
		key = prn_url_key(url);
		must(!prn_batch_get(batch, &key, &record, NULL) && record.state_bytes <= sizeof state, "get");
		copy = record;
		memcpy(state, record.state, record.state_bytes);
		copy.state = state;
		copy.url = spelled;
		name_page(i, false, spelled);
		copy.key = prn_url_key(spelled);
		must(!prn_batch_put_known(batch, &copy, NULL), "put");
		if (i % 5)
			must(!prn_batch_delete(batch, &key, NULL), "delete");
	}
	commit(batch);
	prn_batch_free(batch);
	prn_store_free(store);
	must(!prn_tables_open(&tables, path, true, 0, NULL), "open tables");
	must(!tables->kind->write(tables, &change, 1, NULL), "write to tables");
	prn_tables_free(tables);
}

/* 1: the process was killed while it moved pages. */
static int open_and_be_killed(const char *path, int at)
{
	pid_t child = fork();
	int status;

	must(child >= 0, "fork");
	if (!child) {
		struct prn_decider *decider;

		kill_at = at;
		if (prn_decider_open(&decider, path, PRN_STORE_WRITE, NULL, NULL))
			_exit(2);
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child && (WIFSIGNALED(status) || !WEXITSTATUS(status)), "wait");
	return WIFSIGNALED(status);
}

static void killed(void)
{
	const struct prn_decider_settings settings = { 0 };
	const char *path = in_scratch("killed");
	struct prn_store_totals totals;
	struct prn_decider *decider;
	enum prn_added added;
	char url[64], spelled[256];
	int kills = 0, found = 0;

	must(!prn_decider_create(path, &settings, NULL), "make a store");
	decider = open_decider(path, PRN_STORE_WRITE);
	for (unsigned i = 0; i < PAGES; i++) {
		name_page(i, true, url);
		must(!prn_decider_add(decider, url, 0, NOW, &added, NULL), "add");
	}
	must(!prn_decider_commit(decider, NULL), "commit");
	prn_decider_free(decider);
	make_older(path);
	totals = check_whole(path, "in a large store of schema 2");
	must(totals.pages == PAGES + PAGES / 5, "make an older store");
	for (int at = 2; open_and_be_killed(path, at) && kills < 100; at++)
		kills++;
	ok(kills > 2, "moving pages was interrupted %d times", kills);
	totals = check_whole(path, "in a store whose writers were killed while they moved its pages");
	ok(totals.pages == PAGES && totals.due == PAGES, "every page is there once when the last writer was not killed");
	decider = open_decider(path, PRN_STORE_READ);
	for (unsigned i = 0; i < PAGES; i++) {
		name_page(i, false, url);
		found += !visits_of(decider, url, spelled);
	}
	ok(found == PAGES, "every page is found by its older spelling when the last writer was not killed");
	prn_decider_free(decider);
}

/* A page that moves, and whose state cannot be read: it begins anew where it stands now. */
static void unreadable(void)
{
	static const unsigned char damaged[] = { 1, 1, 0, 99, 99, 99 };
	const char *path = unpack(2);
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_record record, found = { .url = NULL };
	struct prn_digest key = { 0, 0 };
	struct prn_decider *decider;
	struct prn_view *view;
	struct prn_walk *walk;
	char spelled[256] = "";

	must(!prn_store_open(&store, path, PRN_STORE_WRITE, 0, NULL), "open a store of an older schema");
	must(!prn_view_open(&view, store, NULL) && !prn_walk_pages(&walk, view, NULL, NULL), "walk its pages");
	while (!found.url && prn_walk_pages_next(walk, &record, NULL) == 1)
		if (!strcmp(record.url, "http://example.org/odd|page"))
			found = record, key = record.key;
	must(found.url, "find a page whose key is another now");
	found.state = damaged;
	found.state_bytes = sizeof damaged;
	must(!prn_batch_open(&batch, store, NULL) && !prn_batch_put_known(batch, &found, NULL) && !prn_batch_commit(batch, NULL),
	     "damage its state");
	prn_batch_free(batch);
	prn_walk_free(walk);
	prn_view_close(view);
	prn_store_free(store);
	ok(key.high || key.low, "the page has a key");
	decider = open_decider(path, PRN_STORE_WRITE);
	ok(visits_of(decider, "http://example.org/odd%7Cpage", spelled) == 0 && !strcmp(spelled, "http://example.org/odd|page"),
	   "a page that moves and whose state cannot be read begins anew, and keeps no store from being brought up to date");
	check_visits(decider, "http://example.org/%7Eann", 3, "http://example.org/~ann");
	prn_decider_free(decider);
}

/* Pages whose spelling older programs kept though it is not UTF-8, which JSON cannot hold. */
static void not_utf8(void)
{
	const char *path = unpack(2);
	struct prn_decider *decider = open_decider(path, PRN_STORE_WRITE);
	struct prn_store *store;
	struct prn_batch *batch;
	struct prn_record record;
	struct prn_view *view;
	struct prn_walk *walk;
	char spelled[256] = "";

	prn_decider_free(decider);
	must(!prn_store_open(&store, path, PRN_STORE_WRITE, 0, NULL), "open a store");
	must(!prn_view_open(&view, store, NULL) && !prn_walk_pages(&walk, view, NULL, NULL), "walk its pages");
	must(prn_walk_pages_next(walk, &record, NULL) == 1, "find a page");
	record.url = "http://example.org/\xe9t\xe9";
	record.key = prn_url_key("http://example.org/%E9t%E9");
	must(!prn_batch_open(&batch, store, NULL) && !prn_batch_put(batch, &record, NULL) && !prn_batch_commit(batch, NULL),
	     "put a page as older programs did");
	prn_batch_free(batch);
	prn_walk_free(walk);
	prn_view_close(view);
	prn_store_free(store);
	decider = open_decider(path, PRN_STORE_READ);
	ok(visits_of(decider, "http://example.org/%E9t%E9", spelled) > 0 && !strcmp(spelled, "http://example.org/%E9t%E9"),
	   "a page whose spelling an older program kept though it is not UTF-8 is handed out percent-encoded: %s", spelled);
	prn_decider_free(decider);
}

int main(void)
{
	make_scratch();
	older_store(1);
	older_store(2);
	unreadable();
	not_utf8();
	killed();
	return done();
}
