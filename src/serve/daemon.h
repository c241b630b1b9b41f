/*
 * The daemon offers the decider over HTTP.  It owns a store's only writer, answers requests and keeps the numbers
 * about both; man/openapi.yaml describes what it answers, perennial-serve(1) how it is run.
 */
#ifndef SERVE_DAEMON_H
#define SERVE_DAEMON_H

#include <stddef.h>
#include <stdint.h>

#include "perennial/decider.h"
#include "perennial/error.h"
#include "keep/keep.h"
#include "serve/address.h"
#include "serve/indexnow.h"
#include "serve/log.h"

/* Defaults of the options. */
#define SERVE_QUEUE 4096                      /* tasks that wait for the writer */
#define SERVE_CONNECTIONS 512
#define SERVE_TIMEOUT_S 30.0
#define SERVE_UPLOAD_BYTES ((size_t)4 << 30)  /* of a batch */

struct serve_daemon_options {
	struct serve_address address;
	bool no_token;                 /* none is asked for: the address must be local */
	const char *token_file;        /* NULL only with no_token */
	const char *const *hosts;      /* [host_count] see admission.h; borrowed */
	size_t host_count;
	unsigned threads;              /* that read requests and parse pages, >= 1 */
	unsigned connections;          /* >= threads */
	size_t queue;                  /* tasks that may wait for the writer, >= 1 */
	size_t body_bytes_max;         /* of one page */
	size_t upload_bytes_max;       /* of a batch: WARC, NDJSON, lists of URLs */
	uint64_t spool_most, client_spool_most; /* bytes of all uploads on their way, and of one client's; > 0 */
	double timeout_s;
	double lease_s;                /* the leases of /v1/due, unless a request says otherwise */
	const struct serve_indexnow *indexnow; /* keys of sites; NULL: IndexNow is not offered; borrowed */
	struct keep *keep;             /* bodies of pages; NULL: there are none; borrowed */
	uint64_t keep_most;            /* bytes; 0: no more bodies are kept, and those of forgotten pages are removed */
	const char *spool;             /* folder for uploads; NULL: /tmp */
	const struct serve_log *log;   /* borrowed; its clock is the daemon's */
};

struct serve_daemon;

/*
 * Checks the address and the folder for uploads as _open_take does.
 *
 * PRN_E_ARGUMENT	other machines reach the address, and no token is asked for
 * PRN_E_IO	the folder takes no files
 */
int serve_daemon_check(const struct serve_daemon_options *options, struct prn_error *error);

/*
 * Listens, and answers from then on.  The decider must be opened for writing; the daemon takes it over, also after a
 * failure.  Strings of options are borrowed until _stop.
 *
 * PRN_E_ARGUMENT	other machines reach the address, and no token is asked for
 * Errors of serve_http_open and serve_admission_read_token.
 */
int serve_daemon_open_take(struct serve_daemon **out, struct prn_decider *decider,
                           const struct serve_daemon_options *options, struct prn_error *error);

/* Where it listens: the port that was free, if 0 was asked for. */
const struct serve_address *serve_daemon_address(const struct serve_daemon *daemon);

/*
 * Replaces the decider's options.  What the old options point to may be freed when this returns.
 *
 * PRN_E_CANCELLED	the daemon is stopping
 * Errors of prn_decider_set_options; then nothing has changed.  A full disk is no error, because options are not kept in the
 * store.
 */
int serve_daemon_reload(struct serve_daemon *daemon, const struct prn_decider_options *decider, double lease_s,
                        struct prn_error *error);

/* Whether the writer has made progress since the last call with the same *seen; see serve_writer_goes_on. */
bool serve_daemon_goes_on(struct serve_daemon *daemon, uint64_t *seen);

/*
 * Answers the requests under way for at most so many seconds, makes them durable, closes the store and frees the daemon.
 * Returns how many requests it has answered in all.
 */
uint64_t serve_daemon_stop(struct serve_daemon *daemon, double seconds);

#endif
