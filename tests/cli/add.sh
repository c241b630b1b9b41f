#!/usr/bin/env bash
# perennial add and forget: pages into a store, and out of it.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

add() { "$PERENNIAL" add --state=S "$@"; }
forget() { "$PERENNIAL" forget --state=S "$@"; }
pages() { "$PERENNIAL" check --state=S --format=tsv | awk -F '\t' '$1 == "pages" { print $2 }'; }

code "add makes a store" 0 add http://a.example/1 HTTPS://B.example
like "and says so" "$err" "made the store S"
like "and what it did" "$err" "^perennial add: 2 pages added$"
code "lines of standard input" 0 add < <(printf '# ours\n\nhttp://c.example/\r\nhttp://c.example/x\t2.5\nhttp://a.example/1\t3\n')
same "are added; known pages are counted" "$err" "perennial add: 2 pages added, 1 known"
printf 'http://d.example/1\nhttp://d.example/2\nhttp://e.d.example/3\nhttp://d.example/news/4\n' > urls
code "files, URLs and standard input together" 0 add urls - http://f.example/ < <(echo http://g.example/)
same "nine pages and more" "$(pages)" 10
code "lines that are none" 1 add < <(printf 'ftp://x.example/\nhttp://h.example/\nhttp://i.example/\tx\nhttp://i.example/\t0\n')
like "are told with their number" "$err" "skipped: standard input, line 1: expected an http or https URL of at most 8192 bytes, with or without a weight above 0, not 'ftp://x.example/'"
like "with what is wrong about them" "$err" "line 3: .* not 'http://i.example/.x'"
like "and counted" "$err" "^perennial add: 1 page added, 3 lines skipped$"
code "white space of any kind" 0 "$PERENNIAL" add --state=W --now=2026-01-01 < <(printf '  http://a.example/  \n\thttp://b.example/ \t 2\t\r\n<http://c.example/> 3\n  # 4\n \n')
same "parts URLs from weights, and is part of neither" "$("$PERENNIAL" due --state=W --now=2026-01-01 --format=tsv | tail -n +2 | cut -f 1,2 | tr '\t\n' ' ;')" \
	"http://c.example/ 3;http://b.example/ 2;http://a.example/ 1;"
awk 'BEGIN { for (i = 0; i < 25000; i++) print "http://many" i % 100 ".example/" i }' > many
code "a file of many" 0 add many
same "all of them" "$(pages)" 25011
code "a file that is not there" 3 add many none
like "is told" "$err" "none: neither a URL nor a file that can be opened: No such file"

code "forget a URL" 0 forget http://a.example:80/1
same "which is said" "$err" "perennial forget: 1 page forgotten"
code "a URL that is not there" 1 forget http://a.example/1
like "is told" "$err" "skipped: http://a.example/1: no such page"
code "a host" 0 forget --host=d.example
same "without its subdomains" "$err" "perennial forget: 3 pages forgotten"
code "SURT prefixes" 0 forget --surt="(example,d,e," --surt=example,many1
same "with what is under them" "$(pages)" "$((25011 - 1 - 3 - 1 - 250))"
code "an empty prefix, which is every page" 1 forget --surt= --surt="http://("
like "is refused" "$err" "skipped: 'http://[(]': a SURT prefix that names no host"
same "and forgets none" "$(pages)" "$((25011 - 1 - 3 - 1 - 250))"
code "what is no URL" 1 forget ftp://b.example/ http://c.example/
like "is told" "$err" "skipped: ftp://b.example/: not an http or https URL"
like "and what comes after it is forgotten" "$err" "^perennial forget: 1 page forgotten$"
code "no page at all" 2 forget
like "  told so" "$err" "name what to forget: URLs, --host or --surt"
code "no store" 3 "$PERENNIAL" forget --state=none http://a.example/
same "  told so, and nothing else" "$err" "perennial forget: none: no store there: 'perennial init' makes one"
code "a weight below 0 is refused" 2 add --weight=-1 http://a.example/
like "a weight below 0 is told what the option takes" "$err" "--weight takes a number above 0"
code "a weight of 0 is refused as one below it is" 2 add --weight=0 http://a.example/
done_testing
