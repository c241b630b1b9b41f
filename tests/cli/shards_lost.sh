#!/usr/bin/env bash
# A shard that is damaged or gone: the others give and take what they have, and each command says what is missing.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
cd "$tmp" || exit 1

for i in $(seq 1 60); do echo "http://h$i.example/"; done >urls
"$PERENNIAL" init --state=store --shards=4
"$PERENNIAL" add --state=store --now=2026-01-01 urls 2>/dev/null
"$PERENNIAL" export --state=store | sed 's/.*"url":"\([^"]*\)".*/\1/' | sort >all
mv store.2 away
"$PERENNIAL" due --state=store --now=2026-01-01 --lease=0s --limit=100 2>/dev/null | sort >there
comm -23 all there >missing
ok "some of the pages are in the shard that is gone, and some are not" test -s missing -a -s there
reports() { while read -r url; do echo "{\"url\":\"$url\",\"time\":\"$1\",\"content_type\":\"text/plain\",\"body\":\"some words of $url\"}"; done; }

code "due gives what other shards have, and ends as what passed something over" 1 "$PERENNIAL" due --state=store --now=2026-01-01 --limit=100
same "due gives all that other shards have" "$(sort <<<"$out")" "$(cat there)"
like "due says which shard it has passed over" "$err" "passed over 1 shard, whose pages are not given, the first: store.2: is not there"
code "due has nothing more to give" 1 "$PERENNIAL" due --state=store --now=2026-01-01T00:01:00Z --format=json
like "due tells programs of a lost shard with each call" "$out" '"damaged_shards":1,"first_damaged":"store.2: is not there'
like "due does not say that nothing is to become due when it passed over pages" \
	"$("$PERENNIAL" due --state=store --now=2026-01-01T00:01:00Z 2>&1 >/dev/null)" "0 URLs; the next at|0 URLs; of those that can be read, no other"
made=$(wc -l <there)
code "stats counts what other shards have" 1 "$PERENNIAL" stats --state=store --now=2026-01-01T00:01:00Z
like "stats says what of it is known" "$out" "^pages       $made: "
like "stats says in words that a shard is gone" "$out" "^shards      4 of 4 made, 1 of them damaged or gone, of which nothing is counted here; the others of [0-9]+ to [0-9]+ pages; shard [013] has most$"
like "stats tells which shard is gone" "$err" "^perennial stats: passed over 1 shard, whose pages are not counted, the first: store.2: is not there"
code "stats tells programs of a lost shard" 1 "$PERENNIAL" stats --state=store --format=json
like "stats tells programs what is known, and which shard is gone" "$out" '"pages":'"$made"',.*"damaged_shards":1,"first_damaged":"store.2: is not there'
code "stats --shards ends as what passed something over" 1 "$PERENNIAL" stats --state=store --shards --format=tsv
like "stats --shards says so" "$err" "passed over 1 shard, whose pages are not counted, the first: store.2: is not there"
code "stats --sources ends as what passed something over" 1 "$PERENNIAL" stats --state=store --sources --format=tsv
like "stats --sources says so" "$err" "passed over 1 shard, whose pages are not counted, the first: store.2: is not there"
code "tune counts what other shards have" 1 "$PERENNIAL" tune --state=store --budget=10/day
like "tune says of how many pages" "$out" "^$made pages: "
like "tune tells which shard is gone" "$err" "^perennial tune: passed over 1 shard, whose pages are not counted, the first: store.2: is not there"
like "tune tells programs" "$("$PERENNIAL" tune --state=store --budget=10/day --format=json 2>/dev/null)" '"damaged_shards":1,"first_damaged":"store.2: is not there'
code "a check that repairs ends where a shard is gone" 3 "$PERENNIAL" check --state=store --repair --format=tsv
way="a shard that is gone comes back from a backup, BACKUP, by 'perennial check --state=store --repair --from=BACKUP'; where no backup has it, 'perennial check --state=store --repair --give-up-shard=N' puts an empty one there"
like "who repairs is told what can be done" "$err" "^perennial check: $way$"
code "a check finds that a shard is gone" 3 "$PERENNIAL" check --state=store --format=tsv
like "who checks is told what can be done" "$err" "^perennial check: $way$"
mkdir others; mv store.[013] others/
code "with all shards gone due has passed over all" 1 "$PERENNIAL" due --state=store --now=2026-02-01
like "due tells of all shards" "$err" "passed over 4 shards, whose pages are not given, the first: store.[0-3]: is not there"
like "with all shards gone due does not say that nothing is to become due" "$err" "^perennial due: 0 URLs; of those that can be read, no other is to become due$"
code "with all shards gone stats has passed over all" 1 "$PERENNIAL" stats --state=store
like "with all shards gone stats says so" "$out" "^shards      4 of 4 made, 4 of them damaged or gone, of which nothing is counted here$"
code "with all shards gone nothing can be tuned for" 3 "$PERENNIAL" tune --state=store --budget=10/day
like "who tunes for shards that are gone is told so" "$err" "has no pages to tune for in shards that are whole: store.0: is not there"
mv others/* .; rmdir others
code "observe takes what is of other shards" 1 "$PERENNIAL" observe --state=store --now=2026-01-02 --format=tsv <(reports 2026-01-01T00:02:00Z <all)
same "observe takes all that is of other shards" "$("$PERENNIAL" due --state=store --now=2027-01-01 --lease=0s --format=json --limit=100 2>/dev/null | grep -c '"reason":"\(rule\|learning\|maximum\)')" \
	"$(wc -l <there)"
like "observe tells of a report that it cannot take" "$err" "skipped: $(head -n 1 missing): store.2: is not there"
code "add takes what is of other shards" 1 "$PERENNIAL" add --state=store --now=2026-01-02 all
like "add tells of a URL that it cannot take" "$err" "add: skipped: $(head -n 1 missing): .*store.2: is not there"
like "add counts what it took and what it did not" "$err" "^perennial add: $(wc -l <there) known, $(wc -l <missing) not taken: their shards are damaged or gone$"
code "add takes a page of a shard that is there" 0 "$PERENNIAL" add --state=store --now=2026-01-02 --weight=3 "$(head -n 1 there)"
cp -r away store.2
code "a shard whose folder was copied to its place is there" 0 "$PERENNIAL" check --state=store
rm -r store.2
mv away store.2

# Shards that a backup has.
"$PERENNIAL" init --state=kept --shards=4
"$PERENNIAL" add --state=kept --now=2026-01-01 urls 2>/dev/null
code "a store is copied while it has all its shards" 0 "$PERENNIAL" backup --state=kept backup
"$PERENNIAL" export --state=kept --now=2026-01-01 | sort >kept.all
same "all is handed out" "$("$PERENNIAL" due --state=kept --now=2026-01-01 --lease=1d --limit=100 2>/dev/null | wc -l)" 60
"$PERENNIAL" due --state=kept --now=2026-01-01T00:01:00Z --limit=100 >/dev/null 2>&1
rm -r kept.1 kept.2
"$PERENNIAL" export --state=kept --now=2026-01-01 2>/dev/null | sed 's/.*"url":"\([^"]*\)".*/\1/' | sort | comm -13 - all >kept.gone
code "bringing shards back is a repair: a usage error without" 2 "$PERENNIAL" check --state=kept --from=backup
code "shards that are gone come back from a backup" 0 "$PERENNIAL" check --state=kept --repair --from=backup --format=tsv
like "who brings shards back is told which, and of what they have" "$err" \
	"^perennial check: shard 1 is back, with [0-9]+ pages as backup has them: what came or went since is not known
perennial check: shard 2 is back, with [0-9]+ pages as backup has them: what came or went since is not known$"
like "a store whose shards came back is checked then" "$out" "^pages	60$"
same "pages of shards that came back are due as the backup has them" "$("$PERENNIAL" due --state=kept --now=2026-01-01T00:10:00Z --lease=1d --limit=100 2>/dev/null | sort)" \
	"$(cat kept.gone)"
code "where no shard is gone nothing comes back" 0 "$PERENNIAL" check --state=kept --repair --from=backup
like "who brings back what is there is told so" "$err" "^perennial check: no shard is gone: nothing was brought back from backup$"
rm -r kept.3 kept.1; mv backup.3 backup.away
code "a shard that no backup has stays gone" 3 "$PERENNIAL" check --state=kept --repair --from=backup
like "beside a shard that no backup has the others come back" "$err" "^perennial check: shard 1 is back, .*
perennial check: shard 3 stays gone: backup.3: is not there"
mv backup.away backup.3
truncate -s 0 kept.2/data.mdb
code "a shard that is cut off is mended, or moved away, before the backup's takes its place" 3 "$PERENNIAL" check --state=kept --repair --from=backup
like "a shard that is gone comes back beside one that is damaged" "$err" "^perennial check: shard 3 is back"
same "what is damaged is left" "$(stat -c %s kept.2/data.mdb)" 0
rm -r kept.2; "$PERENNIAL" check --state=kept --repair --from=backup >/dev/null 2>&1; mv kept.2 kept.away
"$PERENNIAL" init --state=another --shards=4
code "no shard comes from another store" 3 "$PERENNIAL" check --state=kept --repair --from=another
like "who names another store is told so" "$err" "^perennial check: another: is no backup of kept, but another store$"
ln -s kept itself
code "no shard comes from the store itself" 3 "$PERENNIAL" check --state=kept --repair --from=itself
like "who names the store itself is told so" "$err" "^perennial check: itself: is the store itself, and no backup of it$"
code "no shard comes from where nothing is" 3 "$PERENNIAL" check --state=kept --repair --from=nowhere
code "no shard comes of a shard" 3 "$PERENNIAL" check --state=kept --repair --from=backup.2
"$PERENNIAL" init --state=alone
code "a store without shards gets none back" 3 "$PERENNIAL" check --state=alone --repair --from=backup
like "who would bring shards back to a store without is told so" "$err" "^perennial check: alone: has no shards: "
mv kept.away kept.2
cp -r kept twice; for i in 0 1 3; do cp -r kept.$i twice.$i; done
code "a shard that came back, and is gone again, is given up" 0 "$PERENNIAL" check --state=twice --repair --give-up-shard=2
like "how many pages a shard had is unknown once it came back" "$err" "^perennial check: shard 2 is given up: how many pages are lost with it is not known$"
code "the policy of a store is changed after its backup" 0 "$PERENNIAL" set --state=kept --policy=cgm --threshold=2
rm -r kept.2
code "no shard comes back with pages of another policy" 3 "$PERENNIAL" check --state=kept --repair --from=backup
like "who would bring back pages of another policy is told so" "$err" "^perennial check: backup: its pages follow another policy than those of kept, which was changed .'perennial set'."
ok "of a backup of another policy nothing is brought back" test ! -e kept.2

# The root gone, with its shards left.
mv store root
code "shards without their root are no store" 3 "$PERENNIAL" stats --state=store
like "who opens shards without their root is told so" "$err" "store: this is no store, but shards of one whose root is not there .store.[0-3].: copy the root back from a backup"
for making in "init" "init --shards=4" "init --shards=1024"; do
	code "no store is made among shards without their root: $making" 3 "$PERENNIAL" $making --state=store
	like "who would make one is told of the shards: $making" "$err" "store: this is no store, but shards of one whose root is not there"
done
code "add makes no store among shards without their root" 3 "$PERENNIAL" add --create --state=store http://a.example/
like "who would add is told of the shards" "$err" "store: this is no store, but shards of one whose root is not there"
code "add takes nothing where the root is not there" 3 "$PERENNIAL" add --state=store http://a.example/
like "who adds is told of the shards without --create too" "$err" "store: this is no store, but shards of one whose root is not there"
mv root store
code "a root that was brought back has its shards" 0 "$PERENNIAL" check --state=store
"$PERENNIAL" init --state=lone.1
code "a store of one may have a dot and a number in its name, and another beside it" 0 "$PERENNIAL" init --state=lone

# Likewise a shard whose file is no store any more, and the daemon.
cp store.2/data.mdb whole
head -c 16384 /dev/urandom | dd of=store.2/data.mdb conv=notrunc 2>/dev/null
code "due passes over a shard whose file is damaged" 1 "$PERENNIAL" due --state=store --now=2026-01-03 --limit=1000
like "due says why it has passed over a shard" "$err" "passed over 1 shard, whose pages are not given, the first: store.2: "
ok "serve starts where a shard is damaged" start_server --now=2026-01-05T00:00:00Z --host-limit=0 --host-delay=0s
reports 2026-01-04T00:00:00Z <all >reports
post /v1/observe -H "Content-Type: application/x-ndjson" --data-binary @reports
same "a batch of reports is taken" "$status $(grep -c '"outcome"' <<<"$body") $(grep -c '"error"' <<<"$body")" "200 $(wc -l <there) $(wc -l <missing)"
like "a report that cannot be taken is told in its place" "$body" "\"error\":\"$(head -n 1 missing): .*store.2: "
post /v1/pages --data-binary @all
same "URLs are added where their shards are whole" "$status $(grep -c '"known"' <<<"$body") $(grep -c '"error"' <<<"$body")" "200 $(wc -l <there) $(wc -l <missing)"
post '/v1/due?limit=1000'
like "a daemon tells of a damaged shard with what is due" "$status $(tail -n 1 <<<"$body")" '^200 .*"damaged_shards":1,"first_damaged":".*store.2: '
like "a daemon logs that a shard is damaged" "$(cat "$log")" "shards are damaged, and were passed over"
get /v1/stats
like "a daemon tells what is known, and which shard is damaged" "$status $body" '^200 .*"pages":'"$made"',.*"damaged_shards":1,"first_damaged":".*store.2: '
get /
like "the person's page says that a shard is damaged" "$body" 'class="warning">1 shard is damaged or gone, and not counted here: .*store.2: '
get /metrics
same "a damaged shard is counted" "$(grep ^perennial_damaged <<<"$body")" "perennial_damaged_shards_total 1"
stop_server
truncate -s 0 store.2/data.mdb
code "due passes over a shard whose file is cut off" 1 "$PERENNIAL" due --state=store --now=2026-01-03 --limit=1000
like "due says that the file of a shard is cut off" "$err" "passed over 1 shard, whose pages are not given, the first: store.2: data.mdb is empty"
mv whole store.2/data.mdb
code "a shard that is whole again is asked again" 0 "$PERENNIAL" due --state=store --now=2026-01-03 --limit=1000
same "what is in it was not lost" "$(sort <<<"$out")" "$(cat missing)"

# What each has, and one that is given up.
rows() { "$PERENNIAL" stats --state=store --shards --format=tsv 2>/dev/null | tail -n +2; }
same "each shard is told with its pages" "$(rows | cut -f 1 | tr '\n' ' ')$(rows | sed -n 's/^2	\([0-9]*\).*/\1/p') $(rows | awk -F'\t' '{ sum += $2 } END { print sum }')" \
	"0 1 2 3 $(wc -l <missing) 60"
least=$(rows | cut -f 2 | sort -n | head -n 1) most=$(rows | cut -f 2 | sort -n | tail -n 1)
fullest=$(rows | awk -v most="$most" -F'\t' '$2 == most { print $1; exit }')
like "stats says how large shards are" "$("$PERENNIAL" stats --state=store --now=2026-01-06)" "shards      4 of 4 made, of $least to $most pages; shard $fullest has most"
like "stats as JSON says how large shards are" "$("$PERENNIAL" stats --state=store --now=2026-01-06 --format=json)" \
	"\"shards\":\{\"count\":4,\"made\":4,\"least\":$least,\"most\":$most,\"fullest\":$fullest\}"
code "a shard that is there is not given up" 3 "$PERENNIAL" check --state=store --repair --give-up-shard=2
like "who gives up a shard that is there is told so" "$err" "shard 2 can be opened, and has its pages: it is not given up"
code "a shard that there is not is not given up" 3 "$PERENNIAL" check --state=store --repair --give-up-shard=4
code "without a repair nothing is given up: a usage error" 2 "$PERENNIAL" check --state=store --give-up-shard=2
cp -r store.2 lost
truncate -s 0 store.2/data.mdb
code "a shard is not given up while something stands in its place" 3 "$PERENNIAL" check --state=store --repair --give-up-shard=2
like "who gives up a shard whose file stands there is told what to do" "$err" "store.2: something is there that cannot be opened: .*move it away first"
rm -r store.2
like "a lost shard is told with the others" "$(rows)" "^2	0	0	0	0	0	.*store.2: is not there"
code "a lost shard is given up" 0 "$PERENNIAL" check --state=store --repair --give-up-shard=2 --format=tsv
like "who gives up a shard is told how many pages it had, and when" "$err" \
	"shard 2 is given up: it had $(wc -l <missing) pages at 2026-01-03T00:00:00Z, when 'due' last asked it; what came or went since is not known$"
like "the store is checked then" "$out" "^pages	$(wc -l <there)$"
same "the store goes on without what was lost" "$("$PERENNIAL" export --state=store | sed 's/.*"url":"\([^"]*\)".*/\1/' | sort)" "$(cat there)"
"$PERENNIAL" add --state=store --now=2026-01-06 all 2>added
like "pages of a shard that was given up are added anew" "$(cat added)" "$(wc -l <missing) pages added, $(wc -l <there) known"
code "a store one of whose shards was given up has no fault" 0 "$PERENNIAL" check --state=store
code "a shard that was given up is not given up again" 3 "$PERENNIAL" check --state=store --repair --give-up-shard=2
rm -r store.2; mv lost store.2
same "a shard that is found again takes its place" "$("$PERENNIAL" export --state=store | wc -l)" 60
"$PERENNIAL" init --state=fresh --shards=4; "$PERENNIAL" add --state=fresh http://a.example/ 2>/dev/null
made=$("$PERENNIAL" stats --state=fresh --shards --format=tsv | tail -n 1 | cut -f 1)
rm -r fresh.$made
code "a shard of which nothing was ever given is given up" 0 "$PERENNIAL" check --state=fresh --repair --give-up-shard=$made
like "who gives up a shard of which nothing was ever given is told that it is not known what is lost" "$err" "how many pages are lost with it is not known"
"$PERENNIAL" init --state=grown --shards=4; "$PERENNIAL" add --state=grown --now=2026-01-01 http://a.example/1 2>/dev/null
"$PERENNIAL" due --state=grown --now=2026-01-01 >/dev/null 2>&1
"$PERENNIAL" add --state=grown --now=2026-01-01T00:01:00Z http://a.example/2 http://a.example/3 2>/dev/null
code "due that gives nothing has looked at the shard" 0 "$PERENNIAL" due --state=grown --now=2026-01-01T00:02:00Z --host-limit=1
same "due gives nothing of a host that is asked" "$out" ""
rm -r grown.$made
code "a shard that has grown is given up" 0 "$PERENNIAL" check --state=grown --repair --give-up-shard=$made
like "what came before due looked is counted, whatever it gave" "$err" "it had 3 pages at 2026-01-01T00:02:00Z, when 'due' last asked it"
rm -r grown.$made
code "a shard that has grown and was lost again is given up again" 0 "$PERENNIAL" check --state=grown --repair --give-up-shard=$made
like "of what took its place due has not asked" "$err" "how many pages are lost with it is not known"
code "a shard that was never made is not given up" 3 "$PERENNIAL" check --state=fresh --repair --give-up-shard=$(((made + 1) % 4))
like "who gives up a shard that was never made is told so" "$err" "was not made yet: no page is lost with it"
same "a store without shards has no rows of them" "$("$PERENNIAL" init --state=single; "$PERENNIAL" stats --state=single --shards --format=tsv | wc -l)" 1
code "two tables at once are a usage error" 2 "$PERENNIAL" stats --state=store --shards --sources
# Sources of hints of the shards that are there.
urlset() { printf '<urlset>%s</urlset>' "$(printf '<url><loc>http://%s.example/1</loc><lastmod>2026-01-01</lastmod></url>' "$1")"; }
"$PERENNIAL" init --state=hinted --shards=4
for i in $(seq 1 20); do "$PERENNIAL" add --state=hinted --now=2026-01-01 "http://h$i.example/1" 2>/dev/null; urlset h$i | "$PERENNIAL" hint --state=hinted --now=2026-01-01T01:00:00Z --source=map - >/dev/null 2>&1; done
"$PERENNIAL" stats --state=hinted --sources --format=tsv | sort >sources
rm -r hinted.1
code "stats --sources tells those of other shards" 1 "$PERENNIAL" stats --state=hinted --sources --format=tsv
ok "stats --sources without a shard prints some of the sources, unchanged" test "$(sort <<<"$out" | comm -12 - sources | wc -l)" -gt 2 -a "$(wc -l <<<"$out")" -lt "$(wc -l <sources)"
same "stats --sources without a shard prints no other source" "$(sort <<<"$out" | comm -23 - sources)" ""
# A list of shards that is lost, of a store that has several.
"$PERENNIAL" init --state=many --shards=8192
"$PERENNIAL" add --state=many --now=2026-01-01 all 2>/dev/null
"$PERENNIAL" due --state=many --now=2026-01-01 --limit=10 --lease=0s >/dev/null 2>&1
"$PERENNIAL" export --state=many --now=2026-01-02 | sort >many.all
list=$(ls -d many.list-* | head -n 1); n=${list#many.list-}
mine=$(for shard in $(ls -d many.[0-9]*); do i=${shard#many.}; [ $((i / 1024)) -ne "$n" ] || echo "$i"; done)
code "a list that is there is not given up" 3 "$PERENNIAL" check --state=many --repair --give-up-list="$n"
like "who gives up a list that is there is told so" "$err" "list $n can be opened, and has its shards: it is not given up"
mv "$list" list.away
others=$("$PERENNIAL" stats --state=many --now=2026-01-02 2>/dev/null | sed -n 's/^pages *\([0-9]*\):.*/\1/p')
code "stats goes past a list that is gone" 1 "$PERENNIAL" stats --state=many --now=2026-01-02
like "stats names a list that is gone, and what to do" "$err" "the first: $list: is not there: .*--give-up-list=$n"
code "export goes past a list that is gone" 1 "$PERENNIAL" export --state=many --now=2026-01-02
same "export has all pages of other lists" "$(grep -c . <<<"$out") $(sort <<<"$out" | comm -23 - many.all | wc -l)" "$others 0"
ok "where a list is gone some pages are left out, and others are not" test "$others" -gt 0 -a "$others" -lt "$(wc -l <many.all)"
like "export names a list that is gone" "$err" "^perennial export: left out: $list: is not there"
code "a list that is gone is a fault" 3 "$PERENNIAL" check --state=many
like "who checks is told how a list is made anew" "$err" "$list: is not there: .*if it was removed, 'perennial check --repair --give-up-list=$n' makes it anew of those of its shards that stand"
code "a list that is gone is made anew" 0 "$PERENNIAL" check --state=many --repair --give-up-list="$n"
like "who makes a list anew is told of how many shards" "$err" "list $n is made anew of $(wc -w <<<"$mine") shards?, which stands?: whether there were others is not known$"
same "with a list that was made anew nothing is lost" "$("$PERENNIAL" export --state=many --now=2026-01-02 | sort | cmp - many.all)" ""
same "what is due is given from shards of a list that was made anew" "$("$PERENNIAL" due --state=many --now=2026-01-01 --limit=100 2>/dev/null | sort)" "$(cat all)"
code "a store whose list was made anew has no fault" 0 "$PERENNIAL" check --state=many
gone=$(head -n 1 <<<"$mine")
"$PERENNIAL" backup --state=many later
"$PERENNIAL" add --state=later --now=2026-01-02 $(for i in $(seq 100 160); do echo "http://h$i.example/"; done) 2>/dev/null
"$PERENNIAL" export --state=later --now=2026-01-02 | sort >later.all
rm -r "later.list-$n" "later.$gone"
code "a list comes back with a shard of it that is gone, and with those that came since the backup" 0 "$PERENNIAL" check --state=later --repair --from=many
like "check names the shard that it brought back" "$err" "^perennial check: shard $gone is back, with"
same "with a list that came back nothing is lost" "$("$PERENNIAL" export --state=later --now=2026-01-02 | sort | cmp - later.all)" ""
rm -r "$list"; mv "many.$gone" shard.away
code "a list is made anew, and a shard that is gone with it is not known" 0 "$PERENNIAL" check --state=many --repair --give-up-list="$n"
lacks=$(comm -13 <("$PERENNIAL" export --state=many --now=2026-01-02 | sed 's/.*"url":"\([^"]*\)".*/\1/' | sort) all | head -n 1)
ok "pages of a shard that was gone when its list was made anew are unknown" test -n "$lacks"
mv shard.away "many.$gone"
code "a shard that comes later is listed when something is written to it" 0 "$PERENNIAL" add --state=many --weight=2 "$lacks"
same "pages of a shard that came later than its list are there again" "$("$PERENNIAL" export --state=many --now=2026-01-02 | wc -l)" "$(wc -l <many.all)"
rm -r "$list"; mv "many.$gone/data.mdb" data.away; touch "many.$gone/data.mdb"
code "a shard that is damaged is listed too, and told" 3 "$PERENNIAL" check --state=many --repair --give-up-list="$n"
like "who makes a list anew beside a damaged shard is told which that is" "$err" "many.$gone: data.mdb is empty"
mv data.away "many.$gone/data.mdb"
same "when a shard that was damaged is whole again its pages are there" "$("$PERENNIAL" export --state=many --now=2026-01-02 | wc -l)" "$(wc -l <many.all)"
rm -r "$list"; mkdir "$list"; touch "$list/data.mdb"
code "a list is not made anew while something stands in its place" 3 "$PERENNIAL" check --state=many --repair --give-up-list="$n"
like "who gives up a list whose file stands there is told what to do" "$err" "something is there that cannot be opened: .*move it away first"
unmade=$(for i in {0..7}; do [ -e many.list-$i ] || echo $i; done | head -n 1)
code "a list that there is not is not given up" 3 "$PERENNIAL" check --state=many --repair --give-up-list="${unmade:-8}"
code "a store without lists has none to give up" 3 "$PERENNIAL" check --state=store --repair --give-up-list=0
like "who gives up a list of a store without such is told" "$err" "store: has no lists of shards: stores of more than 4096 shards have"
code "without a repair no list is given up: a usage error" 2 "$PERENNIAL" check --state=many --give-up-list=0
done_testing
