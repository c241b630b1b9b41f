/* The tests of the store (store.c) once more, on the engine RADOS too, in a cluster in memory: so they run where there is no Ceph. */
#include "librados.h"

__attribute__((constructor)) static void begin(void)
{
	setenv("PERENNIAL_RADOS", "rados:pool/t?conf=none", 1);
}

__attribute__((destructor)) static void end(void)
{
	cluster_release();
}
