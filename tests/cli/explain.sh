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

code "explain" 0 explain --now=2026-01-09 $url
like "begins with the page" "$(head -n 1 <<<"$out")" "^$url$"
like "its status" "$out" "^  status      live, [1-8] visits?, weight 1$"
like "its last visit" "$out" "^  visited     2026-01-08T00:00:00Z, 1d ago$"
like "its next, and why" "$out" "^  next        2026-.*; rule: W U\(t\) reaches T then$"
like "the policy" "$out" "^  policy      drift, T = 0\.25$"
like "the bounds" "$out" "^  intervals   10m to 180d$"
like "the curve" "$out" "^  curve       D\*\(t\) = [0-9.e-]+ t: "
like "the utility" "$out" "^  W U         [0-9.e-]+ now, [0-9.]+ % of T$"
like "when it reaches T" "$out" "^  W U = T     2026-"
like "a plot with its level" "$out" "^    0\.25 "
like "and what happens on the way" "$(tail -n 2 <<<"$out" | tr '\n' ' ')" "visited.*now.*next"
same "in ASCII where UTF-8 is not spoken" "$(LC_ALL=C explain --now=2026-01-09 $url | LC_ALL=C grep -c '[^ -~]')" 0
same "or without" "$(explain --no-plot --now=2026-01-09 $url | grep -c '┼')" 0

code "as JSON" 0 explain --format=json --now=2026-01-09 $url
same "one object a page" "$(wc -l <<<"$out")" 1
near() { ok "$1" awk -v a="$2" -v b="$3" 'BEGIN { gap = a / b - 1; exit !(b != 0 && gap < 1e-3 && gap > -1e-3) }'; }
# Drift: D* = s t, U = s t² / 2, and the period is sqrt(2 T / s).
slope=$(member slope_per_day <<<"$out")
near "the utility is that of its line a day after" "$(member utility <<<"$out")" "$(awk -v s="$slope" 'BEGIN { print s / 2 }')"
near "it reaches T where the rule says" "$(member reaches_days <<<"$out")" "$(awk -v s="$slope" 'BEGIN { print sqrt(0.5 / s) }')"
like "and the next visit is then" "$(member reason <<<"$out")" "^rule$"

code "another maximum interval" 0 explain --now=2026-01-09 --max-interval=12h $url
like "is told as the bound that it is" "$out" "^  intervals   10m to 12h$"

"$PERENNIAL" add --state=S --now=2026-01-09 http://new.example/ 2>/dev/null
"$PERENNIAL" init --state=U --policy=uniform --threshold=2
"$PERENNIAL" observe --state=U --now=2026-02-01 -q x.warc.gz 2>/dev/null
code "a policy without a curve" 0 "$PERENNIAL" explain --state=U --now=2026-01-09 $url
like "has a dial of its own" "$out" "^  policy      uniform, period = 2$"
like "and a rule of its own: multiples of the period from the first capture" "$out" "^  next        2026-01-09T00:00:00Z, now; rule: the policy's own$"
same "and nothing to plot" "$(grep -c "W U" <<<"$out")" 0
code "a page never visited" 0 explain --now=2026-01-09 http://new.example/
like "is due at once" "$out" "^  next        2026-01-09T00:00:00Z, now; new: it was never visited$"
for day in 10 11 12; do printf '{"url":"http://new.example/","time":"2026-01-%d","status":404}\n' $day; done | "$PERENNIAL" observe --state=S --now=2026-02-01 -q 2>/dev/null
like "one that is gone has no next visit" "$(explain --now=2026-01-13 http://new.example/)" "^  next        retired: it is gone$"
"$PERENNIAL" due --state=S --now=2026-05-01 --limit=1 --lease=2h > leased
like "a lease is told" "$(explain --now=2026-05-01 "$(cat leased)")" "^  lease       2026-05-01T02:00:00Z, in 2h, until then it is not given out again$"

code "a page that is not there" 3 explain http://none.example/
like "is told" "$err" "none.example"
code "beside one that is" 1 explain http://none.example/ $url
same "which is explained" "$(head -n 2 <<<"$out" | grep -c $url)" 1
code "no page" 2 explain
like "  told so" "$err" "name the URLs to explain"
code "no store" 3 "$PERENNIAL" explain --state=none $url

code "export" 0 "$PERENNIAL" export --state=S --now=2026-01-09
same "prints every page" "$(grep -c '^{"url":"http' <<<"$out")" 4
same "as explain does" "$(grep "\"$url\"" <<<"$out")" "$(explain --format=json --now=2026-01-09 $url)"
"$PERENNIAL" export --state=S 2> err > /dev/full; same "a full disk is told" "$? $(cat err)" "3 perennial export: cannot write to standard output"
done_testing
