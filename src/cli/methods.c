#include "cli/methods.h"

#include <string.h>

int cli_methods_expand(struct term_list *names)
{
	const struct prn_estimator_info *info;
	int code = 0;

	if (names->count != 1 || strcmp(names->items[0], "all") != 0)
		return 0;
	term_list_release(names);
	for (size_t i = 0; !code && (info = prn_estimator_info(i)); i++)
		code = term_list_add(names, info->name);
	return code;
}

int cli_methods_read(const struct term_list *names, struct cli_method *methods, struct prn_error *error)
{
	if (names->count > CLI_METHODS_MAX)
		return term_usage_error(error, "--method takes at most %d names", CLI_METHODS_MAX);
	for (size_t i = 0; i < names->count; i++) {
		methods[i].bounded = strstr(names->items[i], ":lengths=") != NULL;
		if (prn_estimator_init(&methods[i].estimator, names->items[i], error)) {
			prn_error_prefix(error, "--method=%s", names->items[i]);
			return term_usage_blame(error);
		}
	}
	return 0;
}

void cli_method_fit(struct cli_method *method, size_t intervals)
{
	if (!method->bounded)
		method->estimator.lengths = intervals < PRN_ESTIMATOR_LENGTHS ? intervals : PRN_ESTIMATOR_LENGTHS;
}
