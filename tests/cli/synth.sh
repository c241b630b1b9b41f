#!/usr/bin/env bash
# perennial synth: by seed, as trace and as WARC, with the truth beside it.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
synth() { "$PERENNIAL" synth "$@"; }
# A digest of the structure of a trace: everything of its dump but hashes and the order of stripes.
structure() { "$PERENNIAL" dump "$1" | sed 's/"[0-9a-f]\{16\}",/"",/g' | sed 's/\["",/\n["",/g' | tr -d ']},' | sort | cksum; }

code "a trace" 0 synth -o a.trace --truth=a.tsv --pages=12 --captures=20
code "and once more" 0 synth -o b.trace --pages=12 --captures=20
ok "has the same bytes" cmp -s a.trace b.trace
code "another seed" 0 synth -o c.trace --pages=12 --captures=20 --seed=2
ok "has others" sh -c '! cmp -s a.trace c.trace'
code "a WARC file" 0 synth --warc=a.warc.gz --pages=12 --captures=20
"$PERENNIAL" import -o i.trace a.warc.gz 2>/dev/null
same "has pages of the same structure" "$(structure i.trace)" "$(structure a.trace)"
ok "repeats nothing: what did not change is a revisit" test "$(zcat a.warc.gz | grep -ac '^WARC-Type: revisit')" -gt 60
same "the truth has a header" "$(head -n 1 a.tsv)" "$(printf 'url\tregion\tg\trate_per_day\tK\tfragments')"
same "and every page" "$(tail -n +2 a.tsv | cut -f 1 | uniq | wc -l)" 12

code "parameters can be fixed" 0 synth -o f.trace --truth=f.tsv --pages=5 --captures=4 --interval=6h --static-share=0.5 --regions=2 --items=8 --rate=2 --fragments=400
same "all of them" "$(tail -n +2 f.tsv | cut -f 2- | sort -u)" "$(printf '1\t0.2549019607843137\t2\t8\t408\n2\t0.2549019607843137\t2\t8\t408')"
same "and the times" "$("$PERENNIAL" dump f.trace | head -n 1 | grep -o '2026[^"]*' | tr '\n' ' ')" "2026-01-01T00:00:00Z 2026-01-01T06:00:00Z 2026-01-01T12:00:00Z 2026-01-01T18:00:00Z "

code "an output is needed" 2 synth
code "no operands are taken" 2 synth -o x.trace a.trace
code "a share above 1" 2 synth -o x.trace --static-share=1.1
like "is refused" "$err" "static share must be from 0 to 1"
code "no captures" 2 synth -o x.trace --captures=0
code "a folder that is not there" 3 synth -o no/x.trace
like "is named" "$err" "no/x.trace: cannot write there"
done_testing
