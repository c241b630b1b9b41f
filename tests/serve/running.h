/*
 * A daemon with a store of its own in the scratch folder, for tests of what happens within its process.
 */
#ifndef TESTS_SERVE_RUNNING_H
#define TESTS_SERVE_RUNNING_H

#include "../fixture.h"
#include "serve/log.h"
#include "serve/service.h"

/* A clock for its log, and for what is told it: 2026-05-10T12:00:00Z. */
static inline int64_t noon(void *context)
{
	(void)context;
	return 1778414400;
}

/* One HTTP thread, no token, a port that nobody else has; shards of its store, 0: 1. */
static inline struct serve_daemon *start_daemon(const char *store, unsigned shards, const struct serve_log *log)
{
	struct serve_daemon_options options = { .no_token = true, .threads = 1, .connections = 8, .queue = 8, .body_bytes_max = 1 << 20,
		                                .upload_bytes_max = 1 << 20, .timeout_s = 10, .lease_s = 60, .log = log };
	const struct prn_decider_settings settings = { .shards = shards };
	struct serve_daemon *running;
	struct prn_decider *decider;
	struct prn_error error = { 0 };

	must(!prn_decider_create(in_scratch(store), &settings, &error), "make a store");
	must(!prn_decider_open(&decider, in_scratch(store), PRN_STORE_WRITE, NULL, &error), "open it");
	must(!serve_address_parse(&options.address, "127.0.0.1:0", &error), "an address");
	must(!serve_daemon_open_take(&running, decider, &options, &error), "start");
	return running;
}

#endif
