"use strict";
(() => {
	const data = JSON.parse(document.getElementById("data").textContent);
	const names = { s: "static", c: "churn", r: "scroll", u: "unknown" };
	const kinds = { content: "", same: ", not modified", redirect: ", a redirect", gone: ", gone: the text is that of before", refused: ", refused: the text is that of before" };
	const [slider, when, about, text, stripes, time] = ["slider", "when", "about", "text", "stripes", "time"].map(id => document.getElementById(id));
	const links = [...stripes.querySelectorAll("a")];
	let at = +slider.value, chosen = -1;

	const days = (a, b) => (data.times[b] - data.times[a]) / 86400;
	const date = seconds => new Date(1000 * seconds).toISOString().slice(0, seconds % 60 ? 19 : 16).replace("T", " ");
	const person = d => {
		const [unit, name, whole] = d < 2 / 1440 ? [1 / 86400, "second", 1] : d < 2 / 24 ? [1 / 1440, "minute", 1] : d < 2 ? [1 / 24, "hour", 0] : d < 730 ? [1, "day", 0] : [365.25, "year", 0];
		const value = d / unit, digits = whole || value >= 99.95 || Math.abs(value - Math.round(value)) < 0.05 ? 0 : 1;
		return `${value.toFixed(digits)} ${name}${digits === 0 && value >= 0.5 && value < 1.5 ? "" : "s"}`;
	};

	// What is known of the content of a life as of a capture: the words of show_tell_life().
	const tell = (life, capture) => {
		const [from, to, region, fragments, lived, ended] = data.lives[life], first = from === data.first, mean = data.means[region];
		const there = capture >= from && capture < to ? ` (${person(days(from, capture))} old)` : "";
		const gone = ended ? `; gone by ${date(data.times[to])}, lived ${first ? "at least " : ""}${person(lived)}` : "";
		const expected = region === "s" ? "; never seen to go" : mean === null ? "; no such content was seen to go"
			: `; ${region === "u" ? "such" : names[region]} content lives ${person(mean)} here, in the mean`;
		return `${fragments} fragment${fragments === 1 ? "" : "s"}: ${names[region]}, there since ${first ? "the first capture, " : ""}${date(data.times[from])}${there}${gone}${expected}.`;
	};

	const hidden = words => {
		const span = document.createElement("span");
		span.className = "vh";
		span.textContent = words;
		return span;
	};

	// Text only ever becomes text nodes.
	const render = version => {
		const lines = document.createDocumentFragment(), named = new Set();
		let line = null;
		for (const id of data.texts[version]) {
			const [life, words] = data.passages[id];
			words.split("\n").forEach((part, i) => {
				if (i) line = null;
				if (!part || (!line && !part.trim())) return;
				if (!line) {
					line = document.createElement("p");
					line.dir = "auto";
					lines.append(line);
				}
				if (life < 0) return line.append(part);
				const span = document.createElement("span"), region = data.lives[life][2];
				span.className = region;
				span.dataset.l = life;
				if (!named.has(life)) span.id = `L${life}`;
				named.add(life);
				if (region !== "s") span.append(hidden(`[${names[region]}:`));
				span.append(part);
				if (region !== "s") span.append(hidden("]"));
				line.append(span);
			});
		}
		if (!lines.firstChild) {
			const none = document.createElement("p");
			none.className = "note";
			none.textContent = "There is no text in this capture.";
			lines.append(none);
		}
		text.replaceChildren(lines);
	};

	const mark = scrolls => {
		for (const span of text.querySelectorAll("[data-l]")) span.classList.toggle("chosen", +span.dataset.l === chosen);
		for (const link of links) {
			const is = +link.dataset.l === chosen;
			link.classList.toggle("chosen", is);
			link.setAttribute("aria-pressed", is);
		}
		if (chosen < 0) return;
		about.textContent = tell(chosen, data.captures[at][0]);
		const span = document.getElementById(`L${chosen}`);
		if (scrolls && span) span.scrollIntoView({ block: "center", behavior: "instant" });
	};

	const show = to => {
		const [capture, kind, version] = data.captures[to], counts = { s: 0, c: 0, r: 0, u: 0 };
		const other = version !== data.captures[at][2];
		at = to;
		slider.value = to;
		const words = `${date(data.times[capture])} UTC, capture ${capture - data.first + 1} of ${data.last - data.first + 1}`;
		when.textContent = `As of ${words}${kinds[kind] ?? ", no answer: the text is that of before"}.`;
		slider.setAttribute("aria-valuetext", words);
		if (other) render(version);
		for (const [from, end, region, fragments] of data.lives) if (from <= capture && capture < end) counts[region] += fragments;
		const all = counts.s + counts.c + counts.r + counts.u;
		for (const b of document.querySelectorAll("[data-share]")) b.textContent = `${all ? Math.round(100 * counts[b.dataset.share] / all) : 0} %`;
		for (const link of links) {
			const [from, end] = data.lives[link.dataset.l];
			link.classList.toggle("away", capture < from || capture >= end);
		}
		const whole = days(data.first, data.last);
		document.querySelector(".cursor").style.left = `${whole > 0 ? 100 * days(data.first, capture) / whole : 0}%`;
		mark(false);
	};

	// The next capture, in a direction, with another text.
	const step = by => {
		let to = at;
		while (data.captures[to + by] && data.captures[to][2] === data.captures[at][2]) to += by;
		show(to);
	};

	// A stripe that is not in the text as of now is shown where it last was.
	const choose = (life, scrolls) => {
		chosen = chosen === life && !scrolls ? -1 : life;
		const [from, to] = data.lives[life], capture = data.captures[at][0];
		if (chosen >= 0 && (capture < from || capture >= to)) {
			const there = data.captures.map((c, i) => c[0] >= from && c[0] < to ? i : -1).filter(i => i >= 0);
			if (there.length) show(capture < from ? there[0] : there[there.length - 1]);
		}
		mark(scrolls);
		if (chosen < 0) about.textContent = "Point to a passage, or choose a stripe, to see how long it was there.";
	};

	document.documentElement.classList.add("scripting");
	document.querySelector(".scripted").hidden = about.hidden = false;
	slider.addEventListener("input", () => show(+slider.value));
	document.getElementById("earlier").addEventListener("click", () => step(-1));
	document.getElementById("later").addEventListener("click", () => step(1));
	text.addEventListener("click", event => {
		const span = event.target.closest("[data-l]");
		if (span && !String(getSelection())) choose(+span.dataset.l, false);
	});
	time.addEventListener("click", event => {
		const box = time.getBoundingClientRect();
		const wanted = data.times[data.first] + (event.clientX - box.left) / box.width * 86400 * days(data.first, data.last);
		let best = 0;
		data.captures.forEach(([capture], i) => {
			if (Math.abs(data.times[capture] - wanted) < Math.abs(data.times[data.captures[best][0]] - wanted)) best = i;
		});
		show(best);
	});
	// One stripe is in the order of tabs; arrows lead to the others.
	stripes.removeAttribute("tabindex");
	links.forEach((link, i) => {
		link.setAttribute("role", "button");
		link.tabIndex = i ? -1 : 0;
		link.addEventListener("click", event => {
			event.preventDefault();
			for (const other of links) other.tabIndex = other === link ? 0 : -1;
			choose(+link.dataset.l, true);
		});
		link.addEventListener("keydown", event => {
			const to = { ArrowDown: i + 1, ArrowUp: i - 1, Home: 0, End: links.length - 1 }[event.key];
			if (event.key === " " || event.key === "Enter") {
				event.preventDefault();
				link.click();
				link.focus();
			} else if (links[to]) {
				event.preventDefault();
				links[to].tabIndex = 0;
				link.tabIndex = -1;
				links[to].focus();
			}
		});
	});
	slider.setAttribute("aria-valuetext", when.textContent);
})();
