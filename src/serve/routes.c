#include "serve/routes.h"

static const char *const observe[] = { "url",           "time",        "status", "weight", "location",
	                               "last_modified", "retry_after", NULL };
static const char *const forget[] = { "url", "host", "prefix", NULL };

const struct serve_route serve_routes[] = {
	{ "POST", "/v1/observe", "observe", observe, serve_observe_route, serve_observe_limit, false },
	{ "POST", "/v1/pages", "addPages", NULL, serve_pages_add, serve_pages_limit, false },
	{ "DELETE", "/v1/pages", "forgetPages", forget, serve_pages_forget, NULL, false },
	{ "GET", "/metrics", "metrics", NULL, serve_metrics_route, NULL, false },
	{ "GET", "/healthz", "healthz", NULL, serve_healthz, NULL, true },
	{ "GET", "/readyz", "readyz", NULL, serve_readyz, NULL, true },
};

const size_t serve_route_count = sizeof serve_routes / sizeof *serve_routes;
