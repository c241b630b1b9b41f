/*
 * The functions of libmicrohttpd that the server calls, found when a server is opened.  A third of the time in which any command
 * starts would go to loading that library and GnuTLS, which it brings; only serve needs it.
 */
#ifndef SERVE_LIBRARY_H
#define SERVE_LIBRARY_H

#include <microhttpd.h>

#include "perennial/error.h"

#define SERVE_LIBRARY_FUNCTIONS(F) \
	F(start_daemon) F(quiesce_daemon) F(stop_daemon) \
	F(get_connection_info) F(get_connection_values_n) F(lookup_connection_value) F(lookup_connection_value_n) \
	F(suspend_connection) F(resume_connection) \
	F(create_response_from_buffer) F(create_response_from_fd64) F(add_response_header) F(queue_response) F(destroy_response) \
	F(get_reason_phrase_for)

struct serve_library {
#define DECLARE(name) __typeof__(MHD_##name) *name;
	SERVE_LIBRARY_FUNCTIONS(DECLARE)
#undef DECLARE
};

/* Once a server was opened, and from then on: the library stays loaded, for its threads and its exit handlers are its own. */
extern struct serve_library serve_library;

/* May be called from any thread.  PRN_E_UNSUPPORTED: not installed here, or too old; the text says what to install. */
int serve_library_load(struct prn_error *error);

#endif
