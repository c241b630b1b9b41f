#!/usr/bin/env bash
# What a terminal would act on, in names and URLs that come from anywhere: people are shown it, programs get what means the same.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

# U+009B begins a command for a terminal, U+202E turns text around, ESC begins a command, 0x9b alone is no UTF-8.
csi=$'\xc2\x9b' rlo=$'\xe2\x80\xae' escape=$'\e' byte=$'\x9b'
hostile="a${csi}31m${rlo}b${escape}[31m${byte}"
shown='a\\u009b31m\\u202eb\\x1b\[31m\\x9b'
acted() { LC_ALL=C grep -cE "$csi|$rlo|$escape|(^|[^"$'\xc2'"])$byte" <<<"$1"; }

"$PERENNIAL" init --state=S
url="http://a.example/${rlo}x"
"$PERENNIAL" add --state=S "$url" 2>/dev/null
while IFS='|' read -r title command; do
	eval "set -- $command"
	"$PERENNIAL" "$@" > out 2> err < /dev/null
	same "$title: nothing on standard error is acted on" "$(acted "$(cat err)")" 0
	like "$title: standard error shows what was given" "$(cat err)" "$shown"
done <<'COMMANDS'
a store that is not there|check --state="$hostile"
an unknown command|"$hostile"
an operand that is not wanted|due --state=S "$hostile"
a value that is none|due --state=S --now="$hostile"
a URL to forget that is none|forget --state=S "$hostile"
a host to forget that is not known|forget --state=S --host="$hostile"
a URL to release that is none|release --state=S "$hostile"
a page that is not known|explain --state=S "http://a.example/$hostile"
a trace that is not there|evaluate "$hostile"
a file of pages that is not there|add --state=S "$hostile"
a source that is not there|observe --state=S "$hostile"
COMMANDS
"$PERENNIAL" add --create --state="$hostile" "http://b.example/" 2> err
like "a store that is made is told as what it was given" "$(cat err)" "made the store $shown"
printf '{"url":"%s","time":"2026"}\n' "$hostile" | "$PERENNIAL" observe --state=S > out 2> err
same "a line that is no capture: nothing on standard error is acted on" "$(acted "$(cat err)")" 0

encoded="http://a.example/%E2%80%AEx"
same "a program is given a URL that says the same, percent-encoded" "$("$PERENNIAL" due --state=S --lease=0s 2>/dev/null)" "$encoded"
for format in tsv csv; do
	same "$format has a URL that says the same, percent-encoded" \
		"$("$PERENNIAL" due --state=S --lease=0s --format="$format" 2>/dev/null | sed 1d | cut -d "$([ "$format" = csv ] && echo , || echo $'\t')" -f 1)" "$encoded"
done
like "a table for a person has such a URL percent-encoded" "$("$PERENNIAL" due --state=S --lease=0s --format=table)" "^$encoded "
same "the URL that is handed out is that page's" "$("$PERENNIAL" explain --state=S "$encoded" | head -n 1)" \
	"$("$PERENNIAL" explain --state=S "$url" | head -n 1)"
like "the explanation of a page shows what is in its URL" "$("$PERENNIAL" explain --state=S "$url")" '^http://a\.example/\\u202ex$'
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	like "a person at a terminal is shown what is in a URL" "$(script -qec "'$PERENNIAL' due --state=S --lease=0s" /dev/null </dev/null | tr -d '\r')" \
		"^$encoded\$"
else
	skip "a person at a terminal is shown what is in a URL" "no pseudo-terminals here, or no script(1)"
fi

# Nothing of it comes through a pipe either.
for day in 1 2 3 4 5; do
	printf '{"url":"%s","time":"2026-01-0%d","body":"<p>%s%s<p>a body that stays<p>%d"}\n' "$url" "$day" "a${rlo}b" "${csi}31m" "$day"
done > "$hostile.jsonl"
printf '{"url":"%s","time":"2026-01-05T00:00:00Z","source":"a%sb%sc"}\n' "$url" "$rlo" "$csi" | "$PERENNIAL" hint --state=S 2>/dev/null
"$PERENNIAL" observe --state=S < "$hostile.jsonl" >/dev/null 2>&1
while read -r command; do
	eval "set -- $command"
	"$PERENNIAL" "$@" > out 2>/dev/null < /dev/null
	ok "$command prints something into a pipe" test -s out
	same "$command: nothing that goes into a pipe is acted on" "$(acted "$(cat out)")" 0
done <<'COMMANDS'
due --state=S --lease=0s --now=2030-01-01
due --state=S --lease=0s --now=2030-01-01 --format=json
due --state=S --lease=0s --now=2030-01-01 --format=tsv
explain --state=S "$url"
explain --state=S --format=json "$url"
export --state=S
stats --state=S
stats --state=S --format=json
stats --state=S --sources --format=tsv
stats --state=S --sources --format=json
stats --state=S --sources --format=csv
check --state=S --format=tsv
measure --pages --draws=0 "$hostile.jsonl"
measure --pages --draws=0 --format=csv "$hostile.jsonl"
measure --pages --draws=0 --format=json "$hostile.jsonl"
measure --fragments "$hostile.jsonl"
evaluate --policy=uniform --period=1 --by=page --bootstrap=0 "$hostile.jsonl"
evaluate --policy=uniform --period=1 --by=corpus --bootstrap=0 "$hostile.jsonl"
weigh --by=location "$hostile.jsonl"
dump "$hostile.jsonl"
show "$url" "$hostile.jsonl"
show --format=json "$url" "$hostile.jsonl"
policies --format=csv
COMMANDS
done_testing
