#!/usr/bin/env bash
# What a terminal would act on, in names and URLs that come from anywhere: people are shown it, programs get it as it is.
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
	like "$title: it is shown what was given" "$(cat err)" "$shown"
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

same "a program is given a URL as it is" "$("$PERENNIAL" due --state=S --lease=0s)" "$url"
same "TSV has a URL as it is" "$("$PERENNIAL" due --state=S --lease=0s --format=tsv | sed 1d | cut -f 1)" "$url"
like "a table for a person shows what is in a URL" "$("$PERENNIAL" due --state=S --lease=0s --format=table)" '^http://a\.example/\\u202ex '
like "the explanation of a page shows what is in its URL" "$("$PERENNIAL" explain --state=S "$url")" '^http://a\.example/\\u202ex$'
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	like "a person at a terminal is shown what is in a URL" "$(script -qec "'$PERENNIAL' due --state=S --lease=0s" /dev/null </dev/null | tr -d '\r')" \
		'^http://a\.example/\\u202ex$'
else
	skip "a person at a terminal is shown what is in a URL" "no pseudo-terminals here, or no script(1)"
fi
done_testing
