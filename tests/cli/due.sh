#!/usr/bin/env bash
# perennial due: the most valuable first, leased, kind to hosts; and what comes of leases that run out.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

# Hosts that may be asked for all their pages at once, where hosts are not what is tested.
any="--host-limit=0 --host-delay=0s"
due() { "$PERENNIAL" due --state=S $any "$@"; }
observe() { "$PERENNIAL" observe --state=S --format=json "$@" 2>/dev/null; }
words() { awk -v seed="$1" -v n="$2" 'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "w%d ", int(1e6 * rand()) }'; }
page() { printf '{"url":"http://%s","time":"%s","content_type":"text/plain","body":"%s %s","weight":%s}\n' "$1" "$2" "$(words 1 200)" "$(words "$4" "$5")" "$3"; }

"$PERENNIAL" init --state=S --threshold=0.01
# Three pages visited daily: one changes little, one much, and one much and with weight.
for day in 01 02 03 04; do
	page a.example/calm 2026-01-$day 1 1$day 2; page b.example/busy 2026-01-$day 1 2$day 200; page c.example/dear 2026-01-$day 3 2$day 200
done | observe --now=2026-01-05 > /dev/null
same "nothing is due before its time" "$(due --now=2026-01-04T00:10:00Z)" ""
"$PERENNIAL" init --state=far --threshold=4
page a.example/ 2026-01-01 1 11 2 | "$PERENNIAL" observe --state=far --now=2026-01-01 --quiet 2> /dev/null
code "due is asked weeks before anything is" 0 due --state=far --now=2026-01-01T12:00:00Z
like "that the next page is due in weeks is told in days and hours" "$err" ", in [0-9]+d[0-9]+h, or when one comes back$"
code "due prints URLs and nothing else" 0 due --now=2026-01-20 --lease=0
same "due gives the most valuable pages first" "$out" "$(printf 'http://c.example/dear\nhttp://b.example/busy\nhttp://a.example/calm')"
same "due gives at most as many pages as --limit asks for" "$(due --now=2026-01-20 --lease=0s --limit=1)" "http://c.example/dear"
like "JSON lines of due have the value, times and reason of a page" "$(due --now=2026-01-20 --lease=0s --format=json | head -n 1)" \
	'^\{"url":"http://c.example/dear","weight":3\.0,"value":[0-9.]+,"due_time":"2026-01-0[0-9T:]+Z","lease_until":null,"reason":"rule"\}$'
same "TSV of due has the value, times and reason of a page" "$(due --now=2026-01-20 --lease=0s --format=tsv | head -n 2 | cut -f 1,2,5,6 | tr '\t' ' ' | tr '\n' ';')" \
	"url weight lease_until reason;http://c.example/dear 3 - rule;"

code "due may be asked for no more than there is room for" 0 due --now=2026-01-20 --lease=0s --limit=3
same "a list as long as --limit lets it be has no word about what comes next" "$err" ""

same "due gives pages on lease" "$(due --now=2026-01-20 --limit=2 --lease=10m)" "$(printf 'http://c.example/dear\nhttp://b.example/busy')"
same "a page that is out on lease is not given again" "$(due --now=2026-01-20T00:05:00Z --lease=10m)" "http://a.example/calm"
same "a page that comes back from its lease is observed" "$(page c.example/dear 2026-01-20T00:06:00Z 3 9 200 | observe --now=2026-01-20T00:06:00Z | grep -c '"outcome":"observed"')" 1
same "a page whose lease ran out has failed and is not given at once" "$(due --now=2026-01-20T00:30:00Z)" ""
same "a page whose lease ran out is given to be tried again" "$(due --now=2026-01-20T02:00:00Z --lease=0s --format=json | grep url | sed 's/.*"url":"\([^"]*\)".*"reason":"\([^"]*\)".*/\1 \2/' | sort | tr '\n' ';')" \
	"http://a.example/calm retry;http://b.example/busy retry;"

# Hosts.
for i in 1 2 3 4; do echo "http://many.example/$i"; done | "$PERENNIAL" add --create --state=H --now=2026-01-01 2>/dev/null
echo http://one.example/ | "$PERENNIAL" add --create --state=H --now=2026-01-01 2>/dev/null
hosts() { "$PERENNIAL" due --state=H --host-delay=0s "$@"; }
same "due gives as many URLs of a host as --host-limit allows" "$(hosts --now=2026-01-02 --host-limit=2 | sort | cut -d / -f 3 | uniq -c | tr -s ' ' | tr '\n' ';')" " 2 many.example; 1 one.example;"
same "no more URLs of a host are given while --host-limit of them are out" "$(hosts --now=2026-01-02T00:00:30Z --host-limit=2)" ""
seq -f http://slow.example/%g 1 5 | "$PERENNIAL" add --create --state=W --now=2026-01-01 2>/dev/null
for i in 1 2 3 4 5 6; do
	given=$("$PERENNIAL" due --state=W --now=2026-01-02T00:00:0$((i))Z --format=tsv 2>/dev/null | sed 1d | cut -f 1,6 | tr '\t' ' ')
	echo "${given##* }"
	[ -z "$given" ] || printf '{"url":"%s","time":"2026-01-02T00:00:0%dZ","body":"x"}\n' "${given% *}" "$i" | "$PERENNIAL" observe --state=W --now=2026-01-02T00:00:0${i}Z -q 2>/dev/null
done > turns
same "a host's next URL is given as soon as the last one is reported, long before its lease would end" "$(tr '\n' ' ' < turns)" "new host host host host  "
for i in 1 2 3 4; do printf '{"url":"http://many.example/%d","time":"2026-01-02T00:01:00Z","body":"x"}\n' $i; done | "$PERENNIAL" observe --state=H --now=2026-01-02T00:01:00Z -q 2>/dev/null
"$PERENNIAL" add --create --state=D --now=2026-01-01 http://many.example/1 http://many.example/2 http://many.example/3 2>/dev/null
polite() { "$PERENNIAL" due --state=D --lease=10m "$@"; }
"$PERENNIAL" init --state=D2; printf 'http://many.example/%d %d\n' 1 9 2 8 | "$PERENNIAL" add --state=D2 --now=2026-01-01 2>/dev/null
code "due hands out one page of a host unless it is told otherwise" 0 "$PERENNIAL" due --state=D2 --now=2026-01-02T00:00:00Z
same "the most valuable page of a host is handed out first" "$out" "http://many.example/1"
like "due says when there is another" "$err" "^perennial due: 1 URL; the next at 2026-01-02T01:00:00Z, in 1h, or when one comes back$"
same "a host's next page is not handed out while one is out" "$("$PERENNIAL" due --state=D2 --now=2026-01-02T00:30:00Z 2>/dev/null)" ""
printf '{"url":"http://many.example/1","time":"2026-01-02T00:30:00Z","body":"x"}\n' | "$PERENNIAL" observe --state=D2 --now=2026-01-02T00:30:00Z -q 2>/dev/null
same "a page that came back less than a second ago keeps its host shut" "$("$PERENNIAL" due --state=D2 --now=2026-01-02T00:30:00Z 2>/dev/null)" ""
same "a second after a page came back the next one is handed out" "$("$PERENNIAL" due --state=D2 --now=2026-01-02T00:30:01Z 2>/dev/null)" "http://many.example/2"
slowly() { polite --host-limit=0 --host-delay=example,many=10s "$@" 2>/dev/null | wc -l; }
same "--host-delay puts the fetches of a host apart" "$(for t in 00 09 10 19 20; do slowly --now=2026-01-02T00:00:${t}Z; done | tr '\n' ' ')" "1 0 1 0 1 "
code "due with nothing to give exits with 0" 0 polite --now=2026-01-02T00:00:20Z --format=json
like "JSON lines of due end with when there may be more" "$out" '^\{"next_time":'
for i in 1 2 3; do printf '{"url":"http://many.example/%d","time":"2026-01-02T00:01:00Z","body":"x"}\n' $i; done | "$PERENNIAL" observe --state=D --now=2026-01-02T00:01:00Z -q 2>/dev/null
printf 'host-hours = example,many=08:00-20:00\nhost-group = example=all\nhost-limit = @all=1\nhost-delay = 0s\n' > polite.conf
"$PERENNIAL" add --state=D --now=2026-01-01 http://other.example/ 2>/dev/null
code "hosts of a group are asked as one host" 0 polite --now=2026-05-02T00:00:00Z --config=polite.conf --limit=2
same "of a group one page is handed out" "$(wc -l <<<"$out")" 1
for rule in host-delay=x host-delay=night.example.org=5s host-hours=http://a.example/=22:00-06:00 host-limit=@=1 host-limit=-1 host-limit=1.5 host-hours=25:00-26:00 host-hours=8-9 host-hours=08:00-08:00 host-group=x host-group==x host-group=@a=b host-share=0 host-share=2; do
	code "--$rule is a usage error" 2 polite --$rule
done
like "an option of hosts is told what it takes" "$err" "^perennial due: --host-share takes a number above 0 and at most 1, not '2'"
"$PERENNIAL" init --state=E; "$PERENNIAL" add --state=E --now=2026-01-02 http://soon.example/1 http://soon.example/2 2>/dev/null
"$PERENNIAL" due --state=E --host-limit=0 --host-delay=2s > /dev/null 2>&1
code "due --wait waits for what is due next" 0 "$PERENNIAL" due --state=E --host-limit=0 --host-delay=2s --wait=20s
same "what was waited for is given" "$out" "http://soon.example/2"
code "due --wait ends when nothing came" 0 "$PERENNIAL" due --state=E --wait=1s
same "where nothing came nothing is given" "$out" ""
printf '{"url":"http://many.example/1","time":"2026-05-03","status":429,"retry_after":7200}\n' | "$PERENNIAL" observe --state=D --now=2026-05-03 -q 2>/dev/null
same "a host that asked to be left alone is left alone" "$("$PERENNIAL" due --state=D $any --now=2026-05-03T01:00:00Z | grep -v other)" ""
same "pages of a host that asked to be left alone are given when that time is over" "$("$PERENNIAL" due --state=D $any --now=2026-06-03T03:00:00Z | grep -c many)" 3

# After a downtime.
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "http://h%d.example/\t%g\n", i, 1 + i % 7 }' | "$PERENNIAL" add --create --state=B --now=2026-01-01 2>/dev/null
backlog() { "$PERENNIAL" due --state=B --now=2026-03-01 --limit=100 --format=tsv; }
same "a backlog comes out as much as asked for, the most valuable first" "$(backlog | tail -n +2 | cut -f 2 | sort | uniq -c | tr -s ' ')" " 100 7"
same "each page of a backlog is given once" "$( (for i in 1 2 3 4 5; do backlog; done) | grep -v ^url | cut -f 1 | sort | uniq -d | wc -l | tr -d ' ')" 0

"$PERENNIAL" add --create --state=S --now=2026-01-20 http://z.example/ 2>/dev/null
"$PERENNIAL" due --state=S --now=2026-01-21 --lease=20m > /dev/full 2> err; same "a full disk is told with when the leases run out" "$? $(cat err)" \
	"3 perennial due: cannot write to standard output; leases run out in 20m"
for i in 1 2 3; do seq -f "http://y.example/$i/%.0f" 1 4000; done | "$PERENNIAL" add --create --state=Y --now=2026-01-20 2>/dev/null
"$PERENNIAL" due --state=Y $any --now=2026-01-21 --limit=12000 2> err | head -n 1 > /dev/null
same "a reader that goes away is told with when the leases run out" "${PIPESTATUS[0]} $(cat err)" "3 perennial due: cannot write to standard output; leases run out in 1h"
# Somebody writes to the store, and goes on: what was decided of a line says that it has the store.
"$PERENNIAL" init --state=L && mkfifo lines
"$PERENNIAL" observe --state=L --now=2026-01-20 --format=json < lines > outcomes 2>/dev/null & writer=$!
exec 3> lines
printf '{"url":"http://l.example/","time":"2026-01-01","body":"x"}\n' >&3
for ((i = 0; i < 300; i++)); do [ ! -s outcomes ] || break; sleep 0.1; done
code "a look at what is due does not wait for who writes" 0 "$PERENNIAL" due --state=L --now=2026-07-20 --lease=0s --lock-wait=0s
same "a look at what is due sees what has been written" "$out" "http://l.example/"
code "leases wait for who writes" 3 "$PERENNIAL" due --state=L --now=2026-07-20 --lock-wait=0s
like "who waits for leases is told who writes" "$err" "$writer"
exec 3>&-
wait "$writer"
code "due without a lease fails where there is no store" 3 "$PERENNIAL" due --state=none --lease=0s
like "a store that is not there to look at is named" "$err" "none"
ok "due without a lease makes no store" test ! -e none
echo text > file
code "due fails where something else than a store stands" 3 "$PERENNIAL" due --state=file
like "a file that stands where a store should is named" "$err" "^perennial due: file: there is no store"
printf '{"url":"http://t.example/","time":"2026-01-01","status":200,"content_type":"text/plain","etag":"-tag","body":"Boats."}\n' |
	"$PERENNIAL" observe -q --create --state=T --now=2026-01-02 2>/dev/null
told() { "$PERENNIAL" due --state=T --now=2027-01-01 --lease=0s --format=$1 2>/dev/null | grep t.example; }
same "programs are told an ETag as it was sent, in a table with tabs" "$(told tsv | cut -f 7)" "-tag"
like "programs are told an ETag as it was sent, in JSON" "$(told json)" '"if_none_match":"-tag"'
same "a spreadsheet takes no ETag for a formula" "$(told csv | cut -d , -f 7)" "'-tag"
code "due with an operand is a usage error" 2 due http://a.example/
like "an operand of due is named as not wanted" "$err" "unexpected operand 'http://a.example/'"
code "due in an unknown format is a usage error" 2 due --format=xml
like "an unknown format of due is told which there are" "$err" "--format takes table, tsv, json or csv, not 'xml'"
code "a lease of more than a day is a usage error" 2 due --lease=2d
same "a lease that is too long is told what it takes" "$(head -n 1 <<<"$err")" \
	"perennial due: --lease takes a duration of at most 1d, such as 90s, 15m or 6h, not '2d'"
printf '# ours\nlease = 86401s\n' > long.conf
code "a lease of more than a day in a file is a usage error" 2 due --config=long.conf
like "a lease that is too long is told by its line of the file" "$err" \
	"long\.conf, line 2: lease takes a duration of at most 1d, such as 90s, 15m or 6h, not '86401s'"
code "a lease may be a day" 0 due --limit=0 --lease=24h
printf 'lease = 10m\nhost-limit = 1\nretry = 2h\nknown-only = yes\n' > c.conf
same "the rules of due are read from a configuration file" "$("$PERENNIAL" add --create --state=C --now=2026-01-01 http://x.example/1 http://x.example/2 2>/dev/null; "$PERENNIAL" due --state=C --config=c.conf --now=2026-01-02 | wc -l | tr -d ' ')" 1
# JSON holds no bytes that are not UTF-8: a fetcher is to report the page that it was given, not another.
"$PERENNIAL" init --state=bytes
printf 'http://c.example/\xe9t\xe9\n' | "$PERENNIAL" add --state=bytes --now=2026-01-01 2> /dev/null
given=$("$PERENNIAL" due --state=bytes --now=2026-01-02 --format=json 2> /dev/null | sed -n 's/.*"url":"\([^"]*\)".*/\1/p')
same "a URL that is not UTF-8 is handed out percent-encoded in JSON" "$given" "http://c.example/%E9t%E9"
printf '{"url":"%s","time":"2026-01-02","body":"a b c"}\n' "$given" | "$PERENNIAL" observe -q --state=bytes --now=2026-01-02 --format=json > /dev/null 2>&1
same "what is reported of a URL that was percent-encoded in JSON is of the same page" "$("$PERENNIAL" stats --state=bytes --now=2026-01-02 --format=json | grep -o '"pages":[0-9]*' | head -n 1)" '"pages":1'
"$PERENNIAL" init --state=room --budget=1/day
printf 'http://one.example/\nhttp://two.example/\n' | "$PERENNIAL" add --state=room --now=2026-01-01 2> /dev/null
code "due says in JSON that it is the budget which has no room" 0 "$PERENNIAL" due --state=room --now=2026-01-02 --format=json
like "due says in JSON when the budget has room" "$(tail -n 1 <<<"$out")" '^\{"next_time":"2026-01-03T00:00:00Z","over_budget":true\}$'
# Two clocks, two days apart, ask in turn each hour for four days.
"$PERENNIAL" init --state=clocks --budget=480/day
for h in {1..50}; do seq -f "http://h$h.example/%.0f" 60; done | "$PERENNIAL" add --state=clocks --now=2026-01-01 2> /dev/null
first=0 all=0
for ((i = 0; i < 96; i++)); do
	now=$(date -u -d "@$((1767312000 + 3600 * i + i % 2 * 172800))" +%FT%TZ)
	given=$("$PERENNIAL" due --state=clocks --now=$now --limit=100000 --lease=1d --host-limit=0 --host-delay=0s --host-share=1 2> /dev/null | wc -l)
	all=$((all + given))
	[ $i -ge 24 ] || first=$((first + given))
done
ok "two clocks that are days apart have at most a day's budget each on the first day: $first" test $first -gt 480 -a $first -le $((2 * 490))
# No 23 hours have more than a day's budget and 2 per cent: a day of 24 has 5 per cent more at most.
ok "two clocks that are days apart have at most one day's budget together on each day that follows: $((all - first)) in three" test $((all - first)) -gt 480 -a $((all - first)) -le $((3 * 504))

# In "due | FETCHER | observe" all start at the same time: who has nothing to write yet keeps nobody from writing.
"$PERENNIAL" init --state=pipe
printf 'http://one.example/\nhttp://two.example/\n' | "$PERENNIAL" add --state=pipe --now=2026-01-01 2> /dev/null
for last in observe add hint "release -"; do
	rm -f first; mkfifo first
	"$PERENNIAL" $last --state=pipe --now=2026-01-02 < first > /dev/null 2> last.err &
	exec 7> first
	sleep .3
	code "due is not kept from the store by ${last% -} that waits for its input" 0 "$PERENNIAL" due --state=pipe --now=2026-01-02 --lock-wait=0s
	exec 7>&-
	wait $!
	same "${last% -} ends with its input" "$(grep -c "^perennial ${last% -}: " last.err)" 1
done
rm -f first; mkfifo first
exec 7<> first
code "a store that is not there is told before any input comes" 3 timeout 20 "$PERENNIAL" observe --state=nowhere <&7
exec 7>&-
done_testing
