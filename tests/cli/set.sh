#!/usr/bin/env bash
# perennial set: another policy for a store that is in use.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

set_() { "$PERENNIAL" set "$@"; }
next() { "$PERENNIAL" export --state="$1" --now=2026-02-01 | grep -o '"next_time":"[^"]*"'; }
page() { printf '{"url":"http://a.example/","time":"2026-01-%sT00:00:00Z","status":200,"content_type":"text/plain","body":"%s"}\n' "$1" "$2"; }
words() { seq -s ' ' "$1" "$(($1 + 60))"; }

"$PERENNIAL" init --state=S --policy=cgm
echo http://b.example/ | "$PERENNIAL" add --state=S --now=2026-01-01 2>/dev/null
{ page 01 "$(words 1)"; page 03 "$(words 5)"; page 09 "$(words 9)"; } | "$PERENNIAL" observe --state=S --now=2026-02-01 - > out 2>&1
before=$(next S)
like "the pages of the store are due at a time" "$before" '"next_time":"20'

code "a policy that there is not is a usage error" 2 set_ --state=S --policy=nowhere
like "a policy that there is not is told with those that there are" "$err" "no policy 'nowhere': there is uniform"
code "a key that there is not is a usage error" 2 set_ --state=S --policy=drift:beat=3
code "a change of nothing is a usage error" 2 set_ --state=S
like "a change of nothing says what there is to change" "$err" "nothing to change: give --policy, --threshold or --shingle-words"
code "a policy with another dial wants a value for it" 2 set_ --state=S --policy=uniform
like "a policy with another dial says which value it wants" "$err" "uniform goes by a period, and the store has a threshold of 0.25 and no budget: say which period is to be"
code "a store that is not there is an error" 3 set_ --state=none --policy=drift
like "a store that is not there is told" "$err" "none: there is no store"
same "what was refused left the store as it was" "$(next S)" "$before"

code "another policy is taken" 0 set_ --state=S --policy=drift
same "another policy says what of pages stays" "$out" "2 pages, 1 visited: the policy goes on from the last version of 1 and begins 0 anew; next visits stand until they are due, when one that is not wanted yet is put off"
same "next visits stand when a store has another policy" "$(next S)" "$before"
like "a store that was given another policy has it" "$("$PERENNIAL" explain --state=S http://a.example/ --now=2026-02-01)" "policy  *drift, T = 0.25"
"$PERENNIAL" init --state=P --threshold=0.001
for day in 01 02 03 04; do page $day "$(words 9)"; done | "$PERENNIAL" observe --state=P --now=2026-02-01 - > out 2>&1
due_of() { "$PERENNIAL" due --state=P --now=2026-02-01 --host-limit=0 --host-delay=0s 2>/dev/null | wc -l; }
same "a page is due at a low threshold" "$("$PERENNIAL" due --state=P --now=2026-02-01 --lease=0s 2>/dev/null | wc -l)" 1
code "a higher threshold is taken" 0 set_ --state=P --policy=drift:hints=no --threshold=100
like "a higher threshold says that a page which is due and not wanted yet is put off" "$out" "next visits stand until they are due, when one that is not wanted yet is put off$"
same "a page that is due and not wanted yet is put off" "$(due_of)" 0
code "another prior is taken" 0 set_ --state=S --policy=drift:alpha=0.3:beta=10
like "another prior keeps what was learned" "$out" "^done: what the policy learned of each page stays"
code "fragments have a word at least" 2 set_ --state=S --shingle-words=0
like "which is told" "$err" "shingle-words takes 1 to 64"
code "fragments of another length are taken" 0 set_ --state=S --shingle-words=3
same "fragments of another length leave no version of use" "$out" "2 pages, 1 visited: the policy goes on from the last version of 0 and begins 1 anew; next visits stand until they are due, when one that is not wanted yet is put off"
code "a store that was changed three times is whole" 0 "$PERENNIAL" check --state=S
page 20 "$(words 9)" | "$PERENNIAL" observe --state=S --now=2026-02-01 - > out 2>&1
like "a page that began anew goes on with its next visit" "$("$PERENNIAL" explain --state=S http://a.example/ --now=2026-02-01)" "live, 1 visit,"

# What is not the policy's.
"$PERENNIAL" init --state=V --policy=cgm
echo 'http://a.example/ 3' | "$PERENNIAL" add --state=V --now=2026-01-01 2>/dev/null
printf '{"url":"http://a.example/","time":"2026-01-0%s","status":200,"content_type":"text/plain","etag":"\\"seven\\"","body":"%s"}\n' 2T00:00:00Z "$(words 1)" |
	"$PERENNIAL" observe --state=V --now=2026-02-01 -q - 2>/dev/null
printf '{"url":"http://a.example/","time":"2026-01-03T00:00:00Z","source":"sitemap"}\n' | "$PERENNIAL" hint --state=V --now=2026-02-01 - 2>/dev/null
kept() { "$PERENNIAL" export --state=V --now=2026-02-01 | grep -oE '"(weight|etag|attempted_time|next_time|source|name)":("([^"\\]|\\.)*"|[0-9.]+)'; }
before=$(kept)
like "a page has validators, a weight and hints" "$before" 'seven'
code "a store of a page with validators, a weight and hints gets another policy" 0 set_ --state=V --policy=drift
same "another policy leaves a page's validators, weight and hints as they were" "$(kept)" "$before"

# A budget goes on with what the new policy wants.
"$PERENNIAL" init --state=B --policy=cgm --budget=5/day
seq 40 | sed 's,.*,http://h&.example/,' | "$PERENNIAL" add --state=B --now=2026-01-01 2>/dev/null
code "with a budget another dial needs no value" 0 set_ --state=B --policy=nutch
given=0
for day in 02 03 04 05; do
	for hour in 00 06 12 18; do
		given=$((given + $("$PERENNIAL" due --state=B --now="2026-01-${day}T$hour:00:00Z" --lease=1h 2>/dev/null | wc -l)))
	done
done
ok "a budget is kept to after another policy came: $given of 20 in four days" test "$given" -ge 15 -a "$given" -le 21

# Beside a daemon, which has the store's lock until it ends.
"$PERENNIAL" init --state=D --policy=cgm
"$PERENNIAL" serve --state=D --listen=unix:d.sock < /dev/null > /dev/null 2> serve.log & daemon=$!
trap 'kill "$daemon" 2> /dev/null; rm -rf "$tmp"' EXIT
for ((i = 0; i < 2400; i++)); do grep -q listening serve.log 2> /dev/null && break; sleep 0.05; done
code "a time to wait that is none is a usage error" 2 set_ --state=D --policy=drift --lock-wait=soon
code "who is not to wait for a daemon is refused" 3 set_ --state=D --policy=drift --lock-wait=0s
like "who is not to wait for a daemon is told who writes to the store" "$err" "D: process $daemon is writing to it"
# While it waits it looks again fifty times a second (src/store/lmdb_lock.c): how long it waited is the number of its naps.
failing="$BUILDDIR/soak/failing.so"
naps() {
	head -c 8 /dev/zero > count
	LD_PRELOAD=$failing FAILING=nap FAILING_AT=0 FAILING_COUNT=count "$PERENNIAL" set --state=D --policy=drift "$@" > refused 2>&1
	echo $(($(od -An -tu8 count)))
}
if ! [ -e "$failing" ] || grep -q __asan_init "$PERENNIAL" || ! LD_PRELOAD=$failing "$PERENNIAL" --version > /dev/null 2>&1; then
	skip "who is to wait so long for a daemon waits so long" "nothing can be loaded before it"
else
	none=$(naps --lock-wait=0s) some=$(naps --lock-wait=0.1s) more=$(naps --lock-wait=0.4s)
	ok "who is to wait so long for a daemon waits so long: not at all, 5 or 6 naps, 20 or 21 ($none, $some, $more)" \
		test "$none" -eq 0 -a "$some" -ge 5 -a "$some" -le 6 -a "$more" -ge 20 -a "$more" -le 21
	like "who has waited so long for a daemon is refused" "$(cat refused)" "D: process $daemon is writing to it"
fi
"$PERENNIAL" set --state=D --policy=drift --lock-wait=1d > waited 2> waited.err & waiting=$!
# It waits once it has the lock's file open.
for ((i = 0; i < 2400; i++)); do
	ls -l /proc/$waiting/fd 2> /dev/null | grep -q writer.lock && break
	kill -0 $waiting 2> /dev/null || break
	sleep 0.05
done
same "who is to wait looks at the lock" "$((i < 2400))" 1
ok "who is to wait does so while the daemon goes on" kill -0 $waiting
kill $daemon
wait $daemon
got=0; wait $waiting || got=$?
same "who waits for a daemon changes the store when it has ended" "$got $(cat waited waited.err)" \
	"0 0 pages, 0 visited: the policy goes on from the last version of 0 and begins 0 anew; next visits stand until they are due, when one that is not wanted yet is put off"
echo http://a.example/ | "$PERENNIAL" add --state=D --now=2026-01-01 2> /dev/null
like "a store whose daemon has ended has the policy that was waited with" "$("$PERENNIAL" explain --state=D http://a.example/ --now=2026-02-01)" "policy  *drift, T = 0.25"

# Priors that may be changed are told.
like "policies tells which keys may be changed" "$("$PERENNIAL" policies drift | grep '	alpha	')" "	keeps	"
like "policies tells which keys begin anew" "$("$PERENNIAL" policies drift | grep '	summary	')" "	anew	"
# Beside who reads all pages: an export sees that the policy is another, and is gone on with; nothing is called damaged.
"$PERENNIAL" init --state=E --policy=drift
for i in {1..3000}; do echo "{\"url\":\"http://e.example/$i\",\"time\":\"2026-01-01\",\"body\":\"one two three four five six\"}"; done | "$PERENNIAL" observe -q --state=E
"$PERENNIAL" export --state=E > whole
mkfifo pages && exec 4<> pages
"$PERENNIAL" export --state=E > pages 2> export.err & exporting=$!
IFS= read -r -t 60 line <&4
code "a policy is changed beside an export that nobody reads on" 0 "$PERENNIAL" set --state=E --policy=cgm
{ printf '%s\n' "$line"; cat pages; } > part 4>&- & draining=$!
exec 4>&-
got=0; wait $exporting || got=$?
wait $draining
same "an export beside which the policy changes is broken off" "$got" 3
like "an export that is broken off says that the policy is another" "$(cat export.err)" "another process has changed its policy since it was opened here"
like "an export that is broken off says how it is gone on with" "$(cat export.err)" "broken off behind http://e.example/[0-9]*, from where --after goes on"
after=$(sed -n 's/.*broken off behind \([^,]*\),.*/\1/p' export.err)
"$PERENNIAL" export --state=E --after="$after" >> part
same "an export that is gone on with has all pages, each once" "$(grep -o '"url":"[^"]*"' part | sort)" "$(grep -o '"url":"[^"]*"' whole | sort)"
same "check finds no fault where the policy changed beside an export" "$("$PERENNIAL" check --state=E | grep -c fault)" 0

# A copy has pages of one policy alone: whatever moment the change is at.
"$PERENNIAL" init --state=F --policy=drift --shards=4
sed 's/e\.example/f.example/' whole | grep -o 'http://f[^"]*' | sed 's|.*/\(.*\)|{"url":"http://f\1.example/","time":"2026-01-01","body":"one two three four five six"}|' | "$PERENNIAL" observe -q --state=F
for store in E F; do
made=0 refused=0 wrong=0
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	copy=copy-$store-$i policy=cgm
	[ $((i % 2)) = 1 ] && policy=drift
	"$PERENNIAL" backup --state=$store $copy 2> backup.err & copying=$!
	sleep "$(printf '0.%03d' $((i * i)))"
	"$PERENNIAL" set --state=$store --policy=$policy > /dev/null 2>&1
	if wait $copying; then
		made=$((made + 1))
		"$PERENNIAL" stats --state=$copy > /dev/null 2>&1 && "$PERENNIAL" check --state=$copy > /dev/null 2>&1 && "$PERENNIAL" export --state=$copy > /dev/null 2>&1 ||
			wrong=$((wrong + 1))
	else
		refused=$((refused + 1))
		[ ! -e $copy ] && grep -q 'policy' backup.err || wrong=$((wrong + 1))
	fi
done
same "each copy of $store that is made beside changes of the policy can be used, and none is there that was refused ($made made, $refused refused)" "$wrong" 0
done
done_testing
