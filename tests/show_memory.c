/*
 * A page of show for which there is no memory: it is no page, and that is said.
 */
#include "perennial/error.h"
#include "show/html.h"
#include "tap.h"

#include <stdlib.h>

/* Of a build with AddressSanitizer: memory that cannot be had is NULL, as it is without. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static int print(size_t lives, size_t *length)
{
	static struct show_version version;
	struct show show = { .versions = &version, .version_count = 1, .life_count = lives };
	char *text = NULL;
	FILE *out = open_memstream(&text, length);
	int code;

	if (!out)
		abort();
	code = show_print_version(out, &show);
	fclose(out);
	free(text);
	return code;
}

int main(void)
{
	size_t length;

	ok(!print(1, &length) && length, "a version of a page is printed");
	ok(print(SIZE_MAX - 1, &length) == PRN_E_MEMORY && !length, "a page for which memory lacks is refused, and not printed without its text");
	return done();
}
