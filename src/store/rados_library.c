#include "store/rados_library.h"

#include <dlfcn.h>
#include <stddef.h>

#define FILE_NAME "librados.so.2"

int prn_rados_library_open(struct prn_rados_library *library, struct prn_error *error)
{
	static const struct {
		const char *name;
		size_t at;
	} functions[] = {
#define NAME(name) { "rados_" #name, offsetof(struct prn_rados_library, name) },
		PRN_RADOS_FUNCTIONS(NAME)
#undef NAME
	};

	library->object = dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
	if (!library->object)
		return prn_error_set(error, PRN_E_UNSUPPORTED, "stores in RADOS need librados, which is not here (%s): install "
		                     "librados2", dlerror());
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		void *found = dlsym(library->object, functions[i].name);

		if (!found) {
			prn_rados_library_close(library);
			return prn_error_set(error, PRN_E_UNSUPPORTED, "the librados here is too old: it has no %s",
			                     functions[i].name);
		}
		*(void **)((char *)library + functions[i].at) = found;
	}
	return 0;
}

void prn_rados_library_close(struct prn_rados_library *library)
{
	if (library->object)
		dlclose(library->object);
	library->object = NULL;
}
