#include "serve/routes.h"

static const char *const page[] = { "url", NULL };
static const char *const person[] = { "url", "list", NULL };
static const char *const observe[] = { "url",           "answers",     "time",        "status",  "weight", "location",
	                               "last_modified", "etag", "retry_after", "crawl_delay", "address", "bytes", NULL };
static const char *const due[] = { "limit", "lease", NULL };
static const char *const hint[] = { "source", "base", "same_host", NULL };
static const char *const indexnow[] = { "url", "key", "keyLocation", NULL };
static const char *const forget[] = { "url", "host", "prefix", "count", NULL };
static const char *const release[] = { "url", "host", "prefix", "all", NULL };
static const char *const tune[] = { "budget", "cost_304", "apply", NULL };

const struct serve_route serve_routes[] = {
	{ "GET", "/", "person", person, serve_person, NULL, NULL, false, true },
	{ "POST", "/v1/observe", "observe", observe, serve_observe_route, serve_observe_limit, serve_observe_decodes, false, false },
	{ "POST", "/v1/due", "due", due, serve_due, NULL, NULL, false, false },
	{ "POST", "/v1/release", "release", release, serve_release, serve_pages_limit, NULL, false, false },
	{ "POST", "/v1/hint", "hint", hint, serve_hint, serve_hint_limit, NULL, false, false },
	{ "POST", "/indexnow", "indexnow", NULL, serve_indexnow, serve_indexnow_limit, NULL, true, false },
	{ "GET", "/indexnow", "indexnowOne", indexnow, serve_indexnow_one, NULL, NULL, true, false },
	{ "POST", "/v1/pages", "addPages", NULL, serve_pages_add, serve_pages_limit, NULL, false, false },
	{ "DELETE", "/v1/pages", "forgetPages", forget, serve_pages_forget, NULL, NULL, false, false },
	{ "GET", "/v1/page", "explainPage", page, serve_page, NULL, NULL, false, false },
	{ "GET", "/v1/show", "show", page, serve_show, NULL, NULL, false, true },
	{ "GET", "/v1/stats", "stats", NULL, serve_stats, NULL, NULL, false, false },
	{ "POST", "/v1/tune", "tune", tune, serve_tune, NULL, NULL, false, false },
	{ "GET", "/metrics", "metrics", NULL, serve_metrics_route, NULL, NULL, false, false },
	{ "GET", "/healthz", "healthz", NULL, serve_healthz, NULL, NULL, true, false },
	{ "GET", "/readyz", "readyz", NULL, serve_readyz, NULL, NULL, true, false },
};

const size_t serve_route_count = sizeof serve_routes / sizeof *serve_routes;
