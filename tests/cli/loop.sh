#!/usr/bin/env bash
# The loop of the README with a real fetcher: due, wget, observe, for a month of a small site that changes.  What the
# evaluator says of the same policy on the same history is what the loop costs and leaves stale.
. "${SRCDIR:?}/tests/tap.sh"

command -v wget >/dev/null || skip_all "wget is not installed: it is the fetcher of this loop"
wget --help | grep -q -- --warc-file || skip_all "this wget writes no WARC files"
site=$BUILDDIR/tests/site
cd "$tmp"

# Not what siblings say: it goes by the order of pages within a round, which goes by the port that the site was given.
ticks=60 threshold=0.05 policy=drift:summary=8:siblings=no
echo 0 > clock
"$site" serve clock port & server=$!
trap 'kill "$server"; rm -rf "$tmp"' EXIT
for ((i = 0; i < 100; i++)); do [ -s port ] && break; sleep 0.05; done
origin=127.0.0.1:$(cat port)

# The truth: every page at every tick, and what the evaluator makes of it: pages of one host, which all begin together.
"$site" history "$origin" $ticks > history.ndjson
"$PERENNIAL" import -o truth.trace history.ndjson 2> import.err
evaluated=$("$PERENNIAL" evaluate --late=0 --clock=days --policy=$policy --threshold=$threshold --window=all --format=tsv truth.trace |
	awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["cost"], $at["staleness"] }')

# The loop.
code "the loop begins with a store" 0 "$PERENNIAL" init --state=S --policy=$policy --threshold=$threshold
code "the pages of the site are added to the store of the loop" 0 "$PERENNIAL" add --state=S --now=2026-01-01 $(awk -F '"' '!seen[$4]++ { print $4 }' history.ndjson)
failures=0
for ((tick = 0; tick <= ticks; tick++)); do
	now=$(date -ud "2026-01-01 $((tick * 12)) hours" +%Y-%m-%dT%H:%M:%SZ)
	echo $tick > clock
	"$PERENNIAL" due --state=S --now="$now" --host-limit=0 --host-delay=0s > due.txt 2>/dev/null || failures=$((failures + 1))
	[ -s due.txt ] || continue
	wget -q -i due.txt --tries=1 --delete-after --warc-file=batch || failures=$((failures + 1))
	"$PERENNIAL" observe --state=S --now="$now" --time="$now" --format=json batch.warc.gz > decisions 2> err || failures=$((failures + 1))
	sed "s/^{\"url\":\"\([^\"]*\)\",\"time\":\"\([^\"]*\)\".*/\1 \2/" decisions >> visits
	sort due.txt > asked; awk '{ print $1 }' visits | tail -n "$(wc -l < decisions)" | sort | cmp -s - asked || failures=$((failures + 1))
done
same "$((ticks + 1)) rounds of due, wget and observe, each page that was asked for observed" "$failures" 0
looped=$("$site" score truth.trace visits)
tap_note "cost and staleness evaluated: $evaluated, in the loop: $looped"

# A page state rounds (divergences to 1/255, numbers to a few bits), which moves a visit by a tick now and then.
ok "the loop cost what was evaluated, within 3 %" awk -v a="$evaluated" -v b="$looped" \
	'BEGIN { split(a, e); split(b, l); exit !(e[1] > 0.02 && l[1] > 0.97 * e[1] && l[1] < 1.03 * e[1]) }'
ok "the loop left stale what was evaluated, within 3 %" awk -v a="$evaluated" -v b="$looped" \
	'BEGIN { split(a, e); split(b, l); exit !(e[2] > 0.01 && l[2] > 0.97 * e[2] && l[2] < 1.03 * e[2]) }'

# Pages that are not content, as wget brings them; this server knows no media type of a name without an ending.
now=2026-02-01T00:00:00Z
"$PERENNIAL" init --state=S2 2>/dev/null
"$PERENNIAL" add --state=S2 --now=$now "http://$origin/moved" "http://$origin/nowhere" 2>/dev/null
"$PERENNIAL" due --state=S2 --now=$now --host-limit=0 --host-delay=0s 2>/dev/null | wget -q -i - --tries=1 --delete-after --warc-file=odd
code "observe does not fail over a 404, as wget does" 0 "$PERENNIAL" observe --state=S2 --media=all --now=$now --time=$now odd.warc.gz
like "a redirect that wget brings is observed" "$out" "http://$origin/moved	2026-[^	]*	[0-9.]+	0	"
like "the target of a redirect, which wget fetched too, is a page of its own" "$out" "http://$origin/about	2026-"
like "a page that is not there is tried again" "$out" "http://$origin/nowhere	2026-[^	]*	[0-9.]+	0	0	retry"

# A round of the loop as README.md and the man page have it, beside a server that sends a byte now and then for ever.
cat > trickle.pl <<'PL'
use strict; use IO::Socket::INET; $| = 1; $SIG{CHLD} = $SIG{PIPE} = "IGNORE";
my $server = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Listen => 9) or die; print $server->sockport, "\n";
while (my $client = $server->accept) {
	next if fork;
	my $line = <$client>; while (<$client> =~ /\S/) {}
	print $client "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\nConnection: close\r\n\r\n";
	print $client "x" x 9000 if $line !~ /slow/;
	while ($line =~ /slow/) { last unless syswrite $client, "x"; sleep 1 }
	exit;
}
PL
perl trickle.pl > trickle.port & trickle=$!
trap 'kill "$server" "$trickle"; rm -rf "$tmp"' EXIT
for ((i = 0; i < 100; i++)); do [ -s trickle.port ] && break; sleep 0.05; done
port=$(cat trickle.port)
mkdir bin && ln -s "$PERENNIAL" bin/perennial
for page in README.md man/perennial-due.1; do
	sed 's/\\-/-/g; s/\\e/\\/g' "$SRCDIR/$page" | sed -n '/^until perennial due/,/^done/p' | sed '1d;$d; s/timeout [0-9]*m/timeout 9/' > round
	rm -rf S && perennial=bin/perennial && $perennial init --state=S 2> /dev/null
	printf '%s\t%s\n' "http://localhost:$port/good" 9 "http://127.0.0.1:$port/slow" 1 | $perennial add --state=S - 2> /dev/null
	$perennial due --state=S > urls 2> /dev/null
	same "$page: a page that comes whole and one that never ends are both asked for" "$(wc -l < urls)" 2
	code "$page: a round ends though a server sends a byte now and then for ever" 0 env PATH="$tmp/bin:$PATH" timeout 60 sh round
	like "$page: what came before that is observed" "$(cat "$tmp/.out" decisions.ndjson 2> /dev/null)" '/good.*"outcome":"observed"|/good	2'
	rm -f decisions.ndjson
done
done_testing
