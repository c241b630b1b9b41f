#include "serve/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* MICROHTTPD_FILE is the name without quotation marks, which a compiler's options pass through a shell or two. */
#define TEXT_OF(name) #name
#define EXPANDED_TEXT_OF(name) TEXT_OF(name)

struct serve_library serve_library;

static const struct {
	const char *name;
	size_t at;
} functions[] = {
#define NAME(name) { "MHD_" #name, offsetof(struct serve_library, name) },
	SERVE_LIBRARY_FUNCTIONS(NAME)
#undef NAME
};

/* The functions are written once: a server of another thread may be calling them. */
static int find_all(struct prn_error *error)
{
	void *object = dlopen(EXPANDED_TEXT_OF(MICROHTTPD_FILE), RTLD_NOW | RTLD_LOCAL);

	if (!object)
		return prn_error_set(error, PRN_E_UNSUPPORTED, "a server needs libmicrohttpd, which is not here (%s): install "
		                     "libmicrohttpd12", dlerror());
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *found = dlsym(object, functions[i].name);

		if (!found) {
			dlclose(object);
			return prn_error_set(error, PRN_E_UNSUPPORTED, "the libmicrohttpd here is too old: it has no %s",
			                     functions[i].name);
		}
		*(void **)((char *)&serve_library + functions[i].at) = found;
	}
	return 0;
}

int serve_library_load(struct prn_error *error)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static bool loaded;
	int code = 0;

	pthread_mutex_lock(&lock);
	if (!loaded)
		code = find_all(error);
	loaded = !code;
	pthread_mutex_unlock(&lock);
	return code;
}
