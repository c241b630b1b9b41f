#!/usr/bin/env bash
# faults.sh SAMPLES SEED [COMMAND…]: runs commands (all, if none is named) and makes one of their system calls fail: memory is
# refused, a disk is full or broken, a file cannot be mapped or renamed.  SAMPLES calls of each kind are tried for each command,
# or all if there are fewer.  No command may crash, hang, or succeed with less than it has without the failure; a store must stay
# whole, and have what was reported to be in it.  Prints what it tried, and each fault; fails when there was one.
set -u
samples=$1
RANDOM=$2
shift 2
[ $# -gt 0 ] || set -- init add observe due tune export explain forget backup check repair rebuild import dump measure evaluate \
	synth allocate estimate hint release set stats merge weigh prior show simulate policies
: "${PERENNIAL:?}" "${BUILDDIR:?}"
here=$(mktemp -d) || exit 1
trap 'rm -rf "$here"' EXIT
cd "$here" || exit 1
now=2026-06-01T00:00:00Z
tried=0
bad=0
sanitized=false
grep -q __asan_init "$PERENNIAL" && sanitized=true

# The arguments of a command; it works on copy, which is copied from base each time, and makes the files named new*.
arguments() {
	input=/dev/null
	case $1 in
	init) args=(init --state=new) ;;
	add) args=(add --state=copy --now=$now pages.txt) ;;
	observe) args=(observe --state=copy --now=$now --threads=1 more.warc.gz) ;;
	due) args=(due --state=copy --now=$now --host-limit=2 --format=tsv) ;;
	tune) args=(tune --state=copy --apply) ;;
	export) args=(export --state=copy --now=$now) ;;
	explain) args=(explain --state=copy --now=$now http://h0000000.example/p1) ;;
	forget) args=(forget --state=copy --count=8 --surt='example,h0000000)/') ;;
	backup) args=(backup --state=copy new) ;;
	check) args=(check --state=copy) ;;
	repair) args=(check --state=copy --repair) ;;
	rebuild) args=(check --state=hurt --repair) ;;
	import) args=(import -o new.trace more.warc.gz) ;;
	dump) args=(dump base.trace) ;;
	measure) args=(measure base.trace) ;;
	evaluate) args=(evaluate --threads=1 base.trace) ;;
	synth) args=(synth -o new.trace --pages=3 --captures=4) ;;
	allocate) args=(allocate --budget=2) input=rates.txt ;;
	estimate) args=(estimate) input=visits.txt ;;
	hint) args=(hint --state=copy --now=$now hints.txt) ;;
	release) args=(release --state=copy --now=$now --all) ;;
	set) args=(set --state=copy --policy=drift:alpha=0.2) ;;
	stats) args=(stats --state=copy --now=$now) ;;
	merge) args=(merge part.measure) ;;
	weigh) args=(weigh --by=pagerank --threads=1 -o new.trace linked.trace) ;;
	prior) args=(prior base.trace) ;;
	show) args=(show http://h0000000.example/p1 base.warc.gz) ;;
	simulate) args=(simulate --ordering=all --threads=1 --web=pages=30:sites=3) ;;
	policies) args=(policies) ;;
	esac
}

fresh() {
	rm -rf copy hurt new*
	cp -r base copy
	cp -r broken hurt
	head -c 8 /dev/zero >count
}

# run KIND AT: runs the command, whose call number AT of this kind fails.
run() {
	local code=0
	LD_PRELOAD="$BUILDDIR/soak/failing.so" FAILING=$1 FAILING_AT=$2 FAILING_COUNT=$here/count \
		timeout 60 "$PERENNIAL" "${args[@]}" >out 2>err <"$input" || code=$?
	return $code
}

# What the command left behind: the pages of a store, the bytes of a file.
left() {
	"$PERENNIAL" export --state=copy --now=$now
	[ ! -d new ] || "$PERENNIAL" export --state=new --now=$now
	[ ! -f new.trace ] || cksum new.trace
	[ "$1" != rebuild ] || "$PERENNIAL" export --state=hurt --now=$now
}

tell() {
	bad=$((bad + 1))
	echo "$1, $2 $3 of $4: $5: $(tail -n 1 err)"
}

# URLs that were reported as observed, and are still as they were before.
unkept() {
	cut -f 1 out | grep '^http' | sort -u >said
	"$PERENNIAL" export --state=copy --now=$now | sort | comm -13 base.lines - | grep -o '^{"url":"[^"]*' | cut -c 9- | sort -u >changed
	comm -23 said changed
}

# What a failed command left and should not have left: a store that it reports to have made must be whole.
half() {
	grep -q 'is made, but not its token' err && "$PERENNIAL" check --state=new >/dev/null 2>&1 || ls -d new 2>/dev/null
	ls -d ./*.part new/*.part 2>/dev/null
}

examine() { # COMMAND KIND AT OF CODE
	local whole=0
	if [ "$5" -ge 124 ]; then
		tell "$1" "$2" "$3" "$4" "ended by $5"
	elif [ "$5" = 0 ] && ! cmp -s out out.whole; then
		tell "$1" "$2" "$3" "$4" "succeeds with another output"
	elif [ "$5" = 0 ] && ! left "$1" | cmp -s - left.whole; then
		tell "$1" "$2" "$3" "$4" "succeeds and leaves something else"
	elif [ "$5" = 1 ] && grep -q 'are not known: ' err; then
		: # it did what was asked, and says what of its report is missing
	elif [ "$5" != 0 ] && [ "$5" != 3 ]; then
		tell "$1" "$2" "$3" "$4" "exits with $5"
	elif [ "$5" != 0 ] && [ ! -s err ]; then
		tell "$1" "$2" "$3" "$4" "fails and does not say why"
	elif [ "$5" != 0 ] && [ "$1" != rebuild ] && [ "$2" = memory ] && grep -q damaged err; then
		tell "$1" "$2" "$3" "$4" "calls it damage"
	elif [ "$5" != 0 ] && [ -n "$(half)" ]; then
		tell "$1" "$2" "$3" "$4" "leaves half of it: $(half)"
	elif [ "$5" != 0 ] && [ "$1" = rebuild ] && ! cmp -s broken/data.mdb hurt/data.mdb && ! "$PERENNIAL" check --state=hurt >/dev/null 2>&1; then
		tell "$1" "$2" "$3" "$4" "fails and leaves another file"
	else
		# A change of the policy that was begun is finished first: the store is whole after that.
		[ "$1" != set ] || ! grep -q 'broken off' err || "$PERENNIAL" "${args[@]}" >again 2>&1 || tell "$1" "$2" "$3" "$4" "cannot be gone on with"
		"$PERENNIAL" check --state=copy >check.out 2>&1 || whole=$?
		[ $whole = 0 ] || tell "$1" "$2" "$3" "$4" "the store has faults"
		[ "$1" != observe ] || [ -z "$(unkept)" ] || tell "$1" "$2" "$3" "$4" "what was told is not there"
	fi
}

prepare() {
	printf '1 0\n2 1\n3 1\n' >visits.txt
	seq 1 9 >rates.txt
	printf 'http://new.example/%d 2\n' 1 2 3 4 5 6 7 8 9 >pages.txt
	printf 'http://h000000%d.example/p1\n' 0 1 2 3 >hints.txt
	for i in 1 2 3; do
		printf '{"url":"http://a.example/%s","time":"2026-01-01","content_type":"text/html","body":"<a href=/1>x <a href=/%s>y"}\n' $i $((i % 3 + 1))
	done >linked.ndjson
	"$PERENNIAL" synth --warc=base.warc.gz --pages=8 --captures=4 --fragments=30 --seed=1 &&
		"$PERENNIAL" synth --warc=more.warc.gz --pages=12 --captures=5 --fragments=30 --start=2026-05-10 --seed=2 &&
		"$PERENNIAL" import -o base.trace base.warc.gz && "$PERENNIAL" import --links -o linked.trace linked.ndjson &&
		"$PERENNIAL" measure --partial=part.measure base.trace && "$PERENNIAL" init --state=base --budget=10/day &&
		"$PERENNIAL" observe --state=base --now=2026-05-01T00:00:00Z -q base.warc.gz &&
		"$PERENNIAL" due --state=base --now=2026-05-31T23:30:00Z --host-limit=1 --limit=3 &&
		"$PERENNIAL" export --state=base --now=$now | sort >base.lines
}

prepare >prepared 2>&1 || { cat prepared; exit 1; }
# A store whose file is damaged: the table of pages begins elsewhere.
"$PERENNIAL" backup --state=base broken
at=$(LC_ALL=C grep -obUa pages broken/data.mdb | tail -n 1 | cut -d: -f 1)
printf '\377' | dd of=broken/data.mdb bs=1 seek=$((at + 45)) conv=notrunc 2>/dev/null
for command; do
	arguments $command
	fresh
	"$PERENNIAL" "${args[@]}" >out.whole 2>err <"$input" || { echo "$command: $(cat err)"; bad=$((bad + 1)); continue; }
	left $command >left.whole
	failed=0 before=$tried
	for kind in memory write sync pages rename; do
		fresh
		run $kind 0
		calls=$(od -An -tu8 count | tr -d ' ')
		for ((i = 1; i <= calls && i <= samples; i++)); do
			number=$i
			[ "$calls" -le "$samples" ] || number=$(((RANDOM * 32768 + RANDOM) % calls + 1))
			fresh
			code=0
			run $kind $number || code=$?
			examine $command $kind $number "$calls" $code
			tried=$((tried + 1))
			[ $code = 0 ] || failed=$((failed + 1))
		done
	done
	# All of a few calls may be harmless.  A build with sanitizers answers calls for memory by itself.
	if ! $sanitized && { [ $tried = $before ] || { [ $failed = 0 ] && [ $samples -ge 50 ]; }; }; then
		echo "$command: too little was done to show anything: $((tried - before)) calls failed, and it never did"
		bad=$((bad + 1))
	fi
done
echo "$tried calls failed, $bad badly"
[ $bad = 0 ]
