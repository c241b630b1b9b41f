#!/usr/bin/env bash
# Whatever reads a trace reads what traces are made of: imported on the way, several sources as one corpus.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
mkdir scratch
export TMPDIR="$tmp/scratch"

"$PERENNIAL" synth --warc=a.warc.gz --pages=3 --captures=5
"$PERENNIAL" synth --warc=b.warc.gz --pages=3 --captures=5 --start=2026-02-01
"$PERENNIAL" import -o ab.trace a.warc.gz b.warc.gz 2>/dev/null
code "WARC files are read as the trace they make" 0 "$PERENNIAL" dump b.warc.gz a.warc.gz
same "several WARC files are read as one corpus" "$out" "$("$PERENNIAL" dump ab.trace)"
same "traces come first, then one for all sources" "$("$PERENNIAL" dump a.warc.gz ab.trace b.warc.gz | wc -l)" 6
head -c 3000 a.warc.gz > cut.warc.gz
code "a source that is cut makes dump exit with 1" 1 "$PERENNIAL" dump cut.warc.gz b.warc.gz
like "what is skipped while a source is read is counted" "$err" "skipped 1 rest of a source that ends early"
code "a source that cannot be read is a failure if there is no other" 3 "$PERENNIAL" dump nowhere.warc
like "a source that cannot be read is named" "$err" "nowhere.warc: "
same "traces made on the way are not left behind" "$(ls scratch)" ""

# Collections of archives, made by other tools
"$PERENNIAL" import -o both.trace a.warc.gz b.warc.gz 2>/dev/null
whole=$("$PERENNIAL" dump both.trace)
mkdir -p crawl/1 crawl/2
cp a.warc.gz crawl/1; gzip -dc b.warc.gz > crawl/2/b.warc
code "a folder of archives is read" 0 "$PERENNIAL" dump crawl
same "a folder of archives is what its archives are" "$out" "$whole"
code "a folder of which nothing is asked for is told" 1 "$PERENNIAL" import -o x.trace --media=image/* crawl
like "what a folder's archives had is counted over all of them" "$err" "passed over 30 captures of other media types: 30 text/html.* passed over 2 records|30 text/html"
reads() { printf "$1" > start && ! "$PERENNIAL" dump start 2>&1 | grep -q "built without"; }
if command -v python3 > /dev/null && reads 'PK\3\4'; then
	wacz() { # how the archives are put in
		python3 - "$1" <<- 'END'
			import sys, zipfile
			class Pipe:  # what cannot go back: sizes stand behind the data then
			    def __init__(self, file): self.file = file
			    def write(self, data): return self.file.write(data)
			    def flush(self): self.file.flush()
			file = open("x.wacz", "wb")
			how = sys.argv[1]
			packing = zipfile.ZIP_DEFLATED if how == "deflated" else zipfile.ZIP_STORED
			with zipfile.ZipFile(Pipe(file) if how == "streamed" else file, "w", packing) as zip:
			    zip.writestr("datapackage.json", "{}")
			    for name in "a.warc.gz", "b.warc.gz":
			        with zip.open(zipfile.ZipInfo("archive/" + name), "w", force_zip64=how == "zip64") as member:
			            member.write(open(name, "rb").read())
			    zip.writestr("indexes/index.cdx", "")
		END
	}
	for how in stored deflated streamed zip64; do
		wacz $how
		code "a WACZ file whose archives are $how is read" 0 "$PERENNIAL" dump x.wacz
		same "a WACZ file whose archives are $how is what they are" "$out" "$whole"
	done
	# The archives in it have checksums of their own, by which one damaged record is one.
	wacz stored
	python3 - <<- 'END'
		packed = open("a.warc.gz", "rb").read()
		damaged = bytearray(packed)
		damaged[len(packed) // 2] ^= 1
		open("damaged.warc.gz", "wb").write(damaged)
		file = open("x.wacz", "rb").read()
		open("x.wacz", "wb").write(file.replace(packed, bytes(damaged)))
	END
	alone=$("$PERENNIAL" dump damaged.warc.gz b.warc.gz 2>/dev/null)
	code "a WACZ file in which a bit is wrong is told" 1 "$PERENNIAL" import -o x.trace x.wacz
	like "with the archive of which the checksum is wrong" "$err" "x.wacz: archive/a.warc.gz: .*CRC"
	same "and is read for all that its archives would be read for alone" "$("$PERENNIAL" dump x.wacz 2>/dev/null)" "$alone"
else
	skip "WACZ files that python3 writes" "python3 or libarchive is missing"
fi
if command -v lz4 > /dev/null && reads '\4"M\30'; then
	gzip -dc a.warc.gz | lz4 -q > a.warc.lz4
	gzip -dc b.warc.gz | lz4 -q -9 -B7 -BX --content-size > b.warc.lz4
	code "archives that lz4 packed are read" 0 "$PERENNIAL" dump b.warc.lz4 a.warc.lz4
	same "what lz4 packed is what it was" "$out" "$whole"
else
	skip "archives that lz4 packed" "the tool, or the program's liblz4, is missing"
fi

# Pages that browsers saved
saved() { printf 'Date: Fri, 20 Feb 2026 14:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Location: %s\r\nContent-Type: text/html\r\n\r\n<p>Boats at nine.\r\n' "$1"; }
saved http://a.example/ > page.mhtml
code "a page saved as MHTML is read" 0 "$PERENNIAL" import -o x.trace page.mhtml
like "a page saved as MHTML is a capture" "$err" "1 page, 1 capture \(1 content\)"
saved cid:1 > no.mhtml
code "a saved page of no URL of the web is no failure, but told by the exit code" 1 "$PERENNIAL" import -o x.trace no.mhtml
like "import says what a saved page of no URL of the web is" "$err" "passed over 1 record of another type: 1 cid:|1 cid:"
like "a saved page of no URL of the web is told to leave no page" "$err" "there is no page in what was read"
printf '<html><p>no comment' > page.html
code "an HTML page that tells no URL is a failure" 3 "$PERENNIAL" import -o x.trace page.html
like "import says what to do with an HTML page that tells no URL" "$err" "page.html: an HTML page without the comment by which SingleFile.*manifest.tsv"
code "an HTML page that tells no URL is passed over among others" 1 "$PERENNIAL" import -o x.trace page.html page.mhtml
"$PERENNIAL" init --state=saved
"$PERENNIAL" add --state=saved --now=2026-01-01 http://a.example/ 2> /dev/null
printf '<html><!--\n Page saved with SingleFile \n url: http://a.example/ \n saved date: Sat Feb 21 2026 13:00:00 GMT+0000 (UTC)\n--><p>Boats at ten.' > page.html
code "saved pages are observed" 0 "$PERENNIAL" observe --state=saved --now=2026-03-01 page.mhtml page.html
like "each is a capture" "$err" "2 observed"

# The same filters wherever sources are read
for n in 1 2 3 4 5 6; do
	printf '{"url":"http://%s.example/","time":"2026-01-0%s","content_type":"%s","body":"<p>Boats at %s, and at ten from the harbour."}\n' \
		a $n text/html $n b $n text/html $n c $n text/css $n
done > many.ndjson
for command in "dump" "prior --patterns --format=tsv" "measure --pages --format=tsv"; do
	name=${command%% *}
	like "$name takes pages alone unless told otherwise" "$("$PERENNIAL" $command many.ndjson 2> /dev/null | grep -o '[abc]\.example' | sort -u | tr -d '\n')" '^a.exampleb.example$'
	like "$name takes --media" "$("$PERENNIAL" $command --media=all many.ndjson 2> /dev/null | grep -o '[abc]\.example' | sort -u | tr -d '\n')" '^a.exampleb.examplec.example$'
	like "$name takes --host" "$("$PERENNIAL" $command --host=b.example many.ndjson 2> /dev/null | grep -o '[abc]\.example' | sort -u | tr -d '\n')" '^b.example$'
	code "$name refuses a --sample that is no share" 2 "$PERENNIAL" $command --sample=2 many.ndjson
done
same "dump takes --from and --to" "$("$PERENNIAL" dump --host=a.example --from=2026-01-02 --to=2026-01-04 many.ndjson | grep -o '"time":"[^T]*' | tr '\n' ' ')" '"time":"2026-01-02 "time":"2026-01-03 '
show() { "$PERENNIAL" show --format=tsv "$@" http://a.example/ many.ndjson; }
code "show takes --to" 0 show --to=2026-01-05
same "a page is shown as of its last capture before --to" "$(tail -n 1 <<< "$out" | cut -f 1)" 2026-01-04T00:00:00Z
code "show takes --from" 0 show --from=2026-01-03
like "show prints no capture older than --from" "$(cut -f 3 <<< "$out" | sort | head -n 1)" "^2026-01-03T"
code "--from is before --to" 2 show --from=2026-01-03 --to=2026-01-02
code "report refuses a --sample that is no share" 2 "$PERENNIAL" report -o r.html --sample=2 many.ndjson
code "report --papers has no captures to filter" 2 "$PERENNIAL" report -o r.html --papers --host=b.example
if command -v gnuplot > /dev/null; then
	code "report takes --host" 0 "$PERENNIAL" report --quick -o r.html --show=shows --host=b.example many.ndjson
	same "a report is about the pages that were asked for" "$(grep -o '[abc]\.example' r.html | sort -u)" b.example
else
	skip "report takes --host" "gnuplot is missing"
fi

# Histories in a git repository
if command -v git > /dev/null; then
	export HOME=$tmp GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@a.example GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@a.example
	unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
	git init -q site
	for day in 20 21 22 23; do
		printf '<p>Boats at nine on the %s.' $day > site/index.html
		printf 'Text %s' $day > "site/a b.md"
		git -C site add -A
		GIT_AUTHOR_DATE=2026-02-${day}T13:00:00Z GIT_COMMITTER_DATE=2026-02-${day}T13:00:00Z git -C site commit -q -m "$day"
	done
	code "a git repository is read" 0 "$PERENNIAL" import -o git.trace "git:site:*.html"
	like "each commit that changed a file is a capture" "$err" "1 page, 4 captures \(4 content\)"
	code "a repository's files are below the URL that is asked for" 0 "$PERENNIAL" import -o git.trace --git-base=https://a.example/docs git:site
	same "URLs of a repository's files have their paths" "$("$PERENNIAL" dump git.trace | grep -o '"url":"[^"]*"' | tr '\n' ' ')" '"url":"https://a.example/docs/" "url":"https://a.example/docs/a%20b.md" '
	for command in "measure --pages --format=tsv" "evaluate --policy=uniform --period=1d --by=page --bootstrap=0 --format=tsv" dump "prior --patterns --format=tsv"; do
		code "${command%% *} takes --git-base" 0 "$PERENNIAL" $command --git-base=https://a.example/ git:site:*.html
		like "${command%% *} has the pages below it" "$out" "a.example"
		code "${command%% *} refuses a --git-base that is none" 2 "$PERENNIAL" $command --git-base=docs git:site
	done
	code "simulate takes --git-base" 0 "$PERENNIAL" simulate --ordering=breadth --crawled=1 --git-base=https://a.example/docs --host=a.example --media=all git:site
	like "simulate has the pages below it" "$out" "^breadth	pagerank	1	2	"
	code "simulate refuses a --git-base that is none" 2 "$PERENNIAL" simulate --ordering=breadth --git-base=docs git:site
	like "simulate says why" "$err" "--git-base: the files of a repository cannot be under 'docs'"
	code "a page of a repository is shown" 0 "$PERENNIAL" show --git-base=https://a.example/ https://a.example/ git:site
	like "a page of a repository is shown as its last commit has it" "$out" "^2026-02-23T13:00:00Z.*23\."
	code "captures from a time on are shown, of which there may be none" 3 "$PERENNIAL" show --git-base=https://a.example/ --from=2026-02-25 https://a.example/ git:site
	like "a page of a repository without captures from a time on is told" "$err" "https://a.example/: no source has a capture of it"
	code "a URL that a repository has not is told" 3 "$PERENNIAL" show --git-base=https://a.example/ https://a.example/none git:site
	code "show refuses a --git-base that is none" 2 "$PERENNIAL" show --git-base=docs https://a.example/ git:site
	code "a page of what is no repository is a failure" 3 "$PERENNIAL" show https://a.example/ git:crawl
	code "a store has no captures to filter" 2 "$PERENNIAL" show --from=2026-02-21 --state=saved http://a.example/
	like "who filters a store is told that it has no captures to filter" "$err" "--from, --to and --git-base are of captures"
	for n in 1 2; do "$PERENNIAL" import --part=$n/2 -o "p.${n}of2.trace" --git-base=https://a.example/docs git:site 2> /dev/null; done
	same "parts of a repository are the whole" "$("$PERENNIAL" dump p.?of2.trace | sort)" "$("$PERENNIAL" dump git.trace | sort)"
	code "a pattern that no file matches is a failure" 3 "$PERENNIAL" import -o x.trace "git:site:*.xml"
	like "a pattern that no file matches is told in words" "$err" "^perennial import: git:site:[*].xml: no file of the repository matches '[*].xml'$"
	code "what is no repository is a failure" 3 "$PERENNIAL" import -o x.trace git:crawl
	like "what is no repository is named" "$err" "git:crawl: it is no git repository"
	for url in docs ftp://a.example/ 'http://a.example/?q' 'http://a.example/#x'; do
		code "--git-base=$url is refused, whatever the sources are" 2 "$PERENNIAL" import -o x.trace --git-base="$url" nowhere.warc
		ok "what is wrong with --git-base=$url is said" grep -qF -- "--git-base: the files of a repository cannot be under '$url'" <<< "$err"
	done
	"$PERENNIAL" add --state=saved --now=2026-01-01 https://a.example/docs/ 2> /dev/null
	code "files of a repository are observed" 0 "$PERENNIAL" observe --state=saved --now=2026-03-01 --git-base=https://a.example/docs "git:site:index.html"
	like "each change of one is a capture" "$err" "4 observed"
else
	skip "histories in a git repository" "git is missing"
fi

# The filters of import
for command in "measure --pages" "evaluate --policy=uniform --period=1d --clock=days --by=page --bootstrap=0"; do
	for source in a.warc.gz ab.trace; do
		code "${command%% *} takes the pages asked for of ${source#*.}" 0 "$PERENNIAL" $command --format=tsv --host=h0000000.example --surt='example,h0000000)/p1' --from=2026-01-01 --to=2026-01-05 "$source"
		same "${command%% *} has no others" "$(sed 1d <<< "$out" | grep -o 'http://[^	]*' | sort -u)" "http://h0000000.example/p1"
	done
done
# A line that is longer than any of ours, in whatever is read by lines: it is told with its number, and takes no more memory than it may.
head -c 20000000 /dev/zero | tr '\0' 1 > line
"$PERENNIAL" init --state=S
"$PERENNIAL" add --state=S --now=2026-01-01 http://a.example/ 2> /dev/null
"$PERENNIAL" due --state=S --now=2026-01-01 > /dev/null 2>&1
mkdir histories
printf '7\t1\t[[1, 1]]\n' > histories/urlid_offset_history.txt
cp line histories/url_urlid_hostid.txt
# A sanitizer takes address space without end.
limit='ulimit -v 400000' && ! grep -q __asan_init "$PERENNIAL" || limit=:
too_long() {
	local title=$1 where=$2 input=$3
	shift 3
	code "a line that is too long ends $title" 3 bash -c "$limit; "'exec "$@" < "$0"' "$input" "$PERENNIAL" "$@"
	like "a line that is too long is told to $title with its place, and how long one may be" "$err" "$where, line 1: it is longer than 16777216 bytes"
}
too_long allocate "standard input" line allocate --budget=1
too_long estimate "standard input" line estimate
too_long "a file of weights" line /dev/null import --weights=line -o x.trace a.warc.gz
too_long "a file of hints" line /dev/null evaluate --policy=drift --threshold=0.3 --hints=line a.warc.gz
too_long "a file of URLs by number" histories/url_urlid_hostid.txt /dev/null import -o x.trace histories
code "a file of IndexNow's keys that is too long ends serve" 3 bash -c "$limit; "'exec "$@"' - "$PERENNIAL" serve --state=S --listen=127.0.0.1:0 --no-token --indexnow-keys=line
like "a file of IndexNow's keys that is too long is told, with how long it may be" "$err" "line: is longer than the 16 MiB that such a file may have"
{ cat line; printf '\nhttp://a.example/\n'; } > urls
code "a line that is too long is passed over by release" 1 "$PERENNIAL" release --state=S --now=2026-01-01 - < urls
like "release says which line is too long" "$err" "skipped: standard input, line 1: it is longer than 16777216 bytes"
like "release gives back the page behind a line that is too long" "$err" "1 page released"
code "what begins with such a line is no log of a check" 3 "$PERENNIAL" check --state=S --resume=line
like "what begins with a line that is too long is told to be no log of a check" "$err" "line: is not of a check of S"
printf '\357\273\277http://a.example/first\t7\t1\r\nhttp://a.example/second\t8\t1\r\n' > histories/url_urlid_hostid.txt
printf '8\t1\t[[1, 1]]\n' > histories/urlid_offset_history.txt
code "URLs by number may have lines that end as on other systems" 0 "$PERENNIAL" import -o x.trace histories
like "each is the one of its number" "$("$PERENNIAL" dump x.trace)" '"http://a.example/second"'

code "measure of nothing that was asked for fails" 3 "$PERENNIAL" measure --host=nowhere.example a.warc.gz
like "measure tells that nothing of what was asked for is there" "$err" "no page is left by --host"
code "--sample=2 is a usage error of measure" 2 "$PERENNIAL" measure --sample=2 a.warc.gz
code "--from after --to is a usage error of evaluate" 2 "$PERENNIAL" evaluate --from=2026-02-01 --to=2026-01-01 a.warc.gz
done_testing
