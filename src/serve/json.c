#include "serve/json.h"
#include "base/json_write.h"
#include "base/visible.h"
#include "fragment/utf8.h"

#include <math.h>
#include <string.h>

#define TIME_BYTES (sizeof "2026-01-01T00:00:00Z" - 1)

static void put_text(struct prn_json_line *line, const char *name, const char *text)
{
	struct prn_buffer repaired = { 0 };
	size_t length = text ? strlen(text) : 0;

	if (!text)
		prn_json_null(line, name);
	else if (prn_utf8_is_valid(text, length))
		prn_json_text(line, name, text, length);
	else if (prn_utf8_append_repaired(&repaired, text, length))
		line->failed = PRN_E_MEMORY;
	else
		prn_json_text(line, name, (const char *)repaired.data, repaired.length);
	prn_buffer_release(&repaired);
}

/* A word of ours, which needs neither repair nor escapes. */
static void put_word(struct prn_json_line *line, const char *name, const char *word)
{
	prn_json_plain(line, name, word, strlen(word));
}

/* Written in place: a line about a page has several. */
static void put_time(struct prn_json_line *line, const char *name, int64_t time)
{
	char *at;

	if (time == PRN_TIME_UNKNOWN) {
		prn_json_null(line, name);
		return;
	}
	at = prn_json_begin_member(line, name, prn_json_name_length(name), PRN_TIME_TEXT + 2);
	if (!at)
		return;
	*at = '"';
	prn_time_format(time, at + 1);
	at[1 + TIME_BYTES] = '"';
	line->out->length += TIME_BYTES + 2;
}

static void put_number(struct prn_json_line *line, const char *name, double number)
{
	prn_json_number(line, name, number);
}

static void put_count(struct prn_json_line *line, const char *name, uint64_t count)
{
	prn_json_integer(line, name, (int64_t)count);
}

/* Writes null unless the number is there. */
static void put_number_if(struct prn_json_line *line, const char *name, bool there, double number)
{
	prn_json_number(line, name, there ? number : NAN);
}

static void put_integer_if(struct prn_json_line *line, const char *name, bool there, int64_t number)
{
	if (there)
		prn_json_integer(line, name, number);
	else
		prn_json_null(line, name);
}

static void put_time_if(struct prn_json_line *line, const char *name, bool there, int64_t time)
{
	put_time(line, name, there ? time : PRN_TIME_UNKNOWN);
}

static void put_word_if(struct prn_json_line *line, const char *name, bool there, const char *word)
{
	if (there)
		put_word(line, name, word);
	else
		prn_json_null(line, name);
}

static void put_text_if(struct prn_json_line *line, const char *name, bool there, const char *text)
{
	put_text(line, name, there ? text : NULL);
}

static void begin(struct prn_json_line *line, struct prn_buffer *out)
{
	prn_json_line_begin(line, out);
	prn_json_object(line, NULL);
}

/* Escapes what a terminal would act on.  In JSON it stands only within strings, where an escape reads back to the same. */
static int escape_visibly(struct prn_buffer *out, size_t from)
{
	struct prn_buffer made = { 0 };
	int32_t character;
	int code = prn_buffer_terminate(out);
	const char *kept = (const char *)out->data + from, *at = kept;

	for (size_t length; !code && (length = prn_visible_next(at, &character)); at += length) {
		if (character == PRN_IS_SHOWN || character == PRN_NOT_UTF8)
			continue;
		code = prn_buffer_append(&made, kept, (size_t)(at - kept));
		code = code ? code : prn_buffer_printf(&made, "\\u%04x", (unsigned)character);
		kept = at + length;
	}
	if (!code && made.length) {
		code = prn_buffer_append(&made, kept, (size_t)(at - kept));
		out->length = from;
		code = code ? code : prn_buffer_append(out, made.data, made.length);
	}
	prn_buffer_release(&made);
	return code;
}

static int end(struct prn_json_line *line)
{
	prn_json_object_end(line);
	if (!line->failed && line->beyond)
		line->failed = escape_visibly(line->out, line->before);
	return prn_json_line_end(line);
}

int serve_json_outcome(struct prn_buffer *out, const char *url, int64_t time, const struct prn_outcome *outcome)
{
	struct prn_json_line line;

	begin(&line, out);
	put_text(&line, "url", url);
	put_time(&line, "time", time);
	put_word(&line, "outcome", prn_outcome_name(outcome->kind));
	if (prn_outcome_is_refusal(outcome->kind))
		return end(&line);
	put_time(&line, "next_time", outcome->next);
	put_number(&line, "period_s", outcome->period_s);
	put_number(&line, "divergence", outcome->divergence);
	put_number(&line, "utility", outcome->utility);
	put_word(&line, "reason", prn_next_name(outcome->reason));
	if (outcome->cut) {
		prn_json_list(&line, "cut");
		for (unsigned i = 0; i < PRN_CUTS; i++)
			if (outcome->cut >> i & 1)
				put_word(&line, NULL, prn_cut_name(i));
		prn_json_list_end(&line);
	}
	if (outcome->target_refused)
		prn_json_boolean(&line, "target_refused", true);
	if (outcome->anew)
		prn_json_boolean(&line, "anew", true);
	if (outcome->hints || outcome->pages_hinted) {
		put_count(&line, "hints", outcome->hints);
		put_count(&line, "pages_hinted", outcome->pages_hinted);
	}
	return end(&line);
}

int serve_json_skipped(struct prn_buffer *out, const char *why)
{
	struct prn_json_line line;

	begin(&line, out);
	put_text(&line, "error", why);
	return end(&line);
}

int serve_json_due(struct prn_buffer *out, const struct prn_due *due)
{
	const struct prn_validators *validators = &due->validators;
	struct prn_json_line line;
	char date[PRN_TIME_TEXT];

	begin(&line, out);
	put_text(&line, "url", due->url);
	put_number(&line, "weight", due->weight);
	put_number(&line, "value", due->value);
	put_time(&line, "due_time", due->due);
	put_time(&line, "lease_until", due->lease);
	put_word(&line, "reason", prn_next_name(due->reason));
	if (validators->etag[0])
		put_text(&line, "if_none_match", validators->etag);
	if (validators->modified != PRN_TIME_UNKNOWN)
		put_word(&line, "if_modified_since", prn_time_format_http(validators->modified, date));
	return end(&line);
}

/* Writes nothing if no shard is damaged. */
static void put_damaged(struct prn_json_line *line, uint64_t shards, const struct prn_error *first)
{
	if (!shards)
		return;
	put_count(line, "damaged_shards", shards);
	put_text(line, "first_damaged", first->text);
}

static int write_next(struct prn_buffer *out, const struct prn_due_list *list)
{
	struct prn_json_line line;

	begin(&line, out);
	put_time(&line, "next_time", list->next);
	if (list->over_budget)
		prn_json_boolean(&line, "over_budget", true);
	if (list->unreadable) {
		put_count(&line, "unreadable", list->unreadable);
		put_text(&line, "first_unreadable", list->first_unreadable.text);
	}
	put_damaged(&line, list->damaged_shards, &list->first_damaged);
	return end(&line);
}

int serve_json_due_list(struct prn_buffer *out, const struct prn_due_list *list, size_t limit)
{
	int code = 0;

	for (size_t i = 0; i < list->count && !code; i++)
		code = serve_json_due(out, &list->items[i]);
	return !code && (list->count < limit || list->unreadable || list->damaged_shards) ? write_next(out, list) : code;
}

static void put_curve(struct prn_json_line *line, const char *name, const struct prn_explanation *page)
{
	const struct prn_curve *curve = &page->curve;

	if (!page->has_curve) {
		prn_json_null(line, name);
		return;
	}
	prn_json_object(line, name);
	if (curve->form == PRN_CURVE_LINE) {
		put_word(line, "form", "line");
		put_number(line, "slope_per_day", curve->slope);
	} else {
		put_word(line, "form", curve->items == 1 ? "churn" : "scroll");
		put_number(line, "share", curve->share);
		put_number(line, "rate_per_day", curve->rate);
		put_count(line, "items", curve->items);
	}
	prn_json_object_end(line);
}

static void put_profile(struct prn_json_line *line, const char *name, const struct prn_explanation *page)
{
	prn_json_list(line, name);
	for (size_t i = 0; i < page->point_count; i++) {
		prn_json_list(line, NULL);
		put_number(line, NULL, page->points[i].lag);
		put_number(line, NULL, page->points[i].divergence);
		prn_json_list_end(line);
	}
	prn_json_list_end(line);
}

/* How the host may be asked, by the rules in force. */
static void put_host(struct prn_json_line *line, const char *name, const struct prn_explanation *page)
{
	bool always = page->host_from_s >= page->host_to_s && page->host_from_s <= page->host_to_s;

	prn_json_object(line, name);
	put_text(line, "name", page->host);
	put_number(line, "delay_s", page->host_delay_s);
	put_integer_if(line, "limit", page->host_limit != 0, page->host_limit);
	put_number_if(line, "from_s", !always, page->host_from_s);
	put_number_if(line, "to_s", !always, page->host_to_s);
	prn_json_object_end(line);
}

static void put_sources(struct prn_json_line *line, const char *name, const struct prn_explanation *page)
{
	prn_json_list(line, name);
	for (size_t i = 0; i < page->source_count; i++) {
		const struct prn_explained_source *source = &page->sources[i];

		prn_json_object(line, NULL);
		put_text(line, "source", source->name);
		put_number(line, "hints", source->hints);
		put_number(line, "since_visit", source->since);
		put_number(line, "trust", source->trust);
		put_number(line, "precision", source->precision);
		put_number(line, "recall", source->recall);
		put_number(line, "hinted", source->hinted_share);
		prn_json_object_end(line);
	}
	prn_json_list_end(line);
}

static void put_siblings(struct prn_json_line *line, const char *name, const struct prn_explanation *page)
{
	if (!(page->siblings_rate > 0)) {
		prn_json_null(line, name);
		return;
	}
	prn_json_object(line, name);
	put_text(line, "pattern", page->pattern);
	put_count(line, "pages", page->pattern_pages);
	put_count(line, "host_pages", page->host_pages);
	put_number(line, "drift_per_day", page->siblings_rate);
	put_number(line, "left", page->siblings_left);
	prn_json_object_end(line);
}

/* Flattened, so that the length of each name is known where the name is copied. */
__attribute__((flatten)) int serve_json_explanation(struct prn_buffer *out, const struct prn_explanation *page)
{
	struct prn_json_line line;

	begin(&line, out);
	put_text(&line, "url", page->url);
	put_word(&line, "status", prn_page_status_name(page->status));
	put_number(&line, "weight", page->weight);
	put_count(&line, "visits", page->visits);
	put_time(&line, "visited_time", page->visited);
	put_time(&line, "attempted_time", page->attempted);
	put_time(&line, "next_time", page->next);
	put_word(&line, "reason", prn_next_name(page->reason));
	put_time(&line, "lease_until", page->lease);
	put_time(&line, "host_until", page->host_until);
	put_count(&line, "failures", page->failures);
	put_count(&line, "gones", page->gones);
	put_host(&line, "host", page);
	put_word_if(&line, "held_by", page->held != PRN_HELD_NOT, prn_held_name(page->held));
	put_time(&line, "held_until", page->held_until);
	put_number(&line, "threshold", page->threshold);
	put_number(&line, "utility", page->utility);
	put_number(&line, "elapsed_days", page->elapsed_days);
	put_number(&line, "effective_days", page->effective_days);
	put_number(&line, "reaches_days", page->reaches_days);
	put_number(&line, "period_days", page->period_days);
	put_time(&line, "policy_next_time", page->policy_next);
	put_time_if(&line, "unhinted_next_time", page->heard.rate > 0, page->unhinted_next);
	put_number(&line, "min_s", page->min_s);
	put_number(&line, "max_s", page->max_s);
	put_number(&line, "usual_divergence", page->usual);
	put_curve(&line, "curve", page);
	put_profile(&line, "profile", page);
	put_sources(&line, "hints", page);
	put_siblings(&line, "siblings", page);
	put_word_if(&line, "unit", page->counted, prn_unit_name(page->unit));
	put_number_if(&line, "cost", page->counted, page->cost);
	put_number_if(&line, "answer_bytes", page->answer_bytes > 0, page->answer_bytes);
	put_number_if(&line, "unchanged", page->counted, page->unchanged);
	put_text_if(&line, "etag", page->validators.etag[0] != 0, page->validators.etag);
	put_time(&line, "last_modified", page->validators.modified);
	put_count(&line, "state_bytes", page->state_bytes);
	return end(&line);
}

/* Each half hour: when it began, what was handed out, and T at its end. */
static void put_half_hours(struct prn_json_line *line, const char *name, const struct prn_stats *stats)
{
	prn_json_list(line, name);
	for (int64_t i = 0; i < PRN_STATS_SLOTS; i++) {
		if (!(stats->given[i] > 0 || stats->thresholds[i] > 0))
			continue;
		prn_json_object(line, NULL);
		put_time(line, "time", stats->slot_time - (PRN_STATS_SLOTS - 1 - i) * PRN_STATS_SLOT_S);
		prn_json_integer(line, "given", llround(stats->given[i]));
		put_number_if(line, "threshold", stats->thresholds[i] > 0, stats->thresholds[i]);
		prn_json_object_end(line);
	}
	prn_json_list_end(line);
}

static void put_held_hosts(struct prn_json_line *line, const char *name, const struct prn_stats *stats)
{
	prn_json_list(line, name);
	for (size_t i = 0; i < stats->held_hosts && i < PRN_STATS_HOSTS; i++) {
		const struct prn_held_host *host = &stats->hosts[i];

		prn_json_object(line, NULL);
		put_text(line, "host", host->name);
		put_word(line, "held_by", prn_held_name(host->held));
		put_time(line, "until", host->until);
		put_number(line, "spent", host->spent);
		put_count(line, "leased", host->leased);
		prn_json_object_end(line);
	}
	prn_json_list_end(line);
}

static void put_source_sums(struct prn_json_line *line, const char *name, const struct prn_stats *stats)
{
	prn_json_list(line, name);
	for (int i = 0; i < PRN_SOURCE_KINDS; i++) {
		const struct prn_source_sum *sum = &stats->sources[i];

		if (!sum->sources)
			continue;
		prn_json_object(line, NULL);
		put_word(line, "kind", prn_source_kind_name((enum prn_source_kind)i));
		put_count(line, "sources", sum->sources);
		put_number(line, "hints", sum->hints);
		put_number(line, "trust", prn_source_sum_trust(sum));
		put_number(line, "precision", prn_source_sum_precision(sum));
		put_number(line, "recall", prn_source_sum_recall(sum));
		put_number(line, "hinted", prn_source_sum_hinted(sum));
		prn_json_object_end(line);
	}
	prn_json_list_end(line);
}

static void put_answers(struct prn_json_line *line, const char *name, const struct prn_answers *answers)
{
	if (!(answers->looks > 0)) {
		prn_json_null(line, name);
		return;
	}
	prn_json_object(line, name);
	put_time(line, "since", answers->since);
	prn_json_integer(line, "looks", (int64_t)answers->looks);
	prn_json_integer(line, "not_modified", (int64_t)answers->not_modified);
	prn_json_integer(line, "same", (int64_t)answers->same);
	prn_json_integer(line, "bytes", (int64_t)answers->bytes);
	prn_json_integer(line, "spared_bytes", (int64_t)answers->spared);
	prn_json_object_end(line);
}

static void put_shards(struct prn_json_line *line, const char *name, const struct prn_stats_shards *shards)
{
	if (!shards->count) {
		prn_json_null(line, name);
		return;
	}
	prn_json_object(line, name);
	put_count(line, "count", shards->count);
	put_count(line, "made", shards->made);
	put_count(line, "least", shards->least);
	put_count(line, "most", shards->most);
	put_count(line, "fullest", shards->fullest);
	prn_json_object_end(line);
}

static void put_kept(struct prn_json_line *line, const char *name, const struct keep_counts *kept)
{
	if (!kept) {
		prn_json_null(line, name);
		return;
	}
	prn_json_object(line, name);
	put_count(line, "bodies", kept->bodies);
	put_count(line, "bytes", kept->bytes);
	prn_json_object_end(line);
}

int serve_json_stats(struct prn_buffer *out, const struct prn_stats *stats, const double *within, const struct keep_counts *kept)
{
	const struct prn_store_totals *totals = &stats->totals;
	bool budget = stats->budget_per_day > 0;
	struct prn_json_line line;

	begin(&line, out);
	put_count(&line, "pages", totals->pages);
	put_count(&line, "queued", totals->due);
	put_count(&line, "due", stats->due);
	put_count(&line, "overdue", stats->overdue);
	put_count(&line, "overdue_new", stats->overdue_new);
	put_count(&line, "leased", totals->leased);
	put_count(&line, "ended", stats->ended);
	put_count(&line, "waiting", totals->waiting);
	put_count(&line, "retired", stats->retired);
	put_number(&line, "threshold", stats->threshold);
	put_number_if(&line, "budget_per_day", budget, stats->budget_per_day);
	put_word_if(&line, "unit", budget, prn_unit_name(stats->unit));
	put_text_if(&line, "cost_304", stats->cost_304[0] != 0, stats->cost_304);
	put_number_if(&line, "load_per_day", stats->load_per_day > 0, stats->load_per_day);
	put_number_if(&line, "new_load_per_day", stats->load_per_day > 0, stats->new_load_per_day);
	if (within)
		put_number(&line, "load_within_per_day", *within);
	put_number_if(&line, "sought", budget, stats->sought);
	put_integer_if(&line, "given_day", budget, llround(stats->given_day));
	put_integer_if(&line, "forgiven_day", budget, llround(stats->forgiven_day));
	put_number_if(&line, "left", budget, stats->left);
	put_integer_if(&line, "room", budget, (int64_t)stats->room);
	put_time_if(&line, "room_time", budget, stats->room_time);
	put_half_hours(&line, "half_hours", stats);
	put_count(&line, "held_hosts", stats->held_hosts);
	put_held_hosts(&line, "hosts", stats);
	put_shards(&line, "shards", &stats->shards);
	put_answers(&line, "answers", &stats->answers);
	put_source_sums(&line, "sources", stats);
	put_kept(&line, "kept", kept);
	put_count(&line, "unreadable", stats->unreadable);
	put_count(&line, "damaged_sources", stats->damaged_sources);
	put_damaged(&line, stats->damaged_shards, &stats->first_damaged);
	return end(&line);
}

int serve_json_tuning(struct prn_buffer *out, const struct prn_tuning *tuning, const struct prn_stats *stats,
                      const struct prn_error *unknown, bool applied)
{
	static const char *const results[] = { [PRN_TUNING_MET] = "met", [PRN_TUNING_NOT_NEEDED] = "not-needed",
		                               [PRN_TUNING_CANNOT] = "cannot-be-met", [PRN_TUNING_NONE] = "none" };
	struct prn_json_line line;

	begin(&line, out);
	put_word(&line, "result", results[tuning->result]);
	put_number_if(&line, "budget_per_day", tuning->result != PRN_TUNING_NONE, tuning->budget_per_day);
	put_word(&line, "unit", prn_unit_name(tuning->unit));
	put_number(&line, "threshold", tuning->threshold);
	put_number(&line, "threshold_before", tuning->threshold_before);
	put_number(&line, "load_per_day", tuning->load_per_day);
	put_number(&line, "load_before", tuning->load_before);
	put_number(&line, "sought", tuning->sought);
	put_number(&line, "least_per_day", tuning->least_per_day);
	put_number(&line, "most_per_day", tuning->most_per_day);
	put_count(&line, "pages", tuning->pages);
	put_count(&line, "left_out", tuning->left_out);
	if (tuning->unit == PRN_UNIT_BYTES) {
		put_count(&line, "unsized", tuning->unsized);
		put_number(&line, "assumed_bytes", tuning->assumed_bytes);
	}
	put_count(&line, "unreadable", tuning->unreadable);
	if (stats) {
		put_count(&line, "held_at_share", stats->held_by[PRN_HELD_SHARE]);
		prn_json_list(&line, "hosts_at_share");
		for (size_t i = 0; i < stats->held_hosts && i < PRN_STATS_HOSTS; i++)
			if (stats->hosts[i].held == PRN_HELD_SHARE)
				put_text(&line, NULL, stats->hosts[i].name);
		prn_json_list_end(&line);
	} else {
		prn_json_null(&line, "held_at_share");
		prn_json_null(&line, "hosts_at_share");
		put_text(&line, "held_error", unknown->text);
	}
	prn_json_boolean(&line, "applied", applied);
	put_damaged(&line, tuning->damaged_shards, &tuning->first_damaged);
	return end(&line);
}

/* Writes what became of a page that a line of a request named. */
static int write_page(struct prn_buffer *out, const char *url, const char *outcome)
{
	struct prn_json_line line;

	begin(&line, out);
	put_text(&line, "url", url);
	put_word(&line, "outcome", outcome);
	return end(&line);
}

int serve_json_added(struct prn_buffer *out, const char *url, enum prn_added added)
{
	return write_page(out, url, added == PRN_ADDED_NEW ? "added" : added == PRN_ADDED_KNOWN ? "known" : "revived");
}

int serve_json_released(struct prn_buffer *out, const char *url, bool released)
{
	return write_page(out, url, released ? "released" : "not-leased");
}
