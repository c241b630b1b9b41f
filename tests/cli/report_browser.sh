#!/usr/bin/env bash
# The report in a browser: no errors, no request, every figure there, on a screen and on a phone, light and dark.
. "${SRCDIR:?}/tests/tap.sh"

command -v gnuplot >/dev/null || skip_all "gnuplot is not installed: it is what draws"
browser=$(command -v chromium || command -v chromium-browser) || skip_all "chromium is not installed: it is what the page is opened in"

"$PERENNIAL" synth --seed=2 --pages=8 --captures=18 -o "$tmp/s.trace"
"$PERENNIAL" report --bootstrap=50 --draws=49 -o "$tmp/r.html" "$tmp/s.trace"

# The page's own policy forbids scripts: a copy without it carries a probe that writes what it finds into the page.
cat > "$tmp/probe.js" <<'JS'
addEventListener("load", () => {
	const found = [];
	const box = e => e.getBoundingClientRect();
	document.querySelectorAll("figure").forEach(f => {
		const svg = f.querySelector("svg"), s = svg && box(svg);
		const marks = svg ? [...svg.querySelectorAll("path, polygon, use, rect")].filter(e => box(e).width + box(e).height > 0).length : 0;
		found.push(`figure ${f.id} ${s && s.width > 100 && s.height > 60 ? "sized" : "flat"} ${marks > 10 ? "drawn" : "blank"}`);
	});
	const text = [...document.querySelectorAll("svg text")].map(t => getComputedStyle(t).fill);
	found.push("ink " + [...new Set(text)].join(" "));
	found.push("paper " + getComputedStyle(document.body).backgroundColor);
	found.push("requests " + performance.getEntriesByType("resource").length);
	// Tables: a heading sorts, and once more the other way; words filter.
	const pages = document.getElementById("pages"), heading = [...pages.querySelectorAll("thead th")].find(h => h.textContent === "static");
	const column = () => [...pages.tBodies[0].rows].map(r => parseFloat(r.cells[5].textContent)).filter(v => !isNaN(v));
	const rises = a => a.every((v, i) => !i || v >= a[i - 1]), falls = a => rises([...a].reverse());
	heading.querySelector("button").click();
	found.push(`sorted ${heading.getAttribute("aria-sort")} ${falls(column())}`);
	heading.querySelector("button").click();
	found.push(`sorted ${heading.getAttribute("aria-sort")} ${rises(column())} ${column().length > 2}`);
	const filter = document.getElementById("filter");
	filter.value = "P3 h0";
	filter.dispatchEvent(new Event("input"));
	found.push(`filter ${[...pages.tBodies[0].rows].filter(r => !r.hidden).map(r => r.cells[0].textContent).join("|")} ${document.getElementById("matches").textContent}`);
	found.push(document.documentElement.scrollWidth <= innerWidth ? "fits" : `overflows ${document.documentElement.scrollWidth} of ${innerWidth}`);
	if (parent !== window) parent.postMessage(found.join("\n"), "*");
	else { const p = document.createElement("pre"); p.id = "found"; p.textContent = found.join("\n"); document.body.append(p); }
});
JS
sed -e '/Content-Security-Policy/d' "$tmp/r.html" > "$tmp/probed.html"
{ echo '<script>'; cat "$tmp/probe.js"; echo '</script>'; } >> "$tmp/probed.html"
# A phone is 390 wide; the browser's own window will not be.
cat > "$tmp/phone.html" <<'HTML'
<body><iframe src="probed.html" width="390" height="800"></iframe>
<script>addEventListener("message", e => { const p = document.createElement("pre"); p.textContent = e.data; document.body.append(p); })</script>
HTML

browse() {
	timeout 90 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --disable-extensions --allow-file-access-from-files \
		--user-data-dir="$(mktemp -d "$tmp/profile.XXXXXX")" --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "$@"
}
browse "file://$tmp/r.html" > "$tmp/dom" 2> "$tmp/log" || skip_all "chromium does not run here: $(grep -v dbus "$tmp/log" | tail -n 1)"

same "the browser's console stays empty for the report" "$(grep -c 'CONSOLE' "$tmp/log")" 0
same "the report's own script runs under the report's policy" "$(grep -c '<p class="filter"><label>' "$tmp/dom")" 1
same "the browser reads the report whole" "$(grep -c '</footer>' "$tmp/dom")" 1
figures=$(grep -c '^<figure' "$tmp/r.html")

# look TEXT FILE FLAG…: what the probe found, one line each, in $found.
look() { found=$(browse "${@:2}" "file://$tmp/$1" 2>"$tmp/log" | sed -n '/<pre/,$p' | sed 's/<[^>]*>//g'); }
check() {
	same "$1: all $figures figures have a size" "$(grep -c ' sized ' <<<"$found")" "$figures"
	same "$1: all $figures figures have something drawn" "$(grep -c ' drawn$' <<<"$found")" "$figures"
	like "$1: the report asks for nothing" "$found" '^requests 0$'
	like "$1: a heading sorts by its column, downwards first" "$found" '^sorted descending true$'
	like "$1: a heading sorts upwards the second time" "$found" '^sorted ascending true true$'
	like "$1: words filter sites and pages" "$found" '^filter http://h0000000.example/p3 0 sites, 1 pages$'
	like "$1: nothing of the report sticks out" "$found" '^fits$'
}
look probed.html --window-size=1300,900
check "on a screen"
like "on a screen the report has dark ink" "$found" '^ink rgb\(27, 28, 30\)$'
like "on a screen the report has light paper" "$found" '^paper rgb\(253, 253, 251\)$'
look probed.html --window-size=1300,900 --blink-settings=preferredColorScheme=0
check "in the dark"
like "in the dark the report has light ink" "$found" '^ink rgb\(231, 229, 225\)$'
like "in the dark the report has dark paper" "$found" '^paper rgb\(20, 22, 24\)$'
look phone.html --window-size=800,900
check "on a phone"
done_testing
