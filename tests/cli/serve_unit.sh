#!/usr/bin/env bash
# Under a service manager: what perennial serve tells it, and the unit in tools/systemd.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"

# A manager that writes down what it is told.
cat > "$tmp/manager.pl" <<'PL'
use IO::Socket::UNIX; use Socket; $| = 1;
my $manager = IO::Socket::UNIX->new(Type => SOCK_DGRAM, Local => $ARGV[0]) or die;
while (defined $manager->recv(my $told, 4096)) { $told =~ s/\n/ /g; print "$told\n"; }
PL
perl "$tmp/manager.pl" "$tmp/notify" > "$tmp/told" 2>/dev/null &
manager=$!
disown
trap 'kill "$manager" $server_pid 2>/dev/null; rm -rf "$tmp"' EXIT
for ((i = 0; i < 50; i++)); do [ -S "$tmp/notify" ] && break; sleep 0.1; done
told() { for ((i = 0; i < 50; i++)); do grep -Eq "$1" "$tmp/told" && return; sleep 0.1; done; return 1; }

export NOTIFY_SOCKET="$tmp/notify"
ok "serve starts under a service manager" start_server
ok "serve tells its manager when it is ready" told '^READY=1$'
kill -HUP "$server_pid"
ok "serve tells its manager that it reloads, and since when" told '^RELOADING=1 MONOTONIC_USEC=[0-9]+$'
ok "serve tells its manager that it is ready after it reloaded" told '^READY=1$'
stop_server
ok "serve tells its manager that it stops" told '^STOPPING=1$'
same "serve tells its manager that it is ready, reloads, is ready and stops, in this order" "$(cut -d = -f 1 "$tmp/told" | paste -sd ' ')" "READY RELOADING READY STOPPING"

export WATCHDOG_USEC=400000
ok "serve starts under a manager that watches it" start_server
ok "serve tells a manager that watches it that it goes on" told '^WATCHDOG=1$'
stop_server
: > "$tmp/told"
WATCHDOG_PID=1 start_server
post /v1/pages --data-binary http://a.example/
stop_server
ok "serve tells a manager that it stops which watches another process" told '^STOPPING=1$'
same "serve tells nothing of itself where the manager watches another process" "$(grep -c WATCHDOG "$tmp/told")" 0
unset WATCHDOG_USEC

unit=$SRCDIR/tools/systemd/perennial.service
like "the unit says that serve notifies its manager" "$(cat "$unit")" '^Type=notify$'
like "the unit has a watchdog" "$(cat "$unit")" '^WatchdogSec='
like "the unit bounds the memory of serve" "$(cat "$unit")" '^MemoryMax='
like "the unit bounds the threads of serve" "$(cat "$unit")" '^TasksMax='
spool=$(sed -n 's/^ExecStart=.*--spool=\([^ ]*\).*/\1/p' "$unit") store=$(sed -n 's/^ExecStart=.*--state=\([^ ]*\).*/\1/p' "$unit")
same "the unit has uploads wait in another folder than the store's" "$(case $store/ in "$spool"/*) echo within;; esac)" ""
options=$("$PERENNIAL" serve --help)
for option in $(sed -n 's/^ExecStart=//p' "$unit" | grep -o -- '--[a-z-]*'); do
	ok "the unit's $option is an option" grep -Eq -- " $option[= ]" <<<"$options"
done
if command -v systemd-analyze >/dev/null; then
	sed "s|/usr/bin/perennial|$PERENNIAL|" "$unit" > "$tmp/perennial.service"
	systemd-analyze verify --man=no "$tmp/perennial.service" > "$tmp/verify" 2>&1
	same "systemd-analyze finds nothing to say about the unit" "$(grep perennial.service "$tmp/verify")" ""
	little_exposed() { systemd-analyze security --no-pager --offline=true --threshold=20 "$1" > "$tmp/security"; }
	ok "systemd-analyze finds that the unit exposes little" little_exposed "$tmp/perennial.service"
else
	skip "systemd-analyze verifies the unit" "systemd-analyze is not installed"
fi
done_testing
