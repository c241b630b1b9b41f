#!/usr/bin/env bash
# The page for a person in a browser: no complaint, no script, nothing asked for; what is typed stays text.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
browser=$(command -v chromium || command -v chromium-browser) || skip_all "chromium is not installed: it is what the page is opened in"

now=2026-01-31T00:00:00Z
ok "a server starts for the browser" start_server --now=$now
"$PERENNIAL" synth --seed=3 --pages=12 --captures=30 --warc="$tmp/crawl.warc.gz"
post /v1/observe -H 'Content-Type: application/warc' --data-binary @"$tmp/crawl.warc.gz"
url=$(sed -n '5s/.*"url":"\([^"]*\)".*/\1/p' <<<"$body")
post /v1/pages --data-binary $'http://a.example/?q=<script>alert(1)</script>&x="y"\nhttp://b.example/\n'

# A browser asks for the token as a password, and a person may put it into the address.
server=http://perennial:$(sed 's/.* //' "$auth")@${server#http://}
browse() {
	timeout 90 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --disable-extensions \
		--user-data-dir="$(mktemp -d "$tmp/profile.XXXXXX")" --enable-logging=stderr --virtual-time-budget=5000 "$@"
}
browse --dump-dom "$server/" > "$tmp/dom" 2> "$tmp/log" || skip_all "chromium does not run here: $(grep -v dbus "$tmp/log" | tail -n 1)"
same "the browser's console stays empty for the page for a person" "$(grep -c 'CONSOLE' "$tmp/log")" 0
same "the browser reads the page for a person whole" "$(grep -c '</footer>' "$tmp/dom")" 1
same "the page for a person has no script" "$(grep -ci '<script' "$tmp/dom")" 0
ok "pages that are due are in the table for a person" grep -q 'http://b.example/</bdi></a>' "$tmp/dom"
like "a URL with markup in it is text in the table for a person" "$(cat "$tmp/dom")" 'q=&lt;script&gt;alert\(1\)&lt;/script&gt;'
browse --dump-dom "$server/?url=$url" > "$tmp/dom" 2> "$tmp/log"
same "the browser's console stays empty for a page that is looked up" "$(grep -c 'CONSOLE' "$tmp/log")" 0
like "a page that is looked up says why its next visit is when it is" "$(cat "$tmp/dom")" '<p class="reason">(Due|Next visit) <time'
same "a page that is looked up shows two figures" "$(grep -o '<svg' "$tmp/dom" | wc -l)" 2
browse --dump-dom "$server/?url=http://unknown.example/" > "$tmp/dom" 2> "$tmp/log"
like "a page that is looked up and not known is told" "$(cat "$tmp/dom")" '<p class="warning">'
for list in value visits failing suspect; do
	browse --dump-dom "$server/?list=$list" > "$tmp/dom" 2> "$tmp/log"
	same "the browser's console stays empty for the list $list, which it marks" "$(grep -c CONSOLE "$tmp/log") $(grep -c 'aria-current="page"' "$tmp/dom")" "0 1"
done
for width in 1200 420; do
	browse --window-size=$width,900 --screenshot="$tmp/shot-$width.png" "$server/?url=$url" > "$tmp/dom" 2> "$tmp/log"
	ok "a page that is looked up can be pictured at a width of $width" test "$(stat -c %s "$tmp/shot-$width.png" 2>/dev/null || echo 0)" -gt 10000
done
[ -z "${SERVE_SHOTS:-}" ] || cp "$tmp"/shot-*.png "$SERVE_SHOTS"
stop_server
same "the browser's server ends well" "$stopped" 0
done_testing
