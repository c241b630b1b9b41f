#!/usr/bin/env bash
# A month of the loops that the README shows: wget, curl (doc/examples/refresh.sh) and Scrapy (tools/scrapy) each go round a small
# site, once as it is without ETags and sitemap, and once with both.  Prints for each what was sent, how often pages were visited,
# and how stale the copies were, by the evaluator's own sums.
#
#	month.sh [FETCHER]…	(those that are installed)
#
#	wget		no conditional requests; the sitemap is one of the pages
#	curl		ETags, and the sitemap is one of the pages
#	curl-304	ETags alone
#	scrapy		ETags, and the sitemap is one of the pages
#	scrapy-hints	ETags, and the spider tells the sitemap as hints at each round (PERENNIAL_SITEMAPS)
#
# PERENNIAL is the command, BUILDDIR has tests/site, SRCDIR has the sources, BUDGET is the budget of each store (16/day), ROUNDS the
# number of rounds, two a day (60).  Fails where a round fails, and reports it; in a whole month also where ETags and sitemap together
# make the copies staler by a tenth, or where they save neither a twentieth of the bytes nor of the staleness.
set -u
site=$BUILDDIR/tests/site
ticks=60 rounds=${ROUNDS:-60} copies=4 filling=30000 budget=${BUDGET:-16/day}
tmp=$(mktemp -d)
server= daemon=
end() { [ -z "$server" ] || kill "$server"; [ -z "$daemon" ] || kill "$daemon"; rm -rf "$tmp"; }
trap end EXIT
cd "$tmp" || exit 1
rules="--host-limit=0 --host-delay=0s"
python=
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! "$candidate" -c 'import scrapy' 2> /dev/null || python=$candidate
done

fail() { echo "month: $1" >&2; cat err >&2; exit 1; }
now() { date -ud "2026-01-01 $(($1 * 12)) hours" +%Y-%m-%dT%H:%M:%SZ; }

# A round at $now; its messages are in err.
round_wget() {
	"$PERENNIAL" due --state=S --now="$now" $rules > due 2> /dev/null || return 1
	[ -s due ] || return 0
	wget -q -i due --tries=1 --delete-after --warc-file=batch || return 1
	"$PERENNIAL" observe --state=S --now="$now" --time="$now" --quiet ${hints:+--hints="$hints"} batch.warc.gz > /dev/null 2> err
}

round_curl() {
	HINTS=$hints sh "$SRCDIR/doc/examples/refresh.sh" S --now="$now" $rules > /dev/null 2> err
}

# Runs Scrapy at a time that we set: the extension takes the time of a visit from its module "time", and needs all else of that module
# unchanged.
round_scrapy() {
	cat > spider.py <<PY
import time, types, scrapy, perennial_scrapy
from twisted.internet.task import LoopingCall
start = LoopingCall.start
LoopingCall.start = lambda call, interval, now=True: start(call, 0.1 if interval == 5 else interval, now)
perennial_scrapy.time = types.SimpleNamespace(**{**vars(time), "time": lambda: $(date -ud "$now" +%s)})
class Spider(scrapy.Spider):
    name = "refresh"
    def parse(self, response): pass
PY
	rm -f serve.err # the daemon's process makes it anew, perhaps after we first look
	"$PERENNIAL" serve --state=S --listen=127.0.0.1:0 --no-token --now="$now" $rules ${hints:+--hints="$hints"} 2> serve.err &
	daemon=$!
	local url= i
	for ((i = 0; i < 1200; i++)); do
		url=$(sed -n 's|.*listening.*address=\(127[0-9.:]*\).*|http://\1|p' serve.err 2> /dev/null)
		[ -z "$url" ] || break
		sleep 0.05
	done
	[ -n "$url" ] || { cat serve.err > err; return 1; }
	PYTHONPATH=$SRCDIR/tools/scrapy PYTHONDONTWRITEBYTECODE=1 timeout 600 "$python" -m scrapy runspider spider.py --loglevel=ERROR \
		-s 'EXTENSIONS={"perennial_scrapy.Refresh": 0}' -s PERENNIAL_URL="$url" -s PERENNIAL_ONCE=1 -s RETRY_ENABLED=0 \
		-s PERENNIAL_SITEMAPS="$told" -s CONCURRENT_REQUESTS_PER_DOMAIN=32 -s TELNETCONSOLE_ENABLED=0 2> err
	local code=$?
	kill "$daemon"
	wait "$daemon" 2> /dev/null
	daemon=
	# Scrapy succeeds even if its extensions fail: an error that they log is a failure.
	[ $code -eq 0 ] && [ ! -s err ]
}

# A month with a fetcher; writes "bytes visits staleness" of it to a file.  hints: the value of --hints; the
# sitemap is then one of the pages.  tells: the fetcher is told of the sitemap instead.
month() {
	local fetcher=$1 mute=$2 hints=$3 tells=$4 into=$5 tick now origin told=
	rm -rf S visits port port.bytes truth.trace
	echo 0 > clock
	"$site" serve clock port $copies $filling $mute & server=$!
	for ((i = 0; i < 1200; i++)); do [ -s port ] && break; sleep 0.05; done
	origin=127.0.0.1:$(cat port)
	"$site" history "$origin" $ticks $copies > history.ndjson
	"$PERENNIAL" import -o truth.trace history.ndjson 2> err || fail "the site's history cannot be imported"
	"$PERENNIAL" init --state=S --budget="$budget" > /dev/null 2>&1
	[ -z "$tells" ] || told=http://$origin/sitemap.xml
	awk -F '"' '!seen[$4]++ { print $4 }' history.ndjson > urls
	[ -z "$hints" ] || printf "http://%s/sitemap.xml\t%s\n" "$origin" 32 >> urls
	"$PERENNIAL" add --state=S --now="$(now 0)" urls > /dev/null 2> err || fail "pages cannot be added"
	for ((tick = 0; tick <= rounds; tick++)); do
		now=$(now $tick)
		echo $tick > clock.next && mv clock.next clock
		"round_${fetcher%%-*}" || fail "round $tick of $fetcher failed"
	done
	kill "$server"; wait "$server" 2> /dev/null; server=
	: > err
	[ -s port.bytes ] || fail "$fetcher asked for nothing"
	while read -r tick status bytes path; do
		[ "$path" = /sitemap.xml ] || echo "http://$origin$path $(now "$tick")"
	done < port.bytes > visits
	echo "$(awk '{ n += $3 } END { print n }' port.bytes) $(wc -l < visits) $("$site" score truth.trace visits | cut -d ' ' -f 2)" > "$into"
}

[ $# -gt 0 ] || set -- wget curl curl-304 scrapy scrapy-hints
failed=0
printf 'fetcher\tETags and sitemap\tMB sent\tvisits\tstaleness\n'
for fetcher; do
	case $fetcher in
	wget) wget --help 2> /dev/null | grep -q -- --warc-file || continue ;;
	curl*) command -v curl > /dev/null || continue ;;
	scrapy*) [ -n "$python" ] || continue ;;
	*) echo "month: no fetcher '$fetcher': there is wget, curl, curl-304, scrapy and scrapy-hints" >&2; exit 2 ;;
	esac
	without=without.${fetcher%%-*}
	[ -e "$without" ] || month "$fetcher" mute '' '' "$without"
	case $fetcher in
	*-304) month "$fetcher" '' '' '' with ;;
	*-hints) month "$fetcher" '' '' tells with ;;
	*) month "$fetcher" '' sitemap '' with ;;
	esac
	for which in "$without" with; do
		read -r bytes visits staleness < "$which"
		printf '%s\t%s\t%s\t%s\t%s\n' "$fetcher" "${which%%.*}" "$(awk -v n="$bytes" 'BEGIN { printf "%.2f", n / 1e6 }')" "$visits" "$staleness"
	done
	[ "$rounds" -lt "$ticks" ] || paste -d ' ' "$without" with | awk '{ exit !($6 < 1.1 * $3 && ($4 < 0.95 * $1 || $6 < 0.95 * $3)) }' || failed=1
done
[ $failed -eq 0 ] || { echo "month: ETags and sitemap save nothing, or leave the copies staler" >&2; exit 1; }
