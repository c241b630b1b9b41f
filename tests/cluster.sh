#!/usr/bin/env bash
# tools/cluster/part: a job in parts, by whatever runs them, is the job done at once.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
part=$SRCDIR/tools/cluster/part
export PERENNIAL EVALUATE='--policy=cgm,drift' MEASURE='--draws=20'
for h in $(seq 12); do
	"$PERENNIAL" synth --warc=h.warc --pages=2 --captures=8 --seed="$h"
	sed "s/h0000000\.example/host$h.example/" h.warc >>crawl.warc
done
"$PERENNIAL" import -o crawl.trace crawl.warc 2>/dev/null
judged=$("$PERENNIAL" evaluate --policy=cgm,drift --bootstrap=50 --format=tsv crawl.trace 2>/dev/null)
measured=$("$PERENNIAL" measure --draws=20 --bootstrap=50 --format=tsv crawl.trace 2>/dev/null)

# is_whole WHO FOLDER: its results, joined
is_whole() {
	same "$1: the parts are evaluated as the whole" "$("$PERENNIAL" merge --bootstrap=50 --format=tsv "$2"/*.evaluation 2>/dev/null)" "$judged"
	same "$1: the parts are measured as the whole" "$("$PERENNIAL" merge --bootstrap=50 --format=tsv "$2"/*.longevity 2>/dev/null)" "$measured"
}

numbers() { seq 5 | "$part" pipe 5 - crawl.warc; }
code "numbers on standard input are parts" 0 numbers
same "each part is told when it is done" "$out" "$(seq 5)"
is_whole "a pipe" pipe
touch -d '2026-01-01' pipe/*; rm pipe/3.* pipe/crawl.3of5.trace
code "a job that was broken off goes on" 0 numbers
same "only what was lost is made again" "$(find pipe -newermt '2026-01-02' -type f | sort | tr '\n' ' ')" \
	"pipe/3.evaluation pipe/3.longevity pipe/crawl.3of5.trace "
is_whole "a job that went on" pipe

tasks() { local i; for i in 2 1 3; do SLURM_ARRAY_TASK_ID=$i "$part" slurm 3 - crawl.warc </dev/null || return; done; }
code "the tasks of an array are parts" 0 tasks
is_whole "an array" slurm

lost() { "$part" lost 2 1 nowhere.warc; }
code "a part that fails says so" 3 lost
ok "a part that fails leaves no result" test ! -e lost/1.evaluation
code "part without sources is a usage error" 2 "$part" x 2 1

if command -v parallel >/dev/null && parallel --version 2>/dev/null | grep -q '^GNU parallel'; then
	both() { seq 4 | parallel -j 2 "$part" par 4 '{}' crawl.warc; }
	code "GNU parallel runs parts" 0 both
	is_whole "GNU parallel" par
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
