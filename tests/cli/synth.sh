#!/usr/bin/env bash
# perennial synth: by seed, as trace and as WARC, with the truth beside it.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
synth() { "$PERENNIAL" synth "$@"; }
# A digest of the structure of a trace: everything of its dump but hashes and the order of stripes.
structure() { "$PERENNIAL" dump "$1" | sed 's/,"media":"[^"]*"//g' | sed 's/"[0-9a-f]\{16\}",/"",/g' | sed 's/\["",/\n["",/g' | tr -d ']},' | sort | cksum; }

code "synth writes a trace and the truth of it" 0 synth -o a.trace --truth=a.tsv --pages=12 --captures=20
code "synth writes the same trace once more" 0 synth -o b.trace --pages=12 --captures=20
ok "the same seed makes the same bytes" cmp -s a.trace b.trace
code "synth takes another seed" 0 synth -o c.trace --pages=12 --captures=20 --seed=2
ok "another seed makes other bytes" sh -c '! cmp -s a.trace c.trace'
code "synth writes a WARC file" 0 synth --warc=a.warc.gz --pages=12 --captures=20
"$PERENNIAL" import -o i.trace a.warc.gz 2>/dev/null
same "a WARC file of synth has pages of the same structure as its trace" "$(structure i.trace)" "$(structure a.trace)"
ok "a WARC file of synth repeats nothing: what did not change is a revisit" test "$(zcat a.warc.gz | grep -ac '^WARC-Type: revisit')" -gt 60
same "the truth of synth has a header" "$(head -n 1 a.tsv)" "$(printf 'url\tregion\tg\trate_per_day\tK\tfragments')"
same "the truth of synth has every page" "$(tail -n +2 a.tsv | cut -f 1 | uniq | wc -l)" 12

code "parameters of synth can be fixed" 0 synth -o f.trace --truth=f.tsv --pages=5 --captures=4 --interval=6h --static-share=0.5 --regions=2 --items=8 --rate=2 --fragments=400
same "every parameter that was fixed is in the truth" "$(tail -n +2 f.tsv | cut -f 2- | sort -u)" "$(printf '1\t0.2549019607843137\t2\t8\t408\n2\t0.2549019607843137\t2\t8\t408')"
same "captures of synth are at the times that its interval asks for" "$("$PERENNIAL" dump f.trace | head -n 1 | grep -o '2026[^"]*' | tr '\n' ' ')" "2026-01-01T00:00:00Z 2026-01-01T06:00:00Z 2026-01-01T12:00:00Z 2026-01-01T18:00:00Z "

code "synth without an output is a usage error" 2 synth
code "synth with an operand is a usage error" 2 synth -o x.trace a.trace
code "a static share above 1 is a usage error" 2 synth -o x.trace --static-share=1.1
like "the error for a static share above 1 tells its range" "$err" "static share must be from 0 to 1"
code "synth of no captures is a usage error" 2 synth -o x.trace --captures=0
code "synth fails when the folder of its output is not there" 3 synth -o no/x.trace
like "an output of synth in a folder that is not there is named" "$err" "no/x.trace: cannot write there"
done_testing
