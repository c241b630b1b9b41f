#!/usr/bin/env bash
# soak/month.sh: that each of its loops gets round.  A month of them takes minutes, and is `make soak`; here are its first two rounds,
# which a loop that is broken does not survive.
. "${SRCDIR:?}/tests/tap.sh"
: "${BUILDDIR:?}"
export PERENNIAL BUILDDIR SRCDIR
unset BUDGET

code "a fetcher that there is not is a usage error" 2 bash "$SRCDIR/soak/month.sh" lynx
like "a fetcher that there is not is told with those that there are" "$err" "no fetcher 'lynx': there is wget"

# Lines of fetcher, "with" or "without", megabytes, visits and staleness.
gets_round() {
	local fetcher
	code "$*: the first rounds of a month succeed" 0 env ROUNDS=1 bash "$SRCDIR/soak/month.sh" "$@"
	for fetcher; do
		ok "$fetcher: what was sent with and without ETags and sitemap is told, and how stale the copies are" awk -F '\t' -v who="$fetcher" '
			$1 == who && $3 > 0 && $4 > 0 && $5 > 0 && $5 < 1 { told[$2]++ }
			END { exit !(told["with"] == 1 && told["without"] == 1) }' <<<"$out"
	done
}

has_wget() { wget --help 2> /dev/null | grep -q -- --warc-file; }
has_curl() { command -v curl > /dev/null; }
has_scrapy() { python3 -c 'import scrapy' 2> /dev/null || /usr/bin/python3 -c 'import scrapy' 2> /dev/null; }
if has_wget; then gets_round wget; else skip "wget: the first rounds of a month succeed" "no wget that writes WARC files is installed"; fi
if has_curl; then gets_round curl curl-304; else skip "curl curl-304: the first rounds of a month succeed" "curl is not installed"; fi
if has_scrapy; then gets_round scrapy scrapy-hints; else skip "scrapy scrapy-hints: the first rounds of a month succeed" "scrapy is not installed"; fi
done_testing
