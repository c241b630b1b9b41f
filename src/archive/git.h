/* Runs git as a program that reads possibly hostile repositories: nothing in them is executed, and nothing is fetched. */
#ifndef ARCHIVE_GIT_H
#define ARCHIVE_GIT_H

#include "base/child.h"

#include <stdbool.h>

/*
 * Starts git in a repository with arguments (at most PRN_GIT_ARGUMENTS, ends with NULL); has_input and patience
 * as in struct prn_program.  *error does not name the repository.
 *
 * PRN_E_UNSUPPORTED	git is not installed
 * PRN_E_IO, PRN_E_MEMORY
 */
#define PRN_GIT_ARGUMENTS 32
int prn_git_start(struct prn_child *git, const char *repository, const char *const *arguments, bool has_input, unsigned patience, struct prn_error *error);

/* Tells whether a folder is a repository, by what it contains. */
bool prn_git_is_repository(const char *folder);

/*
 * Writes the default URL of the files of a repository, "http://NAME.git.invalid/": NAME is its folder's name,
 * with "-" for characters that a host name cannot have.
 *
 * PRN_E_MEMORY
 */
#define PRN_GIT_BASE_BYTES 96
int prn_git_default_base(const char *repository, char base[PRN_GIT_BASE_BYTES]);

#endif
