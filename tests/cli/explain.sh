#!/usr/bin/env bash
# perennial explain and export: what is known of a page, and which rule or bound had the last word.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

"$PERENNIAL" init --state=S
"$PERENNIAL" synth --seed=3 --pages=3 --captures=8 --warc=x.warc.gz
"$PERENNIAL" observe --state=S --now=2026-02-01 -q x.warc.gz 2>/dev/null
explain() { "$PERENNIAL" explain --state=S "$@"; }
member() { sed "s/.*\"$1\":\"\{0,1\}\([^,}\"]*\).*/\1/"; }
url=http://h0000000.example/p0

code "explain takes a page" 0 explain --now=2026-01-09 $url
like "explain begins with the URL of the page" "$(head -n 1 <<<"$out")" "^$url$"
like "explain shows the status, visits and weight of a page" "$out" "^  status      live, [1-8] visits?, weight 1$"
like "explain shows the last visit of a page" "$out" "^  visited     2026-01-08T00:00:00Z, 1d ago$"
like "explain shows the next visit of a page, and why it is then" "$out" "^  next        2026-.*; rule: W U\(t\) reaches T then$"
like "explain shows the policy and its threshold" "$out" "^  policy      drift, T = 0\.25$"
like "explain shows the bounds of the interval" "$out" "^  intervals   10m to 180d$"
like "explain shows the curve of a page" "$out" "^  curve       D\*\(t\) = [0-9.e-]+ t: "
like "explain shows the utility of a page now" "$out" "^  W U         [0-9.e-]+ now, [0-9.]+ % of T$"
like "explain shows when the utility reaches T" "$out" "^  W U = T     2026-"
like "explain draws a plot with the level of T" "$out" "^    0\.25 "
like "the plot of explain names the last visit, now and the next visit" "$(tail -n 2 <<<"$out" | tr '\n' ' ')" "visited.*now.*next"
same "the plot of explain is in ASCII where UTF-8 is not spoken" "$(LC_ALL=C explain --now=2026-01-09 $url | LC_ALL=C grep -c '[^ -~]')" 0
same "explain --no-plot draws no plot" "$(explain --no-plot --now=2026-01-09 $url | grep -c '┼')" 0

code "explain writes JSON when asked for it" 0 explain --format=json --now=2026-01-09 $url
same "explain writes one JSON object for a page" "$(wc -l <<<"$out")" 1
near() { ok "$1" awk -v a="$2" -v b="$3" 'BEGIN { gap = a / b - 1; exit !(b != 0 && gap < 1e-3 && gap > -1e-3) }'; }
# Drift: D* = s t, U = s t² / 2, and the period is sqrt(2 T / s).
slope=$(member slope_per_day <<<"$out")
near "the utility of drift is that of its line a day after the visit" "$(member utility <<<"$out")" "$(awk -v s="$slope" 'BEGIN { print s / 2 }')"
near "the utility of drift reaches T where the rule says" "$(member reaches_days <<<"$out")" "$(awk -v s="$slope" 'BEGIN { print sqrt(0.5 / s) }')"
like "the reason of a next visit that the rule decided is rule" "$(member reason <<<"$out")" "^rule$"

like "explain shows how the host of a page may be asked" "$(explain --now=2026-01-09 --host-limit=0 --host-delay=example=2m --host-hours=22:00-06:00 $url)" "^  host        h0000000.example: any number of pages out at a time, 2m between two, from 22:00 to 06:00 UTC$"
like "explain as JSON has how the host may be asked" "$(explain --format=json --now=2026-01-09 $url)" '"host":\{"name":"h0000000.example","delay_s":1.0,"limit":1,"from_s":null,"to_s":null\},"held_by":null,"held_until":null'
like "explain says what holds a host back, and until when" "$(explain --now=2026-01-09T12:00 --host-hours=22:00-06:00 $url)" "^  held        2026-01-09T22:00:00Z, in 10h; hours: it may not be asked before \(host-hours\)$"
like "explain as JSON says what holds a host back, and until when" "$(explain --format=json --now=2026-01-09T12:00 --host-hours=22:00-06:00 $url)" '"held_by":"hours","held_until":"2026-01-09T22:00:00Z"'

code "explain takes another maximum interval" 0 explain --now=2026-01-09 --max-interval=12h $url
like "another maximum interval is shown as the bound that it is" "$out" "^  intervals   10m to 12h$"

"$PERENNIAL" add --state=S --now=2026-01-09 http://new.example/ 2>/dev/null
"$PERENNIAL" init --state=U --policy=uniform --threshold=2
"$PERENNIAL" observe --create --state=U --now=2026-02-01 -q x.warc.gz 2>/dev/null
code "explain takes a page of a policy without a curve" 0 "$PERENNIAL" explain --state=U --now=2026-01-09 $url
like "the dial of uniform is shown as its period" "$out" "^  policy      uniform, period = 2$"
like "the next visit of uniform is at multiples of the period from the first capture" "$out" "^  next        2026-01-09T00:00:00Z, now; rule: the policy's own$"
same "a policy without a curve has no utility to show" "$(grep -c "W U" <<<"$out")" 0
code "explain takes a page never visited" 0 explain --now=2026-01-09 http://new.example/
like "a page never visited is due at once" "$out" "^  next        2026-01-09T00:00:00Z, now; new: it was never visited$"
for day in 10 11 12; do printf '{"url":"http://new.example/","time":"2026-01-%d","status":404}\n' $day; done | "$PERENNIAL" observe --state=S --now=2026-02-01 -q 2>/dev/null
like "a page that is gone has no next visit" "$(explain --now=2026-01-13 http://new.example/)" "^  next        retired: it is gone$"
"$PERENNIAL" due --state=S --now=2026-05-01 --limit=1 --lease=2h > leased
like "explain shows the lease of a page that is out" "$(explain --now=2026-05-01 "$(cat leased)")" "^  lease       2026-05-01T02:00:00Z, in 2h, until then it is not given out again$"

code "explain of a page that is not there fails" 3 explain http://none.example/
like "a page that is not there to explain is named" "$err" "none.example"
code "explain of a page that is not there beside one that is exits with 1" 1 explain http://none.example/ $url
same "a page beside one that is not there is explained" "$(head -n 2 <<<"$out" | grep -c $url)" 1
code "explain without a page is a usage error" 2 explain
like "explain without a page is told to name the URLs" "$err" "name the URLs to explain"
code "explain in a store that is not there fails" 3 "$PERENNIAL" explain --state=none $url

code "export takes a store" 0 "$PERENNIAL" export --state=S --now=2026-01-09
same "export prints every page of a store" "$(grep -c '^{"url":"http' <<<"$out")" 4
same "export prints a page as explain does" "$(grep "\"$url\"" <<<"$out")" "$(explain --format=json --now=2026-01-09 $url)"
"$PERENNIAL" export --state=S 2> err > /dev/full; same "export to a full disk says that it cannot write" "$? $(cat err)" "3 perennial export: cannot write to standard output"

# A page of which a source tells all changes, one in six days, and nothing else.
"$PERENNIAL" init --state=H --threshold=0.005
tell() { printf '{"url":"http://a.example/p","source":"http://a.example/feed.xml"}\n' | "$PERENNIAL" hint --state=H --now=$1 2>/dev/null; }
for ((day = 1; day <= 30; day++)); do
	printf -v time '2026-01-%02d' $day
	((day % 6)) || tell $time
	printf '{"url":"http://a.example/p","time":"%sT01:00:00Z","body":"%s The boat of day leaves at %s"}\n' $time "$(seq -s ' ' 1 80)" $((day / 6)) |
		"$PERENNIAL" observe --state=H --now=${time}T01:00 -q 2>/dev/null
done
explain() { "$PERENNIAL" explain --state=H "$@" http://a.example/p; }
code "explain takes a page that a silent source holds back" 0 explain --now=2026-01-30T13:00
like "explain says that hints hold a page back, whose, and when it would be visited without them" "$out" \
	"^  hints       held back: http://a.example/feed.xml \(trust 0\.[0-9]*\) has told nothing since the last visit; without hints it would be visited at 2026-"
like "explain says what has passed by what hints tell" "$out" "^  elapsed     12h since the last visit; by what hints tell it is as if [0-9]*[hms][0-9ms]* had passed$"
# It spoke of days 6, 12, …, 30; of the first of them it was not known which text was there before.
like "explain tells how often a source was right, and how far it is believed, in words" "$out" \
	"^  sources     http://a.example/feed.xml said 5 times that it has changed, 0 since the visit; on its host 4 of 5 were true, as the next visit found; it had told 4 of 4 changes, and it spoke before 5 of 24 visits; mostly believed \(trust 0\.8[0-9]\)$"
share=$(sed -n 's/^  W U .* now, \([0-9.]*\) % of T$/\1/p' <<<"$out")
ok "what a visit is worth after half a day of silence is little" awk -v s="$share" 'BEGIN { exit !(s > 0 && s < 10) }'
next=$(sed -n 's/^  next  *\([^,]*\),.*/\1/p' <<<"$out") reaches=$(sed -n 's/^  W U = T  *\([^,]*\),.*/\1/p' <<<"$out")
ok "W U does not reach T before the next visit" test ! "$reaches" \< "$next"
same "the next visit is the one that the policy would say" "$(grep -c '^  its own' <<<"$out")" 0
json=$(explain --format=json --now=2026-01-30T13:00)
like "explain as JSON says when it would be visited without hints" "$json" '"unhinted_next_time":"2026-'
ok "explain as JSON has what has passed by what hints tell" awk -v e="$(member effective_days <<<"$json")" 'BEGIN { exit !(e > 0 && e < 0.2) }'
# One that has named the page, and of which no visit has told anything yet; and one that is wrong each day.
"$PERENNIAL" init --state=W --threshold=0.005
wrong() { printf '{"url":"http://a.example/p","source":"editor"}\n' | "$PERENNIAL" hint --state=W --now=$1 2>/dev/null; }
for ((day = 1; day <= 12; day++)); do
	printf -v time '2026-01-%02d' $day
	printf '{"url":"http://a.example/p","time":"%sT01:00:00Z","body":"%s"}\n' $time "$(seq -s ' ' 1 80)" | "$PERENNIAL" observe --state=W --now=${time}T01:00 -q 2>/dev/null
	wrong ${time}T02:00
	[ $day -gt 1 ] || "$PERENNIAL" explain --state=W --now=2026-01-01T03:00Z http://a.example/p > first
done
like "explain says of a source which no visit has tried yet that it is not believed" "$(cat first)" \
	"^  sources     editor said 1 time that it has changed, 1 since the visit; on its host no visit has shown yet whether it is right; not believed \(trust 0\.00\)$"
like "explain says of a source that was always wrong that none of what it said was true" "$("$PERENNIAL" explain --state=W --now=2026-01-12T03:00Z http://a.example/p)" \
	"^  sources     editor said 12 times that it has changed, 1 since the visit; on its host 0 of 11 were true, as the next visit found, and it spoke before 11 of 11 visits; (hardly|not) believed \(trust 0\.[0-9]*\)$"
tell 2026-01-31T02:00
explain --now=2026-01-31T06:00 > out
like "a hint has a page visited at once, by the rule" "$(cat out)" "^  next        2026-01-31T02:00:00Z, 4h ago; rule: W U\(t\) reaches T then$"
like "explain says that hints bring the next visit sooner" "$(cat out)" "^  hints       sooner: http://a.example/feed.xml \(trust 0\.[0-9]*\) has told of a change 1 time since the last visit; without hints it would be visited at 2026-"
like "W U reaches T when the hint comes" "$(cat out)" "^  W U = T     2026-01-31T02:00:00Z, 4h ago$"
for hour in 12 13 14 15; do
	tell 2026-01-31T$hour:00
	printf '{"url":"http://a.example/p","time":"2026-01-31T%s:30:00Z","body":"%s Boats of the hour leave at %s"}\n' $hour "$(seq -s ' ' 1 80)" $hour |
		"$PERENNIAL" observe --state=H --now=2026-01-31T$hour:30 -q 2>/dev/null
done
tell 2026-01-31T16:00
explain --now=2026-01-31T16:00 > out
like "explain says of a page that hints have brought visits before their time that it waits for what earns the next" "$(cat out)" \
	"^  next  .*; rule: hints have brought visits before their time, and none more is earned until then$"
done_testing
