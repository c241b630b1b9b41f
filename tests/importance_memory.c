/*
 * Importance where memory ends in any of its rounds: what was reached is what was reached before.
 */
#include "base/parallel.h"

static int loop(size_t items, size_t threads, prn_parallel_fn *run, void *context, struct prn_error *error);

#define prn_parallel_for loop
#include "web/importance.c"
#include "tap.h"

static size_t loops_left;

static int loop(size_t items, size_t threads, prn_parallel_fn *run, void *context, struct prn_error *error)
{
	(void)threads;
	if (!loops_left--)
		return prn_error_memory(error);
	for (size_t i = 0; i < items; i++)
		if (run(context, 0, i, error))
			abort();
	return 0;
}

/* 0 and 1 link to each other, 2 to 0. */
static void end_after(enum prn_importance importance, size_t loops, size_t rounds)
{
	static const size_t starts[] = { 0, 1, 2, 3 };
	static const uint32_t to[] = { 1, 0, 0 };
	const struct prn_importance_options options = { .damping = 0.5, .threads = 1 };
	struct prn_importance_reached reached;
	struct prn_graph graph;
	double weights[3];

	if (prn_graph_init(&graph, NULL, 3, starts, to))
		abort();
	loops_left = loops;
	ok(prn_importance_weights(importance, &graph, &options, weights, &reached, NULL) == PRN_E_MEMORY,
	   "%s: an end of memory after %zu loops is told", prn_importance_name(importance), loops);
	ok(reached.rounds == rounds && !reached.converged, "%s: where memory ends after %zu loops, %zu rounds were done",
	   prn_importance_name(importance), loops, rounds);
	prn_graph_release(&graph);
}

int main(void)
{
	for (size_t n = 0; n < 4; n++) {
		end_after(PRN_IMPORTANCE_PAGERANK, n, n);
		end_after(PRN_IMPORTANCE_HITS, n, n / 2);
	}
	return done();
}
