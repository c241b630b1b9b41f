#!/usr/bin/env bash
# Revisit records that say "identical to that capture", fed to a store: which capture that is decides what the page was.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1

head=$'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n'
text() { printf '<p>'; for i in $(seq 60); do printf '%s%d ' "$1" "$i"; done; }
digest() { text "$1" | sha1sum | cut -d ' ' -f 1; }
record() { # type URL date block, more fields
	printf 'WARC/1.0\r\nWARC-Type: %s\r\nWARC-Record-ID: <urn:uuid:%s%s>\r\nWARC-Date: %s\r\nWARC-Target-URI: %s\r\n' "$1" "$2" "$3" "$3" "$2"
	printf 'Content-Type: application/http\r\n%sContent-Length: %d\r\n\r\n%s\r\n\r\n' "$5" "${#4}" "$4"
}
got() { record response "http://$1/" "2026-01-$2T12:00:00Z" "$head$(text "$3")" "WARC-Payload-Digest: sha1:$(digest "$3")"$'\r\n'; } # host day text
again() { # host day text, host and day of the capture that it refers to
	record revisit "http://$1/" "2026-01-$2T12:00:00Z" "$head" \
		$'WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\nWARC-Payload-Digest: sha1:'"$(digest "$3")"$'\r\nWARC-Refers-To-Target-URI: http://'"$4"$'/\r\nWARC-Refers-To-Date: 2026-01-'"$5"$'T12:00:00Z\r\n'
}
observe() { # store source…: what each capture diverged by
	code "observing ${*:2} ends with ${ends:-0}" "${ends:-0}" "$PERENNIAL" observe --state="$1" --now=2026-03-01 "${@:2}"
	diverged=$(cut -f 4 <<<"$out" | tail -n +2 | paste -s -d ' ')
}

{ got a.example 01 x; got a.example 02 y; again a.example 03 x a.example 01; again a.example 04 y a.example 02; again a.example 05 y a.example 02; } > back.warc
for shards in 1 4; do
	"$PERENNIAL" init --state=back$shards --shards=$shards
	observe back$shards back.warc
	same "a revisit has the content of the capture that it repeats ($shards shards)" "$diverged" "0 1 1 1 0"
done
# The same bodies, each in full, lead to the same next visit.
{ got a.example 01 x; got a.example 02 y; got a.example 03 x; got a.example 04 y; got a.example 05 y; } > full.warc
"$PERENNIAL" init --state=full
observe full full.warc
same "whoever records each body in full has the same decisions" "$(cut -f 1-4 <<<"$out")" "$("$PERENNIAL" init --state=full2; "$PERENNIAL" observe --state=full2 --now=2026-03-01 back.warc 2>/dev/null | cut -f 1-4)"

"$PERENNIAL" init --state=other
{ got a.example 01 x; again b.example 02 x a.example 01; } > other.warc
observe other other.warc
same "a revisit may repeat the capture of another page" "$diverged" "0 0"
like "of which the store then has a copy" "$("$PERENNIAL" explain --state=other --no-plot --now=2026-03-01 http://b.example/)" "visit"

# Of what is not known.
"$PERENNIAL" init --state=late
again a.example 05 x a.example 01 > late.warc
ends=1 observe late late.warc
same "a revisit of a page of which there is no copy is no visit" "$out" "$(printf 'url\tnext_time\tperiod_s\tdivergence\tutility\treason')"
like "and is told" "$err" "skipped: http://a.example/ at 2026-01-05T12:00:00Z: a revisit of a capture whose content is not known"
like "and counted" "$err" "^perennial observe: 1 revisit of what is not known$"
got a.example 01 x > first.warc
observe late first.warc
same "the capture that it repeats may still come" "$diverged" "0"
observe late late.warc
same "and then it is the same" "$diverged $(grep -o '1 same' <<<"$err")" "0 1 same"
again a.example 06 z b.example 01 > foreign.warc
ends=1 observe late foreign.warc
like "a revisit of a capture of another page that is not known is told" "$err" "http://a.example/ at 2026-01-06T12:00:00Z: a revisit of a capture whose content is not known"

# A body that the store knew was not read; after another one it is not known again.
{ got a.example 07 x; got a.example 08 y; again a.example 09 y a.example 08; again a.example 10 x a.example 01; } > known.warc
ends=1 observe late known.warc
same "what was not read because the store had it cannot be repeated after another body" "$diverged $(grep -c 'at 2026-01-10T12:00:00Z: a revisit' <<<"$err")" "0 1 0 1"

# A revisit has no body of its own: what is kept of the page stays, though the policy is told that it changed.
"$PERENNIAL" init --state=kept
code "bodies are kept beside revisits" 0 "$PERENNIAL" observe -q --state=kept --keep-bodies --now=2026-03-01 back.warc
like "a revisit leaves no empty body in their place" "$("$PERENNIAL" show --state=kept --format=tsv http://a.example/ 2>&1)" "y1"

# A daemon that is sent the file decides likewise.
"$PERENNIAL" init --state=served
"$PERENNIAL" serve --state=served --listen=unix:r.sock --now=2026-03-01 < /dev/null 2> serve.log & daemon=$!
for _ in $(seq 50); do [ -S r.sock ] && break; sleep 0.1; done
if command -v curl > /dev/null; then
	sent() { curl -s --unix-socket r.sock -H 'Content-Type: application/warc' --data-binary "@$1" http://x/v1/observe; }
	same "revisits in a file that a daemon is sent have the content that they repeat" "$(sent back.warc | grep -o '"divergence":[01]' | cut -d : -f 2 | paste -s -d ' ')" "0 1 1 1 0"
	like "and it tells what is not known" "$(sent foreign.warc)" '"outcome":"unresolved"'
else
	skip "revisits in a file that a daemon is sent" "curl is not installed"
fi
kill $daemon
wait $daemon 2> /dev/null

# What came, and what came again.
"$PERENNIAL" init --state=bytes --budget=1MB/day
observe bytes back.warc
like "a revisit brings no bytes, and those that repeat are counted as the same" "$("$PERENNIAL" stats --state=bytes --now=2026-01-06)" "5 since 2026-01-01T12:00:00Z: 0.0 % not modified .304., 20.0 % the same bytes again; 468 B of bodies came"
done_testing
