/*
 * The table of routes: what the daemon answers.  man/openapi.yaml describes the same, and a test compares them.
 */
#ifndef SERVE_ROUTES_H
#define SERVE_ROUTES_H

#include "serve/request.h"

extern const struct serve_route serve_routes[];
extern const size_t serve_route_count;

/* One handler a route; each file of the room that has one is named after its path. */
serve_handler_fn serve_person, serve_observe_route, serve_due, serve_hint, serve_indexnow, serve_indexnow_one, serve_release, serve_pages_add, serve_pages_forget, serve_page, serve_show, serve_stats,
	serve_tune, serve_metrics_route, serve_healthz, serve_readyz;

/* The limits of bodies, see serve_route. */
uint64_t serve_observe_limit(void *context, struct serve_request *request);
uint64_t serve_hint_limit(void *context, struct serve_request *request);
uint64_t serve_indexnow_limit(void *context, struct serve_request *request);
uint64_t serve_pages_limit(void *context, struct serve_request *request);

/* Whether an observation's body may have a Content-Encoding, see serve_route. */
bool serve_observe_decodes(struct serve_request *request);

#endif
