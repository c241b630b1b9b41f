#!/usr/bin/env bash
# What a server sends to know a version again is sent back to it: doc/examples/refresh.sh, which is a loop with curl, against
# a site that answers 304; and what that is worth.
. "${SRCDIR:?}/tests/tap.sh"
command -v curl > /dev/null || skip_all "curl is not installed: it is the fetcher of this loop"
cd "$tmp"
export PERENNIAL

code "the loop with curl without a store is a usage error" 2 sh "$SRCDIR/doc/examples/refresh.sh"
like "who calls the script without a store is told how it is called" "$err" "^usage: .*refresh.sh STORE"
ticks=12 site=$BUILDDIR/tests/site
echo 0 > clock
"$site" serve clock port & server=$!
disown
trap 'kill "$server"; rm -rf "$tmp"' EXIT
for ((i = 0; i < 100; i++)); do [ -s port ] && break; sleep 0.05; done
origin=http://127.0.0.1:$(cat port)
now() { date -ud "2026-01-01 $(($1 * 12)) hours" +%Y-%m-%dT%H:%M:%SZ; }

for store in asking plain; do
	"$PERENNIAL" init --state=$store --threshold=0.01 2> /dev/null
	"$PERENNIAL" add --state=$store --now="$(now 0)" "$origin"/{about,news,blog,notes,shop,feed,dated,moved,nowhere} 2> /dev/null
done
polite="--host-limit=0 --host-delay=0s"
failures=0
for ((tick = 0; tick <= ticks; tick++)); do
	echo $tick > clock
	"$SRCDIR/doc/examples/refresh.sh" asking --now="$(now $tick)" $polite >> visits 2>> asking.err || failures=$((failures + 1))
done
same "each round of the loop with curl ends well" "$failures" 0
grep -v ' /moved\|404' port.log > asked
: > port.log
# The same by a fetcher that does not ask whether anything is new.
for ((tick = 0; tick <= ticks; tick++)); do
	echo $tick > clock
	"$PERENNIAL" due --state=plain --now="$(now $tick)" $polite 2> /dev/null | while IFS= read -r url; do
		curl -s -i -g -o "answer-$tick-${url##*/}" -- "$url"
		printf '%s\t%s\tapplication/http\tanswer-%s-%s\n' "$(now $tick)" "$url" $tick "${url##*/}"
	done > plain.tsv
	"$PERENNIAL" observe --state=plain --now="$(now $tick)" plain.tsv > /dev/null 2>> plain.err
done
grep -v ' /moved\|404' port.log > unasked
tap_note "asking: $(sort asked | awk '{ n[$1]++ } END { for (s in n) print n[s], "times", s }' | paste -sd,); plain: $(wc -l < unasked) times 200"
same "who asks with validators visits as often as who does not" "$(wc -l < asked)" "$(wc -l < unasked)"
same "a page that did not change is not sent again: /about, whose ETag was sent back, is whole once" "$(grep -c '^200 /about' asked)" 1
ok "a page whose ETag is sent back is answered with 304 after the first time" test "$(grep -c '^304 /about' asked)" -ge 1
same "a page that has a Last-Modified only is whole once" "$(grep -c '^200 /dated' asked)" 1
ok "a page whose Last-Modified is sent back is answered with 304 after the first time" test "$(grep -c '^304 /dated' asked)" -ge 1
same "a page that changes at every tick is always whole" "$(grep -c '^304 /news' asked)" 0
same "a fetcher that sends no validators is never answered 304" "$(grep -c ^304 unasked)" 0
exported() { "$PERENNIAL" export --state=$1 --now="$(now $ticks)"; }
for store in asking plain; do
	exported $store | sed 's/"etag":[^,]*,"last_modified":[^,]*,//' > $store.ndjson
done
same "304 teaches the policy what the same bytes do: both stores are to make the same visits" "$(cat asking.ndjson)" "$(cat plain.ndjson)"

out=$(exported asking | grep '/dated"')
like "export tells the Last-Modified of a page" "$out" '"etag":null,"last_modified":"2026-01-01T00:00:00Z"'
out=$(exported asking | grep '/about"')
like "export tells the ETag of a page" "$out" '"etag":"W/\\"[0-9a-f]{16}\\"","last_modified":null'
code "due is asked for what comes next year" 0 "$PERENNIAL" due --state=asking --now=2027-01-01 --lease=0s --format=json $polite
like "due tells the ETag as the header that sends it back" "$out" '/about".*"if_none_match":"W/\\"[0-9a-f]{16}\\""'
like "due tells the Last-Modified as the header that sends it back" "$out" '/dated".*"if_modified_since":"Thu, 01 Jan 2026 00:00:00 GMT"'
same "due tells no headers for a page that redirects" "$(grep -c if_ <<< "$(grep /moved <<< "$out")")" 0
code "due is asked for a table with tabs" 0 "$PERENNIAL" due --state=asking --now=2027-01-01 --lease=0s --format=tsv $polite
same "a table with tabs has the headers in columns of their own" "$(head -n 1 <<< "$out" | cut -f 7-)" "if_none_match	if_modified_since"
same "'-' stands for a header that is not to be sent" "$(grep /dated <<< "$out" | cut -f 7-)" "-	Thu, 01 Jan 2026 00:00:00 GMT"
code "due is asked for a table for a person" 0 "$PERENNIAL" due --state=asking --now=2027-01-01 --lease=0s --format=table $polite
same "a table for a person has no use for headers" "$(grep -c if_none_match <<< "$out")" 0
code "explain knows the page" 0 "$PERENNIAL" explain --state=asking --now="$(now $ticks)" "$origin/dated"
like "explain tells the validators of a page" "$out" "validators  Last-Modified 2026-01-01T00:00:00Z"

# What is in a file holds for both commands of a round, however it is given.
printf 'min-interval = 100d\n' > round.conf
for way in --config=round.conf "--config round.conf"; do
	rm -rf ruled && "$PERENNIAL" init --state=ruled --threshold=0.01 2> /dev/null && "$PERENNIAL" add --state=ruled --now="$(now 0)" "$origin/about" 2> /dev/null
	"$SRCDIR/doc/examples/refresh.sh" ruled $way --now "$(now 1)" $polite > /dev/null 2>&1
	like "refresh.sh gives '$way' to observe as well as to due" "$("$PERENNIAL" export --state=ruled --now="$(now 1)")" '"next_time":"2026-04-'
done

# A server that plays with the fetcher: nothing of what it sends becomes a header of its own, or matches everything.
printf '2026-01-01\thttp://evil.example/%s\tapplication/http\tevil-%s\n' 1 1 2 2 3 3 > evil.tsv
printf 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: *\r\n\r\nBoats' > evil-1
printf 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: "a", "b"\r\n\r\nBoats' > evil-2
printf 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: "a\tb"\r\nLast-Modified: Fri, 01 Jan 2100 00:00:00 GMT\r\n\r\nBoats' > evil-3
"$PERENNIAL" init --state=evil 2> /dev/null
"$PERENNIAL" observe --state=evil --now=2026-01-01 --quiet evil.tsv 2> /dev/null
code "due is asked for the pages of that server" 0 "$PERENNIAL" due --state=evil --now=2027-01-01 --format=tsv $polite
same "tags that match everything, lists, tabs and dates to come are not handed out" "$(sed 1d <<< "$out" | cut -f 7- | sort -u)" "-	-"
same "pages of that server are all there" "$(sed 1d <<< "$out" | wc -l)" 3
done_testing
