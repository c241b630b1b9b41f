/* Records of hosts, suspect content and siblings with a flipped bit: found, told, mended; and what older programs wrote is read. */
#include "decide/host.h"
#include "decide/site_drift.h"
#include "decide/suspect.h"
#include "desk.h"

#define HOST "a.example"
#define BYTES_MOST 512

static bool host_is_whole(const void *bytes, size_t count)
{
	struct prn_host host;

	return !prn_host_decode(&host, bytes, count);
}

/* byte: the one that says that there is a checksum, and what an older program had there. */
static const struct record {
	const char *what;
	enum prn_side side;
	bool by_page;
	bool (*is_whole)(const void *bytes, size_t count);
	size_t byte;
	unsigned char without;
} records[] = {
	{ "a host", PRN_SIDE_HOSTS, false, host_is_whole, 0, 0 },
	{ "suspect content", PRN_SIDE_SUSPECTS, true, prn_suspect_is_whole, 16, 1 },
	{ "siblings", PRN_SIDE_SIBLINGS, false, prn_site_drift_is_whole, 0, 1 },
};

#define RECORDS (sizeof records / sizeof *records)

static struct prn_due_list list;

/* A host with a page out and one that waits for it, siblings that said something, and content that is held back. */
static void fill(struct desk *desk, size_t number)
{
	enum prn_added added;

	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, "memory:checksums-%zu", number);
	desk_create(desk, &(struct prn_decider_settings){ 0 });
	desk->options.host_limit = 1;
	desk->options.host_delay_s = 60;
	desk_reopen(desk);
	for (int i = 0; i < 4; i++)
		desk_text(desk, PAGE, T0 + i * DAY, text_from((unsigned)i));
	must(desk_text(desk, PAGE, T0 + 4 * DAY, text_from(5000)) == PRN_OUTCOME_SUSPECT, "a suspect");
	for (int i = 0; i < 3; i++) {
		char url[64];

		snprintf(url, sizeof url, "http://" HOST "/%d", i);
		must(!prn_decider_add(desk->decider, url, 1, T0 + 4 * DAY, &added, NULL), "add a page");
	}
	must(desk_due(desk, &list, T0 + 4 * DAY + HOUR, 10, HOUR) == 1, "be handed one page of a host");
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

static size_t name_of(const struct record *record, unsigned char name[16])
{
	struct prn_digest key = prn_url_key(PAGE);

	if (record->by_page)
		prn_key_bytes(&key, name);
	else
		memcpy(name, HOST, strlen(HOST));
	return record->by_page ? 16 : strlen(HOST);
}

struct faults {
	uint64_t hosts, others;
	char told[512]; /* the last */
};

static void hear(void *context, const struct prn_error *what)
{
	snprintf(context, sizeof ((struct faults *)0)->told, "%s", what->text);
}

/* As 'perennial check' looks. */
static struct faults check(struct desk *desk, bool repair)
{
	struct faults faults = { 0 };
	const struct prn_store_check_options options = { .repair = repair, .report = hear, .context = faults.told };
	struct prn_store_findings found;
	struct prn_state_findings states;
	struct prn_store *store;

	desk_close(desk);
	must(!prn_store_open(&store, desk->path, repair ? PRN_STORE_WRITE : PRN_STORE_READ, 0, NULL), "open a store");
	must(!prn_store_check(store, &options, &found, NULL), "check a store");
	prn_store_free(store);
	desk_reopen(desk);
	must(!prn_decider_check(desk->decider, &options, T0 + 5 * DAY, &states, NULL), "check states");
	faults.hosts = found.miscounted;
	faults.others = prn_store_faults(&found) - found.miscounted + states.sides + states.unreadable;
	return faults;
}

static struct prn_host host_of(struct desk *desk)
{
	unsigned char bytes[BYTES_MOST];
	size_t count = desk_get_side(desk, PRN_SIDE_HOSTS, HOST, strlen(HOST), bytes, sizeof bytes);
	struct prn_host host;

	must(!prn_host_decode(&host, bytes, count), "read a host");
	return host;
}

static void flip_all(struct desk *desk, const struct record *record)
{
	unsigned char whole[BYTES_MOST], spoilt[BYTES_MOST], name[16];
	size_t name_bytes = name_of(record, name), count = desk_get_side(desk, record->side, name, name_bytes, whole, sizeof whole);
	unsigned bits = 0, seen = 0, tried = 0, found = 0;
	struct faults faults = { 0 };

	must(record->is_whole(whole, count), "read a whole record");
	for (size_t bit = 0; bit < 8 * count; bit++, bits++) {
		memcpy(spoilt, whole, count);
		spoilt[bit / 8] ^= (unsigned char)(1u << bit % 8);
		seen += !record->is_whole(spoilt, count);
		if (bit % 32 != 5)
			continue;
		desk_put_side(desk, record->side, name, name_bytes, spoilt, count);
		faults = check(desk, false);
		tried++;
		found += faults.hosts + faults.others == 1;
	}
	ok(bits >= 200 && seen == bits, "any flipped bit in the record of %s is found: %u of %u", record->what, seen, bits);
	ok(tried && found == tried, "a check counts a record of %s with a flipped bit once", record->what);
	ok(strstr(faults.told, "damaged") != NULL, "a check names the fault of a damaged record: %s", faults.told);
}

/* After flip_all: what is there is damaged. */
static void mend(struct desk *desk, const struct record *record, struct prn_host before)
{
	struct prn_host after;
	struct faults left;

	check(desk, true);
	left = check(desk, false);
	after = host_of(desk);
	ok(!left.hosts && !left.others, "a repair takes out the record of %s that is damaged", record->what);
	ok(desk_look(desk, PAGE).visits == 4 && desk_look(desk, "http://" HOST "/0").known, "no page is lost with the record of %s", record->what);
	ok(after.leased == before.leased && after.leased_until == before.leased_until,
	   "after a repair of %s the host counts the page that is out, until its lease ends", record->what);
	ok(after.turn == before.turn, "after a repair of %s the turn of the host stands", record->what);
}

static void older(struct desk *desk, const struct record *record)
{
	unsigned char bytes[BYTES_MOST], name[16];
	size_t name_bytes = name_of(record, name), count = desk_get_side(desk, record->side, name, name_bytes, bytes, sizeof bytes);
	struct faults faults;

	bytes[record->byte] = record->without;
	desk_put_side(desk, record->side, name, name_bytes, bytes, count - 4);
	faults = check(desk, false);
	ok(record->is_whole(bytes, count - 4), "the record of %s that an older program wrote is taken as whole", record->what);
	ok(!faults.hosts && !faults.others, "a check finds no fault in the record of %s that an older program wrote", record->what);
	if (!record->by_page)
		return;
	/* Past the head hashes of 4 bytes, the smallest first. */
	memmove(bytes + 17, bytes + 21, 4);
	ok(!record->is_whole(bytes, count - 4), "%s of an older program whose hashes are in no order is damaged", record->what);
}

/* A page that is out stays counted, so nothing else of its host is given. */
static void out_again(void)
{
	unsigned char bytes[BYTES_MOST];
	struct desk desk;
	size_t count;

	fill(&desk, RECORDS);
	count = desk_get_side(&desk, PRN_SIDE_HOSTS, HOST, strlen(HOST), bytes, sizeof bytes);
	bytes[count - 1] ^= 1;
	desk_put_side(&desk, PRN_SIDE_HOSTS, HOST, strlen(HOST), bytes, count);
	check(&desk, true);
	ok(!desk_due(&desk, &list, T0 + 4 * DAY + HOUR + 10 * MINUTE, 10, HOUR),
	   "after the repair of a host's record no second page of it is given while one is out");
	ok(desk_due(&desk, &list, T0 + 4 * DAY + 3 * HOUR, 10, HOUR) == 1, "when the lease has ended the next page of it is given");
	desk_release(&desk);
}

/* Far off times must not look like what says that there is a checksum. */
static void odd_times(void)
{
	static const int64_t times[] = { PRN_TIME_UNKNOWN, INT64_MIN + 1, -1, 0, 1700000000, (int64_t)1 << 55, (int64_t)3 << 56, INT64_MAX };
	bool all = true;

	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		unsigned char bytes[PRN_HOST_BYTES];
		struct prn_host host, back;
		int64_t want = times[i] < 0 ? PRN_TIME_UNKNOWN : times[i] < (int64_t)1 << 56 ? times[i] : ((int64_t)1 << 56) - 1;

		prn_host_init(&host);
		host.until = times[i];
		all &= !prn_host_decode(&back, bytes, prn_host_encode(&host, bytes)) && back.until == want;
	}
	ok(all, "a host's record is read whatever the time until which it wants to be left alone");
}

int main(void)
{
	prn_due_list_init(&list);
	odd_times();
	for (size_t i = 0; i < RECORDS; i++) {
		struct prn_host before;
		struct desk desk;

		fill(&desk, i);
		older(&desk, &records[i]);
		desk_release(&desk);
		fill(&desk, RECORDS + 1 + i);
		before = host_of(&desk);
		flip_all(&desk, &records[i]);
		mend(&desk, &records[i], before);
		desk_release(&desk);
	}
	out_again();
	prn_due_list_release(&list);
	return done();
}
