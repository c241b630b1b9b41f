/* Records and queue keys: what goes in comes out, keys sort as times do, nothing else is taken for a record. */
#include "store/record.h"
#include "stores.h"

#include <float.h>
#include <xxhash.h>

static double random_weight(struct prn_random *random)
{
	static const double special[] = { 0, 1, DBL_MIN, DBL_MAX, 0.1 };

	return prn_random_below(random, 2) ? special[prn_random_below(random, 5)] : prn_random_exponential(random, 3);
}

static int64_t random_time(struct prn_random *random)
{
	static const int64_t special[] = { PRN_TIME_UNKNOWN, 0, -1, INT64_MAX, INT64_MIN + 1 };

	return prn_random_below(random, 2) ? special[prn_random_below(random, 5)] : (int64_t)prn_random_bits(random);
}

static enum prn_lane random_lane(struct prn_random *random)
{
	return (enum prn_lane)prn_random_below(random, PRN_LANES);
}

/* A time at which a page may be due, in the years that texts can say where it is of a new page. */
static int64_t random_due(struct prn_random *random, enum prn_lane lane)
{
	static const int64_t special[] = { 0, -1, PRN_TIME_FIRST, PRN_TIME_LAST };

	if (lane == PRN_LANE_KNOWN)
		return prn_random_below(random, 2) ? random_time(random) >> 3 : INT64_MAX;
	return prn_random_below(random, 2) ? special[prn_random_below(random, 4)]
	                                   : PRN_TIME_FIRST + (int64_t)prn_random_below(random, (uint64_t)(PRN_TIME_LAST - PRN_TIME_FIRST));
}

static struct prn_record random_record(struct prn_random *random, unsigned char *state, char *url)
{
	size_t url_bytes = 1 + prn_random_below(random, prn_random_below(random, 20) ? 80 : PRN_URL_BYTES);
	size_t state_bytes = prn_random_below(random, prn_random_below(random, 20) ? 130 : PRN_RECORD_STATE_BYTES + 1);
	enum prn_lane lane = random_lane(random);

	memset(url, 'u', url_bytes);
	url[url_bytes] = 0;
	for (size_t i = 0; i < state_bytes; i++)
		state[i] = (unsigned char)prn_random_bits(random);
	return (struct prn_record){ .key = { prn_random_bits(random), prn_random_bits(random) }, .url = url,
		                    .weight = random_weight(random), .due = random_due(random, lane), .lane = lane,
		                    .lease = random_time(random),
		                    .waits_for = prn_random_below(random, 2) ? prn_random_bits(random) : 0, .state = state, .state_bytes = state_bytes };
}

static void round_trips(void)
{
	static unsigned char state[PRN_RECORD_STATE_BYTES];
	static char url[PRN_URL_BYTES + 1];
	struct prn_buffer buffer = { 0 };
	struct prn_random random;
	struct prn_record got;
	unsigned same = 0, cut = 0, misplaced = 0, tries = 3000;

	prn_random_seed(&random, 8, 0);
	for (unsigned i = 0; i < tries; i++) {
		struct prn_record record = random_record(&random, state, url);
		struct prn_digest other = { record.key.high, record.key.low + 1 };
		struct prn_bytes bytes;

		prn_buffer_clear(&buffer);
		must(!prn_record_encode(&record, &buffer, NULL), "encode");
		bytes = (struct prn_bytes){ buffer.data, buffer.length };
		same += !prn_record_decode(&record.key, bytes, &got) && same_record(&record, &got);
		misplaced += prn_record_decode(&other, bytes, &got) == PRN_E_DAMAGED;
		bytes.length = prn_random_below(&random, buffer.length);
		cut += prn_record_decode(&record.key, bytes, &got) == PRN_E_DAMAGED;
	}
	ok(same == tries, "%u of %u random records come back as they were", same, tries);
	ok(cut == tries, "no record comes back when it is cut off");
	ok(misplaced == tries, "no record comes back under another page's key");
	prn_buffer_release(&buffer);
}

/* A page that is due at no time is in no lane, and one of a time that no text can say is in that of known pages. */
static void lanes(void)
{
	struct prn_record record = { .url = "http://a.example/", .weight = 1, .due = PRN_TIME_UNKNOWN, .lane = PRN_LANE_NEW,
		                     .lease = PRN_TIME_UNKNOWN }, got;
	struct prn_buffer buffer = { 0 };
	struct prn_error error = { 0 };

	must(!prn_record_encode(&record, &buffer, NULL) && !prn_record_decode(&record.key, (struct prn_bytes){ buffer.data, buffer.length }, &got),
	     "encode");
	ok(got.due == PRN_TIME_UNKNOWN && got.lane == PRN_LANE_KNOWN, "a page that is never due is in no lane of its own");
	prn_buffer_clear(&buffer);
	record.due = PRN_TIME_LAST + 1;
	must(!prn_record_encode(&record, &buffer, NULL) && !prn_record_decode(&record.key, (struct prn_bytes){ buffer.data, buffer.length }, &got),
	     "encode");
	ok(got.due == PRN_TIME_LAST + 1 && got.lane == PRN_LANE_KNOWN, "a new page that is due beyond all times that texts can say is in the other lane");
	prn_buffer_clear(&buffer);
	for (int lane = 0; lane < PRN_LANES; lane++) {
		record.lane = (enum prn_lane)lane;
		record.due = INT64_MIN + 1;
		ok(prn_record_encode(&record, &buffer, &error) == PRN_E_ARGUMENT && strstr(error.text, "year 1"), "a page cannot be due before all times: %s", error.text);
	}
	prn_buffer_release(&buffer);
}

static void sizes(void)
{
	struct prn_record record = { .url = "http://a.example/", .weight = 1, .due = 1767225600, .lease = PRN_TIME_UNKNOWN };
	struct prn_buffer buffer = { 0 };

	must(!prn_record_encode(&record, &buffer, NULL), "encode");
	ok(buffer.length - strlen(record.url) == 15, "a page costs 15 bytes beside its URL and state: %zu",
	   buffer.length - strlen(record.url));
	prn_buffer_release(&buffer);
}

/* A record of other bytes, with the checksum that they should have. */
static int decode_checked(unsigned char *bytes, size_t length, struct prn_record *record)
{
	const struct prn_digest key = { 3, 4 };
	uint64_t sum = XXH3_64bits_withSeed(bytes + 4, length - 4, key.low);

	for (int i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(sum >> (8 * i));
	return prn_record_decode(&key, (struct prn_bytes){ bytes, length }, record);
}

/* What a checksum cannot tell: records that another program wrote. */
static void strangers(void)
{
	struct prn_record record = { .key = { 3, 4 }, .url = "http://a.example/", .weight = 1, .due = PRN_TIME_UNKNOWN,
		                     .lease = PRN_TIME_UNKNOWN }, got;
	struct prn_buffer buffer = { 0 };

	must(!prn_record_encode(&record, &buffer, NULL), "encode");
	ok(!decode_checked(buffer.data, buffer.length, &got) && same_record(&record, &got), "a record with its checksum is read");
	buffer.data[4] |= 0x80;
	ok(decode_checked(buffer.data, buffer.length, &got) == PRN_E_DAMAGED,
	   "a record with a flag that nobody knows is refused");
	buffer.data[4] &= 0x7f;
	buffer.data[buffer.length - 2] = 0;
	ok(decode_checked(buffer.data, buffer.length, &got) == PRN_E_DAMAGED,
	   "a record whose URL ends twice is refused");
	ok(decode_checked(buffer.data, buffer.length - 3, &got) == PRN_E_DAMAGED,
	   "a record whose URL has no end is refused");
	buffer.data[6] = 0;
	ok(decode_checked(buffer.data, 7, &got) == PRN_E_DAMAGED, "a record whose URL is empty is refused");
	prn_buffer_release(&buffer);
}

static void longest(void)
{
	static unsigned char state[PRN_RECORD_STATE_BYTES + 1];
	static char url[PRN_URL_BYTES + 2];
	struct prn_record record = { .key = { 5, 6 }, .url = url, .weight = 1, .due = 1, .lease = PRN_TIME_UNKNOWN,
		                     .state = state, .state_bytes = PRN_RECORD_STATE_BYTES }, got;
	struct prn_buffer buffer = { 0 };

	memset(url, 'u', PRN_URL_BYTES);
	ok(!prn_record_encode(&record, &buffer, NULL),
	   "a record of the longest URL and the longest state is written");
	ok(!prn_record_decode(&record.key, (struct prn_bytes){ buffer.data, buffer.length }, &got) && same_record(&record, &got),
	   
	   "the longest URL and the longest state come back");
	record.state = NULL;
	ok(prn_record_encode(&record, &buffer, NULL) == PRN_E_ARGUMENT, "a state of some bytes that is not there is refused");
	record.state = state;
	record.state_bytes++;
	ok(prn_record_encode(&record, &buffer, NULL) == PRN_E_ARGUMENT, "a state of a byte more is refused");
	record.state_bytes = 0;
	url[PRN_URL_BYTES] = 'u';
	ok(prn_record_encode(&record, &buffer, NULL) == PRN_E_ARGUMENT, "a URL of a byte more is refused");
	prn_buffer_release(&buffer);
}

static int sign(int value)
{
	return (value > 0) - (value < 0);
}

static void queue_keys(void)
{
	unsigned char a[PRN_QUEUE_KEY_BYTES], b[PRN_QUEUE_KEY_BYTES];
	unsigned ordered = 0, read = 0, tries = 3000;
	struct prn_random random;

	prn_random_seed(&random, 9, 0);
	for (unsigned i = 0; i < tries; i++) {
		struct prn_queued x = { .lane = random_lane(&random), .key = { prn_random_bits(&random), prn_random_bits(&random) } },
				  y = { .lane = random_lane(&random), .key = { prn_random_below(&random, 2) ? x.key.high : prn_random_bits(&random), 7 } }, got;
		int want;

		x.time = random_due(&random, x.lane);
		y.time = prn_random_below(&random, 4) || x.lane != y.lane ? random_due(&random, y.lane) : x.time;
		want = x.lane != y.lane   ? (x.lane == PRN_LANE_NEW || (x.lane == PRN_LANE_VAIN && y.lane == PRN_LANE_KNOWN) ? -1 : 1)
		       : x.time != y.time ? (x.time > y.time) - (x.time < y.time)
		                          : prn_digest_compare(&x.key, &y.key);
		prn_queue_key(prn_queued_place(PRN_QUEUE_DUE, 0, &x).time, &x.key, a);
		prn_queue_key(prn_queued_place(PRN_QUEUE_DUE, 0, &y).time, &y.key, b);
		ordered += sign(memcmp(a, b, sizeof a)) == sign(want);
		read += !prn_queue_key_read((struct prn_bytes){ a, sizeof a }, &got) && got.time == x.time && got.lane == x.lane &&
		        !prn_digest_compare(&got.key, &x.key);
	}
	ok(ordered == tries, "keys of a queue sort by lane, then by time, then by page: %u of %u", ordered, tries);
	ok(read == tries, "keys of a queue are read again: %u of %u", read, tries);
}

/* Whatever a damaged queue has, its place is found again: the entry can be taken out. */
static void odd_keys(void)
{
	const int64_t lane = INT64_C(1) << 60, keyed[] = { INT64_MIN, INT64_MIN + 1, INT64_MIN + 5, -3 * lane - 1, -3 * lane, -2 * lane, -lane - 1, -lane, -1, INT64_MAX };
	const struct prn_digest key = { 1, 2 };
	unsigned found = 0, count = sizeof keyed / sizeof *keyed;

	for (unsigned i = 0; i < count; i++) {
		unsigned char bytes[PRN_QUEUE_KEY_BYTES];
		struct prn_queued queued;

		prn_queue_key(keyed[i], &key, bytes);
		must(!prn_queue_key_read((struct prn_bytes){ bytes, sizeof bytes }, &queued), "read a key");
		found += prn_queued_place(PRN_QUEUE_DUE, 0, &queued).time == keyed[i];
	}
	ok(found == count, "the place of any key of a queue is found again: %u of %u", found, count);
}

static void places(void)
{
	struct prn_record record = { .key = { 1, 2 }, .due = 5, .lease = PRN_TIME_UNKNOWN, .waits_for = 77 }, other = record;
	unsigned char a[PRN_WAITING_KEY_BYTES], b[PRN_WAITING_KEY_BYTES];
	struct prn_place waits = prn_record_place(&record), place;
	struct prn_queued queued = { 0 };
	uint64_t host = 0;

	ok(waits.queued && waits.queue == PRN_QUEUE_WAITING,
	   "a page that waits for a host stands in a queue of those that wait");
	ok(waits.host == 77 && waits.time == 5,
	   "a page that waits for a host stands in that host's queue, at the time when it was due");
	ok(prn_place_key(&waits, &record.key, a) == sizeof a,
	   "the key of a page that waits is as long as such keys are");
	ok(!prn_host_queue_key_read((struct prn_bytes){ a, sizeof a }, &host, &queued),
	   "the key of a page that waits can be read again");
	same(tap_text("host %llu, time %lld, page %llu", (unsigned long long)host, (long long)queued.time, (unsigned long long)queued.key.low),
	     "host 77, time 5, page 2", "the key of a page that waits holds its host, its time and its page");
	other.waits_for = 78;
	other.due = 4;
	place = prn_record_place(&other);
	prn_place_key(&place, &other.key, b);
	ok(memcmp(a, b, sizeof a) < 0 && !prn_place_same(&waits, &place),
	   "pages that wait are in order of hosts before times");
	other.lease = 9;
	place = prn_record_place(&other);
	ok(place.queue == PRN_QUEUE_LEASES && place.time == 9,
	   "a page that waits stands in the queue of leases when it is on lease");
	ok(!place.host, "a page on lease stands in no host's queue");
	other.lease = other.due = PRN_TIME_UNKNOWN;
	ok(!prn_record_place(&other).queued, "a page that is never due waits for nobody");
}

int main(void)
{
	round_trips();
	lanes();
	sizes();
	strangers();
	longest();
	queue_keys();
	odd_keys();
	places();
	return done();
}
