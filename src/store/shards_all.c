/* Operations on a whole store: on the store itself and, if it is spread, on each of its shards. */
#include "store/shards.h"

#include "store/shared.h"
#include "store/store_internal.h"

#include <stdlib.h>
#include <string.h>

int prn_store_create(const char *path, const struct prn_store_setting *settings, size_t count, struct prn_error *error)
{
	int code = prn_tables_check(path, error);

	if (!code)
		code = prn_shards_check_target(path, error);
	if (!code)
		code = prn_shards_check_place(path, error);
	return code ? code : prn_store_create_one(path, settings, count, error);
}

int prn_store_open(struct prn_store **out, const char *path, enum prn_store_mode mode, double lock_wait_s,
                   struct prn_error *error)
{
	int code = prn_store_open_one(out, path, mode, lock_wait_s, error);

	return code == PRN_E_NOT_FOUND && prn_shards_check_place(path, error) ? PRN_E_IO : code;
}

/* One of the stores that a store consists of beside its root. */
struct part {
	bool is_list;
	size_t number;       /* of the shard, or of the list */
	double begins, share; /* of all, roughly: for progress */
};

typedef int part_fn(void *context, struct prn_store *store, const struct part *part, struct prn_error *error);

/* Called for a part that could not be opened, or whose run failed; if it returns anything but 0, all ends with that. */
typedef int missed_fn(void *context, const struct part *part, int code, const struct prn_error *why);

/* An operation on each part: on each list, and then on the shards that it lists. */
struct doing {
	struct prn_store *root;
	enum prn_store_mode mode;
	part_fn *run;
	missed_fn *missed; /* NULL: any failure ends all */
	void *context;
	size_t count, lists, size; /* the number of shards, the number of lists, and the size of a list */
	size_t first;              /* the first shard: those before it, and lists that were begun, are left out */
	struct prn_error *error;
};

static int end_part(const struct doing *doing, const struct part *part, int code, const struct prn_error *why)
{
	if (code && doing->missed)
		code = doing->missed(doing->context, part, code, why);
	if (code && doing->error)
		*doing->error = *why;
	return code;
}

/* Runs the operation on the shards of a list; part is the list's. */
static int do_shards(const struct doing *doing, struct prn_store *list, struct part part, bool *listed)
{
	size_t first = part.number * doing->size, made = 0, number = 0;
	double begins = part.begins, share = part.share;
	int code = prn_shards_list(list, listed, doing->size, doing->error);

	for (size_t i = 0; i < doing->size && !code; i++)
		made += listed[i];
	for (size_t i = 0; i < doing->size && !code; i++) {
		struct prn_store *shard = NULL;
		struct prn_error why = { 0 };

		if (!listed[i] || first + i < doing->first)
			continue;
		code = prn_shard_open(&shard, doing->root, list, first + i, doing->mode, false, 0, &why);
		part = (struct part){ .number = first + i, .begins = begins + share * (double)number++ / (double)made,
			              .share = share / (double)made };
		if (!code)
			code = doing->run(doing->context, shard, &part, &why);
		prn_store_free(shard);
		code = end_part(doing, &part, code, &why);
	}
	return code;
}

static int do_lists(const struct doing *doing, bool *lists, bool *listed)
{
	int code = prn_shards_list(doing->root, lists, doing->lists, doing->error);

	for (size_t i = 0; i < doing->lists && !code; i++) {
		const struct part part = { true, i, (double)i / (double)doing->lists, 1 / (double)doing->lists };
		struct prn_store *list = NULL;
		struct prn_error why = { 0 };
		bool whole;

		if (!lists[i] || (i + 1) * doing->size <= doing->first)
			continue;
		code = prn_shards_list_open(&list, doing->root, i, doing->mode, false, 0, &why);
		if (!code && i * doing->size >= doing->first)
			code = doing->run(doing->context, list, &part, &why);
		whole = !code;
		if (whole)
			code = do_shards(doing, list, part, listed);
		prn_store_free(list);
		if (!whole)
			code = end_part(doing, &part, code, &why);
	}
	return code;
}

static int each_part_from(struct prn_store *root, size_t first, enum prn_store_mode mode, part_fn *run, missed_fn *missed,
                          void *context, struct prn_error *error)
{
	struct doing doing = { .root = root, .mode = mode, .run = run, .missed = missed, .context = context, .first = first,
		               .error = error };
	bool *lists, *listed;
	int code = prn_shards_count(root, &doing.count, error);

	if (code || doing.count == 1)
		return code;
	doing.lists = prn_shards_lists(doing.count);
	doing.size = prn_shards_list_size(doing.count);
	lists = calloc(doing.lists, sizeof *lists);
	listed = calloc(doing.size, sizeof *listed);
	if (!lists || !listed)
		code = prn_error_memory(error);
	else if (doing.lists > 1)
		code = do_lists(&doing, lists, listed);
	else
		code = do_shards(&doing, root, (struct part){ .share = 1 }, listed);
	free(lists);
	free(listed);
	return code;
}

static int each_part(struct prn_store *root, enum prn_store_mode mode, part_fn *run, missed_fn *missed, void *context,
                     struct prn_error *error)
{
	return each_part_from(root, 0, mode, run, missed, context, error);
}

static int add_totals(void *context, struct prn_store *shard, const struct part *part, struct prn_error *error)
{
	struct prn_store_totals *to = context, found;
	int code = prn_store_totals_one(shard, &found, error);

	(void)part;
	if (!code)
		prn_store_totals_add(to, &found);
	return code;
}

void prn_store_totals_add(struct prn_store_totals *to, const struct prn_store_totals *totals)
{
	to->pages += totals->pages;
	to->due += totals->due;
	to->leased += totals->leased;
	to->waiting += totals->waiting;
	to->hosts += totals->hosts;
	to->suspects += totals->suspects;
	to->bytes += totals->bytes;
	to->bytes_free += totals->bytes_free;
}

int prn_store_totals(struct prn_store *store, struct prn_store_totals *totals, struct prn_error *error)
{
	struct prn_store_totals found;
	int code = prn_store_totals_one(store, &found, error);

	if (!code)
		code = each_part(store, PRN_STORE_READ, add_totals, NULL, &found, error);
	if (!code)
		*totals = found;
	return code;
}

struct checking {
	const struct prn_store_check_options *given;
	struct prn_store_findings *findings;
	struct prn_store_findings of_list; /* findings in a list, reported with its next shard */
	double done, each; /* of the progress */
};

static void show_share(void *context, double share)
{
	const struct checking *checking = context;

	checking->given->progress(checking->given->context, checking->done + checking->each * share);
}

static void report_fault(void *context, const struct prn_error *what)
{
	const struct checking *checking = context;

	checking->given->report(checking->given->context, what);
}

void prn_store_findings_add(struct prn_store_findings *to, const struct prn_store_findings *found)
{
	to->pages += found->pages;
	to->queued += found->queued;
	to->unreadable += found->unreadable;
	to->unqueued += found->unqueued;
	to->stray += found->stray;
	to->miscounted += found->miscounted;
	to->stray_sides += found->stray_sides;
	to->disordered += found->disordered;
	to->repaired += found->repaired;
	to->missed += found->missed;
	to->leftovers += found->leftovers;
}

/* Called when the findings of a part are complete. */
static void end_check(struct checking *checking, const struct part *part, const struct prn_store_findings *found)
{
	prn_store_findings_add(checking->findings, found);
	prn_store_findings_add(&checking->of_list, found);
	if (part->is_list || !checking->given->shard_done)
		return;
	checking->given->shard_done(checking->given->context, part->number, &checking->of_list);
	checking->of_list = (struct prn_store_findings){ 0 };
}

static bool is_of_the_part(int code)
{
	return code == PRN_E_NOT_FOUND || prn_store_is_unusable(code);
}

/* A part that cannot be checked is counted, and the check goes on with the others. */
static int count_missed(void *context, const struct part *part, int code, const struct prn_error *why)
{
	struct checking *checking = context;

	if (!is_of_the_part(code))
		return code;
	if (checking->given->report)
		checking->given->report(checking->given->context, why);
	end_check(checking, part, &(struct prn_store_findings){ .missed = 1 });
	return 0;
}

static int check_part(void *context, struct prn_store *store, const struct part *part, struct prn_error *error)
{
	struct checking *checking = context;
	const struct prn_store_check_options *given = checking->given;
	const struct prn_store_check_options options = { .repair = given->repair,
		                                         .report = given->report ? report_fault : NULL,
		                                         .progress = given->progress ? show_share : NULL,
		                                         .context = checking };
	struct prn_store_findings found;
	int code;

	checking->done = part->begins;
	checking->each = part->is_list ? 0 : part->share;
	code = prn_store_check_one(store, &options, &found, error);
	if (!code)
		end_check(checking, part, &found);
	return code;
}

/* Finds the mark of a copy that is complete: its maker ended before it removed the mark. */
static int find_mark(struct prn_store *store, const struct prn_store_check_options *options, uint64_t *count,
                     struct prn_error *error)
{
	char *address = prn_shards_backup_address(prn_store_path(store)), shard[16] = "";
	struct prn_store *mark = NULL;
	struct prn_error what;
	int code = address ? 0 : prn_error_memory(error);

	/* If somebody holds the mark, the copy is still being made. */
	if (!code && !prn_store_open_one(&mark, address, PRN_STORE_WRITE, 0, NULL) && !prn_store_hold(mark, NULL))
		code = prn_shards_read_text(mark, PRN_SHARD_NAME, shard, sizeof shard, error);
	if (!code && !strcmp(shard, PRN_SHARDS_BACKUP)) {
		++*count;
		prn_error_set(&what, PRN_E_IO, "%s: was to mark an unfinished copy, which is finished%s", address,
		              options->repair ? ", and is removed" : ": it can be removed");
		if (options->report)
			options->report(options->context, &what);
		if (options->repair) {
			code = prn_store_remove_take(mark, error);
			mark = NULL;
		}
	}
	prn_store_free(mark);
	free(address);
	return code;
}

static int find_leftovers(struct prn_store *store, const struct prn_store_check_options *options, uint64_t *count,
                          struct prn_error *error)
{
	const struct prn_tables_kind *kind = store->tables->kind;
	const char *place;
	size_t shards;
	int code;

	prn_tables_find(prn_store_path(store), &place);
	code = kind->leftovers ? kind->leftovers(place, options->repair, options->report, options->context, count, error) : 0;
	if (!code)
		code = prn_shards_count(store, &shards, error);
	return code || shards == 1 ? code : find_mark(store, options, count, error);
}

/* Shards are found by the root, which must be mended first. */
static void tell_root_alone(struct prn_store *root, const struct prn_store_check_options *options)
{
	size_t shards = 1;
	struct prn_error what;

	if (prn_shards_count(root, &shards, NULL) || shards == 1 || !options->report)
		return;
	prn_error_set(&what, PRN_E_DAMAGED, "%s: its shards were not looked at, and their pages not counted, before that is mended",
	              prn_store_path(root));
	options->report(options->context, &what);
}

int prn_store_check(struct prn_store *store, const struct prn_store_check_options *options,
                    struct prn_store_findings *findings, struct prn_error *error)
{
	static const struct prn_store_check_options usual = { 0 };
	struct prn_store_findings found;
	struct checking checking = { .given = options ? options : &usual, .findings = &found };
	int code = prn_store_check_one(store, options, &found, error);

	if (!code && !found.disordered)
		code = each_part_from(store, checking.given->first_shard, checking.given->repair ? PRN_STORE_WRITE : PRN_STORE_READ,
		                      check_part, count_missed, &checking, error);
	else if (!code)
		tell_root_alone(store, checking.given);
	if (!code && !found.disordered)
		code = find_leftovers(store, checking.given, &found.leftovers, error);
	if (!code)
		*findings = found;
	return code;
}

struct rebuilding {
	struct prn_store *root;
	const char *path;
	double lock_wait_s;
	struct prn_store_rebuilt *rebuilt;
	bool damaged; /* the present part can be opened, and is damaged */
	bool lists;   /* a list was made anew: the shards that it lists were not looked at */
	int failed;   /* the error of the first part that could not be made anew */
	struct prn_error why;
};

/* A part whose file is damaged counts as missed, so that it is closed before it is made anew. */
static int find_damage(void *context, struct prn_store *store, const struct part *part, struct prn_error *error)
{
	struct rebuilding *rebuilding = context;
	struct prn_store_findings found;
	int code = prn_store_check_one(store, NULL, &found, error);

	(void)part;
	rebuilding->damaged = code == PRN_E_DAMAGED || code == PRN_E_TRUNCATED || (!code && found.disordered);
	return code ? code : rebuilding->damaged ? PRN_E_DAMAGED : 0;
}

/* A part that can be opened by itself is whole, but in the wrong place. */
static bool is_damaged(const struct rebuilding *rebuilding, const char *address, int failed)
{
	struct prn_store *store;
	int code;

	if (rebuilding->damaged || failed == PRN_E_TRUNCATED)
		return true;
	code = failed == PRN_E_DAMAGED ? prn_store_open(&store, address, PRN_STORE_READ, 0, NULL) : failed;
	if (!code)
		prn_store_free(store);
	return code == PRN_E_DAMAGED || code == PRN_E_TRUNCATED;
}

static void add_rebuilt(struct prn_store_rebuilt *to, const struct prn_store_rebuilt *made)
{
	to->pages += made->pages;
	to->loose += made->loose;
	to->lost += made->lost;
	to->lost_sides += made->lost_sides;
	to->damaged_pages += made->damaged_pages;
	to->removed += made->removed;
	to->remade += made->remade;
	if (*made->kept)
		memcpy(to->kept, made->kept, sizeof to->kept);
}

/* What a part that is made anew has to be. */
struct wanted_part {
	struct prn_store *root;
	const char *address;
	const struct part *part;
};

static int look_at_part(void *context, struct prn_store *saved, struct prn_error *error)
{
	const struct wanted_part *wanted = context;

	return prn_shards_verify(wanted->root, wanted->address, wanted->part->is_list, wanted->part->number, saved, error);
}

static int rebuild_part(void *context, const struct part *part, int code, const struct prn_error *why)
{
	struct rebuilding *rebuilding = context;
	char *address = part->is_list ? prn_shards_list_address(rebuilding->path, part->number)
	                              : prn_shard_address(rebuilding->path, part->number);
	struct wanted_part wanted = { rebuilding->root, address, part };
	const struct prn_store_proof proof = { look_at_part, &wanted };
	struct prn_store_rebuilt made;
	struct prn_error error = *why;

	if (!address)
		return code;
	if (is_damaged(rebuilding, address, code)) {
		code = prn_store_rebuild_one(address, rebuilding->lock_wait_s, &proof, &made, &error);
		if (!code)
			add_rebuilt(rebuilding->rebuilt, &made);
		rebuilding->lists |= !code && part->is_list;
	}
	free(address);
	rebuilding->damaged = false;
	if (code && !rebuilding->failed) {
		rebuilding->failed = code;
		rebuilding->why = error;
	}
	return is_of_the_part(code) || !code ? 0 : code;
}

static int rebuild_parts(struct prn_store *root, struct rebuilding *rebuilding, struct prn_error *error)
{
	int code;

	do {
		rebuilding->lists = false;
		code = each_part(root, PRN_STORE_READ, find_damage, rebuild_part, rebuilding, error);
	} while (!code && rebuilding->lists);
	if (!rebuilding->failed)
		return code;
	if (error)
		*error = rebuilding->why;
	return rebuilding->failed;
}

#define TRIES 20 /* where others write meanwhile */

static int open_root(struct prn_store **root, size_t *count, const char *path, struct prn_error *error)
{
	int code = prn_store_open(root, path, PRN_STORE_READ, 0, error);

	if (code)
		return code;
	code = prn_shards_count(*root, count, error);
	if (code)
		prn_store_free(*root);
	return code;
}

/* Makes the root anew if it is damaged, and writes the number of shards that it has then. */
static int rebuild_root(struct prn_store **root, size_t *count, const char *path, double lock_wait_s, const struct prn_store_proof *proof,
                        struct prn_store_rebuilt *made, struct prn_error *error)
{
	struct prn_store_findings found;
	int code = prn_store_open(root, path, PRN_STORE_READ, 0, NULL);

	if (!code)
		code = prn_store_check_one(*root, NULL, &found, NULL);
	if (!code && !found.disordered)
		code = prn_shards_count(*root, count, NULL);
	if (!code && !found.disordered && *count > 1)
		return 0;
	prn_store_free(*root);
	*root = NULL;
	code = prn_store_rebuild_one(path, lock_wait_s, proof, made, error);
	if (code)
		return code;
	code = PRN_E_CONFLICT;
	for (int i = 0; code == PRN_E_CONFLICT && i < TRIES; i++)
		code = open_root(root, count, path, error);
	if (code)
		*root = NULL;
	return code;
}

/* A root that is whole may have damaged parts, and so may one that was made anew. */
int prn_store_rebuild_proved(const char *path, double lock_wait_s, const struct prn_store_proof *proof,
                             struct prn_store_rebuilt *rebuilt, struct prn_error *error)
{
	struct prn_store_rebuilt made = { 0 };
	struct rebuilding rebuilding = { .path = path, .lock_wait_s = lock_wait_s, .rebuilt = &made };
	struct prn_store *root = NULL;
	size_t count = 1;
	int code = rebuild_root(&root, &count, path, lock_wait_s, proof, &made, error);

	rebuilding.root = root;
	if (!code && count > 1)
		code = rebuild_parts(root, &rebuilding, error);
	prn_store_free(root);
	*rebuilt = made;
	return code;
}

int prn_store_rebuild(const char *path, double lock_wait_s, struct prn_store_rebuilt *rebuilt, struct prn_error *error)
{
	return prn_store_rebuild_proved(path, lock_wait_s, &(struct prn_store_proof){ 0 }, rebuilt, error);
}
