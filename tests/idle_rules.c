/* Rules for hosts that rule no page: most of them are misspelt. */
#include "desk.h"
#include "failing.h"

#include "perennial/stats.h"

#define SHARDS 4
#define HOSTS 97

static const struct prn_host_rule rules[] = {
	{ .delay_s = 1, .limit = -1 },
	{ .hosts = "example,h1", .delay_s = 5, .limit = -1 },
	{ .hosts = "example,h96", .delay_s = 5, .limit = -1 },
	{ .hosts = "invalid,nobody", .delay_s = 5, .limit = -1 },
};

#define RULES (sizeof rules / sizeof *rules)

/* So many pages of the hosts h0.example … h96.example in turn. */
static void open_filled(struct desk *desk, const char *path, unsigned shards, unsigned pages)
{
	const struct prn_decider_settings settings = { .shards = shards };
	enum prn_added added;
	char url[64];

	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, "%s", path);
	desk_create(desk, &settings);
	desk->options.hosts = rules;
	desk->options.host_count = RULES;
	desk_reopen(desk);
	for (unsigned i = 0; i < pages; i++) {
		snprintf(url, sizeof url, "http://h%u.example/%u", i % HOSTS, i);
		must(!prn_decider_add(desk->decider, url, 0, T0, &added, NULL), "add a page");
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
}

/* Which rules are idle, a letter for each, and how many pages were looked at. */
static const char *idle(struct desk *desk)
{
	bool found[RULES] = { false };
	uint64_t looked = 0;
	struct prn_error error = { 0 };
	int code = prn_decider_idle_rules(desk->decider, found, &looked, &error);
	char letters[RULES + 1] = "";

	for (size_t i = 0; i < RULES; i++)
		letters[i] = found[i] ? 'i' : '-';
	return code ? tap_text("%d %s", code, error.text) : tap_text("%s of %u", letters, (unsigned)looked);
}

static void all_pages(unsigned shards)
{
	struct desk desk;
	char path[600];

	snprintf(path, sizeof path, "%s/idle-%u", scratch, shards);
	open_filled(&desk, path, shards, 500);
	same(idle(&desk), "---i of 500", "%u shards: a rule for a host of which no page is known is idle, and no other", shards);
	desk_release(&desk);
}

/* Pages by the hundred thousand in memory take about a second: the bound is the library's own. */
static void a_sample(void)
{
	struct desk desk;

	open_filled(&desk, "memory:idle", SHARDS, PRN_STATS_RULED + 1000);
	same(idle(&desk), tap_text("---i of %d", PRN_STATS_RULED), "of more pages than are looked at, a store of several shards looks at so many in all");
	desk_release(&desk);
}

static void lost_shards(void)
{
	struct desk desk;
	char path[600], lost[640], away[660];
	const char *address, *found;

	snprintf(path, sizeof path, "%s/idle-lost", scratch);
	open_filled(&desk, path, SHARDS, 500);
	address = prn_store_path(prn_decider_store(desk_shard(&desk, "http://h0.example/")));
	snprintf(lost, sizeof lost, "%s", address);
	snprintf(away, sizeof away, "%s-away", address);
	desk_close(&desk);
	must(!rename(lost, away), "take a shard away");
	desk_reopen(&desk);
	found = idle(&desk);
	ok(found[0] == '-', "a rule for every page is not idle where a shard is gone: %s", found);
	ok(strlen(found) > RULES && found[3] == 'i', "a rule for a host without pages is idle where a shard is gone: %s", found);
	ok(strstr(found, "of ") && strtoul(strstr(found, "of ") + 3, NULL, 10) < 500, "the look for idle rules passes over a shard that is gone: %s", found);
	desk_release(&desk);
}

static void failures(void)
{
	bool found[RULES] = { true, false, true, false };
	uint64_t looked = 42;
	unsigned failed = 0;
	struct desk desk;
	char path[600];
	int code;

	snprintf(path, sizeof path, "%s/idle-failing", scratch);
	open_filled(&desk, path, SHARDS, 500);
	for (size_t at = 1;; at++) {
		failing_at = at;
		code = prn_decider_idle_rules(desk.decider, found, &looked, NULL);
		failing_at = 0;
		if (!code)
			break;
		failed += code == PRN_E_MEMORY && looked == 42 && found[0] && !found[1] && found[2] && !found[3];
		if (failed != at)
			break;
	}
	ok(!code && failed > 3, "rules that could not be looked for leave what is to be written untouched: %u failures", failed);
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	all_pages(0);
	all_pages(SHARDS);
	a_sample();
	lost_shards();
	failures();
	return done();
}
