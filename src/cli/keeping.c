#include "cli/keeping.h"

#include <stdlib.h>

static int parse(void *context, const char *value)
{
	struct cli_keeping *keeping = context;
	const struct term_option bytes = { TERM_OPTION_BYTES, "keep-bodies", 0, &keeping->bytes_most, NULL, NULL };
	const char *takes;

	keeping->keeps = true;
	keeping->bytes_most = KEEP_BYTES;
	if (!value)
		return 0;
	return term_option_store(&bytes, value, &takes) || keeping->bytes_most < KEEP_BLOCK ? PRN_E_INPUT : 0;
}

void cli_keeping_init(struct cli_keeping *keeping)
{
	*keeping = (struct cli_keeping){ .own = { parse, keeping, "at least 4K, such as 100M or 2G" } };
}

int cli_keeping_check(const struct cli_keeping *keeping, const char *store_name, bool forgets, struct prn_error *error)
{
	char *folder = NULL;
	int code;

	if (!keeping->keeps)
		return keeping->folder && !forgets ? term_usage_error(error, "--keep-in goes with --keep-bodies, which keeps bodies there") : 0;
	code = keep_place(store_name, keeping->folder, &folder, error);
	free(folder);
	return code == PRN_E_ARGUMENT ? term_usage_blame(error) : code;
}

/* Bodies are in the folder that was named: if it does not exist its name is wrong, and they are elsewhere. */
static int pass_absent(const struct cli_keeping *keeping, int code)
{
	return code == PRN_E_NOT_FOUND && !keeping->folder ? 0 : code;
}

/* That a store has no folder, and none was named, is an error only if bodies are to be kept. */
static int find_folder(const struct cli_keeping *keeping, const char *store_name, char **folder, struct prn_error *error)
{
	int code = keep_place(store_name, keeping->folder, folder, error);

	return code == PRN_E_ARGUMENT && !keeping->keeps ? PRN_E_NOT_FOUND : code;
}

int cli_keeping_open(const struct cli_keeping *keeping, const char *store_name, bool forgets, struct keep **keep, struct prn_error *error)
{
	char *folder = NULL;
	int code = 0;

	*keep = NULL;
	if (keeping->keeps || forgets)
		code = find_folder(keeping, store_name, &folder, error);
	if (!code && folder)
		code = keep_open(keep, folder, keeping->keeps ? keeping->bytes_most : 0, error);
	free(folder);
	return pass_absent(keeping, code);
}

int cli_keeping_look(const struct cli_keeping *keeping, const char *store_name, struct keep **keep, struct prn_error *error)
{
	char *folder = NULL;
	int code = find_folder(keeping, store_name, &folder, error);

	*keep = NULL;
	if (!code)
		code = keep_open_read(keep, folder, error);
	free(folder);
	return pass_absent(keeping, code);
}
