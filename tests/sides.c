/* Hosts, their turns and suspects in their side tables: what goes in comes out, and damaged bytes are none. */
#include "decide/host.h"
#include "decide/suspect.h"
#include "stores.h"

#include "perennial/error.h"

#define M 8
#define URL "http://a.example/"
#define NEVER PRN_TIME_UNKNOWN

static struct prn_batch *batch;
static struct prn_store_reader reader;

static bool same_host(const struct prn_host *a, const struct prn_host *b)
{
	return a->until == b->until && a->refused == b->refused && a->asked == b->asked && a->leased == b->leased &&
	       a->leased_until == b->leased_until && a->redirects == b->redirects && a->fruitless == b->fruitless && a->turn == b->turn &&
	       a->crawl_delay_s == b->crawl_delay_s && a->successes == b->successes && !(a->spent < b->spent) &&
	       !(a->spent > b->spent) && a->spent_at == b->spent_at && !strcmp(a->address, b->address);
}

static struct prn_host known_of(const char *url)
{
	const struct prn_decider_options options = { .host_delay_s = 60 };
	struct prn_known_host known;

	must(!prn_host_find_of(&known, &reader, &options, url, NULL), "find a host");
	return known.host;
}

static void put_host(const struct prn_host *host, int64_t now)
{
	const struct prn_host_settings settings = { .delay_s = 60 };

	must(!prn_host_put(host, &settings, batch, prn_host_name(URL), now, NULL), "put a host");
}

/* A host of which one thing is known. */
static struct prn_host blank(void)
{
	struct prn_host host;

	prn_host_init(&host);
	return host;
}

static void hosts(void)
{
	static const struct prn_host some = { .until = 1700000000, .refused = 1699999000, .asked = 1700000060, .leased = 3,
		                              .leased_until = 1700000600, .redirects = 4, .fruitless = 2, .turn = 1700000050,
		                              .crawl_delay_s = 20, .successes = 7, .spent = 1.5, .spent_at = 1700000061,
		                              .address = "2001:db8::1" };
	static const unsigned char leased[20] = { [7] = 9, [15] = 8, [19] = 7 }, turns[32] = { [19] = 1, [23] = 2, [31] = 3 };
	const struct prn_host none = blank();
	struct prn_host host = none;

	host = known_of(URL);
	ok(same_host(&host, &none), "a host that nothing is known of is free");
	put_host(&some, 0);
	host = known_of("https://a.example:81/x");
	ok(same_host(&host, &some), "what is known of a host holds for all its URLs");
	host = known_of("http://b.a.example/");
	ok(same_host(&host, &none), "what is known of a host does not hold for other hosts");
	host = none, host.redirects = 1;
	put_host(&host, 6);
	ok(known_of(URL).redirects == 1, "what a host's redirects brought is kept when it is free again");
	host = none, host.turn = 7;
	put_host(&host, 6);
	ok(known_of(URL).turn == 7, "a host that pages wait for is kept when it is free again");
	host = none, host.crawl_delay_s = 5;
	put_host(&host, 6);
	ok(known_of(URL).crawl_delay_s == 5, "what a host's robots.txt asks for is kept");
	host = none, host.asked = 100;
	put_host(&host, 159);
	ok(known_of(URL).asked == 100, "when a host was asked is kept as long as its delay");
	put_host(&host, 160);
	host = known_of(URL);
	ok(same_host(&host, &none), "a host whose delay is over, and that nothing else is known of, is not kept");
	host.asked = 100, host.spent = 1, host.spent_at = 100;
	put_host(&host, 100 + 6 * 86400);
	ok(known_of(URL).asked == 100, "a host that had a share of a budget is kept for a week");
	put_host(&host, 100 + 7 * 86400);
	host = known_of(URL);
	ok(same_host(&host, &none), "a host that had its share of a budget a week ago is not kept");
	host.until = 200, host.successes = 3;
	put_host(&host, 200 + 6 * 86400);
	ok(known_of(URL).successes == 3, "what came of a host since it wanted to be left alone is kept for a week");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "a.example", 9, leased, sizeof leased, NULL), "put");
	host = known_of(URL);
	ok(same_host(&host, &(struct prn_host){ .until = 9, .asked = 8, .leased = 7, .leased_until = NEVER, .turn = NEVER, .refused = NEVER, .spent_at = NEVER }),
	   
	   "a host's record of before redirects and turns were known is read");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "a.example", 9, turns, sizeof turns, NULL), "put");
	host = known_of(URL);
	ok(same_host(&host, &(struct prn_host){ .leased = 1, .leased_until = NEVER, .redirects = 2, .turn = 3, .refused = NEVER, .spent_at = NEVER }),
	   
	   "a host's record that ends with its turn is read");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "a.example", 9, "short", 5, NULL), "put");
	host = known_of(URL);
	ok(same_host(&host, &none), "what is no host's record says nothing");
}

/* The only turn that is staged at a time, as the side table has it. */
static bool has_turn(int64_t time)
{
	unsigned char key[PRN_TURN_BYTES];
	const void *bytes;
	size_t count;

	prn_turn_key(time, prn_host_number(prn_host_name(URL)), key);
	return !prn_batch_side(batch, PRN_SIDE_TURNS, key, sizeof key, &bytes, &count, NULL) && count == 9 &&
	       !memcmp(bytes, "a.example", count);
}

static void turns(void)
{
	struct prn_host host = { .turn = NEVER };
	struct prn_host_name name = prn_host_name(URL);
	unsigned char key[PRN_TURN_BYTES], later[PRN_TURN_BYTES];
	char text[PRN_HOST_NAME_BYTES + 1];
	uint64_t number = 0;
	int64_t time = 0;

	ok(!prn_host_set_turn(&host, batch, name, -5, NULL) && has_turn(-5), "a host gets a turn");
	ok(host.turn == -5, "a host that got a turn knows when");
	ok(!prn_host_set_turn(&host, batch, name, 9, NULL) && has_turn(9), "a host that has a turn gets another");
	ok(!has_turn(-5), "another turn of a host takes the place of the first");
	ok(!prn_host_set_turn(&host, batch, name, NEVER, NULL) && !has_turn(9), "a host's turn can be taken away");
	ok(host.turn == NEVER, "a host whose turn was taken away knows of none");
	prn_turn_key(-5, prn_host_number(name), key);
	prn_turn_key(9, 3, later);
	ok(!prn_turn_read(key, sizeof key, name, &time, &number), "a turn can be read back");
	ok(time == -5 && number == prn_host_number(name),
	   "a turn that is read back has its time, and the number of its host");
	ok(prn_turn_read(key, sizeof key - 1, name, &time, &number) == PRN_E_DAMAGED,
	   "a turn that is cut is damaged");
	ok(memcmp(key, later, sizeof key) < 0, "turns are in order of time");
	ok(prn_turn_read(later, sizeof later, name, &time, &number) == PRN_E_DAMAGED, "a turn under another host's number is damaged");
	memset(text, 'x', sizeof text);
	name = (struct prn_host_name){ text, sizeof text };
	prn_turn_key(9, prn_host_number(name), key);
	ok(prn_turn_read(key, sizeof key, name, &time, &number) == PRN_E_DAMAGED,
	   "a turn with a name that is longer than any host's is damaged, though its number is right");
	name.length--;
	prn_turn_key(9, prn_host_number(name), key);
	ok(!prn_turn_read(key, sizeof key, name, &time, &number), "a turn with the longest name of a host is read");
}

static bool same_suspect(const struct prn_suspect *a, const struct prn_suspect *b)
{
	return a->time == b->time && a->modified == b->modified && a->summary.count == b->summary.count &&
	       a->summary.complete == b->summary.complete &&
	       !memcmp(a->hashes, b->hashes, a->summary.count * sizeof *a->hashes);
}

/* The suspect that is there, with bytes after it that are no hash. */
static void longer(struct prn_suspect *back, const struct prn_digest *key)
{
	unsigned char name[16], bytes[256];
	const void *old;
	size_t count;

	prn_key_bytes(key, name);
	must(!prn_batch_side(batch, PRN_SIDE_SUSPECTS, name, sizeof name, &old, &count, NULL), "get");
	memcpy(bytes, old, count);
	memset(bytes + count, 0xff, 3);
	must(!prn_batch_side_put(batch, PRN_SIDE_SUSPECTS, name, sizeof name, bytes, count + 3, NULL), "put");
	ok(prn_suspect_read(back, &reader, key, M + 1, NULL) == PRN_E_NOT_FOUND,
	   "a suspect with bytes left over is not read");
}

static void suspects(void)
{
	struct prn_digest key = prn_url_key(URL);
	struct prn_suspect suspect, back;
	struct prn_random random;
	bool all = true;

	prn_random_seed(&random, 3, 0);
	must(!prn_suspect_init(&suspect, M) && !prn_suspect_init(&back, M), "allocate");
	ok(prn_suspect_read(&back, &reader, &key, M, NULL) == PRN_E_NOT_FOUND,
	   "a page has no suspect at first");
	for (size_t n = 0; n <= M; n++) {
		suspect.time = (int64_t)prn_random_bits(&random);
		suspect.modified = n ? (int64_t)prn_random_bits(&random) : PRN_TIME_UNKNOWN;
		suspect.summary = (struct prn_summary){ suspect.hashes, n, M, n % 2, n % 3 == 1 };
		for (size_t i = 0; i < n; i++)
			suspect.hashes[i] = (i + 1) << 60 | (prn_random_bits(&random) & 0x0fffffff00000000);
		all &= !prn_suspect_put(&suspect, batch, &key, NULL) &&
		       !prn_suspect_read(&back, &reader, &key, M, NULL) && same_suspect(&suspect, &back);
	}
	ok(all, "a suspect comes back, whatever its size");
	ok(prn_suspect_read(&back, &reader, &key, M - 1, NULL) == PRN_E_NOT_FOUND,
	   "a suspect of a larger summary than asked for is not read");
	longer(&back, &key);
	ok(!prn_suspect_put(NULL, batch, &key, NULL) && prn_suspect_read(&back, &reader, &key, M, NULL) == PRN_E_NOT_FOUND,
	   "a suspect can be taken out");
	prn_suspect_release(&suspect);
	prn_suspect_release(&back);
}

/* Any bytes: none, or one that is ordered. */
static void damage(void)
{
	struct prn_digest key = prn_url_key(URL);
	struct prn_suspect suspect;
	struct prn_random random;
	unsigned char bytes[64], name[16];
	size_t none = 0, ordered = 0, tries = 20000;

	prn_random_seed(&random, 4, 0);
	prn_key_bytes(&key, name);
	must(!prn_suspect_init(&suspect, M), "allocate");
	for (size_t n = 0; n < tries; n++) {
		size_t length = prn_random_below(&random, sizeof bytes);
		bool sorted = true;

		for (size_t i = 0; i < length; i++)
			bytes[i] = (unsigned char)(i == 16 ? n % 4 : prn_random_bits(&random));
		must(!prn_batch_side_put(batch, PRN_SIDE_SUSPECTS, name, sizeof name, bytes, length, NULL), "put");
		if (prn_suspect_read(&suspect, &reader, &key, M, NULL) == PRN_E_NOT_FOUND) {
			none++;
			continue;
		}
		for (size_t i = 1; i < suspect.summary.count; i++)
			sorted &= suspect.hashes[i] > suspect.hashes[i - 1];
		ordered += sorted && suspect.summary.count <= M;
	}
	ok(none + ordered == tries, "of %zu spoiled suspects each that is read is in order: %zu", tries, ordered);
	ok(none && ordered, "of %zu spoiled suspects some are not read, and not all: %zu", tries, none);
	prn_suspect_release(&suspect);
}

int main(void)
{
	struct prn_store *store;

	make_scratch();
	make_store(in_scratch("store"));
	store = open_store(in_scratch("store"), PRN_STORE_WRITE);
	batch = open_batch(store);
	reader.batch = batch;
	hosts();
	turns();
	suspects();
	damage();
	prn_batch_free(batch);
	prn_store_free(store);
	return done();
}
