/* The user's own policies, from shared objects (perennial/policy_kind.h "prn_plugin_policies"). */
#ifndef CLI_PLUGINS_H
#define CLI_PLUGINS_H

#include "perennial/error.h"
#include "term/option.h"

/* A row of a command's table of options; files is a struct term_list *. */
#define CLI_PLUGINS_ROW(files) \
	{ TERM_OPTION_TEXTS, "plugin", 0, files, "FILE", "a shared object with policies of your own; repeat for more" }

/*
 * Loads the files for the life of the process and registers their policies; call it before a policy is opened.  A file that
 * is loaded already changes nothing.
 *
 * PRN_E_IO	a file cannot be loaded
 * PRN_E_INPUT	it is no plugin
 * Errors of prn_policy_register.
 */
int cli_plugins_load(const struct term_list *files, struct prn_error *error);

#endif
