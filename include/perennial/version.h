/*
 * Which perennial a program was compiled with (the macros), and which one runs (the function).
 */
#ifndef PERENNIAL_VERSION_H
#define PERENNIAL_VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define PRN_VERSION_MAJOR 0
#define PRN_VERSION_MINOR 1
#define PRN_VERSION_PATCH 0

/* A number that grows from version to version: #if PRN_VERSION >= 2003004 asks for 2.3.4 or later. */
#define PRN_VERSION (PRN_VERSION_MAJOR * 1000000 + PRN_VERSION_MINOR * 1000 + PRN_VERSION_PATCH)

/* "0.1.0" */
#define PRN_VERSION_TEXT \
	PRN_VERSION_QUOTED(PRN_VERSION_MAJOR) "." PRN_VERSION_QUOTED(PRN_VERSION_MINOR) "." \
	PRN_VERSION_QUOTED(PRN_VERSION_PATCH)
#define PRN_VERSION_QUOTED(number) PRN_VERSION_QUOTED_AS_IS(number)
#define PRN_VERSION_QUOTED_AS_IS(number) #number

/* The PRN_VERSION_TEXT of the library that runs, which may be another than the program was compiled with.  Static. */
const char *prn_version(void);

#ifdef __cplusplus
}
#endif

#endif
