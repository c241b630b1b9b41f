#!/usr/bin/env bash
# -o -: what otherwise is a file goes to standard output, whole or not at all.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"
mkdir scratch && export TMPDIR=$tmp/scratch

synth=(synth --seed=2 --pages=3 --captures=5)
code "synth -o - succeeds" 0 sh -c '"$PERENNIAL" "$@" -o - > one.trace' - "${synth[@]}"
"$PERENNIAL" "${synth[@]}" -o two.trace --warc=two.warc
ok "synth -o - writes the trace that it writes to a file" cmp one.trace two.trace
"$PERENNIAL" "${synth[@]}" --warc=- > one.warc
ok "synth --warc=- writes the WARC file that it writes to one" cmp one.warc two.warc
code "synth with two files for standard output is a usage error" 2 "$PERENNIAL" "${synth[@]}" -o - --warc=-
like "that both go to one place is said" "$err" "one file goes to standard output"

"$PERENNIAL" import -o two.trace two.warc 2>/dev/null
code "import -o - succeeds" 0 sh -c '"$PERENNIAL" import -o - two.warc > one.trace'
ok "import -o - writes the trace that it writes to a file" cmp one.trace two.trace
code "import -o - takes part in a pipe" 0 sh -c '"$PERENNIAL" import -o - two.warc | cat > three.trace'
ok "a trace that went through a pipe is whole" cmp three.trace two.trace
code "import -o - of nothing fails" 3 sh -c '"$PERENNIAL" import -o - none.warc > none.trace'
same "import -o - that fails prints nothing" "$(wc -c < none.trace)" 0

url=$("$PERENNIAL" dump two.trace | sed -n '1s/.*"url":"\([^"]*\)".*/\1/p')
code "show -o - succeeds" 0 sh -c '"$PERENNIAL" show -o - "$1" two.warc > one.html' - "$url"
like "show -o - writes a page" "$(head -c 20 one.html)" "<!DOCTYPE html>"
like "the page that show -o - writes is whole" "$(tail -c 20 one.html)" "</html>"

"$PERENNIAL" weigh two.warc > two.weights 2>/dev/null
code "weigh -o - succeeds" 0 sh -c '"$PERENNIAL" weigh -o - two.warc > one.weights'
ok "weigh -o - writes what it writes when nothing is said" cmp one.weights two.weights

if command -v gnuplot >/dev/null; then
	code "report -o - succeeds" 0 sh -c '"$PERENNIAL" report --quick -o - two.trace > one.html'
	like "report -o - writes a page" "$(head -c 20 one.html)" "<!DOCTYPE html>"
else
	skip "report -o - succeeds" "gnuplot is not installed"
fi

# An output takes the place of what is there: of a source, all would be lost.
cp two.trace kept.trace; ln two.warc linked.warc; cp two.warc kept.warc; ln -s two.trace beside.trace
echo 'http://a.example/ 2' > weights
refuses() { # WHAT COMMAND…
	code "$1 is a usage error" 2 "$PERENNIAL" "${@:2}"
	like "$1 is told as what it would do" "$err" "would replace .*, which is to be read|name the same file"
}
refuses "import -o onto its source" import -o two.warc two.warc
refuses "import -o onto a source that has another name too" import -o linked.warc two.trace two.warc
refuses "import --part -o onto its source" import --part=1/2 -o two.trace two.trace
refuses "import -o onto a source behind a link" import -o beside.trace two.trace
refuses "import -o onto its weights" import --weights=weights -o weights two.warc
refuses "show -o onto its source" show -o two.warc "$url" two.warc
refuses "weigh -o onto its source" weigh -o two.warc two.warc
refuses "report -o onto its source" report -o two.trace two.trace
refuses "measure --partial onto its source" measure --partial=two.trace two.trace
refuses "evaluate --partial onto its source" evaluate --partial=two.trace two.trace
code "import -o onto what it reads from standard input is a usage error" 2 sh -c '"$PERENNIAL" import -o two.warc - < two.warc'
ok "a source that an output named is as it was" eval 'cmp two.trace kept.trace && cmp two.warc kept.warc'
code "an output may take the place of another file" 0 "$PERENNIAL" import -o one.trace two.warc

if [ -c /dev/full ]; then
	code "import -o - fails where standard output takes nothing more" 3 sh -c '"$PERENNIAL" import -o - two.warc > /dev/full'
	like "the message says that standard output cannot be written" "$err" "cannot write to standard output"
else
	skip "import -o - fails where standard output takes nothing more" "there is no /dev/full"
fi
code "import -o - fails where there can be no temporary folder" 3 env TMPDIR="$tmp/none" "$PERENNIAL" import -o - two.warc
like "the message names the folder" "$err" "$tmp/none/.*cannot make a temporary folder"
same "nothing temporary is left" "$(ls scratch)" ""
same "no file is called -" "$(find . -name -)" ""
done_testing
