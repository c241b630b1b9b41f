#!/usr/bin/env bash
# perennial backup: a copy that is whole, made while the store is written to.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
keeper() { "${BUILDDIR:?}/soak/keeper" "$@"; }
backup() { "$PERENNIAL" backup "$@"; }
keeper make live && seq 1 2000 | awk '{ print $1 % 700, $1 }' | keeper write live >/dev/null

code "a store is copied" 0 backup --state=live copy
same "nothing is said" "$out$err" ""
same "the copy has the same pages" "$(keeper read copy)" "$(keeper read live)"
code "and is whole" 0 "$PERENNIAL" check --state=copy
ok "it is no larger" test "$(stat -c %s copy/data.mdb)" -le "$(stat -c %s live/data.mdb)"
echo "3 9000" | keeper write copy >/dev/null
like "it is a store to write to" "$(keeper read copy)" "^3 9000$"
ok "of its own" test "$(keeper read live | grep -c '^3 9000$')" = 0

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
like "which is said" "$err" "copy: a store is there already"
mkdir full && touch full/file
code "nor anything else" 3 backup --state=live full
code "a folder must be there to hold it" 3 backup --state=live none/copy
same "nothing is left behind" "$(ls -d ./*.part full/* 2>/dev/null)" "full/file"
code "a store that is not there" 3 backup --state=nowhere other
like "is named" "$err" "nowhere: no store there"
code "a store is needed" 2 backup copy
code "and one target" 2 backup --state=live
code "not two" 2 backup --state=live a b
done_testing
