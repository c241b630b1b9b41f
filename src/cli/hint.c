#include "cli/command.h"
#include "cli/deciding.h"
#include "term/skipping.h"
#include "perennial/hinting.h"
#include "perennial/time.h"

#include <inttypes.h>
#include <stdio.h>

/* The most changes in a transaction. */
#define COMMIT_MOST 100000

struct hinting {
	struct cli_rules rules;
	const char *source, *base;
	bool same_host;
	struct prn_decider *decider;
	struct term_skipping skipping;
	struct term_progress progress;
	uint64_t hints, hinted[PRN_HINTEDS], foreign, ignored, damaged, zoneless, cut;
};

static void show(void *context, const struct prn_hint *hint, enum prn_hinted hinted)
{
	struct hinting *hinting = context;

	(void)hint;
	(void)hinted;
	term_progress_show(&hinting->progress, "%" PRIu64 " hints", ++hinting->hints);
}

static int read_operand(struct hinting *hinting, const char *path, struct prn_error *error)
{
	bool shared = prn_store_is_shared(prn_decider_store(hinting->decider));
	struct prn_hinter hinter = { .decider = hinting->decider, .now = cli_rules_now(&hinting->rules),
		                     .commit_most = shared ? 1 : COMMIT_MOST, .report = show, .context = hinting };
	struct prn_hint_options options = { .time = PRN_TIME_UNKNOWN, .source = hinting->source, .base = hinting->base,
		                            .same_host = hinting->same_host, .skipped = term_skipping_print,
		                            .skipped_context = &hinting->skipping };
	int code = prn_hint_read_file(path, &options, prn_hinter_take, &hinter, &hinter.read, error);

	if (hinter.error.code)
		*error = hinter.error;
	for (int i = 0; i < PRN_HINTEDS; i++)
		hinting->hinted[i] += hinter.hinted[i];
	hinting->foreign += hinter.read.foreign;
	hinting->ignored += hinter.read.ignored;
	hinting->damaged += hinter.read.damaged;
	hinting->zoneless += hinter.read.zoneless;
	hinting->cut += hinter.read.cut;
	return code;
}

static void say_counts(const struct hinting *hinting)
{
	static const struct {
		enum prn_hinted hinted;
		const char *one, *many;
	} words[] = {
		{ PRN_HINTED_TAKEN, "hint taken", "hints taken" },
		{ PRN_HINTED_ADDED, "page added", "pages added" },
		{ PRN_HINTED_NAMED, "without a change that was not fetched", "without a change that was not fetched" },
		{ PRN_HINTED_DUPLICATE, "told before", "told before" },
		{ PRN_HINTED_SOON, "too soon after another", "too soon after another" },
		{ PRN_HINTED_FUTURE, "of a change to come", "of changes to come" },
		{ PRN_HINTED_UNKNOWN, "of an unknown or retired page", "of unknown or retired pages" },
		{ PRN_HINTED_FULL, "page not added (--hinted-per-host)", "pages not added (--hinted-per-host)" },
		{ PRN_HINTED_LIMIT, "beyond the limits of its source or host", "beyond the limits of their source or host" },
	};
	const char *before = "perennial hint: ";

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		term_say_count(&before, hinting->hinted[words[i].hinted], words[i].one, words[i].many);
	term_say_count(&before, hinting->foreign, "of another host", "of other hosts");
	term_say_count(&before, hinting->ignored, "that names no page", "that name no page");
	term_say_zoneless(&before, hinting->zoneless);
	term_say_count(&before, hinting->damaged, "damaged entry", "damaged entries");
	term_say_count(&before, hinting->cut, "document that ends early", "documents that end early");
	fputs(before[0] == 'p' ? "perennial hint: no hints\n" : "\n", stderr);
}

static int hint_all(struct hinting *hinting, char **operands, size_t count, struct prn_error *error)
{
	int code;

	term_progress_begin(&hinting->progress, "hint");
	term_skipping_init(&hinting->skipping, "hint", &hinting->progress);
	cli_await_input(&hinting->rules, operands, count);
	code = cli_decider_open_or_make("hint", &hinting->rules, &hinting->decider, error);
	for (size_t i = 0; i < count && !code; i++)
		code = read_operand(hinting, operands[i], error);
	if (!code && !count)
		code = read_operand(hinting, "-", error);
	if (!code)
		code = prn_decider_commit(hinting->decider, error);
	term_progress_end(&hinting->progress);
	if (!code)
		say_counts(hinting);
	prn_decider_free(hinting->decider);
	term_skipping_release(&hinting->skipping);
	return code ? code : hinting->damaged || hinting->cut ? TERM_SKIPPED : TERM_DONE;
}

int cli_hint(int argc, char **argv, struct prn_error *error)
{
	struct hinting hinting = { 0 };
	const struct term_option options[] = {
		CLI_RULES_STATE(&hinting.rules),
		CLI_RULES_CREATE(&hinting.rules),
		{ TERM_OPTION_TEXT, "source", 0, &hinting.source, "NAME",
		  "who says so, where the entries do not tell (default: sitemap, feed or hint)" },
		{ TERM_OPTION_TEXT, "base", 0, &hinting.base, "URL", "the document's own URL: relative ones are taken from there" },
		{ TERM_OPTION_FLAG, "same-host", 0, &hinting.same_host, NULL, "only pages on the host of --base" },
		CLI_RULES_NOW(&hinting.rules),
		CLI_RULES_LOCK(&hinting.rules),
		CLI_RULES_CONFIG(&hinting.rules),
		{ TERM_OPTION_HEADING, "Rules, also keys of --config", 0, NULL, NULL, NULL },
		CLI_RULES_HINTED(&hinting.rules),
		CLI_RULES_INTERVALS(&hinting.rules),
		{ TERM_OPTION_END, NULL, 0, NULL, NULL, NULL },
	};
	const struct term_usage usage = {
		"hint", "--state=DIR [OPTION]… [FILE]…",
		"Takes in what others say of pages: sitemaps and their indexes, RSS and Atom feeds, JSON lines (url,\n"
		"time, source, lastmod) or lists of URLs, plain, gzip or zstd; standard input without operands.  A hint\n"
		"makes no page due by itself: it counts as far as visits have found its source to be right.",
		options,
	};
	int first, code = cli_rules_parse(&hinting.rules, &usage, argc, argv, &first, error);

	if (!code && hinting.same_host && !hinting.base)
		code = term_usage_error(error, "--same-host needs --base=URL");
	if (!code)
		code = hint_all(&hinting, argv + first, (size_t)(argc - first), error);
	cli_rules_release(&hinting.rules);
	return code;
}
