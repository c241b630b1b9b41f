#!/usr/bin/env bash
# perennial add and forget: pages into a store, and out of it.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

add() { "$PERENNIAL" add --create --state=S "$@"; }
forget() { "$PERENNIAL" forget --state=S "$@"; }
pages() { "$PERENNIAL" check --state=S --format=tsv | awk -F '\t' '$1 == "pages" { print $2 }'; }

code "add makes no store unless it is told to" 3 "$PERENNIAL" add --state=S http://a.example/1
same "add to a store that is not there is told how to make one" "$err" "perennial add: S: no store there: make it with 'perennial init --state=DIR', or add --create"
ok "a misspelt store of add is not made" test ! -e S
code "add --create makes a store where there is none" 0 add http://a.example/1 HTTPS://B.example
like "add says that it made a store" "$err" "made the store S"
like "add says how many pages it added" "$err" "^perennial add: 2 pages added$"
code "add takes lines of standard input" 0 add < <(printf '# ours\n\nhttp://c.example/\r\nhttp://c.example/x\t2.5\nhttp://a.example/1\t3\n')
same "add counts the pages that it knew already" "$err" "perennial add: 2 pages added, 1 known"
printf 'http://d.example/1\nhttp://d.example/2\nhttp://e.d.example/3\nhttp://d.example/news/4\n' > urls
code "add takes files, URLs and standard input together" 0 add urls - http://f.example/ < <(echo http://g.example/)
same "the store has the pages of files, URLs and standard input" "$(pages)" 10
code "lines that are no pages make add exit with 1" 1 add < <(printf 'ftp://x.example/\nhttp://h.example/\nhttp://i.example/\tx\nhttp://i.example/\t0\nhttp://i.example/\t1e300\n')
like "a line that is no page is told with its number" "$err" "skipped: standard input, line 1: expected an http or https URL of at most 8192 bytes, with or without a weight above 0, at most 1e9, not 'ftp://x.example/'"
like "a line with a weight that is no number is told with its text" "$err" "line 3: .* not 'http://i.example/.x09x'"
like "lines that are no pages are counted" "$err" "^perennial add: 1 page added, 4 lines skipped$"
like "a weight beyond a billion is told with its line" "$err" "line 5: .* a weight above 0, at most 1e9"
code "add refuses a --weight beyond a billion" 2 add --weight=1e308 http://h.example/
like "a --weight that is refused is told with what it takes" "$err" "--weight takes a number above 0, at most 1e9"
code "add takes lines with white space of any kind" 0 "$PERENNIAL" add --create --state=W --now=2026-01-01 < <(printf '  http://a.example/  \n\thttp://b.example/ \t 2\t\r\n<http://c.example/> 3\n  # 4\n \n')
same "white space parts a URL from its weight, and is part of neither" "$("$PERENNIAL" due --state=W --now=2026-01-01 --format=tsv | tail -n +2 | cut -f 1,2 | tr '\t\n' ' ;')" \
	"http://c.example/ 3;http://b.example/ 2;http://a.example/ 1;"
code "add takes a weight for all URLs that have none of their own" 0 "$PERENNIAL" add --create --state=V --now=2026-01-01 --weight=5 < <(printf 'http://a.example/\nhttp://b.example/ 2\n')
same "a URL's own weight comes before --weight" "$("$PERENNIAL" due --state=V --now=2026-01-01 --format=tsv 2>/dev/null | tail -n +2 | cut -f 1,2 | tr '\t\n' ' ;')" \
	"http://a.example/ 5;http://b.example/ 2;"
awk 'BEGIN { for (i = 0; i < 25000; i++) print "http://many" i % 100 ".example/" i }' > many
code "add takes a file of 25,000 URLs" 0 add many
same "the store has all pages of a large file" "$(pages)" 25011
code "a URL without its scheme among lines is skipped" 1 add < <(printf 'example.com/x\nwww.example.com:8080 2\nex ample.com/x\nmailto:a@b.example\n')
like "a URL without its scheme is told what it may be meant for" "$err" "line 1: 'example.com/x' is no http or https URL; did you mean http://example.com/x\?$"
like "a URL without its scheme, and with a weight, is told what it may be meant for" "$err" "line 2: .*; did you mean http://www.example.com:8080\?$"
same "what would be no URL with a scheme either is told no such thing" "$(grep -c 'did you mean' <<<"$err")" 2
code "add fails at a URL without its scheme" 3 add example.com/x
same "an operand that is a URL without its scheme is told what it may be meant for" "$err" "perennial add: example.com/x: neither a URL nor a file; did you mean http://example.com/x?"
code "forget passes over a URL without its scheme" 1 "$PERENNIAL" forget --state=S example.com/x
like "a URL without its scheme that is to be forgotten is told what it may be meant for" "$err" "example.com/x: not an http or https URL; did you mean http://example.com/x\?"
code "explain fails at a URL without its scheme" 3 "$PERENNIAL" explain --state=S example.com/x
like "a URL without its scheme that is to be explained is told what it may be meant for" "$err" "example.com/x: not an http or https URL; did you mean http://example.com/x\?"
code "add fails at a file that is not there" 3 add many none
like "add names a file that is not there" "$err" "none: neither a URL nor a file that can be opened: No such file"

code "forget takes a URL in another spelling" 0 forget http://a.example:80/1
same "forget says how many pages it forgot" "$err" "perennial forget: 1 page forgotten"
code "forgetting a page that is not there exits with 1" 1 forget http://a.example/1
like "a page that is not there to forget is told" "$err" "skipped: http://a.example/1: no such page"
code "forget of a host without --count is a usage error" 2 forget --host=d.example
like "forget of a host without --count is told how many pages those are" "$err" "--host and --surt would forget 3 pages: add --count=3 if they are to"
code "forget with another --count than there are pages fails" 3 forget --host=d.example --count=4 http://c.example/x
like "forget with another --count is told the right one" "$err" "--host and --surt would forget 3 pages, not 4: nothing was forgotten"
code "forget takes a host" 0 forget --host=d.example --count=3
same "a host is forgotten without its subdomains" "$err" "perennial forget: 3 pages forgotten"
code "forget takes SURT prefixes" 0 forget --surt="(example,d,e," --surt=example,many1 --count=251
same "what is under a SURT prefix is forgotten" "$(pages)" "$((25011 - 1 - 3 - 1 - 250))"
code "forgetting an empty SURT prefix, which is every page, exits with 1" 1 forget --surt= --surt="http://("
like "a SURT prefix that names no host is refused" "$err" "skipped: 'http://[(]': a SURT prefix that names no host"
same "a SURT prefix that is refused forgets no page" "$(pages)" "$((25011 - 1 - 3 - 1 - 250))"
code "forgetting what is no URL exits with 1" 1 forget ftp://b.example/ http://c.example/
like "what is no URL to forget is told" "$err" "skipped: ftp://b.example/: not an http or https URL"
like "a URL after one that is none is forgotten" "$err" "^perennial forget: 1 page forgotten$"
code "forget without a page is a usage error" 2 forget
like "forget without a page is told to name what to forget" "$err" "name what to forget: URLs, --host or --surt"
code "forgetting in a store that is not there fails" 3 "$PERENNIAL" forget --state=none http://a.example/
same "a store that is not there is told with how to make one, and nothing else" "$err" "perennial forget: none: no store there: 'perennial init' makes one"
code "a weight below 0 is refused" 2 add --weight=-1 http://a.example/
like "a weight below 0 is told what the option takes" "$err" "--weight takes a number above 0"
code "a weight of 0 is refused as one below it is" 2 add --weight=0 http://a.example/
done_testing
