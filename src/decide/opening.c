#include "decide/migrate.h"
#include "decide/settings_finish.h"
#include "decide/shards.h"

#include <math.h>
#include <stdlib.h>

static int read_inside(struct prn_decider *decider, unsigned tries, struct prn_error *error)
{
	struct prn_view *view;
	int code = prn_decider_look(decider, tries, &view, error);

	if (code)
		return code;
	/* An earlier look that was in vain may have set these. */
	prn_policy_free(decider->policy);
	free(decider->specification);
	decider->policy = NULL;
	decider->specification = NULL;
	code = prn_decider_read_settings(decider, &(struct prn_store_reader){ .view = view }, error);
	prn_view_close(view);
	return code;
}

static int open_inside(struct prn_decider *decider, struct prn_error *error)
{
	unsigned tries = 0;
	int code;

	do
		code = read_inside(decider, tries, error);
	while (prn_decider_looks_again(code, &tries));
	if (code) {
		if (error)
			error->code = code;
		prn_error_prefix(error, "%s", prn_store_path(decider->store));
	}
	return code ? code : prn_decider_prepare(decider, error);
}

int prn_decider_open(struct prn_decider **out, const char *path, enum prn_store_mode mode,
                     const struct prn_decider_options *options, struct prn_error *error)
{
	struct prn_decider *decider = calloc(1, sizeof *decider);
	int code;

	if (!decider)
		return prn_error_memory(error);
	prn_decider_options_init(&decider->options);
	if (options)
		decider->options = *options;
	decider->hints_wanted = decider->options.hints;
	code = prn_decider_check_options(&decider->options, error);
	if (!code && !(decider->options.lock_wait_s >= 0 && isfinite(decider->options.lock_wait_s)))
		code = prn_error_set(error, PRN_E_ARGUMENT, "the wait for another writer is a finite duration");
	if (!code)
		code = prn_store_open(&decider->store, path, mode, decider->options.lock_wait_s, error);
	if (!code)
		code = open_inside(decider, error);
	if (!code && mode == PRN_STORE_WRITE)
		code = prn_batch_open(&decider->batch, decider->store, error);
	if (!code)
		decider->is_stale = prn_store_is_shared(decider->store);
	if (!code && mode == PRN_STORE_WRITE)
		code = prn_decider_migrate(decider, error);
	if (!code)
		code = prn_shards_begin(decider, mode, error);
	if (!code && decider->is_changing) {
		code = prn_settings_change_finish(decider, NULL, error);
		prn_decider_free(decider);
		return code ? code : prn_decider_open(out, path, mode, options, error);
	}
	if (code) {
		prn_decider_free(decider);
		return code;
	}
	*out = decider;
	return 0;
}
