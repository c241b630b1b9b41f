#!/usr/bin/env bash
# Hostile markup with little memory (ulimit -v): commands end with what they can do or say that memory is out, and the
# daemon goes on; none crashes, none hangs, none calls it damage.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
grep -q __asan_init "$PERENNIAL" && skip_all "a build with sanitizers takes address space without end"
(ulimit -v 2000000 && "$PERENNIAL" --version) >/dev/null 2>&1 || skip_all "the shell sets no limit (ulimit -v)"

# repeat BYTES: what is read, over and over.
repeat() { perl -e 'local $/; my $s = <STDIN>; print substr($s x (1 + $ARGV[0] / length $s), 0, $ARGV[0])' "$1"; }
number() { perl -e 'my $n = 0; while ($n++ < $ARGV[0]) { my $s = $ARGV[1]; $s =~ s/#/$n/g; print $s }' "$1" "$2"; }
mkdir "$tmp/pages"
cd "$tmp/pages" || exit 1
long=600000
printf '<b>' | repeat $long > deep.html
{ printf '<p '; number 30000 'a#=v# '; printf '>x'; } > wide.html
{ printf '<p title="'; printf 'v &amp; ' | repeat $long; printf '">x'; } > value.html
printf '<p>&amp;&foo;&eacute;&#1234;' | repeat $long > entities.html
{ printf '<!--'; printf 'c ' | repeat $long; printf -- '-->x'; } > comment.html
{ printf '<'; printf 't' | repeat $long; printf '>x'; } > name.html
number 34000 '<n#>t</n#>' > names.html
{ printf '<script>'; printf 'var x;' | repeat $long; } > script.html
{ printf '<?xml version="1.0"?><r><![CDATA['; printf 'c ' | repeat $long; printf ']]></r>'; } > section.xml
{ printf '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e0 "lol">'; number 12 '<!ENTITY e# "&e0;&e0;&e0;">'; printf ']><r>&e12;</r>'; } > bomb.xml
{ printf '<?xml version="1.0"?><r>'; printf '&amp;&foo;&#1234;' | repeat $long; } > entities.xml
{ printf '<?xml version="1.0"?><r title="'; printf 'v &amp; ' | repeat $long; printf '"/>'; } > value.xml
{ printf '<?xml version="1.0"?>'; number 20000 '<a xmlns:n#="u#">'; } > spaces.xml
{ printf '<?xml version="1.0"?><?x '; printf 'c ' | repeat $long; printf '?><r/>'; } > instruction.xml
for page in *; do
	head="HTTP/1.1 200 OK\r\nContent-Type: text/${page##*.}\r\n\r\n"
	length=$(($(wc -c < "$page") + $(printf "$head" | wc -c)))
	printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://h.example/%s\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n' \
		"$page" "$length"
	printf "$head"
	cat "$page"
	printf '\r\n\r\n'
done > "$tmp/all.warc"
cd "$tmp" || exit 1

# The least address space in which a command begins, KiB.
least=40000
while ! (ulimit -v $least; "$PERENNIAL" --version) >/dev/null 2>&1; do least=$((least + 4000)); done

# Arenas of threads (glibc) take 128 MiB of address space each, or every allocation asks for one in vain.
export MALLOC_ARENA_MAX=1

# limited KIB COMMAND…: its exit code is in $got.
limited() { got=0; (ulimit -c 0 -v "$1"; exec timeout -s KILL 60 "${@:2}") > out 2> err || got=$?; }

# tries COMMAND…: with ever more memory; what went wrong is in $wrong, how often memory was out in $starved.
tries() {
	wrong= starved=0
	for ((kib = least; kib < least + 100000; kib += kib < least + 25000 ? 2500 : 15000)); do
		rm -rf new.trace copy
		[ ! -d empty ] || cp -r empty copy
		limited $kib "$@"
		# All was read, and a study of lifetimes wants more captures.
		! grep -q 'no page has 4 captures' err || got=0
		[ $got != 3 ] || starved=$((starved + 1))
		if [ $got -gt 3 ]; then wrong="$wrong [$kib: ended by $got]"
		elif [ $got = 3 ] && ! grep -Eq 'out of memory|Cannot allocate memory|gives no thread' err; then wrong="$wrong [$kib: $(tail -n 1 err)]"
		elif grep -q damaged err; then wrong="$wrong [$kib: $(grep damaged err | head -n 1)]"; fi
	done 2> /dev/null
}
for command in import measure observe; do
	case $command in
	import) arguments='--threads=1 -o new.trace' ;;
	measure) arguments= ;;
	observe) arguments='--threads=1 --state=copy --now=2026-01-02 -q' ;;
	esac
	"$PERENNIAL" init --state=empty 2> /dev/null
	tries "$PERENNIAL" $command $arguments all.warc
	same "$command of hostile markup with little memory ends by itself and says that memory is out, and never calls it damage" "$wrong" ""
	ok "$command of hostile markup needs more memory than some of these limits, and less than the last" test $starved -gt 0 -a $got = 0
done

# Memory that is out while the daemon starts is told like any; from there on it answers, and goes on.
wrong= refused=0 status=none
for ((kib = least; kib < least + 150000; kib += kib < least + 60000 ? 4000 : 20000)); do
	rm -rf store
	: > "$log"
	(ulimit -c 0 -v $kib; exec "$PERENNIAL" serve --create --state=store --listen=127.0.0.1:0 --no-token --threads=2 --connections=16 2> "$log") &
	server_pid=$!
	server=
	while kill -0 $server_pid 2> /dev/null && [ -z "$server" ]; do
		server=$(sed -n 's/.*listening.*address=\(127[0-9.:]*\).*/http:\/\/\1/p' "$log")
	done
	if [ -n "$server" ]; then
		post /v1/observe -H 'Content-Type: application/warc' -H Expect: --data-binary @all.warc
		case $status in
		200) ;;
		500 | 503 | 507) refused=$((refused + 1)) ;;
		*) wrong="$wrong [$kib: answers $status]" ;;
		esac
		get /healthz
		[ "$status" = 200 ] || wrong="$wrong [$kib: afterwards /healthz answers $status]"
		kill -TERM $server_pid
	fi
	got=0
	wait $server_pid || got=$?
	[ $got = 0 ] || [ -z "$server" -a $got = 3 ] || wrong="$wrong [$kib: serve ended by $got: $(tail -n 1 "$log")]"
	server_pid=
done 2> /dev/null
same "serve that is sent hostile markup with little memory answers, and lives on" "$wrong" ""
ok "serve was without memory at some of these limits, and not at the last" test $refused -gt 0 -a "$status" = 200
done_testing
