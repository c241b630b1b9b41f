#!/usr/bin/env bash
# doc/crawlers.md: its classes are compiled, beside small ones in the place of the crawlers' own, and report to a daemon what comes
# of a local site; and its lines of shell make of what is due what Heritrix and Nutch read.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
command -v javac >/dev/null && command -v java >/dev/null || skip_all "no JDK is installed: it compiles the classes of the page"
javac -version 2>&1 | grep -Eq '^javac (1[1-9]|[2-9][0-9])' || skip_all "javac is older than 11"
page=$SRCDIR/doc/crawlers.md

# A file for each class of the page, and for each part of stubs.txt.
mkdir "$tmp/java" "$tmp/classes"
awk -v folder="$tmp/java" '/^```java$/ { text = ""; on = 1; next } /^```$/ && on { print text > (folder "/" name ".java"); on = 0 }
	on { text = text $0 "\n" } on && /^public class/ { name = $3 }' "$page"
same "the page has a client and the classes of three crawlers" "$(ls "$tmp/java" | tr '\n' ' ')" \
	"HeritrixReporter.java NutchReporter.java Perennial.java PerennialBolt.java PerennialSpout.java "
while read -r file; do mkdir -p "$tmp/java/$(dirname "$file")"; done < <(sed -n 's/^==> //p' "$SRCDIR/tests/crawlers/stubs.txt")
awk -v folder="$tmp/java" '/^==> / { file = folder "/" $2; next } file { print > file }' "$SRCDIR/tests/crawlers/stubs.txt"
cp "$SRCDIR/tests/crawlers/Crawlers.java" "$tmp/java"
export HOME=$tmp
find "$tmp/java" -name '*.java' > "$tmp/files"
code "the classes of the page compile, without a warning" 0 javac -J-XX:TieredStopAtLevel=1 -Xlint:all,-serial,-processing -Werror -encoding UTF-8 -d "$tmp/classes" @"$tmp/files"
[ -e "$tmp/classes/Crawlers.class" ] || { tap_note "$err"; done_testing; exit 0; }

ok "a daemon starts for the crawlers" start_server --host-limit=0 --host-delay=0s

# The lines of shell, as far as they are no crawler's.
mkdir -p "$tmp/job/action" "$tmp/seeds"
post /v1/pages --data-binary $'http://a.example/?q=%22x%22\nhttp://b.example/'
sed -n '/^```sh$/,/^```$/p' "$page" | awk -v folder="$tmp" '/^```sh$/ { n++; next } /^```$/ || /^bin\/nutch/ { next } { print > (folder "/shell." n) }'
code "the lines for Heritrix run" 0 env -C "$tmp" SERVER="$server" STORE="$tmp/store" JOB="$tmp/job" bash -eo pipefail "$tmp/shell.1"
same "Heritrix gets what is due as lines of its recovery log" "$(sort "$tmp"/job/action/due-*.force)" "$(printf 'F+ %s\n' 'http://a.example/?q=%22x%22' http://b.example/)"
post '/v1/release?all=yes'
code "the lines for Nutch run" 0 env -C "$tmp" SERVER="$server" STORE="$tmp/store" bash -eo pipefail "$tmp/shell.2"
same "Nutch gets what is due as a list of URLs" "$(sort "$tmp/seeds/due.txt")" "$(printf '%s\n' 'http://a.example/?q=%22x%22' http://b.example/)"

ended=0
java -XX:TieredStopAtLevel=1 -cp "$tmp/classes" Crawlers "$server" "$tmp/store/token" "$tap_count" || ended=$?
stop_server
exit "$ended"
