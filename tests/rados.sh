# A Ceph cluster for tests: source it after tap.sh (and server.sh), then
#   start_cluster [OPTION…]  makes one (tools/rados-cluster) or skips the whole test where there is no Ceph
#   address NAME             the address of a store in it
#   daemon_pid NAME          of mon.a, osd.0, …
# At the end it is stopped, however the test ends.
cluster=$tmp/cluster
trap '[ -z "${server_pid:-}" ] || kill -KILL "$server_pid" 2>/dev/null; stop_cluster; rm -rf "$tmp"' EXIT

stop_cluster() { [ ! -e "$cluster" ] || "$SRCDIR/tools/rados-cluster" stop "$cluster" >/dev/null; }

start_cluster() {
	for program in ceph ceph-mon ceph-osd ceph-authtool monmaptool; do
		command -v $program >/dev/null || skip_all "$program is not installed: tools/packages --ci installs a Ceph cluster"
	done
	! "$PERENNIAL" stats --state=rados:prn/none 2>&1 | grep -q 'built without\|is not here' || skip_all "built without RADOS"
	"$SRCDIR/tools/rados-cluster" start "$cluster" "$@" >"$tmp/started" 2>&1 || { tap_note "$(cat "$tmp/started")"; printf 'Bail out! no cluster\n'; exit 1; }
}
address() { echo "rados:prn/$1?conf=$cluster/ceph.conf"; }
daemon_pid() { cat "$cluster/$1.pid"; }
