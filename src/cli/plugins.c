#include "cli/plugins.h"

#include "base/portable.h"
#include "perennial/policy_kind.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Whether the file holds all that the loader would map: it would read past the end of the file just the same, and the process
 * would die.
 */
static bool is_whole(int file, uint64_t bytes)
{
	ElfW(Ehdr) head;
	ElfW(Phdr) part;

	/* The loader itself refuses a file that is no shared object for this machine. */
	if (pread(file, &head, sizeof head, 0) != sizeof head || memcmp(head.e_ident, ELFMAG, SELFMAG) ||
	    head.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) || head.e_phentsize != sizeof part)
		return true;
	for (unsigned i = 0; i < head.e_phnum; i++) {
		if (pread(file, &part, sizeof part, (off_t)(head.e_phoff + i * sizeof part)) != sizeof part)
			return false;
		if (part.p_type == PT_LOAD && (part.p_offset > bytes || part.p_filesz > bytes - part.p_offset))
			return false;
	}
	return true;
}

static int check_file(const char *path, struct prn_error *error)
{
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), code = 0;
	struct stat about;

	if (file < 0 || fstat(file, &about))
		code = prn_error_set(error, PRN_E_IO, "cannot load a plugin: %s: %s", path, strerror(errno));
	else if (!S_ISREG(about.st_mode))
		code = prn_error_set(error, PRN_E_IO, "cannot load a plugin: %s: it is no file", path);
	else if (!is_whole(file, (uint64_t)about.st_size))
		code = prn_error_set(error, PRN_E_IO, "cannot load a plugin: %s: it is cut off: build it anew", path);
	if (file >= 0)
		close(file);
	return code;
}

/*
 * A bare name is a file in the current folder, as for every other option; dlopen would look for it among the libraries of the
 * system.
 */
static void *open_object(const char *file, struct prn_error *error)
{
	char *path = NULL;
	void *object;

	if (asprintf(&path, "%s%s", strchr(file, '/') ? "" : "./", file) < 0) {
		prn_error_memory(error);
		return NULL;
	}
	object = check_file(path, error) ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object && !error->code)
		prn_error_set(error, PRN_E_IO, "cannot load a plugin: %s", dlerror());
	free(path);
	return object;
}

/* The most policies in a list, if the system does not tell its length. */
#define POLICIES_MOST 256

/*
 * Counts the policies of a list, which has pointers into shared objects and ends with NULL.  Returns -1 if the symbol is
 * something else.
 */
static int count_policies(const struct prn_policy_kind *const *policies)
{
	size_t bytes = prn_object_bytes(policies), room = bytes == SIZE_MAX ? POLICIES_MOST : bytes / sizeof *policies;
	Dl_info about;

	if (bytes != SIZE_MAX && bytes % sizeof *policies)
		return -1;
	for (size_t i = 0; i < room; i++) {
		if (!policies[i])
			return (int)i;
		if (!dladdr(policies[i], &about))
			break;
	}
	return -1;
}

/* A file stays loaded even after an error: some of its policies may be registered when one is refused. */
static int load(const char *file, struct prn_error *error)
{
	void *object = open_object(file, error);
	const struct prn_policy_kind *const *policies;
	int code = 0, count;

	if (!object)
		return error->code;
	policies = dlsym(object, PRN_PLUGIN_POLICIES);
	count = count_policies(policies);
	if (policies && count < 0)
		return prn_error_set(error, PRN_E_INPUT, "%s: it is no plugin: its " PRN_PLUGIN_POLICIES
		                     " is no list of policies that ends with NULL", file);
	if (count < 1)
		return prn_error_set(error, PRN_E_INPUT, "%s: it is no plugin: it does not define " PRN_PLUGIN_POLICIES
		                     ", a list of policies", file);
	for (int i = 0; i < count && !code; i++)
		code = prn_policy_register(policies[i], error);
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
