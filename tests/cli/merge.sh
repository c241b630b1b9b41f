#!/usr/bin/env bash
# perennial merge: partial results of evaluate and measure give what these print of all pages, to every digit.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
p() { "$PERENNIAL" "$@"; }

# Pages of 30 hosts whose histories differ, as a whole and as the parts of an import.
for h in $(seq 30); do
	p synth --warc=h.warc --pages=3 --captures=12 --seed="$h"
	sed "s/h0000000\.example/host$h.example/" h.warc >>hosts.warc
done
p import -o hosts.trace hosts.warc 2>/dev/null
awk -F'"' '{ print $4 "\t" 1 + NR % 3 }' <(p dump hosts.trace) | tr -d '[]' | sed 's/[<>]//g' >weights.tsv
p import -o weighed.trace --weights=weights.tsv hosts.warc 2>/dev/null
for n in 2 3 7; do
	for i in $(seq $n); do p import --part="$i/$n" -o "hosts.${i}of$n.trace" hosts.warc 2>/dev/null; done
done

# parts COMMAND N OPTIONS…: saves N parts of it; "PART" in an option is the part's own "IofN".
parts() {
	local command=$1 n=$2 i; shift 2
	rm -f part.*
	for i in $(seq "$n"); do p "$command" --part="$i/$n" --partial="part.$i" "${@//PART/${i}of$n}" || return 1; done
}
shuffled() { shuf --random-source=<(yes) -e part.*; }
# A person's table ends with the command line, which is another; the numbers in it are not.
numbers() { sed 's/; perennial .*; \(seed\|[0-9]* pages\)/; \1/' "$1"; }

corpora=("$SRCDIR"/corpora/{news-de,terms-ai,watch}.trace)
formats="table tsv json" views="--format=table --format=json --lifetimes --survival --k --scaled --intervals --bars"
judged=(--policy=cgm,drift,fs-s "${corpora[@]}") measured=(--draws=40 "${corpora[@]}")
for format in $formats; do p evaluate --format="$format" --bootstrap=100 "${judged[@]}" >"want.$format" 2>"err.$format"; done
for view in $views; do p measure "$view" --bootstrap=100 "${measured[@]}" >"want$view" 2>/dev/null; done
for n in 1 2 3 7; do
	code "evaluations of $n parts of the corpora are saved" 0 parts evaluate "$n" "${judged[@]}"
	for format in $formats; do
		mapfile -t files < <(shuffled)
		code "$n parts of the corpora are merged as $format" 0 p merge --format="$format" --bootstrap=100 "${files[@]}"
		same "$n parts of the corpora in any order are evaluated as their whole is, as $format" "$(numbers "$tmp/.out")" "$(numbers "want.$format")"
		same "$n parts of the corpora have the pages and the seed of their whole, as $format" "$(sed 's/.*; seed/seed/' "$tmp/.err")" \
			"$(sed 's/.*; seed/seed/' "err.$format")"
	done
	code "$n parts of the corpora are measured" 0 parts measure "$n" "${measured[@]}"
	for view in $views; do
		mapfile -t files < <(shuffled)
		code "what was measured of $n parts is merged, $view" 0 p merge "$view" --bootstrap=100 "${files[@]}"
		same "$n parts of the corpora are measured as their whole is, $view" "$(numbers "$tmp/.out")" "$(numbers "want$view")"
	done
done

# equal TEXT TRACE OPTIONS… -- PRINTING…: three parts of a trace, and seven.
equal() {
	local text=$1 options=() n; shift # seven parts of few hosts: some are of none
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	shift
	p evaluate "${options[@]//.PART.trace/.trace}" "$@" --format=tsv >want 2>/dev/null
	for n in 3 7; do
		parts evaluate "$n" "${options[@]}" || echo "not saved"
		same "$text: $n parts as the whole" "$(p merge "$@" --format=tsv part.* 2>/dev/null)" "$(cat want)"
	done
}
equal "parts that were imported as parts" --policy=cgm,drift,fs-s hosts.PART.trace -- --window=steady,all
equal "settings that were given" -t 0.1,1 --period=2,36h --policy=uniform,drift hosts.trace -- --metric=fragment,age
equal "values at costs" --policy=uniform,cgm hosts.trace -- --at-cost=0.2,0.5 --bootstrap=50 --seed=9
equal "costs at values" --policy=uniform,cgm hosts.trace -- --at-staleness=0.2
equal "several starts" --offsets=0,2,5 --policy=cgm,drift hosts.trace -- --ratio-to=drift
equal "hints that are made up" --hints=synthetic:recall=0.8:precision=0.7 --policy=drift,cgm hosts.trace --
equal "rates that are made up" --rates=synthetic:error=0.5 --policy=drift,cgm hosts.trace --
equal "pages that join late" --late=0.4 hosts.trace --
equal "conditional requests" --conditional=0.1 --policy=drift:price=yes,cgm hosts.PART.trace --
equal "bytes, of the whole's traces" --cost=bytes --policy=drift,cgm hosts.trace --
equal "the clock of days, of the whole's traces" --clock=days --policy=drift,cgm hosts.trace --
equal "pages with weights, of the whole's traces" --policy=drift,cgm weighed.trace --
equal "priors that are learned, of the whole's traces" --learn-prior="${corpora[0]}" --policy=drift,cgm hosts.trace --
equal "yardsticks" --policy=hs-d,fs-d,fs-l,fs-n hosts.trace --

# One host, and a host by itself among others: its pages are drawn, or the hosts.
p synth -o one.trace --pages=40 --captures=12 --seed=2
equal "a single host" --policy=cgm,drift one.trace --

# A part by itself, without --partial, is printed.
code "a part is evaluated by itself" 0 p evaluate --part=1/2 --policy=cgm --period=1 -t 1 --format=tsv hosts.trace
ok "a part has fewer pages than the whole" [ "$(tail -n 1 <<<"$out" | cut -f 4)" -lt 90 ]
code "a part is measured by itself" 0 p measure --part=1/2 --pages --format=tsv hosts.trace
one=$(p measure --part=1/2 --pages --format=tsv hosts.trace 2>/dev/null; p measure --part=2/2 --pages --format=tsv hosts.trace 2>/dev/null | tail -n +2)
same "rows of pages of all parts are those of the whole" "$(sort <<<"$one")" "$(p measure --pages --format=tsv hosts.trace 2>/dev/null | sort)"

# What does not fit
parts evaluate 3 --policy=cgm hosts.trace
code "a part that is missing is a failure" 3 p merge part.1 part.3
like "a part that is missing is named" "$err" "of 3 parts 1 is missing: 2"
code "a part that is given twice is a failure" 3 p merge part.1 part.2 part.2
like "a part that is given twice is named" "$err" "part 2 is given twice"
p evaluate --part=3/3 --partial=other --policy=drift hosts.trace
code "parts that were evaluated otherwise are a failure" 3 p merge part.1 part.2 other
like "merge names the setting by which parts differ" "$err" "part.1 was measured with policy=cgm, and other with policy=drift"
p evaluate --part=3/3 --partial=other --policy=cgm weighed.trace
code "parts whose sweeps were chosen from other weights are a failure" 3 p merge part.1 part.2 other
like "merge names the weights by which parts differ" "$err" "part.1 was measured with trace.1=sources=hosts.warc, and other with trace.1=weights=weights.tsv"
# of_thirds COMMAND FILE I TRACE…: saves the third I.
of_thirds() {
	case $1 in
	evaluate) p evaluate --policy=cgm --part="$3/3" --partial="$2" "${@:4}" ;;
	measure) p measure --part="$3/3" --partial="$2" "${@:4}" ;;
	esac
}
for command in evaluate measure; do for i in 1 2; do of_thirds $command "$command.$i" "$i" hosts.trace; done; done
for given in --sample=0.9 --host=example --media='text/*' --from=2026-01-02 --to=2026-01-09 --surt=example --max-body=1M; do
	p import "$given" -o filtered.trace hosts.warc 2>/dev/null
	for command in evaluate measure; do
		of_thirds "$command" of.3 3 filtered.trace
		cp "$command.1" of.1 && cp "$command.2" of.2
		code "parts of traces of which one was imported with $given are a failure of what was ${command}d" 3 p merge of.?
		like "${given%%=*} is told of what was ${command}d" "$err" "with trace.1=.*(sources=|body=|media=).* trace.1=${given:2:4}"
	done
done
cp evaluate.1 of.1 && cp evaluate.2 of.2
p import -o sources.trace hosts.warc h.warc 2>/dev/null
of_thirds evaluate of.3 3 sources.trace
code "parts of traces of other sources are a failure" 3 p merge of.?
like "merge names the sources by which parts differ" "$err" "trace.1=sources=hosts.warc, and of.3 with trace.1=sources=h.warc,hosts.warc"
of_thirds evaluate of.3 3 hosts.trace one.trace
code "parts of more traces are a failure" 3 p merge of.?
like "merge says how many traces each part is of" "$err" "of.1 was measured with traces=1, and of.3 with traces=2"
mapfile -t many < <(for i in $(seq 40); do ln -f h.warc "$i-of-many.warc"; echo "$i-of-many.warc"; done)
p import -o many.trace "${many[@]}" 2>/dev/null
p evaluate --policy=cgm --part=1/2 --partial=of.1 many.trace
p import -o many.trace "${many[@]}" hosts.warc 2>/dev/null
p evaluate --policy=cgm --part=2/2 --partial=of.2 many.trace
code "parts of long lists of sources are a failure" 3 p merge of.1 of.2
like "merge shows where long lists of sources begin to differ" "$err" "trace.1=sources=…,9-of-many.warc, and of.2 with trace.1=sources=…,9-of-many.warc,hosts.warc"

# A trace of a part has the pages of that part alone.
for command in evaluate measure; do
	code "$command refuses another part of a part's trace" 3 p "$command" --part=1/3 --partial=aside hosts.2of3.trace
	like "$command says which part a trace has" "$err" "hosts.2of3.trace: has the pages of part 2/3 of its sources, and not all those of part 1/3"
	code "$command refuses to print another part of a part's trace" 3 p "$command" --part=1/3 hosts.2of3.trace
	code "$command refuses to save a part's trace as the whole" 3 p "$command" --partial=aside hosts.2of3.trace
	like "$command says which part of the whole a trace has" "$err" "part 2/3 of its sources, and not all those of part 1/1"
	code "$command refuses a part that is only in part in a part's trace" 3 p "$command" --part=1/2 --partial=aside hosts.1of7.trace
	code "$command prints a part's trace by itself" 0 p "$command" hosts.2of3.trace
	code "$command takes a part of a part" 0 p "$command" --part=5/6 --partial=aside hosts.2of3.trace
	code "$command takes a part of the traces of all parts" 0 p "$command" --part=1/2 --partial=aside hosts.?of3.trace
	code "$command refuses a part of the traces of most parts" 3 p "$command" --part=1/2 --partial=y hosts.[12]of3.trace
done
p measure --part=3/3 --partial=other hosts.trace
code "results of another command are a failure" 3 p merge part.1 part.2 other
head -c 200 part.1 >cut
code "a partial result that is cut off is a failure" 3 p merge cut part.2 part.3
like "a partial result that is cut off is named" "$err" "cut: the partial result is cut off"
code "a trace is no partial result" 3 p merge hosts.trace
like "what is no partial result is named" "$err" "hosts.trace: this is not a partial result"
code "merge without results is a usage error" 2 p merge
p measure --partial=whole hosts.trace
code "--at-cost of what was measured is a usage error" 2 p merge --at-cost=0.5 whole
like "merge says that --at-cost is not for measurements" "$err" "are of evaluations: these results are of measure"
code "views of an evaluation are a usage error" 2 p merge --lifetimes part.1 part.2 part.3

# What needs all pages
code "--budget with --partial is a usage error" 2 p evaluate --partial=x --budget=0.2 hosts.trace
code "--by with --partial is a usage error" 2 p evaluate --partial=x --by=host hosts.trace
code "--at-cost with --partial is a usage error" 2 p evaluate --partial=x --at-cost=0.2 hosts.trace
like "evaluate says that --at-cost is for merge" "$err" "give --at-cost to 'perennial merge'"
code "a view with --partial is a usage error" 2 p measure --partial=x --lifetimes hosts.trace
code "--cost=bytes of a part's own trace is refused" 3 p evaluate --partial=x --part=1/2 --cost=bytes hosts.1of2.trace
like "evaluate says why --cost=bytes of a part's own trace is refused" "$err" "goes by the mean bytes of all pages, and these traces have only those of part 1/2"
code "--clock=days of a part's own trace is refused" 3 p evaluate --partial=x --part=1/2 --clock=days hosts.1of2.trace
ok "what is refused leaves no file" test ! -e x
done_testing
