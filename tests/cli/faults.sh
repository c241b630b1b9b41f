#!/usr/bin/env bash
# Commands whose memory is refused or whose disk fails: a sample of what `make soak` tries.
. "${SRCDIR:?}/tests/tap.sh"
failing="$BUILDDIR/soak/failing.so"
if ! [ -e "$failing" ] || ! LD_PRELOAD=$failing FAILING=memory FAILING_AT=0 "$PERENNIAL" --version >/dev/null 2>&1; then
	skip "calls of the system that fail end no command with a crash or half of a result" "nothing can be loaded before it"
else
	code "calls of the system that fail end no command with a crash or half of a result" 0 \
		bash "$SRCDIR/soak/faults.sh" 2 1 add observe export backup rebuild import
	# A build with sanitizers answers calls for memory by itself.
	grep -q __asan_init "$PERENNIAL" && skip "calls that fail are counted" "a build with sanitizers" ||
		like "calls that fail are counted" "$out" "[1-9][0-9] calls failed, 0 badly"
fi

# A damaged store that is made anew while the disk fails.
repairs() {
	local kind=$1 most=$2 at
	for ((at = 1; at <= most; at++)); do
		rm -rf round; cp -r damaged round; head -c 8 /dev/zero > count
		LD_PRELOAD=$failing FAILING=$kind FAILING_AT=$at FAILING_COUNT=count "$PERENNIAL" check --state=round --repair > /dev/null 2> told
		local end=$?
		[ "$(od -An -tu8 count)" -lt $at ] && break
		if cmp -s damaged/data.mdb round/data.mdb; then echo "$end old $(tr '\n' ' ' < told)"; else echo "$end new $(tr '\n' ' ' < told)"; fi
	done
}
if [ -e "$failing" ] && ! grep -q __asan_init "$PERENNIAL"; then
	cd "$tmp"
	"$PERENNIAL" init --state=whole
	seq -f http://a.example/%g 1 3000 | "$PERENNIAL" add --state=whole 2> /dev/null
	"$PERENNIAL" backup --state=whole damaged
	inner=$(LC_ALL=C od -An -v -tu1 -w4096 damaged/data.mdb | awk '$11 == 1 && $12 == 0 { print NR - 1; exit }')
	printf '\377' | dd of=damaged/data.mdb bs=1 seek=$((inner * 4096 + 17)) conv=notrunc 2> /dev/null
	synced=$(repairs sync 40)
	like "a repair whose last sync fails says that the file is made anew all the same" "$synced" \
		"^3 new .*data.mdb is made anew, and the damaged file kept as round/data.mdb.damaged, but the folder cannot be synced"
	same "a repair that fails and says nothing of that leaves the file as it was" "$(grep -v 'is made anew' <<<"$synced" | grep -c '^3 new')" 0
	locked=$(repairs lock 20)
	like "a repair that cannot lock readers out says so" "$locked" "^3 old .*round: cannot lock it: No locks available"
	same "a repair that cannot lock and does not say that the store was made anew replaces no file" "$(grep -v 'made anew' <<<"$locked" | grep -c '^3 new')" 0
fi

# A budget that is applied while the last allocations of the command are refused.
threshold() { "$PERENNIAL" tune --state=$1 --budget=1/day --format=json | sed 's/.*"threshold_before":\([^,]*\).*/\1/'; }
tunes() {
	local at=0 most=0 end now
	while ((at <= most)); do
		rm -rf round; cp -r tuned round; head -c 8 /dev/zero > count
		LD_PRELOAD=$failing FAILING=memory FAILING_AT=$at FAILING_COUNT=count "$PERENNIAL" tune --state=round --budget=2/day --apply --format=json > /dev/null 2> told
		end=$?
		[ $at = 0 ] && most=$(od -An -tu8 count) && at=$((most > 60 ? most - 60 : 0))
		at=$((at + 1)) now=$(threshold round)
		if [ "$now" = "$(threshold tuned)" ]; then echo "$end before $(tr '\n' ' ' < told)"; else echo "$end after $(tr '\n' ' ' < told)"; fi
	done
}
if [ -e "$failing" ] && ! grep -q __asan_init "$PERENNIAL"; then
	cd "$tmp"
	"$PERENNIAL" init --state=tuned
	seq -f http://a%g.example/ 1 3 | "$PERENNIAL" add --state=tuned 2> /dev/null
	tuned=$(tunes)
	same "tune --apply that fails and does not say that the budget is applied leaves it as it was" "$(grep '^3 after' <<<"$tuned" | grep -vc 'the budget is applied')" 0
	same "tune --apply that does not fail has applied the budget" "$(grep -c '^[01] before' <<<"$tuned")" 0
	like "tune --apply whose statistics alone fail says so, and ends with 1" "$tuned" \
		"^1 after perennial tune: hosts that have had their share of the budget are not known: "
fi

# Histories without bodies, of hosts whose names are made ASCII with memory of their own.
indexes() {
	local at end
	for ((at = 1; at <= 2000; at++)); do
		head -c 8 /dev/zero > count
		LD_PRELOAD=$failing FAILING=memory FAILING_AT=$at FAILING_COUNT=count "$PERENNIAL" import --threads=1 -o new.trace "$1" > /dev/null 2> told
		end=$?
		[ "$(od -An -tu8 count)" -lt $at ] && break
		echo "$end $(tr '\n' ' ' < told)"
	done
}
if [ -e "$failing" ] && ! grep -q __asan_init "$PERENNIAL"; then
	cd "$tmp"
	mkdir histories
	printf 'k 2026 http://b\303\274cher.example/ text/html 200 A\n' > a.cdx
	printf 'http://b\303\274cher.example/\t7\t1\n' > histories/url_urlid_hostid.txt
	printf '7\t1\t[[1, 1]]\n' > histories/urlid_offset_history.txt
	for source in a.cdx histories; do
		told=$(indexes $source)
		ok "memory that is refused has calls to fail while $source is imported" test "$(grep -c '^3 ' <<<"$told")" -gt 5
		same "memory that is refused is never told as damage of $source" "$(grep '^1 ' <<<"$told")" ""
		same "an import of $source that succeeds without some memory has its page all the same" "$(grep '^0 ' <<<"$told" | grep -v ': 1 page, ')" ""
	done
fi

# Every call for memory that a command makes is refused in turn: it ends with "out of memory", or makes what it makes.
refusing() {
	local at end made=$1 good
	shift
	"$@" > /dev/null 2>&1
	good=$(cksum < "$made") calls=0 wrong=
	for ((at = 1; at <= 3000; at++)); do
		rm -f "$made"; head -c 8 /dev/zero > count
		LD_PRELOAD=$failing FAILING=memory FAILING_AT=$at FAILING_COUNT=count "$@" > /dev/null 2> told
		end=$?
		[ "$(od -An -tu8 count)" -lt $at ] && break
		calls=$((calls + 1))
		case $end in
		0) [ "$(cksum < "$made")" = "$good" ] || wrong+=" [$at: other bytes]" ;;
		3) grep -Eq 'out of memory|Cannot allocate memory' told || wrong+=" [$at: $(tail -n 1 told)]"; [ ! -e "$made" ] || wrong+=" [$at: half a result]" ;;
		*) wrong+=" [$at: ended by $end: $(tail -n 1 told)]" ;;
		esac
	done
}
if [ -e "$failing" ] && ! grep -q __asan_init "$PERENNIAL"; then
	for i in 1 2 3 4; do
		answer=$(printf 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<base href=/><a href=%s>x<a href=2>y' $((i % 3 + 1)))
		printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/%s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n' $i
		printf 'Content-Type: application/http\r\nContent-Length: %s\r\n\r\n%s\r\n\r\n' ${#answer} "$answer"
	done > linked.warc
	"$PERENNIAL" import --links -o linked.trace linked.warc 2> /dev/null
	"$PERENNIAL" weigh -o weights.tsv linked.trace 2> /dev/null
	for command in "import --links --threads=1 -o made linked.warc" "weigh --by=pagerank --threads=1 -o made linked.trace" \
		"weigh --by=hits --threads=1 -o made linked.trace" "import --weights=weights.tsv --threads=1 -o made linked.trace"; do
		refusing made "$PERENNIAL" $command
		same "perennial $command without some memory says so or is right" "$wrong" ""
		ok "perennial $command makes $calls calls for memory to refuse" test "$calls" -gt 50
	done
	for i in 1 2 3; do
		printf '{"url":"http://a.example/a/longer/path/%s","time":"2026-01-0%sT00:00:00Z","content_type":"text/html",' $i $i
		printf '"body":"<p>first words of a page<p>and others \\u00e9 that follow %s<p>%s"}\n' $i "$(printf '%0200d' $i)"
	done > lines.ndjson
	refusing made "$PERENNIAL" import --threads=1 -o made lines.ndjson
	same "perennial import of lines of JSON without some memory says so or is right" "$wrong" ""
	ok "perennial import of lines of JSON makes $calls calls for memory to refuse" test "$calls" -gt 50
	crawling() { "$PERENNIAL" simulate "$@" > made || { local end=$?; rm made; return $end; }; }
	for crawl in --ordering=all --parallel=all; do
		refusing made crawling $crawl --threads=1 --crawlers=2 --web=pages=30:sites=3
		same "perennial simulate $crawl without some memory says so or is right" "$wrong" ""
		ok "perennial simulate $crawl makes $calls calls for memory to refuse" test "$calls" -gt 50
	done
fi
# A change of the policy is begun before it is made: whether it was says both the message and the store.
if [ -e "$failing" ] && ! grep -q __asan_init "$PERENNIAL"; then
	"$PERENNIAL" init --state=kept
	"$PERENNIAL" observe --state=kept --now=2026-02-01 -q lines.ndjson 2> /dev/null
	begun=0 not_begun=0 wrong=
	for ((at = 1; at <= 100; at++)); do
		rm -rf round; cp -r kept round; head -c 8 /dev/zero > count
		LD_PRELOAD=$failing FAILING=write FAILING_AT=$at FAILING_COUNT=count "$PERENNIAL" set --state=round --policy=cgm > /dev/null 2> told
		end=$?
		[ "$(od -An -tu8 count)" -ge $at ] || break
		[ $end != 0 ] || continue
		"$PERENNIAL" check --state=round > /dev/null 2> found
		if grep -q 'being changed' found; then begun=$((begun + 1)); wanted=yes; else not_begun=$((not_begun + 1)); wanted=; fi
		if grep -q '^perennial set: broken off, and whatever writes to the store goes on with it: ' told; then said=yes; else said=; fi
		[ "$said" = "$wanted" ] || wrong+=" [$at: $(cat told)]"
		"$PERENNIAL" set --state=round --policy=cgm > /dev/null 2>&1 && "$PERENNIAL" check --state=round > /dev/null 2>&1 || wrong+=" [$at: not gone on with]"
	done
	same "set that fails says whether the change was begun, and a second one makes it" "$wrong" ""
	ok "set failed before the change was begun, and after that ($not_begun, $begun times)" test $begun -gt 0 -a $not_begun -gt 0
fi
done_testing
