#include "cli/plugins.h"

#include "perennial/policy_kind.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A bare name is that of a file here, as for every other option; dlopen would look for it among the system's libraries. */
static void *open_object(const char *file, struct prn_error *error)
{
	char *path = NULL;
	void *object;

	if (asprintf(&path, "%s%s", strchr(file, '/') ? "" : "./", file) < 0) {
		prn_error_memory(error);
		return NULL;
	}
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object)
		prn_error_set(error, PRN_E_IO, "cannot load a plugin: %s", dlerror());
	free(path);
	return object;
}

/* What was loaded stays loaded: of several policies, some may be registered when one is refused. */
static int load(const char *file, struct prn_error *error)
{
	void *object = open_object(file, error);
	const struct prn_policy_kind *const *policies;
	int code = 0;

	if (!object)
		return error->code;
	policies = dlsym(object, PRN_PLUGIN_POLICIES);
	if (!policies || !*policies)
		return prn_error_set(error, PRN_E_INPUT, "%s: it is no plugin: it does not define " PRN_PLUGIN_POLICIES
		                     ", a list of policies", file);
	for (; *policies && !code; policies++)
		code = prn_policy_register(*policies, error);
	if (code)
		prn_error_prefix(error, "%s", file);
	return code;
}

int cli_plugins_load(const struct term_list *files, struct prn_error *error)
{
	int code = 0;

	for (size_t i = 0; i < files->count && !code; i++)
		code = load(files->items[i], error);
	return code;
}
