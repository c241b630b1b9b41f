#!/usr/bin/env bash
# Several daemons over one store in a cluster: what each acknowledged is there, nothing is given twice, and a cluster that
# is slow, lost or full is told to clients as what it is.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
. "$SRCDIR/tests/rados.sh"
start_cluster
# A client that waits for less than the default, so that the test does.
printf '[client]\nrados osd op timeout = 3\n' >>"$cluster/ceph.conf"
S=$(address store)
"$PERENNIAL" init --state="$S" --shards="${SHARDS:-1}"

servers=() pids=()
trap 'kill -CONT $(cat "$cluster"/osd.*.pid) 2>/dev/null; kill -KILL "${pids[@]}" 2>/dev/null; stop_cluster; rm -rf "$tmp"' EXIT
for n in 0 1 2; do
	server= auth=/dev/null log=$tmp/log.$n
	: >"$log"
	"$PERENNIAL" serve --state="$S" --listen=127.0.0.1:0 --no-token --hints=sitemap --host-delay=0s --host-limit=0 2>"$log" &
	pids[n]=$!
	for ((i = 0; i < 100; i++)); do
		server=$(sed -n 's/.*listening.*address=\(127[0-9.:]*\).*/http:\/\/\1/p' "$log")
		[ -z "$server" ] || break
		sleep 0.1
	done
	servers[n]=$server
done
ok "three daemons serve one store" test -n "${servers[0]}" -a -n "${servers[1]}" -a -n "${servers[2]}"

# reports FIRST LAST: requests for curl, to each of the daemons in turn; answers go to "status URL" lines.
reports() {
	local i
	for ((i = $1; i <= $2; i++)); do
		printf 'url = "%s/v1/observe?url=http://h%d.example/%d"\ndata = "page %d of some words that stay"\noutput = /dev/null\nwrite-out = "%%{http_code} %d\\n"\nheader = "Content-Type: text/plain"\n' \
			"${servers[i % 3]}" $((i % 50)) "$i" "$i" "$i"
		[ "$i" = "$2" ] || echo next
	done
}
ask_all() { reports "$1" "$2" >"$tmp/requests.$1"; curl -s --no-progress-meter --parallel --parallel-max 60 -m 30 -K "$tmp/requests.$1"; }
# What the store knows: numbers of pages that were visited.
known() { "$PERENNIAL" export --state="$S" | grep -v '"visits":0' | sed -n 's|.*"url":"http://h[0-9]*.example/\([0-9]*\)".*|\1|p' | sort; }
acknowledged() { sed -n 's/^200 //p' "$@" | sort; }
metric() { for n in 0 1 2; do curl -s "${servers[n]}/metrics" | sed -n "s/^$1 //p"; done | awk '{ sum += $1 } END { print sum + 0 }'; }

ask_all 1 900 >"$tmp/answers"
same "three daemons acknowledge every report" "$(acknowledged "$tmp/answers" | wc -l)" 900
same "what three daemons acknowledged is there" "$(comm -23 <(acknowledged "$tmp/answers") <(known))" ""
ok "daemons that were not the first to write decided again, and counted that" test "$(metric perennial_conflicts_total)" -gt 0
same "no commit failed because another daemon was faster" "$(metric perennial_commit_failures_total)" 0

# What is the same again; pages are read anew rather than asked for, sitemaps are not heard twice.
post_twice() { # TYPE PATH BODY: the second answer
	for day in 20 21; do
		curl -s -H "Content-Type: $1" -d "$3" "${servers[day % 3]}/v1/observe?url=http://s.example/$2&time=2026-11-${day}T00:00:00Z"
	done | tail -n 1
}
like "a page that comes again through another daemon is the same" "$(post_twice text/plain page "a page of some words that stay")" '"outcome":"same"'
sitemap='<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://s.example/listed</loc></url></urlset>'
again=$(post_twice application/xml sitemap.xml "$sitemap")
like "a sitemap that comes again is the same" "$again" '"outcome":"same"'
same "a sitemap that comes again is not heard again" "$(grep -c hints <<<"$again")" 0
"$PERENNIAL" forget --state="$S" http://s.example/listed 2>"$tmp/forgotten"

# Leases.
for ((i = 0; i < 900; i++)); do echo "http://l$((i % 90)).example/$i"; done >"$tmp/urls"
curl -s -o /dev/null -H 'Content-Type: text/plain' --data-binary @"$tmp/urls" "${servers[0]}/v1/pages"
for n in 0 1 2; do
	for i in 1 2 3 4 5; do curl -s -X POST "${servers[n]}/v1/due?limit=60"; done | sed -n 's/.*"url":"\([^"]*\)".*/\1/p' >"$tmp/due.$n" &
done
wait $(jobs -p | grep -vxF "$(printf '%s\n' "${pids[@]}")")
same "three daemons give all that they are asked for" "$(cat "$tmp"/due.* | wc -l)" 900
same "no page is given by two daemons" "$(cat "$tmp"/due.* | sort | uniq -d)" ""
code "after three daemons a check finds no fault" 0 "$PERENNIAL" check --state="$S"

# One daemon's settings are another's.
curl -s -o /dev/null -X POST "${servers[0]}/v1/tune?budget=100/day&apply=yes"
curl -s -o /dev/null -X POST "${servers[1]}/v1/due?limit=1"
same "a threshold that one daemon sets is that of another" \
	"$(curl -s "${servers[1]}/metrics" | grep '^perennial_threshold ')" "$(curl -s "${servers[0]}/metrics" | grep '^perennial_threshold ')"

# What a command sets, daemons decide by within two seconds: they have decided by another T just before.
decides_by() { curl -s "${servers[$1]}/v1/page?url=http://h1.example/1" | grep -o '"threshold":[0-9.e-]*'; }
for n in 0 1 2; do decides_by $n; done >"$tmp/before"
"$PERENNIAL" tune --state="$S" --budget=3000/day --apply >"$tmp/tuned" 2>&1
tuned=$EPOCHREALTIME
while for n in 0 1 2; do decides_by $n; done >"$tmp/after"
	grep -qxFf "$tmp/before" "$tmp/after" && awk -v now="$EPOCHREALTIME" -v tuned="$tuned" 'BEGIN { exit now - tuned >= 2 }'; do sleep 0.1; done
same "a budget that a command sets reaches three daemons within two seconds" "$(sort -u "$tmp/after" | wc -l) $(wc -l <"$tmp/after")" "1 3"
ok "daemons decide by another threshold then" test "$(sort -u "$tmp/before")" != "$(sort -u "$tmp/after")"

# An OSD is killed under load: two copies are left, and go on.
ask_all 1001 1600 >"$tmp/answers.killed" &
asking=$!
kill -KILL "$(daemon_pid osd.0)"
wait $asking
ask_all 1601 1630 >"$tmp/answers.after"
same "what was acknowledged while an OSD was killed is there" \
	"$(comm -23 <(acknowledged "$tmp/answers.killed" "$tmp/answers.after") <(known))" ""
like "who was not acknowledged while an OSD was killed was told to come again" \
	"$(cut -d ' ' -f 1 "$tmp/answers.killed" | sort -u | tr '\n' ' ')" "^(200 )?(503 )?$"
same "reports are acknowledged with an OSD less" "$(acknowledged "$tmp/answers.after" | wc -l)" 30
ok "an OSD that was killed starts again" "$SRCDIR/tools/rados-cluster" again "$cluster" osd.0

# The whole cluster does not answer.
kill -STOP $(cat "$cluster"/osd.*.pid)
ask_all 2001 2003 >"$tmp/answers.frozen"
same "no report is acknowledged by a cluster that does not answer" "$(cut -d ' ' -f 1 "$tmp/answers.frozen" | sort -u)" "503"
like "a cluster that does not answer is a 503 that says when to come again" \
	"$(curl -s -i -m 30 -X POST -H 'Content-Type: text/plain' -d x "${servers[0]}/v1/observe?url=http://x.example/" | tr -d '\r' | tr '\n' ' ')" \
	"503.*Retry-After: 5"
like "/readyz says that the cluster does not answer" "$(curl -s -m 30 -w '%{http_code}' "${servers[0]}/readyz" | tr '\n' ' ')" "did not answer.*503|failed.*503"
same "/healthz says that the daemon is alive" "$(curl -s "${servers[0]}/healthz")" "ok"
kill -CONT $(cat "$cluster"/osd.*.pid)
for ((i = 0; i < 60; i++)); do
	[ "$(curl -s -m 30 -o /dev/null -w '%{http_code}' "${servers[0]}/readyz")" != 200 ] || break
	sleep 0.5
done
ok "/readyz says that a cluster that answers again is ready" test $i -lt 60
ask_all 2031 2090 >"$tmp/answers.back"
like "the log says that the cluster does not answer, once a minute" "$(grep -c 'cannot be answered now' "$tmp/log.0")" "^[12]$"
like "and when it does again" "$(grep -A 9 'cannot be answered now' "$tmp/log.0" | tr '\n' ' ')" "did not answer.*is answered again"
same "reports are acknowledged when the cluster is back" "$(acknowledged "$tmp/answers.back" | wc -l)" 60
same "all that was ever acknowledged is there" "$(comm -23 <(acknowledged "$tmp"/answers*) <(known))" ""
code "after all that a check finds no fault" 0 "$PERENNIAL" check --state="$S"

# Full.
ceph=$(command -v ceph)
ceph() { timeout 60 "$ceph" -c "$cluster/ceph.conf" "$@" >/dev/null 2>&1; }
for ratio in nearfull backfillfull full; do ceph osd set-$ratio-ratio 0.00001; done
for ((i = 0; i < 60; i++)); do
	post_status=$(curl -s -m 30 -o /dev/null -w '%{http_code}' -H 'Content-Type: text/plain' -d x "${servers[0]}/v1/observe?url=http://full.example/$i")
	[ "$post_status" = 200 ] || break
	sleep 0.5
done
same "a pool that is full takes no report" "$post_status" 503
like "who sends a report to a full pool is told that it may be full" \
	"$(curl -s -m 30 -H 'Content-Type: text/plain' -d x "${servers[0]}/v1/observe?url=http://full.example/")" "may be full"
same "a full pool is still read" "$(curl -s -o /dev/null -w '%{http_code}' "${servers[0]}/v1/page?url=http://h1.example/1")" 200
for ratio in full backfillfull nearfull; do ceph osd set-$ratio-ratio 0.9; done
for ((i = 0; i < 60; i++)); do
	post_status=$(curl -s -m 30 -o /dev/null -w '%{http_code}' -H 'Content-Type: text/plain' -d x "${servers[0]}/v1/observe?url=http://room.example/$i")
	[ "$post_status" != 200 ] || break
	sleep 0.5
done
same "a pool that has room again takes reports" "$post_status" 200
same "all that was acknowledged before and after is there" "$(comm -23 <(acknowledged "$tmp"/answers*) <(known))" ""

# Another policy: who has the store open would read pages by the one before.
before=$(known)
code "the policy is changed while daemons have the store open" 0 "$PERENNIAL" set --state="$S" --policy=curve-fitting
same "every page that was visited goes on from its version" "$(known)" "$before"
for n in 0 1; do
	like "a daemon that has it open takes no report any more, and says why" \
		"$(curl -s -m 30 -w ' %{http_code}' -H 'Content-Type: text/plain' -d "of other words" "${servers[n]}/v1/observe?url=http://h1.example/$n" | tr '\n' ' ')" \
		"another process has changed its policy.* 503"
done
like "a daemon whose store's policy was changed does not say what it takes a page to be" "$(curl -s -m 30 -w ' %{http_code}' "${servers[2]}/v1/page?url=http://h1.example/1")" "503"
like "a daemon whose store's policy was changed hands out no page" "$(curl -s -m 30 -w ' %{http_code}' -X POST "${servers[2]}/v1/due?limit=5")" "503"
like "a daemon whose store's policy was changed is not ready, and says why" "$(curl -s -m 30 -w ' %{http_code}' "${servers[2]}/readyz" | tr '\n' ' ')" "another process has changed its policy.* 503"
code "a check finds no fault in a store whose policy was changed" 0 "$PERENNIAL" check --state="$S"

for n in 0 1 2; do kill -TERM "${pids[n]}"; wait "${pids[n]}"; echo $?; done >"$tmp/ends"
same "each daemon ends in order when it is told to" "$(sort -u "$tmp/ends")" 0
done_testing
