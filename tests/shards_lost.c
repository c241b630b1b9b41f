/* Shards of a cluster (in memory) that go, or fall silent, while a process works with them: it goes on with the others. */
#include "desk.h"
#include "librados.h"

#include "decide/shards.h"
#include "perennial/explanation.h"

#define SHARDS 8
#define HOSTS 40

static const struct prn_decider *root_of(const struct desk *desk)
{
	return desk->decider->root ? desk->decider->root : desk->decider;
}

/* Three pages of three shards: one that redirects, where it leads, and another. */
struct pages {
	char from[64], to[64], other[64];
};

static const char *named(char *url, const struct desk *desk, const char *name, const size_t *not, size_t count)
{
	for (int i = 1; i < HOSTS; i++) {
		bool is_free = true;

		snprintf(url, 64, "http://h%d.example/%s", i, name);
		for (size_t k = 0; k < count; k++)
			is_free &= prn_shards_place(root_of(desk), url) != not[k];
		if (is_free)
			return url;
	}
	must(false, "find a host of another shard");
	return url;
}

static void open_pages(struct desk *desk, const char *name, struct pages *pages)
{
	const struct prn_decider_settings settings = { .shards = SHARDS };
	size_t places[2];

	*desk = (struct desk){ 0 };
	snprintf(desk->path, sizeof desk->path, "rados:pool/%s", name);
	desk_create(desk, &settings);
	for (int i = 0; i < HOSTS; i++) {
		char host[32];

		snprintf(host, sizeof host, "h%d.example", i);
		desk_add_pages(desk, host, 2);
	}
	must(!prn_decider_commit(desk->decider, NULL), "commit");
	snprintf(pages->from, sizeof pages->from, "http://h0.example/0");
	places[0] = prn_shards_place(desk->decider, pages->from);
	places[1] = prn_shards_place(desk->decider, named(pages->to, desk, "target", places, 1));
	named(pages->other, desk, "0", places, 2);
}

static struct cluster_object *object_of(const struct desk *desk, const char *url)
{
	char name[64];

	snprintf(name, sizeof name, "%s.%zu", desk->path + strlen("rados:pool/"), prn_shards_place(root_of(desk), url));
	return cluster_object(name);
}

/* The object goes, and comes back as it was. */
static struct cluster_entries take_away(struct cluster_object *object)
{
	struct cluster_entries entries = object->entries;

	object->entries = (struct cluster_entries){ 0 };
	object->is_there = false;
	object->version = ++cluster.version;
	return entries;
}

static void bring_back(struct cluster_object *object, struct cluster_entries entries)
{
	object->entries = entries;
	object->is_there = true;
	object->version = ++cluster.version;
}

static int commit(struct desk *desk)
{
	struct prn_error error = { 0 };
	int code = prn_decider_commit(desk->decider, &error);

	if (code)
		printf("# %d %s\n", code, error.text);
	return code;
}

static bool is_page(struct desk *desk, const char *url)
{
	struct prn_explanation explanation;
	int code;

	prn_explanation_init(&explanation);
	code = prn_decider_explain(desk->decider, url, T0, &explanation, NULL);
	prn_explanation_release(&explanation);
	return !code;
}

/* Stages a redirect; 0, or why not. */
static int redirect(struct desk *desk, const char *from, int64_t time, const char *to)
{
	struct prn_capture capture = status_of(from, time, 301);
	struct prn_error error = { 0 };
	int code;

	capture.body = (const unsigned char *)to;
	capture.body_bytes = strlen(to);
	code = desk_stage(desk, capture, &error);
	if (code)
		printf("# %d %s\n", code, error.text);
	return code;
}

/*
 * A shard that is open goes between a redirect into it, which its own shard decides, and the commit: those of other shards are not
 * held up, then or later.
 */
static void test_gone_on_the_way(void)
{
	struct prn_decider *root, *shard;
	struct pages pages;
	struct desk desk;
	unsigned failed = 0;

	open_pages(&desk, "way", &pages);
	root = desk.decider;
	shard = desk.decider = desk_shard(&desk, pages.from);
	must(!redirect(&desk, pages.from, T0, pages.to), "stage a redirect");
	take_away(object_of(&desk, pages.to));
	ok(commit(&desk) == PRN_E_DAMAGED, "what a redirect leads to, and cannot be taken, is told, so that it is told again");
	desk.decider = root;
	for (unsigned i = 0; i < 3; i++) {
		desk_text(&desk, pages.other, T0 + 10 + i, "words");
		failed += commit(&desk) != 0;
	}
	ok(!failed, "a shard that went while it was open holds up no later report of others: %u of 3", failed);
	desk.decider = shard;
	ok(!redirect(&desk, pages.from, T0 + 20, pages.to) && !commit(&desk), "the report that is told again is taken");
	desk.decider = root;
	prn_decider_shard_done(shard);
	desk_release(&desk);
}

/* A redirect into a shard that is gone is a report of its own shard; what it leads to is added when the other shard is back. */
static void test_redirect(bool open)
{
	const char *when = open ? "while this process has it open" : "before this process came";
	struct cluster_entries entries;
	struct cluster_object *object;
	struct pages pages;
	struct desk desk;
	bool taken;

	open_pages(&desk, open ? "open" : "closed", &pages);
	object = object_of(&desk, pages.to);
	entries = take_away(object);
	if (!open)
		desk_reopen(&desk);
	taken = !redirect(&desk, pages.from, T0, pages.to) && !commit(&desk);
	ok(taken, "a redirect into a shard that is gone is taken: it went %s", when);
	for (unsigned i = 1; i < 8; i++) {
		taken &= !redirect(&desk, pages.from, T0 + i * DAY, pages.to) && !commit(&desk);
	}
	ok(taken, "and so are the next ones");
	bring_back(object, entries);
	desk_reopen(&desk);
	desk_text(&desk, pages.from, T0 + 9 * DAY, "words");
	ok(!commit(&desk) && is_page(&desk, pages.to), "what it led to is a page when the shard is back");
	desk_release(&desk);
}

int main(void)
{
	make_scratch();
	test_gone_on_the_way();
	test_redirect(false);
	test_redirect(true);
	cluster_release();
	return done();
}
