#!/usr/bin/env bash
# perennial add and forget: pages into a store, and out of it.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

add() { "$PERENNIAL" add --create --state=S "$@"; }
forget() { "$PERENNIAL" forget --state=S "$@"; }
pages() { "$PERENNIAL" check --state=S --format=tsv | awk -F '\t' '$1 == "pages" { print $2 }'; }

code "add makes no store unless it is told to" 3 "$PERENNIAL" add --state=S http://a.example/1
same "add to a store that is not there is told how to make one" "$err" "perennial add: S: there is no store: make it with 'perennial init --state=DIR', or add --create"
ok "a misspelt store of add is not made" test ! -e S
code "add --create makes a store where there is none" 0 add http://a.example/1 HTTPS://B.example
like "add says that it made a store" "$err" "made the store S"
like "add says how many pages it added" "$err" "^perennial add: 2 pages added$"
code "add takes lines of standard input" 0 add < <(printf '# ours\n\nhttp://c.example/\r\nhttp://c.example/x\t2.5\nhttp://a.example/1\t3\n')
same "add counts the pages that it knew already" "$err" "perennial add: 2 pages added, 1 known, 1 weight of a known page set"

# Pages wait and are written in the order of their keys: more than a transaction takes, and more than may wait (96 MB).
"$PERENNIAL" init --state=many
code "add takes more pages than a transaction has" 0 "$PERENNIAL" add --state=many < <(seq -f http://h.example/%06.0f 1 100005; printf 'http://h.example/000001\t3\n')
same "a page that is named twice among many is known at the second time" "$err" "perennial add: 100005 pages added, 1 known, 1 weight of a known page set"
same "all pages are there of more than a transaction has" "$("$PERENNIAL" check --state=many --format=tsv | awk -F '\t' '$1 == "pages" { print $2 }')" 100005
rm -r many
"$PERENNIAL" init --state=long
code "add takes more bytes of URLs than may wait" 0 "$PERENNIAL" add --state=long < <(awk 'BEGIN {
	path = sprintf("%8100s", ""); gsub(/ /, "x", path)
	for (i = 1; i <= 12500; i++) printf "http://h.example/%s/%d\n", path, i
	print "http://h.example/" path "/1" }')
same "a page that was written while others waited is known" "$err" "perennial add: 12500 pages added, 1 known"
same "all pages are there of more bytes than may wait" "$("$PERENNIAL" check --state=long --format=tsv | awk -F '\t' '$1 == "pages" { print $2 }')" 12500
rm -r long

printf 'http://d.example/1\nhttp://d.example/2\nhttp://e.d.example/3\nhttp://d.example/news/4\n' > urls
code "add takes files, URLs and standard input together" 0 add urls - http://f.example/ < <(echo http://g.example/)
same "the store has the pages of files, URLs and standard input" "$(pages)" 10
printf '<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n<url><loc>http://a.example/</loc></url>\n</urlset>\n' > sitemap.xml
gzip -k sitemap.xml; tail -n +2 sitemap.xml | tr -d '\n' > bare.xml
for file in sitemap.xml sitemap.xml.gz bare.xml; do
	code "add takes no $file" 1 add $file
	like "add of $file says what takes a sitemap" "$err" "skipped: $file: it is .*sitemap.*'perennial hint'"
	like "$file is told once, not line by line" "$err" "^perennial add: 1 file skipped$"
done
same "of a sitemap no page is added" "$(pages)" 10
code "a line with a zero byte is no page, and not the page that stands before it" 1 add < <(printf 'http://z.example/\0secret\nhttp://g.example/\n')
like "a line with a zero byte is told with its number" "$err" "skipped: standard input, line 1: a zero byte in it"
same "what is before a zero byte is not added" "$(pages)" 10
printf 'WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://z.example/\0secret\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nab\r\n\r\n' > zero.warc
code "a WARC record whose header has a zero byte is damaged" 1 "$PERENNIAL" observe --state=S zero.warc
like "a zero byte in a record's header is told with the record's place" "$err" "zero.warc: record at offset 0: it has a zero byte in it"
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
awk 'BEGIN { for (w = 1; w <= 3; w++) for (i = 0; i < 500; i++) print "http://twice" i % 7 ".example/" i, w }' > twice
code "add takes URLs that are named several times" 0 "$PERENNIAL" add --create --state=T --now=2026-01-01 twice
like "add counts a URL that was named before as known" "$err" "500 pages added, 1000 known, 1000 weights of known pages set"
same "of several weights of a page the last one holds" "$("$PERENNIAL" export --state=T | grep -c '"weight":3[.,]')" 500
code "a URL without its scheme among lines is skipped" 1 add < <(printf 'example.com/x\nwww.example.com:8080 2\nex ample.com/x\nmailto:a@b.example\n')
like "a URL without its scheme is told what it may be meant for" "$err" "line 1: 'example.com/x' is no http or https URL; did you mean http://example.com/x\?$"
like "a URL without its scheme, and with a weight, is told what it may be meant for" "$err" "line 2: .*; did you mean http://www.example.com:8080\?$"
same "what would be no URL with a scheme either is told no such thing" "$(grep -c 'did you mean' <<<"$err")" 2
code "add fails at a URL without its scheme" 3 add example.com/x
same "an operand that is a URL without its scheme is told what it may be meant for" "$err" "perennial add: example.com/x: neither a URL nor a file; did you mean http://example.com/x?"
code "forget passes over a URL without its scheme" 1 "$PERENNIAL" forget --state=S example.com/x
like "a URL without its scheme that is to be forgotten is told what it may be meant for" "$err" "example.com/x: this is not an http or https URL; did you mean http://example.com/x\?"
code "explain fails at a URL without its scheme" 3 "$PERENNIAL" explain --state=S example.com/x
like "a URL without its scheme that is to be explained is told what it may be meant for" "$err" "example.com/x: this is not an http or https URL; did you mean http://example.com/x\?"
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
like "what is no URL to forget is told" "$err" "skipped: ftp://b.example/: this is not an http or https URL"
like "a URL after one that is none is forgotten" "$err" "^perennial forget: 1 page forgotten$"
code "forget without a page is a usage error" 2 forget
like "forget without a page is told to name what to forget" "$err" "name what to forget: URLs, --host or --surt"
code "forgetting in a store that is not there fails" 3 "$PERENNIAL" forget --state=none http://a.example/
same "a store that is not there is told with how to make one, and nothing else" "$err" "perennial forget: none: there is no store: 'perennial init' makes one"
code "a weight below 0 is refused" 2 add --weight=-1 http://a.example/
like "a weight below 0 is told what the option takes" "$err" "--weight takes a number above 0"
code "a weight of 0 is refused as one below it is" 2 add --weight=0 http://a.example/
# Pages of other crawlers
from() { "$PERENNIAL" add --create --state="F.$1" --from="$1" --now=2026-03-01 "${@:2}"; }
next() { "$PERENNIAL" export --state="F.$1" --now=2026-03-01 | sed 's/^{"url":"\([^"]*\)".*"weight":\([^,]*\),.*"next_time":"\([^"]*\)".*/\1 \3 \2/' | sort; }
cat > crawldb <<- 'END'
	http://n.example/	Version: 7
	Status: 2 (db_fetched)
	Fetch time: Thu Mar 12 18:38:42 UTC 2026
	Modified time: Thu Jan 01 08:00:00 CST 1970
	Retries since fetch: 0
	Retry interval: 2592000 seconds (30 days)
	Score: 1.4761904
	Signature: 2c1eb8ec14d238c24c2e92ade12860a8
	Metadata: 
	 	Content-Type=text/html
	
	http://n.example/gone	Version: 7
	Status: 3 (db_gone)
	Fetch time: Sat Jul 19 17:00:05 UTC 2014
	Score: 1.0
	
	http://n.example/past	Version: 7
	Status: 1 (db_unfetched)
	Fetch time: Sun Jan 31 19:47:32 EST 2021
	Score: 3.8461538E-4
	
	http://n.example/far	Version: 7
	Status: 2 (db_fetched)
	Fetch time: Thu Mar 12 18:38:42 UTC 2037
END
code "add takes a dump of Nutch's CrawlDb" 0 from nutch crawldb
same "pages of Nutch are due at their fetch time, at once if that is past, and within half a year" "$(next nutch)" \
	"$(printf 'http://n.example/ 2026-03-12T18:38:42Z 1.0\nhttp://n.example/far 2026-08-28T00:00:00Z 1.0\nhttp://n.example/past 2026-03-01T00:00:00Z 1.0')"
same "what Nutch has given up is passed over, and a zone that is but a name is told" "$err" \
	"perennial add: made the store F.nutch: drift, T = 0.25 divergence-days
perennial add: 3 pages added, 1 passed over: gone, or given up, 1 time without a zone taken as UTC"
printf 'Url,Status code,Status name,Fetch Time,Modified Time,Retries since fetch,Retry interval seconds,Retry interval days,Score,Signature,Metadata\n"http://m.example/a,b",2,"db_fetched",Fri Mar 20 00:00:00 UTC 2026,Thu Jan 01 00:00:00 UTC 1970,0,2592000.0,30.0,1.0,"00","x:""y"""\n' > crawldb.csv
code "add takes Nutch's dump as CSV" 0 from nutch crawldb.csv
like "a URL with a comma in quotes is one field" "$(next nutch)" "http://m.example/a,b 2026-03-20T00:00:00Z"
cat > status <<- 'END'
	{"url":"https://s.example/","status":"FETCHED","nextFetchDate":"2026-03-05T10:00:00.000Z","metadata":{"depth":["0"]},"hostname":"s.example"}
	{"_index":"status","_source":{"url":"https://s.example/new","status":"DISCOVERED","nextFetchDate":"2026-02-05T10:00:00.000Z"}}
	{"url":"https://s.example/error","status":"ERROR","nextFetchDate":"2099-12-31T00:00:00.000Z"}
	{"status":"FETCHED"}
	not JSON
END
code "add takes StormCrawler's status index, and skips lines that are none" 1 from stormcrawler status
same "pages of StormCrawler are due at their next fetch date" "$(next stormcrawler)" \
	"$(printf 'https://s.example/ 2026-03-05T10:00:00Z 1.0\nhttps://s.example/new 2026-03-01T00:00:00Z 1.0')"
like "lines that are no page of StormCrawler's are told with their numbers" "$err" 'status, line 4: it has no "url".*status, line 5: it is no JSON object|2 lines skipped'
printf 'last_fetch;x\n' > bad.csv
printf 'id,URL,last_fetch,interval_days,priority\n1,http://c.example/a,2026-02-25,10,2\r\n2,"http://c.example/b,c",2026-02-28T12:00:00+02:00,0.5,\n3,ftp://c.example/,,,\n4,http://c.example/d,,,0.5\n5,"http://c.example/e\n' > list.csv
code "add takes a CSV by the names of its columns, and skips what is none" 1 from csv list.csv
same "a page of a CSV is due an interval after its last fetch" "$(next csv)" \
	"$(printf 'http://c.example/a 2026-03-07T00:00:00Z 2.0\nhttp://c.example/b,c 2026-03-01T00:00:00Z 1.0\nhttp://c.example/d 2026-03-01T00:00:00Z 0.5')"
like "what is no page of a CSV is counted" "$err" "3 pages added, 2 lines skipped"
printf 'url,next_fetch\nhttp://u.example/1,1773000000\nhttp://u.example/2,1773000000000\nhttp://u.example/3,\nhttp://u.example/4,20260310000000\n' > unix.csv
code "add takes a CSV with times of all kinds" 0 "$PERENNIAL" add --create --state=U --from=csv --now=2026-03-01 unix.csv
same "Unix seconds, milliseconds and digits are times" "$("$PERENNIAL" export --state=U --now=2026-03-01 | grep -o 'u.example/.","\|"next_time":"[^"]*"' | paste - - | sort | cut -d '"' -f 1,6)" \
	"$(printf 'u.example/1"2026-03-08T20:00:00Z\nu.example/2"2026-03-08T20:00:00Z\nu.example/3"2026-03-01T00:00:00Z\nu.example/4"2026-03-10T00:00:00Z')"
wrong() { { printf 'url,next_fetch,last_fetch,interval,weight\n'; printf 'http://w.example/1,%s\n' "$@"; printf 'http://w.example/2,,,,2\n'; } > wrong.csv; }
wrong 12/20/2026,,, '20.12.2026 08:00,,,' 2026-13-45,,, tomorrow,,, 46012.3,,, 1e300,,, ,garbage,3600, ,2026-02-01,weekly, ,2026-02-01,7x, ,2026-02-01,PT5D, ,2026-02-01,-5, ,,,heavy ,,,-1 ,,,0 ,,,2e9
code "a field of a CSV that cannot be read has its line skipped" 1 "$PERENNIAL" add --create --state=WR --from=csv --now=2026-03-01 wrong.csv
like "lines with fields that cannot be read are counted, and the others are added" "$err" "perennial add: 1 page added, 15 lines skipped"
same "add names the line, column and text of each field that it cannot read" "$(sed -n 's/^perennial add: skipped: wrong.csv, line \([0-9]*\): \([a-z_]* .[^ ]*\). is.*/\1 \2/p' <<<"$err" | tr '\n' ';' | tr -d "'")" \
	"2 next_fetch 12/20/2026;4 next_fetch 2026-13-45;5 next_fetch tomorrow;6 next_fetch 46012.3;7 next_fetch 1e300;8 last_fetch garbage;9 interval weekly;10 interval 7x;11 interval PT5D;12 interval -5;13 weight heavy;14 weight -1;15 weight 0;16 weight 2e9;"
like "a time with a blank in it is told with its whole text" "$err" "line 3: next_fetch '20.12.2026 08:00'"
printf 'URL,Last Crawled,Recrawl Every,notes\nhttp://n.example/,2026-02-25,10d,x\n' > names.csv
code "a CSV may have columns that say nothing here" 0 "$PERENNIAL" add --create --state=NA --from=csv --now=2026-03-01 names.csv
same "columns of a CSV that say nothing here are named once" "$(grep -c 'names.csv: not read: Recrawl Every, notes' <<<"$err")" 1
printf 'URL;Next Fetch;Weight\nhttp://semi.example/;2026-03-10;2\n' > semi.csv
printf 'url\tnext-fetch\nhttp://tab.example/\t2026-03-10\n' > tab.csv
code "columns may be parted by semicolons or tabs" 0 "$PERENNIAL" add --create --state=SE --from=csv --now=2026-03-01 semi.csv tab.csv
same "columns parted by semicolons or tabs are read as with commas, whatever stands between the words of a name" "$("$PERENNIAL" export --state=SE --now=2026-03-01 | grep -c 2026-03-10T00:00:00Z)" 2
printf '{"url":"https://j.example/1","nextFetchDate":"soon"}\n{"url":"https://j.example/2","nextFetchDate":1773000000000}\n' > soon
code "a date of StormCrawler that is none has its line skipped" 1 "$PERENNIAL" add --create --state=J --from=stormcrawler --now=2026-03-01 soon
like "a date of StormCrawler that is none is told with its line" "$err" "soon, line 1: nextFetchDate 'soon' is no time"
like "a date in milliseconds is read" "$("$PERENNIAL" export --state=J --now=2026-03-01)" '"next_time":"2026-03-08T20:00:00Z"'
printf '{"url":"https://j.example/1","weight":"heavy"}\n{"url":"https://j.example/2","weight":0}\n' > heavy
code "a weight of an export that is none has its line skipped" 1 "$PERENNIAL" add --create --state=J2 --from=export --now=2026-03-01 heavy
like "a weight of an export that is none is told with its line" "$err" "heavy, line 1: weight .* is no weight.*heavy, line 2: weight|2 lines skipped"
printf 'http://n.example/\tVersion: 7\nStatus: 2 (db_fetched)\nFetch time: garbage\n\nhttp://n.example/2\tVersion: 7\nStatus: 2 (db_fetched)\nFetch time: Thu Mar 12 18:38:42 UTC 2026\n' > garbage
code "a fetch time of Nutch that is none has its page skipped" 1 "$PERENNIAL" add --create --state=NU --from=nutch --now=2026-03-01 garbage
like "a fetch time of Nutch that is none is told with its line" "$err" "garbage, line 3: Fetch time 'garbage' is no time"
like "a page of Nutch whose fetch time is none is not added" "$err" "perennial add: 1 page added, 1 line skipped"
code "a CSV without a column of URLs is refused" 3 from csv bad.csv
like "add says which column a CSV needs" "$err" "bad.csv: its first line names no column of URLs, such as url, between commas, semicolons or tabs"
"$PERENNIAL" export --state=F.csv --now=2026-03-01 > exported
code "add takes what export prints" 0 from export exported
same "pages that were exported are due as they were, and weigh as much" "$(next export)" "$(next csv)"
{
	printf ' CDX N b a m s k r M S V g\n'
	for day in 01 05 09 13; do printf 'example,x)/ 202602%s000000 http://x.example/ text/html 200 DIGEST%s - - 1 2 a.warc.gz\n' $day $((10#$day / 8)); done
	printf 'example,x)/once 20260201000000 http://x.example/once text/html 200 ONCE - - 1 2 a.warc.gz\n'
	for day in 01 21; do printf 'example,x)/same 202602%s000000 http://x.example/same text/html 200 SAME - - 1 2 a.warc.gz\n' $day; done
} > index.cdx
code "add takes an index of archives" 0 from cdxj index.cdx
same "a page of an index is due as long after its last look as it took to change" "$(next cdxj)" \
	"$(printf 'http://x.example/ 2026-03-01T00:00:00Z 1.0\nhttp://x.example/once 2026-03-01T00:00:00Z 1.0\nhttp://x.example/same 2026-03-13T00:00:00Z 1.0')"
{
	printf 'k 20260201000000 http://g.example/gone text/html 200 A\nk 20260202000000 http://g.example/gone text/html 404 -\nk 20260203000000 http://g.example/gone text/html 410 -\n'
	printf 'k 20260201000000 http://g.example/never text/html 404 -\n'
	printf 'k 20260201000000 http://g.example/back text/html 404 -\nk 20260202000000 http://g.example/back text/html 200 A\n'
	printf 'k 20260201000000 http://g.example/a.png image/png 200 A\nk 20260202000000 http://g.example/a.png warc/revisit - A\n'
	printf 'k 20260201000000 http://g.example/moved text/html 301 A\n'
} > gone.cdx
code "add takes an index with pages that are gone, and with images" 0 "$PERENNIAL" add --create --state=G --from=cdxj --now=2026-03-01 gone.cdx
like "pages that were gone when they were last looked at are passed over and counted" "$err" "perennial add: 2 pages added, 2 passed over: gone, or given up, 1 passed over: no page by its media type"
same "a page that came back is added, and so is one that moved" "$("$PERENNIAL" export --state=G --now=2026-03-01 | grep -o 'g.example/[^"]*' | sort | tr '\n' ' ')" "g.example/back g.example/moved "
printf '\xef\xbb\xbfurl,next_fetch\nhttp://bom.example/,2026-03-10\n' > bom.csv
code "a CSV may begin with a byte order mark" 0 "$PERENNIAL" add --create --state=B --from=csv --now=2026-03-01 bom.csv
{ printf '\xef\xbb\xbf'; cat crawldb.csv; } > bom.nutch
code "a dump of Nutch may begin with a byte order mark" 0 "$PERENNIAL" add --create --state=B --from=nutch --now=2026-03-01 bom.nutch
like "whose URLs are as they are" "$("$PERENNIAL" export --state=B --now=2026-03-01)" '"http://m.example/a,b"'
printf '\xef\xbb\xbfhttp://lines.example/\n' > bom.txt
code "lines of URLs may begin with a byte order mark" 0 "$PERENNIAL" add --create --state=B --now=2026-03-01 bom.txt
{ printf 'url\n'; head -c 20000000 /dev/zero | tr '\0' x; printf '\nhttp://after.example/\n'; } > long.csv
code "a line beyond all measure is passed over" 1 "$PERENNIAL" add --create --state=L --from=csv --now=2026-03-01 long.csv
like "a line of a CSV beyond all measure is told" "$err" "long.csv, line 2: it is longer than 16777216 bytes"
like "a line of a CSV behind one beyond all measure is read" "$err" "1 page added, 1 line skipped"
sed -i 1d long.csv
code "a line beyond all measure among URLs is passed over" 1 "$PERENNIAL" add --create --state=M --now=2026-03-01 long.csv
like "a line beyond all measure among URLs is told" "$err" "long.csv, line 1: it is longer than 16777216 bytes"
like "a line of URLs behind one beyond all measure is read" "$err" "1 page added, 1 line skipped"
code "--from takes no other names" 2 from heritrix index.cdx
code "what was brought from elsewhere passes the check" 0 "$PERENNIAL" check --state=F.nutch
same "a page is not due before its time" "$("$PERENNIAL" due --state=F.cdxj --now=2026-03-02 --host-limit=0 --host-delay=0s --format=tsv 2>/dev/null | sed 1d | wc -l)" 2
"$PERENNIAL" add --create --state="$tmp/braces" 'http://a.example/?{1,2}' 2>/dev/null
same "a URL whose braces are many URLs to curl is handed out escaped" \
	"$("$PERENNIAL" due --state="$tmp/braces" 2>/dev/null)" 'http://a.example/?%7B1,2%7D'
# Of several that begin at a time one makes the store, and the others wait for it.
for i in 1 2 3 4 5 6; do
	(echo "http://together.example/$i" | "$PERENNIAL" add --create --state="$tmp/together" --now=2026-01-01 2> "$tmp/together.$i"; echo $? > "$tmp/together.code.$i") &
done
wait
same "of several that make a store at a time none fails" "$(cat "$tmp"/together.code.* | tr -d '\n')" 000000
same "all that several add to one store at a time is in it" "$("$PERENNIAL" export --state="$tmp/together" | wc -l)" 6
same "of several that add to one store at a time one made it" "$(cat "$tmp"/together.[1-6] | grep -c 'made the store')" 1
# LMDB calls it an I/O error when a write ends short: that is how a full disk is first met.
seq -f http://a.example/%g 1 20000 > many
"$PERENNIAL" init --state=short
code "add fails where a file may not grow" 3 eval '( trap "" XFSZ; ulimit -f 200; "$PERENNIAL" add --state=short many )'
like "who adds to a store whose file may not grow is told so" "$err" "cannot write: data.mdb is as long as a file may be here \\(ulimit -f, or the file system\\); nothing of that was written"
small='mkdir disk && mount -t tmpfs -o size=1m tmpfs disk && "$PERENNIAL" init --state=disk/S'
if unshare -rm bash -c "$small" 2> /dev/null; then
	rmdir disk
	code "add fails on a disk that fills up" 3 unshare -rm bash -c "$small && \"\$PERENNIAL\" add --state=disk/S many"
	like "a disk that fills up is told as one that is full" "$err" "cannot write: the disk is full"
else
	skip "add fails on a disk that fills up" "nothing can be mounted here"
	skip "a disk that fills up is told as one that is full" "nothing can be mounted here"
fi

# The same page by http and https has one key, so that their lines come by turns.
line() { printf 'example,x)/ 202602%s000000 {"url":"%s","mime":"text/html","status":"%s","digest":"%s"}\n' "$1" "$2" "$3" "$4"; }
{ line 01 http://x.example/ 200 A; line 02 https://x.example/ 200 A; line 03 http://x.example/ 200 B; line 22 https://x.example/ 200 A; line 23 http://x.example/ 410 -; } > turns.cdxj
code "an index in which the lines of pages come by turns is read" 0 "$PERENNIAL" add --create --state=TU --from=cdxj --now=2026-03-01 turns.cdxj
like "a page that is gone is found so behind the lines of another" "$err" "^perennial add: 1 page added, 1 passed over: gone"
like "and the other is due after as long as it was watched" "$("$PERENNIAL" export --state=TU --now=2026-03-01)" '"https://x.example/".*"next_time":"2026-03-14T00:00:00Z"'

# What is no dump of Nutch.
printf 'http://a.example/\nhttp://b.example/\n' > no.nutch
code "lines of URLs are no dump of Nutch" 3 "$PERENNIAL" add --state=TU --from=nutch no.nutch
like "and are told so" "$err" "no.nutch: this is no dump of Nutch: no line is 'URL Version: N'"
printf 'http://a.example/\tVersion: 7\nStatus: 1 (db_unfetched)\nMetadata: \n\t Version: 3\n\n' > inner.nutch
code "a line within a record that has a version begins none" 0 "$PERENNIAL" add --create --state=IN --from=nutch --now=2026-03-01 inner.nutch
like "so there is one page" "$err" "^perennial add: 1 page added$"

printf 'url,next_fetch,\033]0;title\007\302\233x\nhttp://a.example/,2026-03-01,1\n' > escapes.csv
code "a CSV may name columns with any bytes" 0 "$PERENNIAL" add --state=IN --from=csv --now=2026-03-01 escapes.csv
same "of which a terminal is told none that it would act on" "$(grep -c $'[\033\007]' <<<"$err") $(grep -o 'not read: .*' <<<"$err")" '0 not read: \x1b]0;title\x07\u009bx'
done_testing
