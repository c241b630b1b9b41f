#include "serve/json.h"
#include "base/visible.h"
#include "fragment/utf8.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static json_t *text_of(const char *text)
{
	struct prn_buffer repaired = { 0 };
	json_t *value = NULL;

	if (!text)
		return json_null();
	if (prn_utf8_is_valid(text, strlen(text)))
		return json_string(text);
	if (!prn_utf8_append_repaired(&repaired, text, strlen(text)))
		value = json_stringn((const char *)repaired.data, repaired.length);
	prn_buffer_release(&repaired);
	return value;
}

static json_t *time_of(int64_t time)
{
	char text[PRN_TIME_TEXT];

	return time == PRN_TIME_UNKNOWN ? json_null() : json_string(prn_time_format(time, text));
}

static json_t *number_of(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

/* Adds a member; without memory for it, or for its value, the whole object goes: it would lack one. */
static void add_member(json_t **object, const char *name, json_t *value)
{
	if (*object ? !json_object_set_new(*object, name, value) : !value)
		return;
	if (*object)
		json_decref(*object);
	else
		json_decref(value);
	*object = NULL;
}

/* Appends an item; without memory for it, or for its value, the whole list goes. */
static void append_item(json_t **list, json_t *value)
{
	if (*list ? !json_array_append_new(*list, value) : !value)
		return;
	if (*list)
		json_decref(*list);
	else
		json_decref(value);
	*list = NULL;
}

struct line {
	struct prn_buffer *out;
	int failed;
};

static int append_dumped(const char *bytes, size_t length, void *context)
{
	struct line *line = context;

	if (!line->failed)
		line->failed = prn_buffer_append(line->out, bytes, length);
	return line->failed;
}

/* What a terminal would act on is escaped: in JSON it stands within strings only, where an escape reads back to the same. */
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

/* Appends an object and takes it.  Where a part of it could not be appended, jansson does not always tell. */
static int write_line_take(struct prn_buffer *out, json_t *object)
{
	size_t before = out->length;
	struct line line = { out, PRN_E_MEMORY };

	if (object) {
		line.failed = 0;
		if (json_dump_callback(object, append_dumped, &line, JSON_COMPACT | JSON_REAL_PRECISION(12)) && !line.failed)
			line.failed = PRN_E_MEMORY;
		if (!line.failed)
			line.failed = escape_visibly(out, before);
		append_dumped("\n", 1, &line);
	}
	if (line.failed)
		out->length = before;
	json_decref(object);
	return line.failed;
}

/* The names of what a page was cut for. */
static json_t *cuts_of(unsigned cut)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < PRN_CUTS; i++)
		if (cut >> i & 1)
			append_item(&list, json_string(prn_cut_name(i)));
	return list;
}

int serve_json_outcome(struct prn_buffer *out, const char *url, int64_t time, const struct prn_outcome *outcome)
{
	json_t *decision;

	if (prn_outcome_is_refusal(outcome->kind))
		return write_line_take(out, json_pack("{s:o, s:o, s:s}", "url", text_of(url), "time", time_of(time),
		                                      "outcome", prn_outcome_name(outcome->kind)));
	decision = json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:s}", "url", text_of(url), "time", time_of(time),
	                     "outcome", prn_outcome_name(outcome->kind), "next_time", time_of(outcome->next), "period_s",
	                     number_of(outcome->period_s), "divergence", number_of(outcome->divergence), "utility",
	                     number_of(outcome->utility), "reason", prn_next_name(outcome->reason));
	if (decision && outcome->cut)
		add_member(&decision, "cut", cuts_of(outcome->cut));
	if (decision && outcome->target_refused)
		add_member(&decision, "target_refused", json_true());
	if (decision && outcome->anew)
		add_member(&decision, "anew", json_true());
	if (decision && (outcome->hints || outcome->pages_hinted)) {
		add_member(&decision, "hints", json_integer(outcome->hints));
		add_member(&decision, "pages_hinted", json_integer(outcome->pages_hinted));
	}
	return write_line_take(out, decision);
}

int serve_json_skipped(struct prn_buffer *out, const char *why)
{
	return write_line_take(out, json_pack("{s:o}", "error", text_of(why)));
}

/* As the fetcher sends them. */
static void add_conditions(json_t **object, const struct prn_validators *validators)
{
	char date[PRN_TIME_TEXT];

	if (validators->etag[0])
		add_member(object, "if_none_match", json_string(validators->etag));
	if (validators->modified != PRN_TIME_UNKNOWN)
		add_member(object, "if_modified_since", json_string(prn_time_format_http(validators->modified, date)));
}

int serve_json_due(struct prn_buffer *out, const struct prn_due *due)
{
	json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:o, s:s}", "url", text_of(due->url), "weight",
	                           number_of(due->weight), "value", number_of(due->value), "due_time", time_of(due->due),
	                           "lease_until", time_of(due->lease), "reason", prn_next_name(due->reason));

	add_conditions(&object, &due->validators);
	return write_line_take(out, object);
}

/* Only if there are any. */
static void add_damaged(json_t **object, uint64_t shards, const struct prn_error *first)
{
	if (!shards)
		return;
	add_member(object, "damaged_shards", json_integer((json_int_t)shards));
	add_member(object, "first_damaged", text_of(first->text));
}

static int write_next(struct prn_buffer *out, const struct prn_due_list *list)
{
	json_t *object = json_pack("{s:o}", "next_time", time_of(list->next));

	if (list->unreadable) {
		add_member(&object, "unreadable", json_integer((json_int_t)list->unreadable));
		add_member(&object, "first_unreadable", text_of(list->first_unreadable.text));
	}
	add_damaged(&object, list->damaged_shards, &list->first_damaged);
	return write_line_take(out, object);
}

int serve_json_due_list(struct prn_buffer *out, const struct prn_due_list *list, size_t limit)
{
	int code = 0;

	for (size_t i = 0; i < list->count && !code; i++)
		code = serve_json_due(out, &list->items[i]);
	return !code && (list->count < limit || list->unreadable || list->damaged_shards) ? write_next(out, list) : code;
}

static json_t *curve_of(const struct prn_explanation *page)
{
	const struct prn_curve *curve = &page->curve;

	if (!page->has_curve)
		return json_null();
	if (curve->form == PRN_CURVE_LINE)
		return json_pack("{s:s, s:o}", "form", "line", "slope_per_day", number_of(curve->slope));
	return json_pack("{s:s, s:o, s:o, s:I}", "form", curve->items == 1 ? "churn" : "scroll", "share",
	                 number_of(curve->share), "rate_per_day", number_of(curve->rate), "items",
	                 (json_int_t)curve->items);
}

static json_t *profile_of(const struct prn_explanation *page)
{
	json_t *points = json_array();

	for (size_t i = 0; i < page->point_count; i++)
		append_item(&points, json_pack("[o, o]", number_of(page->points[i].lag), number_of(page->points[i].divergence)));
	return points;
}

/* How it may be asked, by the rules in force. */
static json_t *host_of(const struct prn_explanation *page)
{
	bool always = page->host_from_s >= page->host_to_s && page->host_from_s <= page->host_to_s;

	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", text_of(page->host), "delay_s", number_of(page->host_delay_s), "limit",
	                 page->host_limit ? json_integer(page->host_limit) : json_null(), "from_s",
	                 always ? json_null() : number_of(page->host_from_s), "to_s", always ? json_null() : number_of(page->host_to_s));
}

static json_t *sources_of(const struct prn_explanation *page)
{
	json_t *list = json_array();

	for (size_t i = 0; i < page->source_count; i++) {
		const struct prn_explained_source *source = &page->sources[i];

		append_item(&list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "source", text_of(source->name), "hints",
		                             number_of(source->hints), "since_visit", number_of(source->since),
		                             "trust", number_of(source->trust), "precision",
		                             number_of(source->precision), "recall", number_of(source->recall), "hinted",
		                             number_of(source->hinted_share)));
	}
	return list;
}

static json_t *siblings_of(const struct prn_explanation *page)
{
	if (!(page->siblings_rate > 0))
		return json_null();
	return json_pack("{s:o, s:I, s:I, s:o, s:o}", "pattern", text_of(page->pattern), "pages",
	                 (json_int_t)page->pattern_pages, "host_pages", (json_int_t)page->host_pages, "drift_per_day",
	                 number_of(page->siblings_rate), "left", number_of(page->siblings_left));
}

int serve_json_explanation(struct prn_buffer *out, const struct prn_explanation *page)
{
	json_t *object = json_pack(
		"{s:o, s:s, s:o, s:I, s:o, s:o, s:o, s:s, s:o, s:o, s:I, s:I}", "url", text_of(page->url), "status",
		prn_page_status_name(page->status), "weight", number_of(page->weight), "visits",
		(json_int_t)page->visits, "visited_time", time_of(page->visited), "attempted_time",
		time_of(page->attempted), "next_time", time_of(page->next), "reason", prn_next_name(page->reason),
		"lease_until", time_of(page->lease), "host_until", time_of(page->host_until), "failures",
		(json_int_t)page->failures, "gones", (json_int_t)page->gones);

	add_member(&object, "host", host_of(page));
	add_member(&object, "held_by", page->held == PRN_HELD_NOT ? json_null() : json_string(prn_held_name(page->held)));
	add_member(&object, "held_until", time_of(page->held_until));
	add_member(&object, "threshold", number_of(page->threshold));
	add_member(&object, "utility", number_of(page->utility));
	add_member(&object, "elapsed_days", number_of(page->elapsed_days));
	add_member(&object, "effective_days", number_of(page->effective_days));
	add_member(&object, "reaches_days", number_of(page->reaches_days));
	add_member(&object, "period_days", number_of(page->period_days));
	add_member(&object, "policy_next_time", time_of(page->policy_next));
	add_member(&object, "unhinted_next_time", page->heard.rate > 0 ? time_of(page->unhinted_next) : json_null());
	add_member(&object, "min_s", number_of(page->min_s));
	add_member(&object, "max_s", number_of(page->max_s));
	add_member(&object, "usual_divergence", number_of(page->usual));
	add_member(&object, "curve", curve_of(page));
	add_member(&object, "profile", profile_of(page));
	add_member(&object, "hints", sources_of(page));
	add_member(&object, "siblings", siblings_of(page));
	add_member(&object, "unit", page->counted ? json_string(prn_unit_name(page->unit)) : json_null());
	add_member(&object, "cost", page->counted ? number_of(page->cost) : json_null());
	add_member(&object, "answer_bytes", page->answer_bytes > 0 ? number_of(page->answer_bytes) : json_null());
	add_member(&object, "unchanged", page->counted ? number_of(page->unchanged) : json_null());
	add_member(&object, "etag", page->validators.etag[0] ? json_string(page->validators.etag) : json_null());
	add_member(&object, "last_modified", time_of(page->validators.modified));
	add_member(&object, "state_bytes", json_integer((json_int_t)page->state_bytes));
	return write_line_take(out, object);
}

/* Each half hour: when it began, what was handed out, and T at its end. */
static json_t *half_hours_of(const struct prn_stats *stats)
{
	json_t *list = json_array();

	for (int64_t i = 0; i < PRN_STATS_SLOTS; i++)
		if (stats->given[i] > 0 || stats->thresholds[i] > 0)
			append_item(&list, json_pack("{s:o, s:I, s:o}", "time",
			                             time_of(stats->slot_time - (PRN_STATS_SLOTS - 1 - i) * PRN_STATS_SLOT_S),
			                             "given", (json_int_t)llround(stats->given[i]), "threshold",
			                             stats->thresholds[i] > 0 ? number_of(stats->thresholds[i]) : json_null()));
	return list;
}

static json_t *held_hosts_of(const struct prn_stats *stats)
{
	json_t *list = json_array();

	for (size_t i = 0; i < stats->held_hosts && i < PRN_STATS_HOSTS; i++) {
		const struct prn_held_host *host = &stats->hosts[i];

		append_item(&list, json_pack("{s:o, s:s, s:o, s:o, s:I}", "host", text_of(host->name), "held_by",
		                             prn_held_name(host->held), "until", time_of(host->until), "spent",
		                             number_of(host->spent), "leased", (json_int_t)host->leased));
	}
	return list;
}

static json_t *source_sums_of(const struct prn_stats *stats)
{
	json_t *list = json_array();

	for (int i = 0; i < PRN_SOURCE_KINDS; i++) {
		const struct prn_source_sum *sum = &stats->sources[i];

		if (sum->sources)
			append_item(&list, json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o}", "kind",
			                             prn_source_kind_name((enum prn_source_kind)i), "sources",
			                             (json_int_t)sum->sources, "hints", number_of(sum->hints), "trust",
			                             number_of(prn_source_sum_trust(sum)), "precision",
			                             number_of(prn_source_sum_precision(sum)), "recall",
			                             number_of(prn_source_sum_recall(sum)), "hinted",
			                             number_of(prn_source_sum_hinted(sum))));
	}
	return list;
}

static json_t *answers_of(const struct prn_answers *answers)
{
	if (!(answers->looks > 0))
		return json_null();
	return json_pack("{s:o, s:I, s:I, s:I, s:I, s:I}", "since", time_of(answers->since), "looks", (json_int_t)answers->looks,
	                 "not_modified", (json_int_t)answers->not_modified, "same", (json_int_t)answers->same, "bytes",
	                 (json_int_t)answers->bytes, "spared_bytes", (json_int_t)answers->spared);
}

static json_t *shards_of(const struct prn_stats_shards *shards)
{
	if (!shards->count)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I, s:I}", "count", (json_int_t)shards->count, "made", (json_int_t)shards->made, "least",
	                 (json_int_t)shards->least, "most", (json_int_t)shards->most, "fullest", (json_int_t)shards->fullest);
}

int serve_json_stats(struct prn_buffer *out, const struct prn_stats *stats)
{
	const struct prn_store_totals *totals = &stats->totals;
	bool budget = stats->budget_per_day > 0;
	json_t *object = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:o}", "pages",
	                       (json_int_t)totals->pages, "queued", (json_int_t)totals->due, "due", (json_int_t)stats->due,
	                       "overdue", (json_int_t)stats->overdue, "leased", (json_int_t)totals->leased, "ended",
	                       (json_int_t)stats->ended, "waiting", (json_int_t)totals->waiting, "threshold",
	                       number_of(stats->threshold), "budget_per_day", budget ? number_of(stats->budget_per_day) : json_null(),
	                       "unit", budget ? json_string(prn_unit_name(stats->unit)) : json_null(), "cost_304",
	                       stats->cost_304[0] ? text_of(stats->cost_304) : json_null(),
	                       "load_per_day", stats->load_per_day > 0 ? number_of(stats->load_per_day) : json_null(), "given_day",
	                       budget ? json_integer((json_int_t)llround(stats->given_day)) : json_null(), "forgiven_day",
	                       budget ? json_integer((json_int_t)llround(stats->forgiven_day)) : json_null(), "left",
	                       budget ? number_of(stats->left) : json_null(), "room",
	                       budget ? json_integer((json_int_t)stats->room) : json_null(), "room_time",
	                       budget ? time_of(stats->room_time) : json_null(), "half_hours", half_hours_of(stats), "held_hosts",
	                       (json_int_t)stats->held_hosts, "hosts", held_hosts_of(stats));

	add_member(&object, "shards", shards_of(&stats->shards));
	add_member(&object, "answers", answers_of(&stats->answers));
	add_member(&object, "sources", source_sums_of(stats));
	add_member(&object, "unreadable", json_integer((json_int_t)stats->unreadable));
	add_member(&object, "damaged_sources", json_integer((json_int_t)stats->damaged_sources));
	add_damaged(&object, stats->damaged_shards, &stats->first_damaged);
	return write_line_take(out, object);
}

int serve_json_tuning(struct prn_buffer *out, const struct prn_tuning *tuning, bool applied)
{
	const char *result = tuning->result == PRN_TUNING_MET          ? "met"
	                      : tuning->result == PRN_TUNING_NOT_NEEDED ? "not-needed"
	                                                                 : "cannot-be-met";
	json_t *object = json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:b}", "result", result,
	                           "budget_per_day", number_of(tuning->budget_per_day), "unit",
	                           prn_unit_name(tuning->unit), "threshold",
	                           number_of(tuning->threshold), "threshold_before",
	                           number_of(tuning->threshold_before), "load_per_day",
	                           number_of(tuning->load_per_day), "load_before",
	                           number_of(tuning->load_before), "least_per_day",
	                           number_of(tuning->least_per_day), "most_per_day",
	                           number_of(tuning->most_per_day), "pages", (json_int_t)tuning->pages,
	                           "unreadable", (json_int_t)tuning->unreadable,
	                           "applied", (int)applied);

	add_damaged(&object, tuning->damaged_shards, &tuning->first_damaged);
	return write_line_take(out, object);
}

int serve_json_added(struct prn_buffer *out, const char *url, enum prn_added added)
{
	const char *word = added == PRN_ADDED_NEW ? "added" : added == PRN_ADDED_KNOWN ? "known" : "revived";

	return write_line_take(out, json_pack("{s:o, s:s}", "url", text_of(url), "outcome", word));
}

int serve_json_released(struct prn_buffer *out, const char *url, bool released)
{
	return write_line_take(out, json_pack("{s:o, s:s}", "url", text_of(url), "outcome",
	                                      released ? "released" : "not-leased"));
}
