#!/usr/bin/env bash
# perennial stats: what became of a budget, and which hosts are held back.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

stats() { "$PERENNIAL" stats --state=S "$@"; }
code "stats of a store that is not there fails" 3 stats
"$PERENNIAL" init --state=S
code "stats of a store without a budget" 0 stats --now=2026-01-02
like "where there is no budget, stats says how one is set" "$out" "^budget      none: 'perennial tune --budget=N/day --apply' sets one$"
rm -r S; "$PERENNIAL" init --state=S --budget=24/day
seq -f http://a.example/%g 1 30 | "$PERENNIAL" add --state=S --now=2026-01-01 2>/dev/null
"$PERENNIAL" due --state=S --now=2026-01-02 > /dev/null 2>&1
code "stats of a store with a budget" 0 stats --now=2026-01-02
like "stats says how many pages there are, and where" "$out" "^pages       30: 29 due now, 0 of them waiting for their hosts, 29 of the others never fetched; 1 out$"
like "stats tells of pages that are out for longer than their leases" "$(stats --now=2026-01-02T01:00:01Z)" "^pages       30: 29 due now, 0 of them waiting for their hosts, 29 of the others never fetched; 1 out, 1 of them for longer than their leases$"
like "stats shows plan and reality side by side" "$out" "^budget      24 a day; handed out in the last day 1, not used and left 0\\.0$"
like "stats says when there is room in the budget" "$out" "^room        none until 2026-01-02T01:00:00Z, in 1h$"
like "stats shows the threshold, and what all pages want at it" "$out" "^threshold   T = [0-9.e-]*, at which all pages want [0-9.]* visits a day"
for hour in 02 03 04 05; do "$PERENNIAL" due --state=S --now=2026-01-02T$hour:00:00Z --lease=1d > /dev/null 2>&1; done
like "stats names hosts that hold pages back, and why" "$(stats --now=2026-01-02T05:00:00Z)" "^  a\\.example  limit until 2026-01-0[23]T[0-9:]*Z, [0-9.]* of the budget spent, 1 out$"
code "stats as JSON" 0 stats --now=2026-01-02T05:00:00Z --format=json
like "stats as JSON has the half hours in which something was handed out" "$out" '"half_hours":\[\{"time":"2026-01-02T00:00:00Z","given":1,"threshold":[0-9.e-]*\}'
code "stats in an unknown format is a usage error" 2 stats --format=xml
"$PERENNIAL" tune --state=S --budget=48/day --apply > /dev/null
like "a budget that tune applied is kept" "$(stats --now=2026-01-02T05:00:00Z)" "^budget      48 a day"

like "stats shows how hosts are asked" "$(stats --now=2026-01-02T05:00:00Z --host-limit=3)" "^rules       3 pages of a host out at a time, 1s between two$"
cat > rules.conf <<'END'
host-delay = 5s
host-delay = example,a = 1m
host-limit = exmaple,a = 2
host-limit = @all = 2
END
code "stats takes the rules of a file" 0 stats --now=2026-01-02T05:00:00Z --config=rules.conf
like "stats shows the rules of a file" "$out" "^rules       1 page of a host out at a time, 5s between two; 3 rules for some hosts$"
same "stats tells of a rule for hosts of which there is no page, and of no other" "$err" "perennial stats: there is a rule for exmaple,a, and no page of a host under it"

# A budget that no threshold can meet.
"$PERENNIAL" init --state=unmet --budget=20/day --policy=cgm
seq -f http://h%g.example/ 100 | "$PERENNIAL" add --state=unmet --now=2026-01-01 2>/dev/null
"$PERENNIAL" due --state=unmet --now=2026-01-02 >/dev/null 2>&1
like "stats says where no threshold can meet the budget" "$("$PERENNIAL" stats --state=unmet --now=2026-01-02)" \
	"^threshold   T = 1\.15292e\+09, at which all pages want 100\.0 visits a day, more than the budget: that is the highest there is, and new pages and maximum intervals want as much at any$"

# Pages that are gone have no next visit.
"$PERENNIAL" init --state=gone --budget=48/day
printf 'http://a.example/\nhttp://b.example/\n' | "$PERENNIAL" add --state=gone --now=2026-01-01 2>/dev/null
same "no retired pages are told of where there are none" "$(grep -c retired <<<"$("$PERENNIAL" stats --state=gone --now=2026-01-01)")" 0
for day in 02 03 04; do printf '{"url":"http://a.example/","time":"2026-01-%sT00:00:00Z","status":410}\n' $day; done |
	"$PERENNIAL" observe --state=gone --now=2026-01-05 >/dev/null 2>&1
like "pages that are gone are told of as retired" "$("$PERENNIAL" stats --state=gone --now=2026-01-05)" "^pages       2: 1 due now, 0 of them waiting for their hosts, 1 of the others never fetched; 0 out; 1 retired$"
like "and in JSON" "$("$PERENNIAL" stats --state=gone --now=2026-01-05 --format=json)" '"waiting":0,"retired":1,'

# So has one that was only a step of a redirect.
"$PERENNIAL" init --state=steps --budget=48/day
for step in 1:2 2:3; do printf '{"url":"http://a.example/%s","time":"2026-01-0%sT00:00:00Z","status":301,"location":"http://a.example/%s"}\n' ${step%:*} ${step%:*} ${step#*:}; done |
	"$PERENNIAL" observe --state=steps --now=2026-01-05 >/dev/null 2>&1
like "a page that only led elsewhere is told of as retired" "$("$PERENNIAL" stats --state=steps --now=2026-01-05)" "^pages       3: .*; 0 out; 1 retired$"

# Pages that their host held back stay queued by host until a call has room for them.
"$PERENNIAL" init --state=queued --budget=48/day
seq -f http://a.example/%g 1 3 | "$PERENNIAL" add --state=queued --now=2026-01-01 2>/dev/null
"$PERENNIAL" due --state=queued --now=2026-01-02 --lease=10m > /dev/null 2>&1
queued() { "$PERENNIAL" stats --state=queued --now=2026-01-02T00:$1:00Z; }
reason() { "$PERENNIAL" explain --state=queued --no-plot --now=2026-01-02T00:$1:00Z http://a.example/$2 | grep '^  next'; }
like "pages wait for a host while it holds them back" "$(queued 05)" "^pages       3: 2 due now, 2 of them waiting for their hosts; 1 out$"
like "pages wait for no host that holds nothing back" "$(queued 15)" "^pages       3: 2 due now, 2 of them queued by host, and no host holds them back; 1 out, 1 of them for longer than their leases$"
reasons=$(for page in 1 2 3; do reason 05 $page; reason 15 $page; done)
same "explain says of two pages that they wait for their host while it holds them back, and no longer than that" \
	"$(grep -c 'and waits for its host$' <<<"$reasons") $(grep -c 'its host no longer holds it back: it comes with a call that has room for it$' <<<"$reasons")" "2 2"

# Thirty hosts with two pages each, and one with many, that may have a tenth of the budget.
"$PERENNIAL" init --state=share --budget=100/day
{ seq -f http://much.example/%g 1 60; seq -f http://h%g.example/ 1 30; seq -f http://h%g.example/b 1 30; } | "$PERENNIAL" add --state=share --now=2026-01-01 2>/dev/null
for hour in 00 03 06 09 12 15 18 21; do "$PERENNIAL" due --state=share --now=2026-01-02T$hour:00:00Z --lease=1d --host-limit=0 --host-delay=0s > /dev/null 2>&1; done
hosts=(--now=2026-01-02T21:00:00Z --state=share)
same "stats names the host that has had its share of the budget, and no other" "$("$PERENNIAL" stats "${hosts[@]}" | sed -n 's/^  \([^ ]*  [a-z]*\) until.*/\1/p')" "much.example  share"
like "tune names the host that has had its share of the budget" "$("$PERENNIAL" tune "${hosts[@]}")" '^1 host has had its share of the budget, 10 %, while pages wait: much\.example$'
like "tune names it in JSON" "$("$PERENNIAL" tune "${hosts[@]}" --format=json)" '"held_at_share":1,"hosts_at_share":\["much.example"\]'
same "tune names no host where none has had its share" "$("$PERENNIAL" tune --state=share --now=2026-03-01 | grep -c share)" 0

# The same over HTTP.
. "$SRCDIR/tests/server.sh"
mv S store
ok "serve starts with a budget" start_server --now=2026-01-02T05:00:00Z
get /v1/stats
same "GET /v1/stats tells the budget" "$status $(member budget_per_day)" "200 48.0"
get /metrics
same "the metrics tell the budget" "$(sed -n 's/^perennial_budget_per_day //p' <<<"$body")" 48
like "the metrics tell what was handed out of the budget" "$body" "^perennial_budget_given_day [1-9]"
get /v1/stats
due=$(member due) waiting=$(member waiting)
get /metrics
same "due means the same in the metrics as in GET /v1/stats" "$(sed -n 's/^perennial_due_pages //p' <<<"$body")" "$due"
get /
like "due and waiting mean the same on the person's page as in GET /v1/stats" "$body" "<dt>due now</dt><dd>$due</dd>.*<dt>of these, waiting for their hosts</dt><dd>$waiting</dd>"
like "the person's page shows plan and reality of the budget" "$body" "budget, visits a day</dt><dd>48</dd>"
get /metrics
same "the metrics tell how many hosts are held back, by what" "$(sed -n 's/^perennial_held_hosts//p' <<<"$body" | paste -sd ' ')" \
	'{by="share"} 0 {by="retry-after"} 0 {by="limit"} 1 {by="delay"} 0 {by="hours"} 0'
post '/v1/tune?budget=5/hour&apply=yes'
same "a budget is set over HTTP in the words of the command line" "$status $(member budget_per_day)" "200 120.0"
get /v1/stats
same "the budget that was set is kept" "$(member budget_per_day)" 120.0
post '/v1/tune?budget=none&apply=yes'
same "a budget is taken away over HTTP" "$status $(member result) $(member budget_per_day)" '200 "none" null'
get /v1/stats
same "the budget that was taken away is gone" "$(member budget_per_day)" null
get /metrics
same "the metrics of a store whose budget was taken away have none" "$(sed -n 's/^perennial_budget_per_day //p' <<<"$body")" 0
post '/v1/tune?budget=5/fortnight'
like "a budget in other words is refused with what it takes" "$status $body" "^400 .*visits or bytes in a time, one in 10000 years or more, such as 5000/day"
stop_server

# The host that has had its share, by name.
rm -r store && mv share store
ok "serve starts with a store of which a host has had its share of the budget" start_server --now=2026-01-02T21:00:00Z --host-limit=0 --host-delay=0s
get /metrics
same "the metrics name the host that has had its share of the budget, and no other" "$(sed -n 's/^perennial_host_at_share\(.*\) [1-9][0-9.]*$/\1/p' <<<"$body")" '{host="much.example"}'
stop_server

# Sources of hints: one that tells the truth, one that does not.
rm -r store
"$PERENNIAL" init --state=store
for day in 1 2 3 4 5 6; do
	printf '{"url":"http://a.example/%s","time":"2026-01-0%s","body":"The boat of day %s leaves at %s from pier %s, they say there."}\n' \
		told $day $day $day $day still $day 0 0 0 | "$PERENNIAL" observe --state=store --now=2026-01-0$day --quiet 2> /dev/null
	printf '{"url":"http://a.example/told","source":"http://a.example/sitemap.xml"}\n{"url":"http://a.example/still","source":"<i>liar"}\n' |
		"$PERENNIAL" hint --state=store --now=2026-01-0${day}T12:00 2> /dev/null
done
stats() { "$PERENNIAL" stats --state=store --now=2026-01-07 "$@"; }
code "stats of a store with sources of hints" 0 stats
like "stats tells how far documents are trusted, and how often that was right" "$out" \
	"^hints       document: 1, trusted by 0\.[0-9]* in the mean; 100 % of visits after a hint found other text; a hint came before [0-9]* % of all, and [0-9]* % of those that found other text$"
like "stats tells of sources that lie" "$out" "^            other: 1, trusted by 0\.[0-9]* in the mean; 0 % of visits after a hint found other text; a hint came before 100 % of all$"
code "stats lists sources" 0 stats --sources --format=tsv
like "stats lists sources with their precision and recall beside those of hints at random, as columns" "$out" "^host	source	named	hints	trust	precision	recall	hinted$"
like "a source has a row for each host" "$out" "^a.example	http://a.example/sitemap.xml	2026-01-06T12:00:00Z	[0-9.]*	[0-9.]*	1	"
like "sources are listed as JSON" "$(stats --sources --format=json)" '^\{"host": "a.example", "source": "<i>liar",.*"precision": 0, "recall": null'
like "stats as JSON tells of sources by kind" "$(stats --format=json)" '"sources":\[\{"kind":"document","sources":1,.*"precision":1.0,.*"kind":"other"'
code "sources in an unknown format are a usage error" 2 stats --sources --format=xml
ok "serve starts with a store that has sources of hints" start_server --now=2026-01-07
get /metrics
like "the metrics tell the precision of sources by kind" "$body" '^perennial_hint_precision\{kind="document"\} 1$'
like "the metrics tell the precision of a source by its name" "$body" '^perennial_hint_source_precision\{source="http://a.example/sitemap.xml"\} 1$'
like "the metrics tell the recall of a source by its name" "$body" '^perennial_hint_source_recall\{source="http://a.example/sitemap.xml"\} (1|0\.[0-9]+)$'
like "the metrics tell the precision of a source that lies" "$body" '^perennial_hint_source_precision\{source="<i>liar"\} 0$'
like "where nothing is known of a kind the metrics say so in Prometheus's word" "$body" '^perennial_hint_recall\{kind="feed"\} NaN$'
# Names are anybody's to choose, and there may be any number.
for host in 1 2 3 4 5 6; do
	for name in 1 2 3 4; do
		printf '{"url":"http://many%s.example/","source":"\\"%s\\\\ \\n%s\\u001b"}\n' $host $host $name
	done
done > many
post '/v1/hint' -H 'Content-Type: application/x-ndjson' --data-binary @many
like "hints of many sources are taken in" "$body" '"added": *6[,}]'
get /metrics
same "the metrics name twenty sources at most" "$(grep -c '^perennial_hint_source_trust{' <<<"$body")" 20
same "each name is there once" "$(grep '^perennial_hint_source_trust{' <<<"$body" | sort | uniq -d)" ""
same "what a line or a label would end at is escaped in names" \
	"$(grep '^perennial_hint_source_trust{source="[^h<]' <<<"$body" | grep -vcE '^perennial_hint_source_trust\{source="\\"[0-9]\\\\ \\\\x0a[0-9]\\\\x1b"\} [0-9.]+$')" 0
if command -v promtool > /dev/null; then
	ok "promtool finds nothing to say about the metrics" promtool check metrics <<<"$body"
else
	skip "promtool finds nothing to say about the metrics" "promtool is not installed"
fi
get /v1/stats
like "GET /v1/stats tells of sources by kind" "$body" '"sources": *\[\{"kind":"document"'
get '/?url=http://a.example/still'
like "the person's page tells who spoke of a page, and how far that is believed" "$body" 'role="rowheader">&lt;i&gt;liar</th><td role="cell" data-name="said">[0-9]*</td><td role="cell" data-name="since the visit">1</td><td role="cell" data-name="precision">0 %</td><td role="cell" data-name="recall">–</td><td role="cell" data-name="hinted">100 %</td>'
stop_server
done_testing
