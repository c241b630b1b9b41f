#!/usr/bin/env bash
# The page of `perennial show` in a browser: its own script runs and no other, by pointer and by keyboard, on a screen and
# on a phone, light and dark; without scripts there is the text.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/show_corpus.sh"
browser=$(command -v chromium || command -v chromium-browser) || skip_all "chromium is not installed: it is what the page is opened in"
cd "$tmp" || exit 1

page=http://harbour.example/news
for day in 1 2 3 4 5 6 7 8; do
	record "$page" $day 'text/html; charset=utf-8' "$(news $day)"
	record http://hostile.example/ $day 'text/html; charset=utf-8' "<p>&lt;/script&gt;&lt;script&gt;document.title='taken'&lt;/script&gt; &lt;img src=x onerror=\"document.title='taken'\"&gt; day$day &lt;/article&gt;&lt;!-- &#x202e;turned</p>"
done > days.warc
"$PERENNIAL" show -o r.html "$page" days.warc
"$PERENNIAL" show -o hostile.html http://hostile.example/ days.warc

# The page's own policy forbids other scripts: a copy without it carries a probe that writes what it finds into the page.
cat > probe.js <<'JS'
addEventListener("load", () => {
	const found = [], id = name => document.getElementById(name), text = () => id("text").textContent;
	const press = (on, key) => on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
	const links = [...document.querySelectorAll("#stripes a")];
	found.push(`width ${document.documentElement.scrollWidth <= innerWidth ? "fits" : `overflows ${document.documentElement.scrollWidth} of ${innerWidth}`}`);
	found.push(`ink ${getComputedStyle(document.body).color} paper ${getComputedStyle(document.body).backgroundColor}`);
	found.push(`requests ${performance.getEntriesByType("resource").length}`);
	const before = id("text").innerHTML.replace(/ title="[^"]*"/g, "");
	id("slider").value = 3;
	id("slider").dispatchEvent(new Event("input"));
	found.push(`slider ${/Today4 tide4/.test(text()) && !/Today8/.test(text())} ${id("when").textContent}`);
	found.push(`churn ${[...document.querySelectorAll("#text .c")].map(s => s.textContent).join("|")}`);
	found.push(`legend ${[...document.querySelectorAll("[data-share]")].map(b => b.textContent).join(" ")}`);
	id("earlier").click();
	found.push(`earlier ${/Today3 tide3/.test(text())}`);
	id("later").click();
	found.push(`later ${/Today4 tide4/.test(text())}`);
	document.querySelector("#text .c").click();
	found.push(`about ${id("about").textContent}`);
	found.push(`chosen ${document.querySelectorAll("#text .chosen").length} ${document.querySelectorAll("#stripes .chosen").length}`);
	links[0].focus();
	press(links[0], "ArrowDown");
	found.push(`focus ${links.indexOf(document.activeElement)} tabs ${links.filter(l => l.tabIndex === 0).length}`);
	press(document.activeElement, "End");
	found.push(`end ${links.indexOf(document.activeElement) === links.length - 1}`);
	press(document.activeElement, "Enter");
	found.push(`enter ${document.activeElement.getAttribute("aria-pressed")} ${/Today8 tide8/.test(text())}`);
	id("slider").value = 7;
	id("slider").dispatchEvent(new Event("input"));
	found.push(`again ${id("text").innerHTML.replace(/ chosen|chosen/g, "").replace(/ class=""/g, "").replace(/\s+(?=<p)|\s+$/g, "") === before.replace(/\s+(?=<p)|\s+$/g, "")}`);
	const box = id("time").getBoundingClientRect();
	id("time").dispatchEvent(new MouseEvent("click", { clientX: box.left + 1, bubbles: true }));
	found.push(`time ${/Today1 tide1/.test(text())}`);
	const names = [...document.querySelectorAll("button, input, a[role=button], [role=img]")];
	found.push(`named ${names.filter(e => !(e.getAttribute("aria-label") || e.textContent.trim())).length} of ${names.length > 10}`);
	found.push(`title ${document.title}`);
	if (parent !== window) parent.postMessage(found.join("\n"), "*");
	else { const p = document.createElement("pre"); p.id = "found"; p.textContent = found.join("\n"); document.body.append(p); }
});
JS
probe() { sed -e '/Content-Security-Policy/d' "$1" > "$2"; { echo '<script>'; cat probe.js; echo '</script>'; } >> "$2"; }
probe r.html probed.html
cat > phone.html <<'HTML'
<body><iframe src="probed.html" width="390" height="800"></iframe>
<script>addEventListener("message", e => { const p = document.createElement("pre"); p.textContent = e.data; document.body.append(p); })</script>
HTML
browse() {
	timeout 90 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --disable-extensions --allow-file-access-from-files \
		--user-data-dir="$(mktemp -d "$tmp/profile.XXXXXX")" --enable-logging=stderr --virtual-time-budget=5000 --dump-dom "$@"
}
browse "file://$tmp/r.html" > dom 2> log || skip_all "chromium does not run here: $(grep -v dbus log | tail -n 1)"
same "the browser's console stays empty for a page that is shown" "$(grep -c CONSOLE log)" 0
same "the page's own script runs under the page's policy" "$(grep -c '<html lang="en" class="scripting">' dom)" 1
same "the browser reads the page whole" "$(grep -c '</footer>' dom)" 1
browse "file://$tmp/hostile.html" > dom 2> log
same "the browser's console stays empty for a hostile text" "$(grep -c CONSOLE log)" 0
like "a hostile text takes nothing over" "$(grep '<title>' dom)" '<title>What lasts of http://hostile.example/</title>'
same "a hostile text is the text of the page, whole" "$(grep -c '&lt;img src=x onerror="document.title=' dom)" 1
perl -0777 -pe 's|<script\b.*?</script>||gs' r.html > still.html
browse "file://$tmp/still.html" > dom 2> log
like "without scripts the text of the last capture is there" "$(sed -n '/<article/,/<\/article>/p' dom)" 'Today8 tide8'
same "without scripts nothing is offered that would need one" "$(grep -c 'class="scripted" hidden' dom) $(grep -c 'class="about" hidden' dom)" "1 1"

look() { found=$(browse "${@:2}" "file://$tmp/$1" 2> log | sed -n '/<pre/,$p' | sed 's/<[^>]*>//g'); }
check() {
	like "$1: nothing of the page sticks out" "$found" '^width fits$'
	like "$1: the page asks for nothing" "$found" '^requests 0$'
	like "$1: the slider shows another capture" "$found" '^slider true As of 2026-01-04 12:00 UTC, capture 4 of 8\.$'
	like "$1: what churns as of it is coloured" "$found" '^churn \[churn:Today4 tide4 wind4 moon4 sun4 stars4\]$'
	like "$1: the legend says how much there is as of it" "$found" '^legend [1-9][0-9]* % [1-9][0-9]* % [1-9][0-9]* % 0 %$'
	like "$1: a button leads to the change before" "$found" '^earlier true$'
	like "$1: a button leads to the next change" "$found" '^later true$'
	like "$1: a passage says how long it was there" "$found" '^about [0-9]* fragments: churn, there since 2026-01-04 12:00 \(0 seconds old\); gone by 2026-01-05 12:00, lived 24 hours; churn content lives 24 hours here, in the mean\.$'
	like "$1: a passage and its stripe are chosen together" "$found" '^chosen 1 1$'
	like "$1: arrows lead from stripe to stripe, of which one is in the order of tabs" "$found" '^focus 1 tabs 1$'
	like "$1: End leads to the last stripe" "$found" '^end true$'
	like "$1: Enter chooses a stripe and shows a capture that has it" "$found" '^enter true true$'
	like "$1: the script writes the text as the page had it" "$found" '^again true$'
	like "$1: the time line leads to a capture" "$found" '^time true$'
	like "$1: all that can be used has a name" "$found" '^named 0 of true$'
}
look probed.html --window-size=1280,900
check "on a screen"
like "on a screen the page has dark ink on light paper" "$found" '^ink rgb\(27, 28, 30\) paper rgb\(253, 253, 251\)$'
look probed.html --window-size=1280,900 --blink-settings=preferredColorScheme=0
check "in the dark"
like "in the dark the page has light ink on dark paper" "$found" '^ink rgb\(231, 229, 225\) paper rgb\(20, 22, 24\)$'
look phone.html --window-size=800,900
check "on a phone"

# The page of a store: two texts, what is new and what is gone.  It has no script of its own.
for day in 2 3; do
	record http://harbour.example/ $day 'text/html; charset=utf-8' "$(harbour $((4 * day)))"
	record http://hostile.example/ $day 'text/html; charset=utf-8' "<p>&lt;/ins&gt;&lt;script&gt;document.title='taken'&lt;/script&gt; &lt;img src=x onerror=\"document.title='taken'\"&gt; day$day &lt;/article&gt; $(printf 'W%.0s' {1..300})</p>"
done > kept.warc
"$PERENNIAL" observe -q --create --state=s --keep-bodies --now=2026-02-01 kept.warc
"$PERENNIAL" show --state=s -o state.html http://harbour.example/
"$PERENNIAL" show --state=s -o state-hostile.html http://hostile.example/
cat > probe.js <<'JS'
addEventListener("load", () => {
	const found = [], all = selector => [...document.querySelectorAll(selector)], [later, earlier] = all("article").map(a => a.getBoundingClientRect());
	const rgb = text => text.match(/[\d.]+/g).map(Number), light = c => c.slice(0, 3).map(v => (v /= 255, v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
	const under = e => { const c = rgb(getComputedStyle(e).backgroundColor); return c[3] === 0 ? under(e.parentElement) : c; };
	const contrast = e => { const [x, y] = [light(rgb(getComputedStyle(e).color)), light(under(e))].sort((a, b) => b - a); return (x + .05) / (y + .05); };
	found.push(`width ${document.documentElement.scrollWidth <= innerWidth ? "fits" : `overflows ${document.documentElement.scrollWidth} of ${innerWidth}`}`);
	found.push(`texts ${earlier.top >= later.bottom ? "below each other" : earlier.left >= later.right ? "side by side" : "over each other"}`);
	found.push(`ink ${getComputedStyle(document.body).color} paper ${getComputedStyle(document.body).backgroundColor}`);
	found.push(`faint ${all("p, a, ins, del, dt, dd, h1, h2, h3, li, .soft, .note").filter(e => e.textContent.trim() && contrast(e) < 4.5).map(e => e.className || e.tagName).join(" ")}.`);
	found.push(`requests ${performance.getEntriesByType("resource").length}`);
	found.push(`new ${all("article ins").map(e => e.textContent).join("|")}`);
	found.push(`marked ${all("article ins, article del").every(e => getComputedStyle(e).textDecorationLine !== "none")}`);
	const link = all(".listed a")[0], leads = all(".listed a").every(a => document.getElementById(a.hash.slice(1)));
	link.click();
	found.push(`link ${leads} ${document.querySelector(":target")?.textContent}`);
	found.push(`named ${all("article").every(a => document.getElementById(a.getAttribute("aria-labelledby")).textContent.trim())} ${all("main, header, footer").length}`);
	found.push(`title ${document.title}`);
	if (parent !== window) parent.postMessage(found.join("\n"), "*");
	else { const p = document.createElement("pre"); p.id = "found"; p.textContent = found.join("\n"); document.body.append(p); }
});
JS
probe state.html probed.html
browse "file://$tmp/state.html" > dom 2> log
same "the browser's console stays empty for the page of a store" "$(grep -c CONSOLE log)" 0
browse "file://$tmp/state-hostile.html" > dom 2> log
same "the browser's console stays empty for a hostile text of a store" "$(grep -c CONSOLE log)" 0
like "a hostile text of a store takes nothing over" "$(grep '<title>' dom)" '<title>What changed of http://hostile.example/</title>'
check_state() {
	like "$1: nothing of a store's page sticks out" "$found" '^width fits$'
	like "$1: two texts of a store stand $2" "$found" "^texts $2\$"
	like "$1: all of a store's page can be read (contrast of 4.5)" "$found" '^faint \.$'
	like "$1: a store's page asks for nothing" "$found" '^requests 0$'
	like "$1: what is new is an insertion" "$found" '^new .*\[new:open day and night since the refit\. \]'
	like "$1: what is new or gone is marked by a line, not by a colour alone" "$found" '^marked true$'
	like "$1: the lists of what is new and gone lead into the texts" "$found" '^link true \[new:'
	like "$1: each text has a heading, and the page its landmarks" "$found" '^named true 3$'
}
look probed.html --window-size=1280,900
check_state "on a screen" "side by side"
like "on a screen a store's page has dark ink on light paper" "$found" '^ink rgb\(27, 28, 30\) paper rgb\(253, 253, 251\)$'
look probed.html --window-size=1280,900 --blink-settings=preferredColorScheme=0
check_state "in the dark" "side by side"
like "in the dark a store's page has light ink on dark paper" "$found" '^ink rgb\(231, 229, 225\) paper rgb\(20, 22, 24\)$'
look phone.html --window-size=800,900
check_state "on a phone" "below each other"
probe state-hostile.html probed.html
look phone.html --window-size=800,900
like "on a phone a word of 300 letters does not stick out" "$found" '^width fits$'
done_testing
