#!/usr/bin/env bash
# The daemon over a store of several objects of a Ceph cluster: all that it does over one.
SHARDS=8
. "${SRCDIR:?}/tests/cli/rados_serve.sh"
