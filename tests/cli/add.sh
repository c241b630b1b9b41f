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
like "are told with their number" "$err" "skipped: standard input, line 1: want an http or https URL, perhaps a tab and a weight above 0, not 'ftp://x.example/'"
like "with what is wrong about them" "$err" "line 3: .* not 'http://i.example/.x'"
like "and counted" "$err" "^perennial add: 1 page added, 3 lines skipped$"
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
code "no page at all" 2 forget
like "  told so" "$err" "name what to forget: URLs, --host or --surt"
code "no store" 3 "$PERENNIAL" forget --state=none http://a.example/
like "  told so" "$err" "none"
code "a weight below 0" 2 add --weight=-1 http://a.example/
like "  told so" "$err" "--weight takes a number above 0"
done_testing
