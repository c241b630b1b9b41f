#include "archive/url_parse.h"
#include "archive/url_read.h"
#include "base/ascii.h"
#include "base/buffer.h"
#include "base/parallel.h"
#include "base/sort.h"
#include "base/text_lines.h"
#include "cli/command.h"
#include "cli/deciding.h"
#include "cli/listing.h"
#include "decide/adding.h"
#include "term/skipping.h"
#include "history/weights.h"
#include "perennial/hint.h"
#include "perennial/source.h"
#include "perennial/time.h"
#include "perennial/url.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Pages wait until there are so many bytes of them, with their URLs, and are added in the order of their keys, which spread
 * them over the whole store: so each leaf is visited once, and written by one commit.  The more wait, the more of them share a leaf.
 * A page is sorted by one number: what its key begins with, above its place among the bytes.
 */
#define WAITING_BYTES ((size_t)96 << 20)
#define PLACE_BITS 24
#define PLACES (((uint64_t)1 << PLACE_BITS) - 1)
#define FORWARD 4

#define COMMIT_MOST 100000 /* pages in a transaction: what is staged of them takes 40 MB */

#define PORTION 1000 /* pages in a transaction of one shard, where others write too */
#define PORTIONS 64  /* shards whose pages may wait at a time */
#define THREADS 8    /* shards that are written to at a time */

/* A page that waits. */
struct waiting {
	double weight;
	int64_t due;    /* PRN_TIME_UNKNOWN: at once */
	bool is_normal; /* the URL is in normal form */
	char url[];
};
#define UNIT _Alignof(struct waiting) /* places are multiples of it */
_Static_assert(WAITING_BYTES + 2 * PRN_URL_BYTES < UNIT << PLACE_BITS, "every place has a number");

/* A page of a shared store, and the shard that it goes to. */
struct routed {
	struct prn_decider *shard;
	size_t place;
};

/* The pages of one shard, and the outcome of adding them. */
struct part {
	const struct routed *pages; /* [count] */
	size_t count;
	uint64_t added[PRN_ADDED_REVIVED + 1];
	uint64_t reweighed;
};

struct adding {
	struct cli_rules rules;
	struct cli_listing listing; /* kind: what operands are */
	double weight; /* of URLs that have none of their own; NaN: none was given */
	struct prn_decider *decider;
	struct term_skipping skipping;
	struct term_progress progress;
	struct prn_buffer waiting; /* pages that wait, each a struct waiting */
	size_t count;              /* … how many */
	uint64_t *order;           /* [count]: how they are sorted, and where they are; NULL for a shared store */
	size_t capacity;
	struct routed *routed; /* [room], of which count are used; pages of a shared store are added again if another writer was faster */
	struct part *parts;    /* [room] */
	size_t room;
	uint64_t added[PRN_ADDED_REVIVED + 1]; /* by enum prn_added */
	uint64_t reweighed; /* known pages whose weight was given */
	uint64_t lines, wrong, others; /* pages; lines that name none; files that are no lists */
	uint64_t lost; /* pages of shards that are damaged or gone */
};

static const struct waiting *waiting_at(const struct adding *adding, size_t place)
{
	return (const struct waiting *)(const void *)(adding->waiting.data + place * UNIT);
}

static int compare_shards(const void *a, const void *b)
{
	const struct routed *x = a, *y = b;

	if (x->shard != y->shard)
		return x->shard < y->shard ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static int try_page(struct prn_decider *decider, const struct waiting *page, int64_t now, enum prn_added *added, struct prn_error *error)
{
	int64_t due = page->due == PRN_TIME_UNKNOWN ? now : page->due;

	if (page->is_normal)
		return prn_decider_add_normal(decider, page->url, page->url, page->weight, due, now, added, error);
	return prn_decider_add_due(decider, page->url, page->weight, due, now, added, error);
}

/* Adds count pages of one shard in a transaction. */
static int try_some(const struct adding *adding, const struct routed *pages, size_t count, enum prn_added added[PORTION],
                    struct prn_error *error)
{
	int64_t now = cli_rules_now(&adding->rules);
	const char *urls[PORTION];
	int code;

	for (size_t i = 0; i < count; i++)
		urls[i] = waiting_at(adding, pages[i].place)->url;
	code = prn_decider_expect(pages->shard, urls, count, error);
	for (size_t i = 0; i < count && !code; i++)
		code = try_page(pages->shard, waiting_at(adding, pages[i].place), now, &added[i], error);
	return code ? code : prn_decider_commit(pages->shard, error);
}

static int add_part(void *context, size_t thread, size_t item, struct prn_error *error)
{
	const struct adding *adding = context;
	struct part *part = &adding->parts[item];
	enum prn_added added[PORTION];
	int code = 0;

	(void)thread;
	for (size_t done = 0, count; done < part->count && !code; done += count) {
		unsigned tries = 0;

		count = part->count - done < PORTION ? part->count - done : PORTION;
		do
			code = try_some(adding, part->pages + done, count, added, error);
		while (prn_decider_again(part->pages->shard, code, &tries));
		for (size_t i = 0; i < count && !code; i++) {
			part->added[added[i]]++;
			part->reweighed += added[i] == PRN_ADDED_KNOWN && waiting_at(adding, part->pages[done + i].place)->weight > 0;
		}
	}
	return code;
}

/* Adds the pages shard by shard, several shards at a time. */
static int add_by_shards(struct adding *adding, struct prn_error *error)
{
	struct routed *routed = adding->routed;
	size_t parts = 0;
	int code;

	qsort(routed, adding->count, sizeof *routed, compare_shards);
	for (size_t i = 0; i < adding->count; i++) {
		if (!i || routed[i].shard != routed[i - 1].shard)
			adding->parts[parts++] = (struct part){ .pages = &routed[i] };
		adding->parts[parts - 1].count++;
	}
	code = prn_parallel_for(parts, parts < THREADS ? parts : THREADS, add_part, adding, error);
	for (size_t i = 0; i < parts; i++)
		adding->reweighed += adding->parts[i].reweighed;
	for (size_t i = 0; i < parts; i++)
		for (int kind = 0; kind <= PRN_ADDED_REVIVED; kind++)
			adding->added[kind] += adding->parts[i].added[kind];
	for (size_t i = 0; i < adding->count; i++)
		prn_decider_shard_done(routed[i].shard);
	return code;
}

/* Skips a page whose shard is damaged or gone; the other shards are in order. */
static int pass_over(struct adding *adding, const char *url, struct prn_error *why)
{
	prn_error_prefix(why, "%.300s", url);
	term_skipping_print(&adding->skipping, why);
	adding->lost++;
	return 0;
}

static int add_alone(struct adding *adding, const struct waiting *page, int64_t now, struct prn_error *error)
{
	enum prn_added added;
	int code = try_page(adding->decider, page, now, &added, error);

	if (code == PRN_E_DAMAGED && prn_decider_shards(adding->decider) > 1)
		return pass_over(adding, page->url, error);
	if (code)
		return code;
	adding->added[added]++;
	adding->reweighed += added == PRN_ADDED_KNOWN && page->weight > 0;
	return 0;
}

static const struct waiting *ordered_at(const struct adding *adding, size_t i)
{
	return waiting_at(adding, adding->order[i] & PLACES);
}

/*
 * Adds the pages in the order of their keys; pages of one key stay in the order in which they came.  A page that is added a
 * few steps later lies anywhere in memory, so it is prefetched.
 */
static int add_by_keys(struct adding *adding, struct prn_error *error)
{
	uint64_t *scratch = malloc((adding->count + 1) * sizeof *scratch);
	int64_t now = cli_rules_now(&adding->rules);
	int code = 0;

	if (!scratch)
		return prn_error_memory(error);
	prn_sort_hashes(adding->order, scratch, adding->count);
	free(scratch);
	for (size_t i = 0; i < adding->count && !code; i++) {
		if (i + FORWARD < adding->count)
			__builtin_prefetch(ordered_at(adding, i + FORWARD));
		code = add_alone(adding, ordered_at(adding, i), now, error);
		if (!code && i % COMMIT_MOST == COMMIT_MOST - 1)
			code = prn_decider_commit(adding->decider, error);
	}
	return code ? code : prn_decider_commit(adding->decider, error);
}

static void forget_waiting(struct adding *adding)
{
	prn_buffer_clear(&adding->waiting);
	adding->count = 0;
}

/* Adds the pages that wait, durably. */
static int add_waiting(struct adding *adding, struct prn_error *error)
{
	int code = adding->parts ? add_by_shards(adding, error) : add_by_keys(adding, error);

	forget_waiting(adding);
	return code;
}

/* Has a page wait; *place tells where. */
static int keep_page(struct adding *adding, const struct waiting *page, const char *url, size_t *place)
{
	size_t at = adding->waiting.length, length = strlen(url) + 1, bytes = offsetof(struct waiting, url) + length;

	bytes = (bytes + UNIT - 1) / UNIT * UNIT;
	if (prn_buffer_reserve(&adding->waiting, bytes))
		return PRN_E_MEMORY;
	memcpy(adding->waiting.data + at, page, offsetof(struct waiting, url));
	memcpy(adding->waiting.data + at + offsetof(struct waiting, url), url, length);
	adding->waiting.length += bytes;
	*place = at / UNIT;
	return 0;
}

/* Finds the shard of a page first: a page whose shard is lost does not wait. */
static int route_page(struct adding *adding, const struct waiting *page, const char *url, struct prn_error *error)
{
	struct routed *routed = &adding->routed[adding->count];
	int code = prn_decider_shard(adding->decider, url, &routed->shard, error);

	if (code)
		return code == PRN_E_DAMAGED ? pass_over(adding, url, error) : code;
	if (keep_page(adding, page, url, &routed->place)) {
		prn_decider_shard_done(routed->shard);
		return prn_error_memory(error);
	}
	return ++adding->count < adding->room ? 0 : add_waiting(adding, error);
}

static int add_page(struct adding *adding, const char *url, const char *normal, double weight, int64_t due, struct prn_error *error)
{
	const struct waiting page = { .weight = weight, .due = due, .is_normal = !strcmp(url, normal) };
	uint64_t *grown;
	size_t place;

	if (adding->parts)
		return route_page(adding, &page, url, error);
	grown = prn_array_grow(adding->order, &adding->capacity, adding->count + 1, sizeof *grown);
	if (!grown)
		return prn_error_memory(error);
	adding->order = grown;
	if (keep_page(adding, &page, url, &place))
		return prn_error_memory(error);
	grown[adding->count++] = prn_url_key(normal).high >> PLACE_BITS << PLACE_BITS | place;
	return adding->waiting.length < WAITING_BYTES ? 0 : add_waiting(adding, error);
}

/* Adds the page that a line names; number 0 says that the line is an operand.  Changes line. */
static int add_line(struct adding *adding, const char *name, unsigned long long number, char *line, struct prn_error *error)
{
	char normal[PRN_URL_BYTES + 1], where[300] = "operand";
	struct prn_error wrong;
	const char *url;
	double weight;
	bool is_read = prn_weights_line(line, &url, &weight);
	int code;

	if (is_read && !*url)
		return 0;
	code = is_read ? prn_url_normalize(url, SIZE_MAX, normal, sizeof normal) : PRN_E_INPUT;
	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code) {
		adding->wrong++;
		if (number)
			snprintf(where, sizeof where, "%.200s, line %llu", name, number);
		prn_error_set(&wrong, PRN_E_INPUT,
		              "%.200s: expected an http or https URL of at most %d bytes, with or without a weight above 0, at most 1e9, "
		              "not '%.200s'", where, PRN_URL_BYTES, line);
		if (prn_url_lacks_scheme(line))
			prn_error_set(&wrong, PRN_E_INPUT, "%.200s: '%.200s' is no http or https URL; did you mean http://%.200s?", where,
			              line, line);
		term_skipping_print(&adding->skipping, &wrong);
		return 0;
	}
	term_progress_show(&adding->progress, "%" PRIu64 " pages", ++adding->lines);
	return add_page(adding, url, normal, weight > 0 ? weight : adding->weight > 0 ? adding->weight : 0, PRN_TIME_UNKNOWN, error);
}

static void print_unlisted(void *context, const struct prn_error *why)
{
	struct adding *adding = context;

	adding->wrong++;
	term_skipping_print(&adding->skipping, why);
}

static void print_noted(void *context, const char *text)
{
	struct adding *adding = context;
	struct prn_error note;

	/* An error's text is one line, without what a terminal would act on. */
	prn_error_set(&note, PRN_E_INPUT, "%s", text);
	term_progress_clear(&adding->progress);
	fprintf(stderr, "perennial add: %s\n", note.text);
}

/* A page is due when the other crawler would have fetched it; but no page waits longer than one that never changes. */
static int add_listed(void *context, const struct cli_listed *page, const char *where, struct prn_error *error)
{
	struct adding *adding = context;
	int64_t now = cli_rules_now(&adding->rules), due = page->due == PRN_TIME_UNKNOWN || page->due < now ? now : page->due;
	double weight = page->weight > 0 && page->weight <= PRN_WEIGHT_MOST ? page->weight : adding->weight > 0 ? adding->weight : 0;
	char normal[PRN_URL_BYTES + 1];
	struct prn_error wrong;
	int code = prn_url_read(page->url, normal, &wrong);

	if (code == PRN_E_MEMORY)
		return prn_error_memory(error);
	if (code) {
		prn_error_prefix(&wrong, "%.200s", where);
		print_unlisted(adding, &wrong);
		return 0;
	}
	term_progress_show(&adding->progress, "%" PRIu64 " pages", ++adding->lines);
	return add_page(adding, page->url, normal, weight, due, error);
}

/* Returns what the first line of a file tells it to be in place of a list of URLs, or NULL; length bytes at line, one more 0. */
static const char *other_list(const char *line, size_t length)
{
	static const char *const starts[] = { "<?xml", "<urlset", "<sitemapindex", "<rss", "<feed" };
	enum prn_hint_format format;

	if (length >= 2 && !memcmp(line, "\x1f\x8b", 2))
		return "it is packed by gzip: a sitemap is for 'perennial hint', which takes it as it is; a list of URLs is to be unpacked first";
	line += strspn(line, " \t");
	if (prn_hint_sniff(line, strlen(line), NULL, &format))
		return "it is a sitemap or a feed, not a list of URLs: 'perennial hint' takes it";
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (!prn_ascii_compare_n(line, starts[i], strlen(starts[i])))
			return "it is XML, as a sitemap or a feed is, not a list of URLs: 'perennial hint' takes those";
	return NULL;
}

/* Lines that are empty or begin with "#" are passed over. */
static int add_lines(struct adding *adding, FILE *file, const char *name, struct prn_error *error)
{
	struct prn_text_lines lines = { .file = file, .name = name };
	struct prn_error why;
	int code = 0, got = 0;

	while (!code && (got = prn_text_lines_next(&lines)) > 0) {
		const char *other = lines.number == 1 ? other_list(lines.line, lines.length) : NULL;

		if (other) {
			prn_error_set(&why, PRN_E_INPUT, "%.200s: %s", name, other);
			term_skipping_print(&adding->skipping, &why);
			adding->others++;
			got = 0;
			break;
		}
		if (got == 1) {
			code = add_line(adding, name, lines.number, lines.line, error);
			continue;
		}
		prn_text_lines_wrong(&lines, got, &why);
		print_unlisted(adding, &why);
	}
	if (!code)
		code = prn_text_lines_wrong(&lines, got, error);
	prn_buffer_release(&lines.text);
	return code;
}

/* An operand is a URL, or a file of them. */
static int add_operand(struct adding *adding, char *operand, struct prn_error *error)
{
	FILE *file;
	int code;

	if (adding->listing.kind != CLI_LISTING_URLS)
		return cli_listing_read(&adding->listing, operand, error);
	if (!prn_ascii_compare_n(operand, "http://", 7) || !prn_ascii_compare_n(operand, "https://", 8))
		return add_line(adding, "operand", 0, operand, error);
	if (!strcmp(operand, "-"))
		return add_lines(adding, stdin, "standard input", error);
	file = fopen(operand, "re");
	if (!file && (strchr(operand, '/') || !prn_ascii_compare_n(operand, "www.", 4)) && prn_url_lacks_scheme(operand))
		return prn_error_set(error, PRN_E_IO, "%s: neither a URL nor a file; did you mean http://%.200s?", operand, operand);
	if (!file)
		return prn_error_set(error, PRN_E_IO, "%s: neither a URL nor a file that can be opened: %s", operand,
		                     strerror(errno));
	code = add_lines(adding, file, operand, error);
	fclose(file);
	return code;
}

static void say_counts(const struct adding *adding)
{
	const char *before = "perennial add: ";

	term_say_count(&before, adding->added[PRN_ADDED_NEW], "page added", "pages added");
	term_say_count(&before, adding->added[PRN_ADDED_REVIVED], "retired page back", "retired pages back");
	term_say_count(&before, adding->added[PRN_ADDED_KNOWN], "known", "known");
	term_say_count(&before, adding->reweighed, "weight of a known page set", "weights of known pages set");
	term_say_count(&before, adding->listing.counts.passed, "passed over: gone, or given up", "passed over: gone, or given up");
	term_say_count(&before, adding->listing.counts.media, "passed over: no page by its media type", "passed over: no pages by their media types");
	term_say_zoneless(&before, adding->listing.counts.zoneless);
	term_say_count(&before, adding->lost, "not taken: its shard is damaged or gone", "not taken: their shards are damaged or gone");
	term_say_count(&before, adding->wrong, "line skipped", "lines skipped");
	term_say_count(&before, adding->others, "file skipped", "files skipped");
	fputs(before[0] == 'p' ? "perennial add: nothing to add\n" : "\n", stderr);
}

static int make_room(struct adding *adding, struct prn_error *error)
{
	size_t shards = prn_decider_shards(adding->decider);

	if (!prn_store_is_shared(prn_decider_store(adding->decider)))
		return 0;
	adding->room = PORTION * (shards < PORTIONS ? shards : PORTIONS);
	adding->routed = calloc(adding->room, sizeof *adding->routed);
	adding->parts = calloc(adding->room, sizeof *adding->parts);
	return adding->routed && adding->parts ? 0 : prn_error_memory(error);
}

static int add_all(struct adding *adding, char **operands, size_t count, struct prn_error *error)
{
	static char standard_input[] = "-";
	int code;

	term_progress_begin(&adding->progress, "add");
	term_skipping_init(&adding->skipping, "add", &adding->progress);
	cli_await_input(&adding->rules, operands, count);
	code = cli_decider_open_or_make("add", &adding->rules, &adding->decider, error);
	if (!code)
		code = make_room(adding, error);
	for (size_t i = 0; i < count && !code; i++)
		code = add_operand(adding, operands[i], error);
	if (!code && !count)
		code = add_operand(adding, standard_input, error);
	if (!code)
		code = add_waiting(adding, error);
	if (!code)
		code = prn_decider_commit(adding->decider, error);
	term_progress_end(&adding->progress);
	if (!code)
		say_counts(adding);
	prn_buffer_release(&adding->waiting);
	free(adding->routed);
	free(adding->parts);
	free(adding->order);
	prn_decider_free(adding->decider);
	term_skipping_release(&adding->skipping);
	return code ? code : adding->wrong || adding->others || adding->lost ? TERM_SKIPPED : TERM_DONE;
}

int cli_add(int argc, char **argv, struct prn_error *error)
{
	struct adding adding = { .listing = { .listed = add_listed, .unlisted = print_unlisted, .noted = print_noted }, .weight = NAN };
	struct term_own from = { cli_listing_parse, &adding.listing.kind, CLI_LISTING_NAMES };
	const struct term_option options[] = {
		CLI_RULES_STATE(&adding.rules),
		CLI_RULES_CREATE(&adding.rules),
		{ TERM_OPTION_OWN, "from", 0, &from, CLI_LISTING_NAMES,
		  "what the files are: pages of another crawler, due when they are there" },
		{ TERM_OPTION_NUMBER, "weight", 0, &adding.weight, "W",
		  "of URLs that have none of their own (default 1; of known pages: as it was)" },
		CLI_RULES_NOW(&adding.rules),
		CLI_RULES_LOCK(&adding.rules),
		CLI_RULES_CONFIG(&adding.rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"add", "--state=DIR [OPTION]… [URL|FILE]…",
		"Adds pages, which are due at once: URLs, and files of lines \"URL\" or \"URL weight\"; standard\n"
		"input without operands.  A page that is there already gets the weight; one that was retired comes\n"
		"back.",
		options,
	};
	int first, code;

	adding.listing.context = &adding;
	code = cli_rules_parse(&adding.rules, &usage, argc, argv, &first, error);

	if (!code && (adding.weight <= 0 || adding.weight > PRN_WEIGHT_MOST))
		code = term_usage_error(error, "--weight takes a number above 0, at most 1e9");
	if (!code)
		code = add_all(&adding, argv + first, (size_t)(argc - first), error);
	cli_rules_release(&adding.rules);
	return code;
}
