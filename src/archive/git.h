/*
 * Git as a program that reads repositories which may mean harm: nothing in them is run, and nothing is fetched.
 */
#ifndef ARCHIVE_GIT_H
#define ARCHIVE_GIT_H

#include "base/child.h"

#include <stdbool.h>

/*
 * Starts git in a repository, with arguments (ends with NULL), of which there are at most PRN_GIT_ARGUMENTS; is_told and patience as of
 * programs.  *error does not name the repository.
 *
 * PRN_E_UNSUPPORTED	there is no git
 * PRN_E_IO, PRN_E_MEMORY
 */
#define PRN_GIT_ARGUMENTS 32
int prn_git_start(struct prn_child *git, const char *repository, const char *const *arguments, bool is_told, unsigned patience, struct prn_error *error);

/* Whether a folder is a repository, by what it holds. */
bool prn_git_is_repository(const char *folder);

/*
 * The URL under which the files of a repository are where none is told, "http://NAME.git.invalid/": its folder's name, of which what a
 * host's name cannot have is "-".
 *
 * PRN_E_MEMORY
 */
#define PRN_GIT_BASE_BYTES 96
int prn_git_default_base(const char *repository, char base[PRN_GIT_BASE_BYTES]);

#endif
