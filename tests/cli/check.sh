#!/usr/bin/env bash
# perennial check: a whole store, faults found and mended, files that are broken beyond that.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
keeper() { "${BUILDDIR:?}/soak/keeper" "$@"; }
check() { "$PERENNIAL" check "$@"; }
count() { awk -F '\t' -v what="$1" '$1 == what { print $2 }' <<<"$out"; }
keeper make whole && seq 1 500 | awk '{ print $1 % 200, $1 }' | keeper write whole >/dev/null

code "a store that is whole" 0 check --state=whole
same "its pages are counted" "$(count pages)" 200
same "each is in its queue" "$(count 'queued pages')" 200
same "in a pipe it is TSV with a header" "$(head -n 1 <<<"$out")" $'what\tcount'
code "for a person" 0 check --state=whole --format=table
like "it says that there is nothing wrong" "$out" "^# no faults"
code "as JSON lines" 0 check --state=whole --format=json
like "they are named" "$out" '^\{"what": "pages", "count": 200\}'

# A record of which a byte has changed; backup leaves no old copies of it in the file.
"$PERENNIAL" backup --state=whole hurt
LC_ALL=C sed -i 's#http://a.example/17\x00#http://a.example/1x\x00#' hurt/data.mdb
code "a damaged record is a fault that stands" 1 check --state=hurt
like "it is told" "$err" "hurt: the record of a page is damaged"
same "and counted" "$(count 'pages that are damaged')" 1
like "with its entry in the queue" "$(count 'queue entries without their page')" "^1$"
code "--repair takes it out" 0 check --state=hurt --repair
same "with its entry" "$(count repaired)" 2
code "then the store is whole" 0 check --state=hurt
same "and has one page less" "$(count pages)" 199

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
same "heads of pages that are overwritten end no check without a word" "$worst" 0
head -c 8192 whole/data.mdb > hurt/data.mdb
code "a file that is cut off" 3 check --state=hurt
like "is called so" "$err" "hurt: data.mdb is cut off"

code "a store that is not there" 3 check --state=nowhere
like "is named, and how to make one" "$err" "nowhere: no store there: 'perennial init' makes one"
code "a store is needed" 2 check
like "and asked for" "$err" "--state=DIR"
code "operands are refused" 2 check --state=whole more
code "so are formats that there are not" 2 check --state=whole --format=xml
if [ -w /dev/full ]; then
	code "output that cannot be written is a failure" 3 bash -c '"$PERENNIAL" check --state=whole >/dev/full'
else
	skip "output that cannot be written is a failure" "no /dev/full"
fi
done_testing
