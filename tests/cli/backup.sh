#!/usr/bin/env bash
# perennial backup: a copy that is whole, made while the store is written to.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
keeper() { "${BUILDDIR:?}/soak/keeper" "$@"; }
backup() { "$PERENNIAL" backup "$@"; }
keeper make live && seq 1 2000 | awk '{ print $1 % 700, $1 }' | keeper write live >/dev/null

code "backup copies a store" 0 backup --state=live copy
same "backup of a whole store says nothing" "$out$err" ""
same "a copy has the same pages as its store" "$(keeper read copy)" "$(keeper read live)"
code "a copy passes check" 0 "$PERENNIAL" check --state=copy
ok "a copy is no larger than its store" test "$(stat -c %s copy/data.mdb)" -le "$(stat -c %s live/data.mdb)"
echo "3 9000" | keeper write copy >/dev/null
like "a copy can be written to" "$(keeper read copy)" "^3 9000$"
ok "what is written to a copy does not reach the store that it was made of" test "$(keeper read live | grep -c '^3 9000$')" = 0

# Lines come in without end while copies are made; each is a store as it was after some commit.
seq 3000 100000000 | awk '{ print $1 % 700, $1 }' | "$BUILDDIR/soak/keeper" write live >/dev/null &
writer=$!
whole=0
for i in 1 2 3 4 5; do
	backup --state=live "copy-$i" && "$PERENNIAL" check --state="copy-$i" >/dev/null && [ "$(keeper read "copy-$i" | wc -l)" = 700 ] && whole=$((whole + 1))
done
kill -9 $writer
wait 2>/dev/null
same "copies of a store that is written to are whole" "$whole" 5

code "a copy does not replace a store" 3 backup --state=live copy
like "a backup over a store says that one is there already" "$err" "copy: a store is there already"
mkdir full && touch full/file
code "a copy does not replace a folder that is no store" 3 backup --state=live full
code "a copy is not made in a folder that is not there" 3 backup --state=live none/copy
same "a backup that is refused leaves nothing behind" "$(ls -d ./*.part full/* 2>/dev/null)" "full/file"
"$PERENNIAL" init --state=dead 2> /dev/null && LC_ALL=C sed -i 's/fragment-rule/fragment-rulf/g' dead/data.mdb
code "a store whose settings lack one is not copied" 3 backup --state=dead dead-copy
like "the setting that it lacks is named" "$err" "dead: the store has no setting 'fragment-rule'"
ok "no copy of it is left" test ! -e dead-copy
code "check of a store whose settings lack one ends with 1" 1 "$PERENNIAL" check --state=dead
like "check says why states were not looked at" "$err" "the states of pages were not looked at: dead: the store has no setting 'fragment-rule'"
like "check still prints what it found of a store whose settings lack one" "$out" "^pages	0$"
# What lies beside the pages has forms of its own; backup leaves no old copies of it in the file.
"$PERENNIAL" init --state=beside 2>/dev/null
for i in 1 2 3; do
	printf '{"url":"http://a.example/%d","time":176722560%d,"status":200,"content_type":"text/plain","etag":"\\"tagged-%d\\"","body":"Boats leave the old pier at nine."}\n' $i $i $i
done > beside.ndjson
"$PERENNIAL" observe --state=beside --now=2026-01-01T01:00:00Z --quiet beside.ndjson >/dev/null 2>&1
backup --state=beside tagged && LC_ALL=C sed -i 's/tagged-2/tagged-6/' tagged/data.mdb
code "a store with damaged validators is not copied" 3 backup --state=tagged tagged-copy
like "the damaged validators are named" "$err" "backup: damaged validators, of the page with the key [0-9a-f]{32}"
like "who copies a store with damaged validators is told how they are mended" "$err" "was not copied: 'perennial check --repair' mends them"
ok "no copy of a store with damaged validators is left" test ! -e tagged-copy
"$PERENNIAL" check --state=tagged --repair >/dev/null 2>&1
code "a store whose damaged validators are mended is copied" 0 backup --state=tagged tagged-copy
same "a copy of a store whose validators were mended has all its pages" "$("$PERENNIAL" check --state=tagged-copy | awk -F '\t' '$1 == "pages" { print $2 }')" 3
code "backup of a store that is not there fails" 3 backup --state=nowhere other
like "a store that is not there to copy is named" "$err" "nowhere: there is no store"
code "backup without a store is a usage error" 2 backup copy
code "backup without a target is a usage error" 2 backup --state=live
code "backup with two targets is a usage error" 2 backup --state=live a b
done_testing
