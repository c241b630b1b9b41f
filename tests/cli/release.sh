#!/usr/bin/env bash
# perennial release: leases given back; and a clock that ran ahead, whose leases are void.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

due() { "$PERENNIAL" due --state=S --host-delay=0s "$@" 2>/dev/null; }
release() { "$PERENNIAL" release --state=S --now=2026-01-02 "$@"; }
"$PERENNIAL" init --state=S
printf 'http://a.example/1 3\nhttp://b.example/2 2\nhttp://c.example/3\n' | "$PERENNIAL" add --state=S --now=2026-01-01 2>/dev/null

all=$(due --now=2026-01-02)
same "due hands out what is to be given back" "$(wc -l <<<"$all")" 3
code "release takes a URL in another spelling" 0 release HTTP://A.example:80/1
same "release says how many pages it gave back" "$err" "perennial release: 1 page released"
same "a page that is given back is due at once" "$(due --now=2026-01-02T00:00:01Z)" "http://a.example/1"
code "giving back what is not on lease exits with 1" 1 release http://a.example/1 http://x.example/ ftp://a.example/
like "a page that is not on lease is named" "$err" "skipped: http://x.example/: not on lease"
like "what is no URL to give back is named" "$err" "skipped: ftp://a.example/: this is not an http or https URL"
like "what is on lease is given back beside what is not" "$err" "^perennial release: 1 page released$"
code "release reads URLs from standard input" 0 release - < <(printf 'http://b.example/2\r\n\nhttp://c.example/3\n')
same "what standard input names is given back" "$(due --now=2026-01-02)" "$all"
code "release takes hosts" 0 release --host=a.example,b.example
same "the pages of hosts are given back" "$err" "perennial release: 2 pages released"
code "a host that has nothing on lease exits with 1" 1 release --host=a.example
code "release takes a SURT prefix" 0 release --surt=example,c
code "a SURT prefix that names no host is refused" 1 release --surt=
like "a SURT prefix that names no host is told what to use" "$err" "it names every page: use --all"
due --now=2026-01-02 > /dev/null
code "release takes all" 0 release --all
same "all that is on lease is given back" "$err" "perennial release: 3 pages released"
same "pages that were given back have no failures" "$("$PERENNIAL" export --state=S --now=2026-01-02 | grep -c '"failures":0')" 3
code "release of nothing in particular is a usage error" 2 release
like "release of nothing in particular is told what to name" "$err" "name what to release: URLs, '-', --host, --surt or --all"
code "release in a store that is not there fails" 3 "$PERENNIAL" release --state=none --all

# A clock that ran ahead.
for host in "" --host-limit=1 --host-delay=1h; do
	rm -rf S; "$PERENNIAL" init --state=S
	printf 'http://a.example/1 3\nhttp://b.example/2 2\nhttp://a.example/3\n' | "$PERENNIAL" add --state=S --now=2026-01-01 2>/dev/null
	ahead=$(due --now=2038-01-01 $host)
	ok "a clock that runs ahead hands out pages, with '$host'" test -n "$ahead"
	case $host in
	*delay*) same "the delay of a host that a clock of 2038 asked is none now" "$(due --now=2026-01-02 $host --host-limit=2)" http://a.example/3 ;;
	*) same "what due --now=2038 handed out is not handed out again at once, with '$host'" "$(due --now=2026-01-02 $host)" "" ;;
	esac
	for hour in 02 04 06 08 10 12 14 16 18 20 22; do due --now=2026-01-02T$hour:00:00Z $host > /dev/null; done
	same "when a day has passed it is handed out again, with '$host'" "$(due --now=2026-01-03 $host)" "$ahead"
done
"$PERENNIAL" release --state=S --all 2>/dev/null
"$PERENNIAL" due --state=S --now=2038-01-01 > /dev/null 2>&1
"$PERENNIAL" release --state=S --all --now=2026-01-04 2>/dev/null
like "release --all gives it back at once" "$(due --now=2026-01-04)" http://b.example/2
same "no page has a failure for a clock that ran ahead" "$("$PERENNIAL" export --state=S --now=2026-01-02 | grep -c '"failures":0')" 3

# Who may read.
umask 0
"$PERENNIAL" init --state=open
same "a new store is its owner's alone, whatever the umask" "$(stat -c %a open open/data.mdb open/lock.mdb | tr '\n' ' ')" "700 600 600 "
"$PERENNIAL" add --state=open http://a.example/ 2>/dev/null
"$PERENNIAL" backup --state=open copy
same "a copy of a store is its owner's alone" "$(stat -c %a copy copy/data.mdb | tr '\n' ' ')" "700 600 "
same "no file of a store in use is for others" "$(find open -type f -perm /077)" ""
done_testing
