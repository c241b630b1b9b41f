/*
 * The gates of giants (giants.h) where they are kept, in the root.
 */
#ifndef DECIDE_GIANT_GATES_H
#define DECIDE_GIANT_GATES_H

#include "decide/giants.h"

#define PRN_GATE_KEY "gate/" /* a root's setting, followed by the host's name: its gate */

/*
 * _read reads a gate from the root's settings, and _put stages it; reader and batch must be the root's.  A gate that is missing or
 * damaged is read as empty.  Errors of the store, and of batches
 */
int prn_giant_gate_read(const struct prn_store_reader *reader, const struct prn_giant *giant, struct prn_giant_gate *gate,
                        struct prn_error *error);
int prn_giant_gate_put(const struct prn_giant_gate *gate, struct prn_batch *batch, const struct prn_giant *giant, struct prn_error *error);

/* Reads the committed gate, from any thread.  Errors of views */
int prn_giant_read(struct prn_decider *decider, size_t giant, struct prn_giant_gate *gate, struct prn_error *error);

/* Reads all gates again, so that the root's writer knows what is committed.  Errors of views */
int prn_giants_look(struct prn_decider *root, struct prn_error *error);

/*
 * Takes some permits, in the thread that asks a shard what is due, as far as the gate allows and so that the giant's other
 * parts get some too.  The permits are durable on return; *gate is as it is then.  Errors of commits
 */
int prn_giant_take(struct prn_decider *shard, size_t giant, const struct prn_giant_wish *wish, unsigned *given, struct prn_giant_gate *gate,
                   struct prn_error *error);

/*
 * Merges a giant's gate into the shard's own record of the host, for callers that ask what holds the host back.  Errors of
 * views
 */
int prn_giant_merge(struct prn_decider *shard, struct prn_known_host *known, int64_t now, struct prn_error *error);

/*
 * Reads gates, changes them and commits, and repeats that while another process commits first.  The caller has the lock of gates, under
 * which only one thread uses the root's batch at a time; meanwhile the root's own writer waits for the threads that ask shards, or
 * stages nothing.  PRN_E_BUSY: others wrote first each time; errors of change and of commits
 */
typedef int prn_giant_gates_change_fn(struct prn_decider *root, void *context, struct prn_error *error);
int prn_giant_gates_change(struct prn_decider *root, prn_giant_gates_change_fn *change, void *context, struct prn_error *error);

#endif
