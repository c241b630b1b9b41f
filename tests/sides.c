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
	return a->until == b->until && a->free_at == b->free_at && a->leased == b->leased && a->redirects == b->redirects &&
	       a->turn == b->turn;
}

static void hosts(void)
{
	static const struct prn_host some = { 1700000000, 1700000060, 3, 4, 1700000050 }, none = { NEVER, NEVER, 0, 0, NEVER },
				     free_now = { 5, 6, 0, 0, NEVER }, brought = { 5, 6, 0, 1, NEVER },
				     awaited = { 5, 6, 0, 0, 7 }, once = { 9, 8, 7, 0, NEVER };
	static const unsigned char bytes[20] = { [7] = 9, [15] = 8, [19] = 7 };
	struct prn_host_name name = prn_host_name(URL);
	struct prn_host host;

	ok(!prn_host_read(&host, &reader, name, NULL) && same_host(&host, &none), "a host that nothing is known of is free");
	ok(!prn_host_put(&some, batch, name, 0, NULL) &&
	           !prn_host_read(&host, &reader, prn_host_name("https://a.example:81/x"), NULL) && same_host(&host, &some),
	   "what is known of a host holds for all its URLs");
	ok(!prn_host_read(&host, &reader, prn_host_name("http://b.a.example/"), NULL) && same_host(&host, &none),
	   "what is known of a host does not hold for other hosts");
	ok(!prn_host_put(&brought, batch, name, 6, NULL) && !prn_host_read(&host, &reader, name, NULL) && host.redirects == 1,
	   "what a host's redirects brought is kept when it is free again");
	ok(!prn_host_put(&awaited, batch, name, 6, NULL) && !prn_host_read(&host, &reader, name, NULL) && host.turn == 7,
	   "a host that pages wait for is kept when it is free again");
	ok(!prn_host_put(&free_now, batch, name, 6, NULL) && !prn_host_read(&host, &reader, name, NULL) &&
	           same_host(&host, &none),
	   "a host that is free again, and that nothing else is known of, is not kept");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "a.example", 9, bytes, sizeof bytes, NULL), "put");
	ok(!prn_host_read(&host, &reader, name, NULL) && same_host(&host, &once),
	   "a host's record of before redirects and turns were known is read");
	must(!prn_batch_side_put(batch, PRN_SIDE_HOSTS, "a.example", 9, "short", 5, NULL), "put");
	ok(!prn_host_read(&host, &reader, name, NULL) && same_host(&host, &none), "what is no host's record says nothing");
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
	uint64_t number = 0;
	int64_t time = 0;

	ok(!prn_host_set_turn(&host, batch, name, -5, NULL) && has_turn(-5) && host.turn == -5, "a host gets a turn");
	ok(!prn_host_set_turn(&host, batch, name, 9, NULL) && has_turn(9) && !has_turn(-5),
	   "another turn of a host takes the place of the first");
	ok(!prn_host_set_turn(&host, batch, name, NEVER, NULL) && !has_turn(9) && host.turn == NEVER,
	   "a host's turn can be taken away");
	prn_turn_key(-5, 77, key);
	prn_turn_key(9, 3, later);
	ok(!prn_turn_key_read(key, sizeof key, &time, &number) && time == -5 && number == 77 &&
	           prn_turn_key_read(key, sizeof key - 1, &time, &number) == PRN_E_DAMAGED && memcmp(key, later, sizeof key) < 0,
	   "turns are in order of time, and can be read back");
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
		suspect.summary = (struct prn_summary){ suspect.hashes, n, M, n % 2 };
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
	ok(none + ordered == tries && none && ordered,
	   "of %zu spoiled suspects %zu are not read, the others are in order", tries, none);
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
