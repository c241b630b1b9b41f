#include "cli/deciding.h"

#include "base/ascii.h"

#include "serve/token.h"
#include "term/exit.h"
#include "term/say.h"

#include "perennial/store.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_decider_open(const struct cli_rules *rules, enum prn_store_mode mode, struct prn_decider **decider,
                     struct prn_error *error)
{
	/* A command that changes a store goes on when nobody reads its output any more, and says how far it came. */
	int code;

	if (mode == PRN_STORE_WRITE)
		signal(SIGPIPE, SIG_IGN);
	code = prn_decider_open(decider, rules->store_name, mode, &rules->decider, error);
	/* Only the opened store shows what it cannot do, but it is the options that ask for it. */
	return code == PRN_E_ARGUMENT ? term_usage_blame(error) : code;
}

static int make(const char *name, const struct cli_rules *rules, struct prn_decider **decider, struct prn_error *error)
{
	const struct prn_decider_settings defaults = { 0 };
	struct prn_error why = { 0 }, again = { 0 };
	char *token = NULL;
	bool made;
	int code = prn_decider_create(rules->store_name, &defaults, &why), found = code;

	/* Of several commands that start at the same time one makes the store, and the others find it. */
	if (code == PRN_E_IO)
		found = cli_decider_open(rules, PRN_STORE_WRITE, decider, &again);
	if (!found && code)
		return 0;
	if (code == PRN_E_IO && found == PRN_E_BUSY) {
		*error = again;
		return found;
	}
	/* If something else is at that path, the first error says that it is no store: report that one. */
	if (code == PRN_E_IO && !access(rules->store_name, F_OK))
		return code;
	if (code)
		*error = why;
	else
		code = serve_token_make(rules->store_name, &token, &made, error);
	free(token);
	if (!code)
		code = cli_decider_open(rules, PRN_STORE_WRITE, decider, error);
	if (!code)
		term_say("perennial %s: made the store %s: %s, T = %g divergence-days\n", name, rules->store_name,
		        prn_policy_about(prn_decider_policy(*decider))->name, prn_decider_threshold(*decider));
	return code;
}

int cli_decider_open_or_make(const char *name, const struct cli_rules *rules, struct prn_decider **decider,
                             struct prn_error *error)
{
	int code = cli_decider_open(rules, PRN_STORE_WRITE, decider, error);

	if (!code && rules->new_fragments)
		code = prn_decider_take_rule(*decider, error);
	if (code != PRN_E_NOT_FOUND || prn_store_ends_with_process(rules->store_name))
		return code;
	if (rules->create)
		return make(name, rules, decider, error);
	return prn_error_set(error, code, "%s: there is no store: make it with 'perennial init --state=DIR', or add --create",
	                     rules->store_name);
}

void cli_await_input(const struct cli_rules *rules, char *const *operands, size_t count)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	struct prn_store *store;
	bool waits;

	if ((count && strcmp(operands[0], "-") != 0) || prn_store_open(&store, rules->store_name, PRN_STORE_READ, 0, NULL))
		return;
	waits = !prn_store_is_shared(store);
	prn_store_free(store);
	while (waits && poll(&input, 1, -1) < 0 && errno == EINTR)
		continue;
}

bool cli_store_is_of_decider(const char *path)
{
	struct prn_store *store = NULL;
	struct prn_view *view = NULL;
	struct prn_walk *walk = NULL;
	const void *name, *bytes;
	size_t length, count;
	bool found = false;

	if (!prn_store_open(&store, path, PRN_STORE_READ, 0, NULL) && !prn_view_open(&view, store, NULL) &&
	    !prn_walk_side(&walk, view, PRN_SIDE_META, NULL))
		while (!found && prn_walk_side_next(walk, &name, &length, &bytes, &count, NULL) == 1)
			found = (length != 6 || memcmp(name, "schema", 6)) && (length != 6 || memcmp(name, "moving", 6));
	prn_walk_free(walk);
	if (view)
		prn_view_close(view);
	prn_store_free(store);
	return found;
}

int cli_print_damaged(const char *name, const char *done, uint64_t shards, const struct prn_error *first)
{
	if (!shards)
		return TERM_DONE;
	fprintf(stderr, "perennial %s: passed over %" PRIu64 " shard%s, whose pages are not %s, the first: %s\n", name, shards,
	        shards == 1 ? "" : "s", done, first->text);
	return TERM_SKIPPED;
}

const char *cli_dial_name(const struct prn_decider *decider)
{
	enum prn_dial dial = prn_policy_about(prn_decider_policy(decider))->dial;

	return dial == PRN_DIAL_THRESHOLD ? "T" : prn_dial_name(dial);
}

const char *cli_sought_why(double sought)
{
	return sought > 1 ? "at less, calls left some of it over" : "at more, more became due than it allows";
}

int cli_budget_parse(void *budget, const char *value)
{
	return prn_budget_parse(value, budget) ? 0 : PRN_E_INPUT;
}

/* Whether a media type can begin so (RFC 6838 §4.2, and unregistered ones), so that a typing error is noticed. */
static bool is_media(const char *text, size_t length)
{
	static const char *const types[] = { "application", "audio", "font",      "image", "message",
		                             "model",       "text",  "multipart", "video", "*" };

	if (length > 2 && !prn_ascii_compare_n(text, "x-", 2))
		return true;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i]) == length && !prn_ascii_compare_n(text, types[i], length))
			return true;
	return false;
}

int cli_cost_304_parse(void *cost, const char *value)
{
	struct cli_cost_304 *given = cost;
	size_t length = strlen(given->text), left = sizeof given->text - length;

	if (!*value || (strchr(value, '=') && !is_media(value, strcspn(value, "/="))))
		return PRN_E_INPUT;
	return snprintf(given->text + length, left, "%s%s", length ? "," : "", value) < (int)left ? 0 : PRN_E_INPUT;
}

const char *cli_format_wait(int64_t seconds, char text[PRN_TIME_TEXT])
{
	long long minutes = (long long)(seconds / 60 + (seconds % 60 > 0)), hours = minutes / 60 + (minutes % 60 > 0);

	if (seconds <= 600)
		return prn_duration_format((double)seconds, text);
	if (minutes < 120 && minutes % 60)
		snprintf(text, PRN_TIME_TEXT, "%lldm", minutes);
	else if (minutes < 24 * 60)
		snprintf(text, PRN_TIME_TEXT, minutes % 60 ? "%lldh%lldm" : "%lldh", minutes / 60, minutes % 60);
	else
		snprintf(text, PRN_TIME_TEXT, hours % 24 ? "%lldd%lldh" : "%lldd", hours / 24, hours % 24);
	return text;
}
