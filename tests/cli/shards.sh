#!/usr/bin/env bash
# A store of several shards under every command: the same results as of one, and what is refused.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1

for i in $(seq 1 400); do echo "http://h$((i % 40)).example/$i $((i % 5 + 1))"; done >urls
"$PERENNIAL" synth --seed=3 --pages=30 --captures=6 --warc=captures.warc.gz 2>/dev/null
printf '%s\n' http://h2.example/2 http://h2.example/new >list

# A threshold is the same for all; who is asked first of those that are alike is not, so lists are sorted.
journey() {
	local state=$1
	shift
	"$PERENNIAL" init --state="$state" --threshold=0.1 "$@" || return 1
	"$PERENNIAL" add --state="$state" --now=2026-01-01 urls http://h1.example/more
	"$PERENNIAL" due --state="$state" --now=2026-01-01T01:00:00Z --limit=1000 --format=tsv | sort
	"$PERENNIAL" observe --state="$state" captures.warc.gz
	"$PERENNIAL" due --state="$state" --now=2026-02-01 --limit=1000 --lease=0s | sort
	"$PERENNIAL" due --state="$state" --now=2026-02-01 --limit=1000 --lease=1h | sort
	"$PERENNIAL" release --state="$state" --now=2026-02-01T00:10:00Z --host=h1.example
	"$PERENNIAL" release --state="$state" --now=2026-02-01T00:10:00Z http://h2.example/2 http://nowhere.example/
	"$PERENNIAL" due --state="$state" --now=2026-02-01T02:00:00Z --limit=1000 --format=json | sort
	"$PERENNIAL" hint --state="$state" --now=2026-02-01T02:30:00Z list
	"$PERENNIAL" tune --state="$state" --budget=100/day --apply
	"$PERENNIAL" forget --state="$state" http://h3.example/3
	"$PERENNIAL" forget --state="$state" --host=h4.example --count=10
	"$PERENNIAL" forget --state="$state" --surt=example,h6 --count=10
	"$PERENNIAL" stats --state="$state" --now=2026-02-02 | grep -v '^shards '
	"$PERENNIAL" stats --state="$state" --now=2026-02-02 --sources --format=tsv | sort
	"$PERENNIAL" explain --state="$state" --now=2026-02-02 http://h5.example/5 http://h4.example/4
	"$PERENNIAL" check --state="$state"
	"$PERENNIAL" export --state="$state" --now=2026-02-02 | sort
}
# Loads are summed shard by shard, in another order: the last digits of what follows from a sum may differ.
digits() { sed -E 's/(\.[0-9]{6})[0-9]+/\1/g'; }
journey one >in_one 2>&1
journey spread --shards=16 >in_several 2>&1
ok "a journey through all commands gives as many lines as it should" test "$(wc -l <in_one)" -gt 700
same "every command gives the same of several shards as of one store" \
	"$(diff <(sed 's|in one|in|' in_one | digits) <(sed 's|in spread|in|' in_several | digits) | head -n 5)" ""
"$PERENNIAL" init --state=big --shards=8 --giant-host=g.example/4
seq -f 'http://g.example/%.0f' 200 >big_urls
code "pages of a giant are added" 0 "$PERENNIAL" add --state=big --now=2026-01-01 big_urls http://h1.example/
same "a giant's pages are in several shards, and so no shard is as large" \
	"$("$PERENNIAL" stats --state=big --shards --format=tsv | awk 'NR > 1 && $2 > 30 && $2 < 80' | wc -l)" 4
same "one page of a giant is handed out at a time" "$("$PERENNIAL" due --state=big --now=2026-01-02 --limit=50 --lease=1h 2>/dev/null | grep -c g.example)" 1
same "a second page of a giant waits, whichever shard it is in" "$("$PERENNIAL" due --state=big --now=2026-01-02T00:10:00Z --limit=50 --lease=1h 2>/dev/null)" ""
like "what is handed out of a giant is explained by its one gate" \
	"$("$PERENNIAL" explain --state=big --now=2026-01-02T00:10:00Z $(for i in $(seq 20); do echo http://g.example/$i; done))" "limit"
code "a page of a giant is given back by its host's name" 0 "$PERENNIAL" release --state=big --now=2026-01-02T00:20:00Z --host=g.example
same "when a page of a giant is given back another is handed out" "$("$PERENNIAL" due --state=big --now=2026-01-02T00:20:00Z --limit=50 --lease=1h 2>/dev/null | grep -c g.example)" 1
code "a sitemap's URLs of a giant are taken" 0 "$PERENNIAL" hint --state=big --now=2026-01-02T01:00:00Z big_urls
code "a store with a giant is whole" 0 "$PERENNIAL" check --state=big
code "a store with a giant is copied" 0 "$PERENNIAL" backup --state=big big_copy
same "a copy of a store with a giant has all of its pages in their places" \
	"$("$PERENNIAL" export --state=big_copy --now=2026-01-03 | cmp - <("$PERENNIAL" export --state=big --now=2026-01-03))" ""
same "a giant is forgotten in all of its shards" "$("$PERENNIAL" forget --state=big --host=g.example --count=200 2>&1; "$PERENNIAL" export --state=big | wc -l)" \
	"perennial forget: 200 pages forgotten
1"
code "a giant in a number of parts that is no power of two is refused" 2 "$PERENNIAL" init --state=none --shards=8 --giant-host=g.example/3
like "init says in how many parts a giant can be" "$err" "g.example/3: .* a power of two from 2 to the number of shards, 8"
code "a store without shards has no giants" 2 "$PERENNIAL" init --state=none --giant-host=g.example
ok "a store of several shards is several" test -e spread.0 -a -e spread.15

# Copies, and what is lost.
code "a store of several shards is copied" 0 "$PERENNIAL" backup --state=spread copy
same "a copy of a store of several shards has all" \
	"$("$PERENNIAL" export --state=copy --now=2026-02-02 | cmp - <("$PERENNIAL" export --state=spread --now=2026-02-02))" ""
code "a store of several shards is not copied onto another" 3 "$PERENNIAL" backup --state=spread copy
mv copy.3 away
code "a shard that is gone is missed by a check" 3 "$PERENNIAL" check --state=copy
like "who checks a store whose shard is gone is told which" "$err" "copy.3: is not there: .*pages are lost"
code "a shard that is gone is missed by who reads all" 1 "$PERENNIAL" export --state=copy

# Shards know where they belong.
mv away copy.3
same "a store is the same with slashes behind its name" \
	"$("$PERENNIAL" export --state=copy/// --now=2026-02-02 | cmp - <("$PERENNIAL" export --state=spread --now=2026-02-02))" ""
code "a store of shards is made and copied with a slash behind its name" 0 "$PERENNIAL" init --state=slash/ --shards=4
code "pages are added to a store with a slash behind its name" 0 "$PERENNIAL" add --state=slash/ http://a.example/ http://b.example/ http://c.example/
code "a store of shards is copied to a name with a slash behind it" 0 "$PERENNIAL" backup --state=slash/ slashed/
same "shards stand beside a store whose name has a slash" "$(ls -d slash.* slashed.* | wc -l) $(ls -A slash slashed | grep -c '^\.')" "$(($(ls -d slash.* | wc -l) * 2)) 0"
same "a copy to a name with a slash has all" "$("$PERENNIAL" export --state=slashed | wc -l)" 3
ln -s spread linked
same "a store that a link names is that store, with the shards beside it" \
	"$("$PERENNIAL" export --state=linked --now=2026-02-03 | cmp - <("$PERENNIAL" export --state=spread --now=2026-02-03))" ""
mkdir moved; cp -R slash moved/; ln -s moved/slash severed
code "a store whose shards were left behind is not found through a link either" 3 "$PERENNIAL" export --state=severed
like "who links to a store without its shards is told what was looked for" "$err" "moved/slash.0: is not there: a store is moved and copied together with all"
mv copy.3 three; mv copy.4 copy.3; mv three copy.4
code "shards that were swapped are found" 3 "$PERENNIAL" check --state=copy
like "who swapped shards is told which" "$err" "copy.3: is shard 4 of its store, and stands in the place of shard 3"
mv copy.3 three; mv copy.4 copy.3; mv three copy.4
code "shards that are back in their places are whole" 0 "$PERENNIAL" check --state=copy
mkdir -p strangers; "$PERENNIAL" init --state=strangers/own --shards=4
printf 'http://%s.example/\n' a b c d e f g h >strangers/urls
"$PERENNIAL" add --state=strangers/own strangers/urls
"$PERENNIAL" init --state=strangers/other --shards=4; "$PERENNIAL" add --state=strangers/other strangers/urls
rm -rf strangers/own.1; mv strangers/other.1 strangers/own.1
code "a shard of another store is found" 3 "$PERENNIAL" check --state=strangers/own
like "who has a shard of another store is told so" "$err" "own.1: is a shard of another store than strangers/own"
rm -rf strangers/other
code "a store is not made where shards of another are left" 3 "$PERENNIAL" init --state=strangers/other --shards=4
like "who makes a store where shards are left is told what to move" "$err" "other: this is no store, but shards of one whose root is not there .strangers/other.[0-9]"
ok "a store that was not made leaves nothing" test ! -e strangers/other

# Shards whose files are damaged, and one that is away.
"$PERENNIAL" init --state=hurt --shards=4
for ((i = 0; i < 400; i++)); do echo "http://h$((i % 50)).example/a-rather-long-name-of-a-page-so-that-leaves-are-full/$i"; done >urls
"$PERENNIAL" add --state=hurt urls 2>/dev/null
count() { sed -n "s/^$1	//p" out; }
for shard in 1 3; do
	leaf=$(LC_ALL=C od -An -v -tu1 -w4096 hurt.$shard/data.mdb | awk '$11 == 2 && $12 == 0 { found = NR - 1 } END { print found }')
	printf '\377%.0s' {1..2000} | dd of=hurt.$shard/data.mdb bs=1 seek=$((leaf * 4096 + 4)) conv=notrunc 2>/dev/null
done
mv hurt.2 away
code "shards that are damaged, and one that is not there, are faults" 3 "$PERENNIAL" check --state=hurt --format=tsv
same "each shard that is damaged or not there is told" "$(grep -o 'hurt\.[0-9]' <<<"$err" | sort -u | tr '\n' ' ')" "hurt.1 hurt.2 hurt.3 "
code "a repair tells of a shard that is not there" 3 "$PERENNIAL" check --state=hurt --repair
like "a repair says which shard it cannot make anew" "$err" "hurt.2: is not there"
mv away hurt.2
code "what a repair saved of shards is whole, whatever else was not there" 0 "$PERENNIAL" check --state=hurt
pages=$("$PERENNIAL" export --state=hurt | wc -l)
ok "a repair saves the pages of damaged shards but for a leaf: $pages of 400" test "$pages" -ge 370 -a "$pages" -le 400
ok "the damaged files of shards are kept" test -e hurt.1/data.mdb.damaged -a -e hurt.3/data.mdb.damaged
ok "shards that were whole are not made anew" test ! -e hurt.0/data.mdb.damaged -a ! -e hurt.2/data.mdb.damaged

# A shard that its root does not list, as after a kill between the two: what is reported of its pages is found.
"$PERENNIAL" init --state=unlisted --shards=4
cp -r unlisted older
"$PERENNIAL" add --state=unlisted http://a.example/ 2>/dev/null
rm -rf unlisted; mv older unlisted
echo '{"url":"http://a.example/","time":"2026-01-01T00:00:00Z","body":"a few words that are here to stay"}' |
	"$PERENNIAL" observe --state=unlisted --now=2026-01-02 - >/dev/null 2>&1
same "what is reported to a shard that was on no list is found" "$("$PERENNIAL" export --state=unlisted | grep -c '"visits":1')" 1

# What is refused.
code "shards that are no power of two are refused" 2 "$PERENNIAL" init --state=three --shards=3
like "who asks for three shards is told what there may be" "$err" "power of two"
code "more shards than there may be are refused" 2 "$PERENNIAL" init --state=many --shards=2097152
ok "what was refused leaves nothing" test ! -e three -a ! -e many
code "a shard is no store by itself" 3 "$PERENNIAL" stats --state=spread.3
like "who names a shard is told to name the store" "$err" "this is shard 3 of a store"
code "hosts in a group would be in several shards: a usage error" 2 "$PERENNIAL" due --state=spread --host-group=example=all
like "who groups hosts of several shards is told what to leave out" "$err" "host-group"

# The suites of the library that look at a store through its decider, over shards.
for suite in tune refusals costs sides newcomers; do
	[ -x "${BUILDDIR:-}/tests/$suite" ] || continue
	PERENNIAL_SHARDS=16 "$BUILDDIR/tests/$suite" >suite.out 2>&1
	same "the tests of $suite pass over several shards" "$(grep -c '^not ok' suite.out) $(tail -n 1 suite.out | grep -c '^1\.\.')" "0 1"
	grep -A3 '^not ok' suite.out | sed 's/^/# /'
done
done_testing
