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
like "two outputs that go to one place are told so" "$err" "one file goes to standard output"

"$PERENNIAL" import -o two.trace two.warc 2>/dev/null
code "import -o - succeeds" 0 sh -c '"$PERENNIAL" import -o - two.warc > one.trace'
ok "import -o - writes the trace that it writes to a file" cmp one.trace two.trace
code "import -o - takes part in a pipe" 0 sh -c '"$PERENNIAL" import -o - two.warc | cat > three.trace'
ok "a trace that went through a pipe is whole" cmp three.trace two.trace
code "import -o - of nothing fails" 3 sh -c '"$PERENNIAL" import -o - none.warc > none.trace'
like "import -o - that fails says why, and nothing of where its output would have been" "$err" "^perennial import: none\.warc: [^/]*$"
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

# What a folder has is read as well, whatever leads there.
mkdir -p held/deeper linked dated/20260220/a.example dated/20260221/a.example sites/a.example/20260220130000 listed many
cp two.warc held/deeper/one.warc; cp two.warc held/two.warc; echo beside > held/report.html; ln -s held shortcut
cp two.warc apart.warc; ln -s ../apart.warc linked/away.warc
echo front > dated/20260220/a.example/index.html; echo later > dated/20260221/a.example/index.html; ln -s ../../apart.html dated/20260221/a.example/away.html
echo elsewhere > dated/apart.html; echo front > sites/a.example/20260220130000/index.html; echo beside > dated/notes.html
printf '2026-02-20T13:00:00Z\thttp://a.example/\ttext/html\tpages/one.html\n' > listed/manifest.tsv
mkdir listed/pages; echo one > listed/pages/one.html; cp listed/manifest.tsv list.tsv; mkdir pages; echo two > pages/one.html
printf 'http://a.example/\t1\t1\n' > many/url_urlid_hostid.txt
printf '1\t0\t[[1, 0], [1, 1]]\n' > many/urlid_offset_history.txt
printf '1\t1\n' > many/urlid_imp.txt
copy() { rm -rf kept && mkdir kept && cp -a held linked dated sites listed many list.tsv pages apart.warc kept/; }
copy; mkdir learned; cp two.trace learned/x.trace
refuses "import -o onto a file of the folder that it reads" import -o held/two.warc held
refuses "import -o onto a file of a folder in the folder that it reads" import -o held/deeper/one.warc held
refuses "import -o onto a file of the folder that a link leads to" import -o held/two.warc shortcut
refuses "import -o through a link onto a file of the folder that it reads" import -o shortcut/two.warc held/
refuses "import -o onto a file that a link in a folder leads to" import -o apart.warc two.trace linked
refuses "import -o onto a link in the folder that it reads" import -o linked/away.warc linked
refuses "import -o onto a page of a dated folder" import -o dated/20260220/a.example/index.html dated
refuses "import -o onto a file that a link in a dated folder leads to" import -o dated/apart.html dated
refuses "import -o onto a page of a host's date" import -o sites/a.example/20260220130000/index.html sites
refuses "import -o onto a page of the date of one host" import -o sites/a.example/20260220130000/index.html sites/a.example
refuses "import -o onto a manifest in a folder" import -o listed/manifest.tsv listed
refuses "import -o onto a file that a folder's manifest names" import -o listed/pages/one.html listed
refuses "import -o onto a file that a manifest names" import -o pages/one.html list.tsv
for name in url_urlid_hostid urlid_offset_history urlid_imp; do
	refuses "import -o onto $name of the folder that it reads" import -o many/$name.txt many
done
refuses "show -o onto a file of the folder that it reads" show -o held/two.warc "$url" held
refuses "weigh -o onto a file of the folder that it reads" weigh -o held/two.warc held
refuses "report -o onto a file of the folder that it reads" report -o held/two.warc held
refuses "measure --partial onto a file of the folder that it reads" measure --partial=held/two.warc held
refuses "evaluate --partial onto a file of the folder that it reads" evaluate --partial=held/two.warc held
refuses "evaluate --partial onto a file of the folder that a prior is learned of" evaluate --partial=held/two.warc --learn-prior=held two.trace
refuses "evaluate --partial onto the trace that a prior is learned of" evaluate --partial=kept.trace --learn-prior=two.trace,kept.trace two.trace
code "report --data into a folder of the folder that it reads is a usage error" 2 "$PERENNIAL" report -o one.html --data=dated/20260220/a.example dated
like "report --data into a folder of the folder that it reads is told" "$err" "would write into dated/20260220/a.example, where dated is read"
code "report --data into a folder where a link in a source leads is a usage error" 2 "$PERENNIAL" report -o one.html --data=. linked
code "report --data into the folder of a trace that a prior is learned of is a usage error" 2 "$PERENNIAL" report -o one.html --learn-prior=learned/x.trace --data=learned two.trace
code "report --show into a folder of the folder that it reads is a usage error" 2 "$PERENNIAL" report -o held/x.html --show=deeper held
if command -v git >/dev/null; then
	git -c init.defaultBranch=main init -q tracked
	echo front > tracked/index.html; git -C tracked add index.html
	git -C tracked -c user.name=a -c user.email=a@a.example commit -qm front
	git clone -q --bare tracked bare.git
	refuses "import -o onto a file of the repository that it reads" import -o tracked/.git/HEAD git:tracked
	refuses "import -o onto a file of the bare repository that it reads" import -o bare.git/config 'git:bare.git:*.html'
	code "import -o may replace a file of a work tree, of which no commit is made" 0 "$PERENNIAL" import -o tracked/index.html git:tracked
else
	skip "import -o onto a file of the repository that it reads is refused" "git is not installed"
fi
for name in kept/*; do
	ok "${name#kept/} is as it was before outputs named its files" diff -r --no-dereference "$name" "${name#kept/}"
done
code "an output may take the place of what a folder has beside its archives" 0 "$PERENNIAL" weigh -o held/report.html held
code "an output may take the place of what a folder has beside its dates" 0 "$PERENNIAL" import -o dated/notes.html dated
"$PERENNIAL" init --state=store
cp store/data.mdb store.mdb
for output in store/data.mdb store/new store/bodies store/../store/settings; do
	code "show -o does not write $output of the store that it reads" 2 "$PERENNIAL" show --state=store -o "$output" "$url"
	like "an output among the store's files is told to be: $output" "$err" "would be among the files of the store store: name another place"
done
code "show -o does not write into a store that is named with its engine" 2 "$PERENNIAL" show --state=lmdb:store -o store/new "$url"
like "an output among a store's files names the folder" "$err" "would be among the files of the store store: name another place"
code "show -o does not write into the store's folder where that is the one it runs in" 2 sh -c 'cd store && "$PERENNIAL" show --state=. -o data.mdb "$1"' - "$url"
code "show -o does not write into the store that PERENNIAL_STATE names" 2 env PERENNIAL_STATE="$tmp/store" "$PERENNIAL" show -o store/data.mdb "$url"
ok "the store is as it was" cmp store/data.mdb store.mdb
code "an output may be new in the folder that is read" 0 "$PERENNIAL" import -o held/new.trace held
code "an output in the folder that is read may be there already" 0 "$PERENNIAL" import -o held/new.trace held

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
