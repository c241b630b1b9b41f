#!/usr/bin/env bash
# tools/cluster/part: a job in parts, by whatever runs them, is the job done at once.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
part=$SRCDIR/tools/cluster/part
export PERENNIAL EVALUATE='--policy=cgm,drift' MEASURE='--draws=20'
for h in $(seq 12); do
	"$PERENNIAL" synth --warc=h.warc --pages=2 --captures=8 --seed="$h"
	sed "s/h0000000\.example/host$h.example/" h.warc >h$h.warc
	cat h$h.warc >>crawl.warc
done
"$PERENNIAL" import -o crawl.trace crawl.warc 2>/dev/null
judged=$("$PERENNIAL" evaluate --policy=cgm,drift --bootstrap=50 --format=tsv crawl.trace 2>/dev/null)
measured=$("$PERENNIAL" measure --draws=20 --bootstrap=50 --format=tsv crawl.trace 2>/dev/null)

# is_whole WHO FOLDER: its results, joined
is_whole() {
	same "$1: the parts are evaluated as the whole" "$("$PERENNIAL" merge --bootstrap=50 --format=tsv "$2"/*.evaluation 2>/dev/null)" "$judged"
	same "$1: the parts are measured as the whole" "$("$PERENNIAL" merge --bootstrap=50 --format=tsv "$2"/*.longevity 2>/dev/null)" "$measured"
}

# made FOLDER: results that are of after New Year's Day, when everything is set to before
made() { find "$1" -newermt '2026-01-02' -type f ! -name '*.asked' -printf '%f\n' | sort | tr '\n' ' '; }
collection() { local i name=$1; shift; for i in 1 2 3; do COLLECTION=$name "$part" both 3 $i "$@" || return; done; }

numbers() { seq 5 | "$part" pipe 5 - crawl.warc; }
code "numbers on standard input are parts" 0 numbers
same "each part is told when it is done" "$out" "$(seq 5)"
is_whole "a pipe" pipe
touch -d '2026-01-01' pipe/*; rm pipe/*.3of5.*
code "a job that was broken off goes on" 0 numbers
same "only what was lost is made again" "$(made pipe)" "crawl.3of5.evaluation crawl.3of5.longevity crawl.3of5.trace "
is_whole "a job that went on" pipe

# What is asked otherwise is made anew: by other options, of more sources, of a source that is another now.
again() { touch -d '2026-01-01' pipe/*; EVALUATE=$1; shift; seq 5 | "$part" pipe 5 - "$@"; }
code "a job with another option of evaluate is done" 0 again '--policy=cgm' crawl.warc
same "another option of evaluate evaluates anew, and nothing else" "$(made pipe)" "$(for i in 1 2 3 4 5; do printf 'crawl.%sof5.evaluation ' $i; done)"
judged_before=$judged
judged=$("$PERENNIAL" evaluate --policy=cgm --bootstrap=50 --format=tsv crawl.trace 2>/dev/null)
is_whole "a job with another option of evaluate" pipe
judged=$judged_before
sed 's/host1\.example/later.example/' h1.warc >more.warc
mkdir all; "$PERENNIAL" import -o all/crawl.trace crawl.warc more.warc 2>/dev/null
judged=$("$PERENNIAL" evaluate --policy=cgm,drift --bootstrap=50 --format=tsv all/crawl.trace 2>/dev/null)
measured=$("$PERENNIAL" measure --draws=20 --bootstrap=50 --format=tsv all/crawl.trace 2>/dev/null)
code "a finished job with one source more is done" 0 again '--policy=cgm,drift' crawl.warc more.warc
same "one source more makes every part anew" "$(made pipe | wc -w)" 15
is_whole "a job with one source more" pipe
cp crawl.warc grown.warc
code "a job of a file is done" 0 again '--policy=cgm,drift' grown.warc
cat more.warc >>grown.warc
code "a job of a file that has grown since is done" 0 again '--policy=cgm,drift' grown.warc
same "a file that has grown makes every part anew" "$(made pipe | wc -w)" 15
is_whole "a job of a file that has grown" pipe
code "a job of a trace of everything is done" 0 again '--policy=cgm,drift' all/crawl.trace
is_whole "a job of a trace of everything" pipe
"$PERENNIAL" import -o share.1.trace h[1-6].warc 2>/dev/null
"$PERENNIAL" import -o share.2.trace h[7-9].warc h1[0-2].warc more.warc 2>/dev/null
code "a job of shares that were imported apart is done" 0 again '--policy=cgm,drift' share.2.trace share.1.trace
is_whole "a job of shares that were imported apart" pipe
code "a job of two collections is done, one" 0 collection news crawl.warc
code "a job of two collections is done, the other" 0 collection shops more.warc
judged=$("$PERENNIAL" evaluate --policy=cgm,drift --bootstrap=50 --format=tsv crawl.trace 2>/dev/null)
same "a collection is evaluated by itself" "$("$PERENNIAL" merge --bootstrap=50 --format=tsv both/news.*.evaluation 2>/dev/null)" "$judged"
cp crawl.trace news.trace; "$PERENNIAL" import -o shops.trace more.warc 2>/dev/null
for i in 1 2 3; do "$PERENNIAL" measure --draws=20 --part=$i/3 --partial=all.$i both/news.${i}of3.trace both/shops.${i}of3.trace 2>/dev/null; done
same "collections are measured together, each by itself and all" "$("$PERENNIAL" merge --bootstrap=50 --format=tsv all.? 2>/dev/null)" \
	"$("$PERENNIAL" measure --draws=20 --bootstrap=50 --format=tsv news.trace shops.trace 2>/dev/null)"
measured=$("$PERENNIAL" measure --draws=20 --bootstrap=50 --format=tsv crawl.trace 2>/dev/null)

tasks() { local i; for i in 2 1 3; do SLURM_ARRAY_TASK_ID=$i "$part" slurm 3 - crawl.warc </dev/null || return; done; }
code "the tasks of an array are parts" 0 tasks
is_whole "an array" slurm

lost() { "$part" lost 2 1 nowhere.warc; }
code "a part that fails says so" 3 lost
like "the source that cannot be opened is named" "$err" "nowhere.warc: cannot be opened"
among() { "$part" lost 2 1 crawl.warc nowhere.warc; }
code "a part fails where one of its sources cannot be opened" 3 among
echo nothing that is read >text
unread() { "$part" lost 2 1 crawl.warc text; }
code "a part fails where one of its sources is nothing that is read" 3 unread
same "a part that fails leaves no result" "$(ls lost)" ""
"$part" lost 2 1 crawl.warc 2>/dev/null
code "a part that is done fails where one of its sources cannot be opened" 3 among
ok "a source that cannot be opened takes nothing of what is there" test -e lost/crawl.1of2.evaluation -a -e lost/crawl.1of2.longevity
code "part without sources is a usage error" 2 "$part" x 2 1

if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
	both() { seq 4 | parallel -j 2 "$part" par 4 '{}' crawl.warc; }
	code "GNU parallel runs parts" 0 both
	is_whole "GNU parallel" par

	# Another machine: the README's line, with what stands for ssh and gives a shell of home that knows nothing of this one.
	cat >ssh <<-'SSH'
		#!/usr/bin/env bash
		[ "$1" = elsewhere.example ] || exit 255
		echo "$1" >>"$(dirname "$0")/reached"
		shift
		[ "$1" != -- ] || shift
		cd "$HOME" && exec env -i HOME="$HOME" PATH="$PATH" SHELL="$BASH" PERENNIAL="$PERENNIAL" bash -c "$*"
	SSH
	chmod +x ssh
	line=$(sed -n 's/^    seq 90 | parallel //p' "$SRCDIR/tools/cluster/README.md")
	line=${line/:,a.example,b.example/2\/elsewhere.example} line=${line/OUT 90/far 4} line=${line/crawl-\*.warc.gz/crawl.warc}
	far() { seq 4 | eval "parallel --ssh '$tmp/ssh' ${line/tools\/cluster\/part/\'$part\'}"; }
	code "GNU parallel runs parts on another machine, by the line of the README" 0 far
	ok "the other machine was asked" test -s reached
	is_whole "another machine, with the options of this one" far
else
	skip "GNU parallel runs parts" "it is not installed"
fi
PATH=$PATH:/usr/sbin
if command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v munged >/dev/null &&
	SLURM_CONF=$("$SRCDIR/tools/cluster/slurm" start "$tmp/slurm.d" 2>/dev/null); then
	export SLURM_CONF
	trap '"$SRCDIR/tools/cluster/slurm" stop "$tmp/slurm.d"; sleep 1; rm -rf "$tmp"' EXIT
	code "Slurm takes the job as an array" 0 sbatch --wait --array=1-3 --output=/dev/null \
		--wrap="'$part' '$tmp/array' 3 - '$tmp/crawl.warc'"
	is_whole "an array of Slurm" array
else
	skip "Slurm takes the job as an array" "its daemons (slurm-wlm, munge) are not installed, or do not start here"
fi
done_testing
