/* Objects of a cluster (in memory) that a process opens: which of them share a connection, and for how long. */
#include "fixture.h"
#include "librados.h"

#include "perennial/store.h"
#include "store/rados_internal.h"

static struct prn_rados *connect_to(const char *place)
{
	struct prn_rados *rados;

	must(!prn_rados_connect(&rados, place, NULL), "connect");
	return rados;
}

static void test_shared(void)
{
	static const char *const others[] = { "other/a", "pool/a?id=user", "pool/a?conf=file", "pool/a?conf=file&id=user" };
	struct prn_rados *first = connect_to("pool/a"), *second = connect_to("pool/b"), *third;

	ok(first->cluster == second->cluster && cluster_connected == 1, "objects of a pool share a connection");
	prn_rados_free(&first->head);
	must(!prn_rados_beside(&third, second, "pool/c", NULL), "open an object beside another");
	prn_rados_free(&second->head);
	ok(cluster_connections == 1, "a connection stays while an object is open, whichever was first");
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct prn_rados *other = connect_to(others[i]), *again = connect_to(others[i]);

		ok(other->cluster != third->cluster && other->cluster == again->cluster && cluster_connections == 2, "%s has a connection of its own",
		   others[i]);
		prn_rados_free(&other->head);
		prn_rados_free(&again->head);
	}
	ok(cluster_connections == 1, "which ends with its last object");
	prn_rados_free(&third->head);
	ok(!cluster_connections, "as the first does");
}

/* A client that the cluster has shut out stays so: only another connection helps. */
static void test_shut(int answer)
{
	struct prn_rados *first = connect_to("pool/a"), *second;
	rados_read_op_t operation = first->cluster->library.create_read_op();
	uint64_t version;

	fault.asked = 0;
	fault.at = fault.count = 1;
	fault.answer = answer;
	must(prn_rados_read(first, operation, &version) == answer, "be shut out");
	first->cluster->library.release_read_op(operation);
	fault.at = 0;
	ok(prn_rados_fail(first, "read", answer, NULL) == PRN_E_BUSY, "being shut out is told as what may pass: %s", strerror(-answer));
	second = connect_to("pool/a");
	ok(second->cluster != first->cluster, "who comes after a connection was shut out has another: %s", strerror(-answer));
	prn_rados_free(&first->head);
	first = connect_to("pool/a");
	ok(second->cluster == first->cluster, "which those after it share: %s", strerror(-answer));
	prn_rados_free(&first->head);
	prn_rados_free(&second->head);
	ok(!cluster_connections, "both end");
}

static void test_refused(void)
{
	struct prn_rados *rados;

	ok(prn_rados_connect(&rados, "pool/a?conf=/dev/null", NULL) == PRN_E_IO && !cluster_connections, "what cannot be reached has no connection");
	cluster_release();
}

/* Copying many shards takes one connection. */
static void test_stores(void)
{
	struct prn_store *store;

	must(!prn_store_create("rados:pool/s", NULL, 0, NULL) && !prn_store_open(&store, "rados:pool/s", PRN_STORE_READ, 0, NULL), "make a store");
	cluster_connected = 0;
	ok(!prn_store_backup(store, "rados:pool/copy", NULL) && !cluster_connected, "a copy is made over the connection of the store");
	prn_store_free(store);
	ok(!cluster_connections, "none is left");
}

int main(void)
{
	test_shared();
	test_shut(-ESHUTDOWN);
	test_shut(-ENOTCONN);
	test_refused();
	test_stores();
	cluster_release();
	return done();
}
