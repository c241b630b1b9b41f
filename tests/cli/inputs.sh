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

# The filters of import
for command in "measure --pages" "evaluate --policy=uniform --period=1d --clock=days --by=page --bootstrap=0"; do
	for source in a.warc.gz ab.trace; do
		code "${command%% *} takes the pages asked for of ${source#*.}" 0 "$PERENNIAL" $command --format=tsv --host=h0000000.example --surt='example,h0000000)/p1' --from=2026-01-01 --to=2026-01-05 "$source"
		same "${command%% *} has no others" "$(sed 1d <<< "$out" | grep -o 'http://[^	]*' | sort -u)" "http://h0000000.example/p1"
	done
done
code "measure of nothing that was asked for fails" 3 "$PERENNIAL" measure --host=nowhere.example a.warc.gz
like "that there is nothing is told" "$err" "there is no page in what was read"
code "--sample=2 is a usage error of measure" 2 "$PERENNIAL" measure --sample=2 a.warc.gz
code "--from after --to is a usage error of evaluate" 2 "$PERENNIAL" evaluate --from=2026-02-01 --to=2026-01-01 a.warc.gz
done_testing
