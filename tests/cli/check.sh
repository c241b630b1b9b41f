#!/usr/bin/env bash
# perennial check: a whole store, faults found and mended, files that are broken beyond that.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
keeper() { "${BUILDDIR:?}/soak/keeper" "$@"; }
check() { "$PERENNIAL" check "$@"; }
count() { awk -F '\t' -v what="$1" '$1 == what { print $2 }' <<<"$out"; }
keeper make whole && seq 1 500 | awk '{ print $1 % 200, $1 }' | keeper write whole >/dev/null

code "a whole store passes check" 0 check --state=whole
same "check counts the pages of a store" "$(count pages)" 200
same "each page of a whole store is in its queue" "$(count 'queued pages')" 200
same "check writes TSV with a header to a pipe" "$(head -n 1 <<<"$out")" $'what\tcount'
code "check writes a table when asked for one" 0 check --state=whole --format=table
like "the table of a whole store says that there are no faults" "$out" "^# no faults"
code "check writes JSON lines when asked for them" 0 check --state=whole --format=json
like "JSON lines of check name what they count" "$out" '^\{"what": "pages", "count": 200\}'

# A record of which a byte has changed; backup leaves no old copies of it in the file.
"$PERENNIAL" backup --state=whole hurt
LC_ALL=C sed -i 's#http://a.example/17\x00#http://a.example/1x\x00#' hurt/data.mdb
code "a damaged record is a fault that stands" 1 check --state=hurt
like "the damaged record of a page is told" "$err" "hurt: the record of a page is damaged"
same "the damaged record of a page is counted" "$(count 'pages that are damaged')" 1
like "the queue entry of a damaged page is counted" "$(count 'queue entries without their page')" "^1$"
code "check --repair succeeds on a damaged record" 0 check --state=hurt --repair
same "check --repair takes out a damaged record and its queue entry" "$(count repaired)" 2
code "a repaired store passes check" 0 check --state=hurt
same "a repaired store has lost the damaged page only" "$(count pages)" 199

# The inner page that is the root of the pages' table: all that is below is found without it.
keeper make deep && seq 1 3000 | awk '{ print $1, $1 }' | keeper write deep >/dev/null
"$PERENNIAL" backup --state=deep broken
inner=$(LC_ALL=C od -An -v -tu1 -w4096 broken/data.mdb | awk '$11 == 1 && $12 == 0 { print NR - 1; exit }')
ok "a store of 3000 pages has an inner page" test -n "$inner"
printf '\377' | dd of=broken/data.mdb bs=1 seek=$((inner * 4096 + 17)) conv=notrunc 2>/dev/null
cp broken/data.mdb broken.mdb
code "a damaged inner page is a fault that stands" 1 check --state=broken
like "a damaged inner page is told with its number" "$err" "page $inner of data.mdb is damaged"
same "faults of the file are counted" "$(count 'faults of the file')" 1
like "whose pages a check does not count is told" "$err" "broken: its pages are not counted"
code "a backup of a store with a damaged inner page fails" 3 "$PERENNIAL" backup --state=broken copied
like "a backup that is refused names the damage" "$err" "broken: data.mdb is damaged, and was not copied"
ok "a backup that is refused leaves no copy" test ! -e copied
code "check --repair succeeds on a damaged inner page" 0 check --state=broken --repair
same "a store that is made anew has every page" "$(count 'pages saved')" 3000
same "a store that is made anew has lost none" "$(count 'pages lost')" 0
like "the damaged file is named where it is kept" "$err" "broken/data.mdb.damaged"
ok "the damaged file is kept as it was" cmp broken.mdb broken/data.mdb.damaged
code "a store that is made anew passes check" 0 check --state=broken
same "a store that is made anew has the same pages" "$(keeper read broken | sort)" "$(keeper read deep | sort)"
cp broken.mdb broken/data.mdb
coproc keeper write broken
echo "1 1" >&"${COPROC[1]}"
read -r _ <&"${COPROC[0]}"
code "a store that is in use is not made anew" 3 check --state=broken --repair --lock-wait=0s
exec {COPROC[1]}>&-
wait
# A file without its settings is of no use.
"$PERENNIAL" backup --state=deep lost
meta=$(LC_ALL=C grep -obUa schema lost/data.mdb | head -n 1 | cut -d: -f 1)
printf '\377\377' | dd of=lost/data.mdb bs=1 seek=$((meta - 8)) conv=notrunc 2>/dev/null
cp lost/data.mdb lost.mdb
code "a store whose settings are lost is not made anew" 3 check --state=lost --repair
like "a store whose settings are lost wants a backup" "$err" "the settings of the store are damaged: restore a backup"
ok "a repair that fails leaves the file as it was" cmp lost.mdb lost/data.mdb
same "a repair that fails leaves nothing else" "$(ls lost)" "data.mdb
lock.mdb
writer.lock"

# A store of pages that were visited: what is damaged beside the pages of the file is found in what is made anew, too.
"$PERENNIAL" synth --seed=1 --pages=6 --captures=10 --warc=visits.warc.gz
"$PERENNIAL" init --state=visited && "$PERENNIAL" observe --state=visited --now=2026-02-01 -q visits.warc.gz
page_of() { echo $(($(LC_ALL=C grep -obUa "$1" visited/data.mdb | head -n 1 | cut -d: -f 1) / 4096)); }
flip() { # FOLDER OFFSET MASK
	printf "\\x$(printf %02x $(($(LC_ALL=C od -An -tu1 -j"$2" -N1 "$1/data.mdb") ^ $3)))" | dd of="$1/data.mdb" bs=1 seek="$2" conv=notrunc 2>/dev/null
}
hurt_file() { # FOLDER: the lower bound of the nodes of a page of pages
	rm -rf "$1" && cp -r visited "$1" && flip "$1" $(($(page_of http://) * 4096 + 12)) 16
}
for key in policy threshold budget-per-day fragment-rule shingle-words; do
	hurt_file nameless
	flip nameless $(($(LC_ALL=C grep -obUa "$key" nameless/data.mdb | head -n 1 | cut -d: -f 1) + ${#key} - 1)) 1
	cp nameless/data.mdb nameless.mdb
	code "a file without the setting $key is not made anew" 3 check --state=nameless --repair
	like "a file without the setting $key wants a backup" "$err" "settings of the store are damaged: restore a backup \(.*'$key'"
	ok "a file without the setting $key stays as it was" cmp nameless.mdb nameless/data.mdb
done
# The last bytes of a page of the file are those of the record of its first entry: of a page with one host, the host's.
for ((at = 8; at * 4096 < $(stat -c %s visited/data.mdb); at++)); do
	rm -rf sided && cp -r visited sided && flip sided $((at * 4096 + 4089)) 1
	[ -z "$(check --state=sided 2>&1 >/dev/null | grep '^perennial check: h[0-9]*.example: damaged patterns of siblings$')" ] || break
done
code "damaged patterns of siblings are a fault that stands" 1 check --state=sided
hurt_file sided && flip sided $((at * 4096 + 4089)) 1
code "check --repair succeeds on a damaged file with damaged patterns of siblings" 0 check --state=sided --repair
same "what is damaged in a file that is made anew is counted" "$(count 'other entries that were damaged')" 1
code "a file that is made anew has no fault within" 0 check --state=sided

# Whatever byte of the file is broken, it ends with an answer.
size=$(stat -c %s whole/data.mdb)
worst=0
for ((i = 0; i < 60; i++)); do
	cp whole/data.mdb hurt/data.mdb
	printf '\xff\xfe\xfd\xfc' | dd of=hurt/data.mdb bs=1 seek=$(((i * 7919 + 8200 + i % 3) % size / 4096 * 4096 + i % 24)) conv=notrunc 2>/dev/null
	got=0
	check --state=hurt >/dev/null 2>.errors || got=$?
	[ "$got" -le 3 ] || worst=$got
done
same "no overwritten head of a database page ends check with a crash" "$worst" 0
head -c 8192 whole/data.mdb > hurt/data.mdb
code "check of a store file that is cut off fails" 3 check --state=hurt
like "a store file that is cut off is called so" "$err" "hurt: data.mdb is cut off"

code "check of a store that is not there fails" 3 check --state=nowhere
like "a store that is not there is named, with how to make one" "$err" "nowhere: there is no store: 'perennial init' makes one"
for nothing in "" lmdb: memory:; do
	code "check of the address '$nothing' fails" 3 check --state="$nothing"
	same "the address '$nothing' is told to name no store" "$err" "perennial check: '$nothing' names no store: name $([ "$nothing" = memory: ] && echo 'it behind the colon' || echo 'the folder that it is kept in')"
done
code "check without a store is a usage error" 2 check
like "check without a store asks for --state" "$err" "--state=DIR"
code "check with an operand is a usage error" 2 check --state=whole more
code "check in an unknown format is a usage error" 2 check --state=whole --format=xml
if [ -w /dev/full ]; then
	code "output that cannot be written is a failure" 3 bash -c '"$PERENNIAL" check --state=whole >/dev/full'
else
	skip "output that cannot be written is a failure" "no /dev/full"
fi
done_testing
