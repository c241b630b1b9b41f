/*
 * The HTTP server: connections, their limits, and requests handed to the handlers of a table of routes.
 *
 * What a client can cost is bounded: connections by number, a head by 32 KiB, bodies by the route (only small ones are kept
 * in memory) and together by quota.h, time by deadlines.h, wrong tokens by guard.h.  The HTTP library answers malformed
 * requests.  Requests that the admission refuses, unknown paths, methods, parameters, types and encodings, and bodies that
 * are too long are answered here.
 */
#ifndef SERVE_HTTP_H
#define SERVE_HTTP_H

#include <stdbool.h>
#include <stddef.h>

#include "perennial/error.h"
#include "serve/address.h"
#include "serve/admission.h"
#include "serve/request.h"

struct serve_http_options {
	struct serve_address address;
	const struct serve_admission *admission; /* borrowed */
	const struct serve_route *routes;        /* [route_count], borrowed */
	size_t route_count;
	void *context;          /* for handlers, body limits and answered */
	unsigned threads;       /* that read requests and run handlers, >= 1 */
	unsigned connections;   /* at most, >= threads; more wait in the system's queue */
	double timeout_s;       /* see deadlines.h */
	const char *spool;      /* folder for large bodies; NULL: /tmp */
	uint64_t spool_most;        /* bytes of all large bodies there, see quota.h; 0: no bound */
	uint64_t client_spool_most; /* the same for one client, known by its address or by its user; 0: no bound */

	/*
	 * Called from any thread when an answer is made: route is its index or route_count when there was none, seconds
	 * since the request's head was read, method and path as sent, valid during the call.
	 */
	void (*answered)(void *context, size_t route, int status, double seconds, const char *method, const char *path);
	/* Called with each complaint of the HTTP library, which is one line. */
	void (*complain)(void *context, const char *text);
	/* Told of each request that fails through no fault of its own, with 500; may be NULL. */
	void (*failed)(void *context, const struct prn_error *error);
	/* Told of wrong tokens, see guard.h; may be NULL. */
	void (*wrong)(void *context, const char *client, uint64_t count);
};

struct serve_http;

/*
 * Listens, and answers from then on: *out is there before the first handler is called, and NULL after a failure.
 *
 * PRN_E_IO	cannot listen there
 * PRN_E_MEMORY	no memory, or no threads
 */
int serve_http_open(struct serve_http **out, const struct serve_http_options *options, struct prn_error *error);

/* Where it listens: the port that was free, if 0 was asked for. */
const struct serve_address *serve_http_address(const struct serve_http *http);

size_t serve_http_connections(struct serve_http *http);

/* Bytes of bodies in the folder for them, and how often there was no room for one. */
void serve_http_spooled(struct serve_http *http, uint64_t *bytes, uint64_t *refused);

/*
 * From now on every request is answered 503, apart from those of open routes; those that came before go on.
 */
void serve_http_drain(struct serve_http *http);

/* Whether it was told to. */
bool serve_http_is_draining(const struct serve_http *http);

/*
 * Stops listening, waits at most seconds for the requests under way to be answered, cuts the rest off, and frees.
 * All parked requests must be answered before, or while it waits.
 */
void serve_http_stop(struct serve_http *http, double seconds);

#endif
