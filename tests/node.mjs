// node/ against a daemon and a site of its own.  tests/cli/node.sh runs it: TAP, from the number given on.
//	node tests/node.mjs SERVER TOKEN-FILE NUMBER [FOLDER with crawlee in its node_modules]
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import { createRequire } from "node:module";
import { gzipSync } from "node:zlib";
import { Client, Refused, conditionalHeaders, refresh, told } from "../node/perennial.js";
import { crawl, crawlerOptions } from "../node/crawlee.js";

const [server, tokenFile, first, crawlee] = process.argv.slice(2);
let count = Number(first);

function ok(text, holds, note = "") {
	console.log(`${holds ? "" : "not "}ok ${++count} - ${text}`);
	if (!holds) console.log(`# ${typeof note === "string" ? note : JSON.stringify(note)}`);
}

function same(text, got, want) {
	ok(text, JSON.stringify(got) === JSON.stringify(want), `got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

const words = (path) => `<p>${path}: boats to the islands leave the old pier at nine and at noon, and come back before dark</p>`;
let asked = [];
const site = createServer((request, response) => {
	const { "if-none-match": tag, "if-modified-since": since } = request.headers;
	asked.push([request.url, tag ?? null, since ?? null]);
	const answer = (status, headers, body = "") => response.writeHead(status, headers).end(body);
	const html = { "Content-Type": "text/html; charset=iso-8859-1" };
	if (request.url.startsWith("/tagged")) return tag === '"v1"' ? answer(304, { ETag: '"v1"' }) : answer(200, { ...html, ETag: '"v1"' }, words(request.url));
	if (request.url.startsWith("/dated")) return since ? answer(304, {}) : answer(200, { ...html, "Last-Modified": "Sun, 10 May 2026 11:00:00 GMT" }, words(request.url));
	if (request.url.startsWith("/packed")) return answer(200, { ...html, "Content-Encoding": "gzip" }, gzipSync(words(request.url)));
	if (request.url.startsWith("/moved")) return answer(301, { Location: request.url.replace("moved", "target") }, "moved");
	if (request.url.startsWith("/named")) return answer(301, { Location: Buffer.from(request.url.replace("named", "target") + "café").toString("latin1") }, "moved");
	if (request.url.startsWith("/target")) return answer(200, html, Buffer.from(words(request.url) + "caf\xe9", "latin1"));
	if (request.url.startsWith("/gone")) return answer(404, html, "nothing here");
	if (request.url.startsWith("/closed")) return answer(503, { "Retry-After": "600" }, "later");
	if (request.url.startsWith("/image")) return answer(200, { "Content-Type": "image/png" }, Buffer.from([137, 80, 78, 71]));
	if (request.url === "/hostile/tag") return answer(200, { ...html, ETag: '"'.repeat(15000) }, words(request.url));
	if (request.url === "/hostile/date") return answer(200, { ...html, "Last-Modified": "%".repeat(15000) }, words(request.url));
	if (request.url === "/hostile/type") return answer(200, { "Content-Type": `text/html; ${"x".repeat(15000)}` }, words(request.url));
	if (request.url === "/hostile/after") return answer(503, { "Retry-After": "%".repeat(15000) }, "later");
	if (request.url === "/hostile/far") return answer(301, { Location: `/${"\xe9".repeat(8000)}` }, "moved");
	if (request.url === "/hostile/nowhere") return answer(301, {}, "moved");
	if (request.url === "/robots.txt") return answer(200, { "Content-Type": "text/plain" }, "User-agent: *\nDisallow: /private\n");
	if (request.url === "/sitemap.xml")
		return answer(200, { "Content-Type": "application/xml" }, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${root}/target/mapped</loc><lastmod>2026-07-01</lastmod></url><url><loc>http://elsewhere.example/</loc></url></urlset>`);
	return request.socket.destroy();
});
await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
const root = `http://127.0.0.1:${site.address().port}`;
const client = new Client(server, { tokenFile });
const NAMES = ["tagged", "dated", "packed", "moved", "named", "gone", "image", "broken"];

/** What is known of the pages under a folder of the site: visits, gones, failures. */
async function known(folder) {
	const told = {};
	for (const name of [...NAMES, "target"]) {
		const page = await client.page(`${root}/${name}/${folder}`);
		told[name] = [page.visits, page.gones, page.failures];
	}
	return told;
}

const AFTER = { tagged: [1, 0, 0], dated: [1, 0, 0], packed: [1, 0, 0], moved: [1, 0, 0], named: [1, 0, 0], gone: [0, 1, 1], image: [1, 0, 0], broken: [0, 0, 1], target: [1, 0, 0] };

/** The same claims for each crawler: run(seen) crawls what is due, and has seen told of each page that brought content: URL, text. */
async function claims(name, run) {
	const seen = new Map();
	await client.add(NAMES.map((page) => `${root}/${page}/${name}`));
	await run((url, text) => url.endsWith(name) && seen.set(url.slice(root.length), text));
	same(`${name}: content, a redirect and its target, 404 and no answer are reported`, await known(name), AFTER);
	same(`${name}: pages that brought content reach the handler, each once`, [...seen.keys()].sort(), ["dated", "image", "packed", "tagged", "target"].map((page) => `/${page}/${name}`));
	ok(`${name}: a body that was packed comes unpacked`, seen.get(`/packed/${name}`)?.includes("old pier"), seen.get(`/packed/${name}`));
	same(`${name}: a redirect is not followed but reported, and its target fetched as a page`, asked.filter(([url]) => url === `/target/${name}`).length, 1);
	same(`${name}: a Location in bytes of UTF-8 leads to the page that it names`, asked.filter(([url]) => url.startsWith(`/target/${name}caf`)).map(([url]) => url), [`/target/${name}caf%C3%A9`]);

	// Pages that were visited long ago, and are due again.
	for (const page of ["tagged", "dated", "moved"])
		await client.report(`${root}/${page}/${name}2`, words(page), { time: "2026-06-01", content_type: "text/html", etag: page === "dated" ? undefined : page === "tagged" ? '"v1"' : '"v9"', last_modified: page === "dated" ? "Sun, 10 May 2026 11:00:00 GMT" : undefined });
	seen.clear();
	asked = [];
	await run((url, text) => seen.set(url.slice(root.length), text));
	const sent = Object.fromEntries(asked.filter(([url]) => url.endsWith("2")).map(([url, tag, since]) => [url.split("/")[1], tag ?? since]));
	same(`${name}: what the server sent with a version is sent back to it, but not to where it redirects`, [sent.tagged, sent.dated, sent.moved, sent.target ?? null], ['"v1"', "Sun, 10 May 2026 11:00:00 GMT", '"v9"', null]);
	same(`${name}: a page that was answered 304 is visited`, (await client.page(`${root}/tagged/${name}2`)).visits, 2);
	same(`${name}: and does not reach the handler`, [seen.has(`/tagged/${name}2`), seen.has(`/dated/${name}2`), seen.has(`/target/${name}2`)], [false, false, true]);
}

same("headers of a conditional request are what was handed out", conditionalHeaders({ if_none_match: '"v"', if_modified_since: "then" }), { "If-None-Match": '"v"', "If-Modified-Since": "then" });
same("a page without validators is asked for without conditions", conditionalHeaders({ url: root }), {});
same("pages are added", (await client.add([`${root}/tagged/add`, { url: `${root}/dated/add`, weight: 3 }])).map((line) => line.outcome), ["added", "added"]);
const { pages } = await client.due({ limit: 1 });
same("the most valuable page is handed out first", pages.map((page) => [page.url, page.weight]), [[`${root}/dated/add`, 3]]);
same("leases are given back", (await client.release([pages[0].url, `${root}/tagged/add`])).map((line) => line.outcome), ["released", "not-leased"]);
const refused = await client.page(`${root}/unknown`).catch((error) => error);
same("what is refused is thrown with the status", [refused instanceof Refused, refused.status], [true, 404]);
same("a stranger is refused", (await new Client(server, { token: "none" }).stats().catch((error) => error)).status, 401);

for (const [kind, body] of [["a string", String], ["a Buffer", Buffer.from]]) {
	const decisions = [];
	for (const day of [1, 2]) decisions.push(await client.report(`${root}/untyped/${body.name}`, body(`<!doctype html>${words("untyped")}<!-- ${day} -->`), { time: `2026-05-0${day}` }));
	same(`${kind} without a type is HTML by its first bytes: another comment is no change`, decisions.map(({ outcome, divergence }) => [outcome, divergence]), [["observed", 0], ["observed", 0]]);
}

// Many at a time.
{
	let drawn = 0;
	const drawing = async function* (pages) {
		for (const page of pages) {
			drawn++;
			yield { status: 404, time: "2026-05-01", ...page };
		}
	};
	const numbers = (from, until, folder) => Array.from({ length: until - from }, (_, i) => ({ url: `${root}/${folder}/${from + i}` }));
	same("of no reports there are no answers", [await client.reportAll([]), await client.add([]), await client.release(new Set())], [[], [], []]);
	const many = [...numbers(0, 1500, "many"), { url: "nonsense" }, ...numbers(1501, 2500, "many")];
	const held = [];
	const answers = [];
	let paired = true;
	for await (const [attempt, answer] of client.reportEach(drawing(many))) {
		held.push(drawn);
		answers.push(answer);
		paired &&= (answer.url ?? "nonsense") === attempt.url;
	}
	same("reports are sent a thousand at a time, and no more of what gives them is drawn", [held[0], held[999], held[1000], held[2000], held.length], [1000, 1000, 2000, 2500, 2500]);
	same("each report comes with its own answer, whichever request it went in", [paired, answers[1500].error], [true, '"url" takes an http or https URL of at most 8192 bytes']);
	const again = await client.reportAll(numbers(0, 1200, "many").map((page) => ({ ...page, status: 404, time: "2026-05-01" })));
	same("reports with their times may be sent again, and are known", [again.length, new Set(again.map((line) => line.outcome)).size, again[0].outcome], [1200, 1, "duplicate"]);
	const failing = async function* () {
		yield* drawing(numbers(0, 1100, "failing"));
		throw new Error("the fetcher fails");
	};
	const failed = await client.reportAll(failing()).catch((error) => error);
	same("what the reports come from fails, and that comes out; what it gave until then is reported", [failed.message, (await client.page(`${root}/failing/1099`)).gones], ["the fetcher fails", 1]);
	drawn = 0;
	for await (const [] of client.reportEach(drawing(Array.from({ length: 5 }, (_, i) => ({ url: `${root}/large/${i}`, status: 200, body: Buffer.alloc(3 << 20, "a ") }))))) break;
	same("a request is sent when it has 8 MiB, before it has a thousand reports", drawn, 2);
	same("pages are added a thousand at a time, too, each with its answer", (await client.add(numbers(0, 1100, "added"))).map((line) => line.url), numbers(0, 1100, "added").map((page) => page.url));
	const taken = (await client.due({ limit: 3 })).pages;
	same("what was due is given back as it came", (await client.release(taken)).map((line) => [line.url, line.outcome]), taken.map((page) => [page.url, "released"]));
	same("one URL is one page, to add and to give back, and may have a space", [(await client.add(`${root}/added/a b`))[0].outcome, (await client.release(`${root}/added/a b`))[0].outcome], ["added", "not-leased"]);
	same("and may be one of URL, as in a list", [(await client.add(new URL(`${root}/added/alone`)))[0].outcome, (await client.release(new URL(`${root}/added/alone`)))[0].outcome], ["added", "not-leased"]);
	await fetch(`${server}/v1/pages?host=127.0.0.1&count=${(await client.stats()).pages}`, { method: "DELETE", headers: { Authorization: `Bearer ${readFileSync(tokenFile, "ascii").trim()}` } });
	same("nothing is left of these", (await client.stats()).pages, 0);
}

let busy = 0;
const slow = createServer((request, response) => response.writeHead(busy++ < 2 ? 503 : 200, { "Retry-After": "0" }).end('{"pages":7}\n'));
await new Promise((resolve) => slow.listen(0, "127.0.0.1", resolve));
const hurried = new Client(`http://127.0.0.1:${slow.address().port}`);
same("a server that is busy is asked again", [(await hurried.stats()).pages, busy], [7, 3]);
busy = -1000;
hurried.patience = -1;
same("for no longer than patience", (await hurried.stats().catch((error) => error)).status, 503);
slow.close();

// A batch of which a part is done when the daemon ends it: what is sent again may be a second visit.
{
	const sizes = [];
	let first;
	const ending = createServer(async (request, response) => {
		let text = "";
		for await (const part of request) text += part;
		const count = text.split("\n").filter(Boolean).length;
		sizes.push(count);
		const takes = count === 1000 || sizes.at(-2) === count;
		response.writeHead(takes ? 200 : first[0], { "Retry-After": "0" }).end(takes ? '{"outcome":"duplicate"}\n'.repeat(count) : JSON.stringify({ error: first[1] }));
	});
	await new Promise((resolve) => ending.listen(0, "127.0.0.1", resolve));
	const teller = new Client(`http://127.0.0.1:${ending.address().port}`, { patience: 5 });
	const untimed = [1, 2, 3].map((i) => ({ url: `${root}/${i}`, status: 404 }));
	const timed = untimed.map((one) => ({ ...one, time: 9 }));
	const [part, all, duplicates] = ["the server is stopping: 2 of the batch are done and durable, send it again", "the server is stopping", Array(3).fill("duplicate")];
	const ended = async (how, call, given) => {
		first = how;
		sizes.length = 0;
		const came = await teller[call](given).then((answers) => answers.map(({ outcome }) => outcome), ({ status, done, answers }) => [status, done ?? null, answers.length]);
		return [[...sizes], came];
	};
	same("reports without times are not sent again where some of them are done, and it is said how many", await ended([503, part], "reportAll", untimed), [[3], [503, 2, 0]]);
	same("nor where one of them has none", await ended([503, part], "reportAll", [...timed.slice(0, 2), { ...untimed[2], time: null }]), [[3], [503, 2, 0]]);
	same("nor where the server does not say how many are", await ended([503, "the store is busy"], "reportAll", untimed), [[3], [503, null, 0]]);
	same("with their times they are sent again, and what was done is a duplicate", await ended([503, part], "reportAll", timed), [[3, 3], duplicates]);
	for (const how of [[503, all], [503, part.replace("2", "0")], [429, "too many batches wait"]]) same(`so are those without times where nothing is done: ${how}`, await ended(how, "reportAll", untimed), [[3, 3], duplicates]);
	for (const call of ["add", "release"]) same(`what is given to ${call} is sent again: that has no other effect`, (await ended([503, part], call, [`${root}/1`]))[0], [1, 1]);
	same("the answers to the requests before come with the refusal", await ended([503, part], "reportAll", [...Array(1000).fill(untimed[0]), ...untimed]), [[1000, 3], [503, 2, 1000]]);
	ending.close();
}

// What a program may do otherwise, and servers that are none.
{
	const said = (promise) => Promise.resolve(promise).then((value) => value, (error) => `${error.name}: ${error.message}`);
	const large = await said(client.report(`${root}/large`, Buffer.alloc(17 << 20, "a ")));
	same("a body that the server refuses before it has all of it is refused with what it says", large, "Refused: 413: the body has more than the 16777216 bytes taken here");
	same("a large body that it takes is sent", (await client.report(`${root}/large`, Buffer.alloc(15 << 20, "a "), { time: "2026-05-01" })).outcome, "observed");
	for (const none of [undefined, null]) same(`a page that came has a body: ${none}`, await said(client.report(`${root}/none`, none)), "TypeError: a page that came has a body; where it is empty, that is ''");
	same("what did not come may have none", (await client.report(`${root}/none`, null, { status: 404 })).outcome, "gone");
	for (const [kind, body] of [["Number", 3], ["Object", { a: 1 }]]) same(`a body is a text or bytes: ${kind}`, await said(client.report(`${root}/none`, body)), `TypeError: a body is a string, a Buffer, a Uint8Array or an ArrayBuffer, not ${kind}`);
	const buffer = new TextEncoder().encode("<p>boats leave").buffer;
	const bodies = [buffer, new Uint8Array(buffer), new DataView(buffer), Buffer.from(buffer)];
	const digests = [];
	for (const [i, body] of bodies.entries()) digests.push((await client.report(new URL(`${root}/kinds`), body, { time: new Date(Date.UTC(2026, 4, 1 + i, 0, 0, 0, 999)) })).time + (await client.page(`${root}/kinds`)).visits);
	same("bytes may be of any kind, a URL one of URL, and a time a Date", digests, ["2026-05-01T00:00:00Z1", "2026-05-02T00:00:00Z2", "2026-05-03T00:00:00Z3", "2026-05-04T00:00:00Z4"]);
	same("and so in a batch", (await client.reportAll([{ url: new URL(`${root}/kinds`), body: buffer, time: new Date(Date.UTC(2026, 4, 9)) }])).map((line) => [line.outcome, line.time]), [["same", "2026-05-09T00:00:00Z"]]);
	await client.add([new URL(`${root}/tagged/leased`)]);
	const leased = (await client.due({ lease: 90, limit: 1 })).pages;
	ok("a lease may be a number of seconds", Math.abs(Date.parse(leased[0].lease_until) - Date.now() - 90000) < 30000, leased);
	const part = await client.due({ lease: 0.2, limit: 1 });
	same("a lease of a part of a second is one", [part.pages.length, (await client.page(part.pages[0].url)).lease_until === null], [1, false]);
	for (const lease of [-0.1, NaN, Infinity]) same(`a lease is as long as it can be: ${lease}`, await said(client.due({ lease })), `RangeError: a lease of ${lease} seconds is none`);
	await client.release([...leased, ...part.pages]);
	for (const wrong of ["127.0.0.1:7390", "nonsense", "ftp://a.example", "http://a.example?x", "unix:p.sock"])
		same(`an address that is none is told before anything is asked: ${wrong}`, await said(new Promise(() => new Client(wrong))), `TypeError: '${wrong}' is no server's address: http://host:port, https://host or unix:/path`);
	const other = createServer((request, response) => (request.url.startsWith("/moved") ? response.writeHead(301).end() : response.end("<html>")));
	await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
	const { port } = other.address();
	same("what answers as no daemon does is told as that", await said(new Client(`http://127.0.0.1:${port}`).stats()), `Refused: 200: http://127.0.0.1:${port} answers as perennial serve does not: "<html>"`);
	same("what leads elsewhere is no answer", (await new Client(`http://127.0.0.1:${port}/moved`).stats().catch((error) => error)).status, 301);
	other.close();
	const path = `${tokenFile}.sock`;
	const listen = () => new Promise((resolve) => {
		const made = createServer((request, response) => response.end(JSON.stringify({ pages: request.url.length })));
		made.listen(path, () => resolve(made));
	});
	const anew = new Client(`unix:${path}`);
	same("a server that never answered is not waited for, and is named", await said(anew.stats()), `Error: unix:${path} does not answer: connect ENOENT ${path}`);
	let there = await listen();
	same("a client speaks to a Unix socket", (await anew.stats()).pages, "/v1/stats?".length);
	await new Promise((resolve) => there.close(resolve));
	const waiting = anew.stats();
	await new Promise((resolve) => setTimeout(resolve, 700));
	there = await listen();
	same("one that has answered is asked again while it is started anew", (await waiting).pages, "/v1/stats?".length);
	await new Promise((resolve) => there.close(resolve));
	anew.patience = 0;
	same("for no longer than patience", (await anew.stats().catch((error) => error)).code, "ENOENT");
	const silent = createServer(() => {});
	await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
	same("one that says nothing is given up", (await new Client(`http://127.0.0.1:${silent.address().port}`, { timeout: 0.2 }).stats().catch((error) => error)).code, "ETIMEDOUT");
	silent.close();
	silent.closeAllConnections?.();
	await client.release((await client.due({ limit: 1000 })).pages);
	await fetch(`${server}/v1/pages?host=127.0.0.1&count=${(await client.stats()).pages}`, { method: "DELETE", headers: { Authorization: `Bearer ${readFileSync(tokenFile, "ascii").trim()}` } });
}

const options = { once: true, pause: 0.2, batch: 4, timeout: 5 };
await claims("fetch", (seen) => refresh(client, { ...options, onContent: (page, body) => seen(page.url, body.toString()) }));
await client.report(`${root}/target/mapped`, words("then"), { time: "2026-06-01", content_type: "text/html" });
const hintedBefore = (await client.stats()).pages;
await refresh(client, { ...options, sitemaps: [`${root}/sitemap.xml`] });
const { hints } = await client.page(`${root}/target/mapped`);
same("fetch: what a sitemap says is told as a hint of the pages on its host, and of no others", [hints.length, (await client.stats()).pages], [1, hintedBefore]);
same("fetch: a sitemap that is not there is an error", (await refresh(client, { ...options, sitemaps: [`${root}/gone/sitemap`] }).catch((error) => error)).message, `${root}/gone/sitemap: 404 Not Found`);
await client.add([`${root}/tagged/limit`]);
let length = 0;
await refresh(client, { ...options, maxBody: 10, onContent: (page, body) => (length = body.length) });
same("fetch: no more of a body is read than is wanted", length, 10);

// What no report can hold is a matter of its page alone.
const HOSTILE = ["tag", "date", "type", "after", "far", "nowhere"];
await client.add([...HOSTILE.map((name) => `${root}/hostile/${name}`), `${root}/tagged/fellow`]);
const hostile = await refresh(client, { ...options, batch: 100 }).catch((error) => error);
same("fetch: headers that no report can hold are left out, and a redirect to nowhere has failed", [hostile.error, hostile.observed, hostile.message], [3, 4, undefined]);
const after = await Promise.all(HOSTILE.map((name) => client.page(`${root}/hostile/${name}`)));
same("fetch: a page whose headers were left out is visited as any other", after.map((page) => [page.visits, page.failures]), [[1, 0], [1, 0], [1, 0], [0, 1], [0, 1], [0, 1]]);
same("fetch: and none stays out", (await client.stats()).leased, 0);
const escapes = told(new Headers({ Location: "\xe9".repeat(2730) + "ab" })).location.length;
same("a Location of 8192 bytes as escaped is kept, and one of a byte more is not", [escapes, told(new Headers({ Location: "\xe9".repeat(2730) + "abc" })).location], [8192, undefined]);

// What the program does wrong is no failure of a page.
await client.add([`${root}/tagged/mistake`]);
for (const [what, wrong] of [["headers with a line break", { headers: { "User-Agent": "a\nb" } }], ["a timeout that is none", { timeout: "soon" }]]) {
	const error = await refresh(client, { ...options, ...wrong }).catch((error) => error);
	const { visits, failures } = await client.page(`${root}/tagged/mistake`);
	same(`fetch: ${what} are the program's mistake: thrown, with nothing reported and nothing left out`, [error instanceof Error, visits, failures, (await client.stats()).leased], [true, 0, 0, 0]);
}
let handled = 0;
await client.add([`${root}/tagged/mistake2`]);
const slip = await refresh(client, { ...options, onContent: () => { handled++; throw new Error("a slip"); } }).catch((error) => error);
same("fetch: what a handler throws comes out, when the others of its batch have come to their ends", [slip.message, handled, (await client.stats()).leased], ["a slip", 2, 0]);
await client.add([`${root}/tagged/plain`]);
same("fetch: an option that is undefined is as if it were not given", (await refresh(client, { ...options, timeout: undefined, maxBody: undefined, headers: undefined })).observed, 1);
same("a tag that no header can hold is not sent", conditionalHeaders({ if_none_match: '"日本"', if_modified_since: "then" }), { "If-Modified-Since": "then" });
const ending = new AbortController();
await client.add([`${root}/tagged/stop`]);
ending.abort();
same("fetch: one that was stopped takes nothing", await refresh(client, { ...options, signal: ending.signal }), {});
const asking = new AbortController();
const idle = createServer((request, response) => {
	asking.abort();
	response.end('{"next_time":"2099-01-01T00:00:00Z"}\n');
});
await new Promise((resolve) => idle.listen(0, "127.0.0.1", resolve));
const stopped = refresh(new Client(`http://127.0.0.1:${idle.address().port}`), { pause: 60, signal: asking.signal });
const waits = new Promise((resolve) => setTimeout(resolve, 30000, "it waits").unref());
same("fetch: one that is stopped while it asks for pages does not wait for the next", await Promise.race([stopped, waits]), {});
idle.close();


// A daemon whose answers are those of one with a budget that has room soon, or whose pages are due again all the time.
const at = (seconds) => new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+/, "");
let answers = [];
const script = createServer((request, response) => response.end((answers.shift() ?? [{ next_time: null }]).map((line) => JSON.stringify(line) + "\n").join("")));
await new Promise((resolve) => script.listen(0, "127.0.0.1", resolve));
async function batchesOf(...lists) {
	answers = lists;
	const given = [];
	for await (const pages of new Client(`http://127.0.0.1:${script.address().port}`).batches({ once: true, pause: 5 })) given.push(...pages.map((page) => page.url));
	return given.join(" ");
}
const page = (url, reason, seconds) => ({ url, reason, due_time: at(seconds) });
same("what waits for its host is had before batches end", await batchesOf([page("a", "rule", -60)], [{ next_time: at(1) }], [page("b", "host", -60)]), "a b");
same("what was found meanwhile is, too, and what waits behind it", await batchesOf([page("a", "host", 60)], [{ next_time: at(1) }], [page("b", "host", -60)]), "a b");
same("batches end where the budget has no room, though it has soon", await batchesOf([page("a", "rule", -60)], [{ next_time: at(1), over_budget: true }], [page("b", "rule", -60)]), "a");
same("batches end where what was given last became due meanwhile", await batchesOf([page("a", "rule", 60)], [{ next_time: at(1) }], [page("b", "rule", 60)]), "a");
same("and where it was given before", await batchesOf([page("a", "new", 60)], [page("a", "host", 60)], [{ next_time: at(1) }], [page("a", "host", 60)]), "a a");
script.close();
script.closeAllConnections?.();

// crawlee's side without crawlee: what it hands over, by HTTP/2 too.
{
	const reports = [];
	let refuses = 0;
	const teller = {
		report: async (url, body, { status, ...what }) => {
			if (refuses-- > 0) throw new Refused(refuses > 8 ? 500 : 414, {});
			reports.push([status, what.etag ?? null]);
			return {};
		},
		release: async (urls) => reports.push(["released", urls.length]),
	};
	const handled = [];
	const { requestHandler, failedRequestHandler } = crawlerOptions(teller, { requestHandler: ({ request }) => handled.push(request.url) });
	const visit = async (headers) => {
		const request = { url: "https://a.example/", userData: {} };
		try {
			await requestHandler({ request, response: { statusCode: 200, headers }, body: "<p>boats" });
		} catch (error) {
			await failedRequestHandler({ request }, error);
		}
		return reports.splice(0);
	};
	same("crawlee: a response by HTTP/2 is reported, and its page handled", [await visit({ ":status": 200, ETag: ['"v1"'], vary: ["a", "b"], age: undefined }), handled.length], [[[200, '"v1"']], 1]);
	same("crawlee: headers that are none do not make a page fail", await visit({ ETag: '"v1"', "x y": "a\nb" }), [[200, '"v1"']]);
	refuses = 1;
	same("crawlee: what no report can hold has failed", await visit({}), [[0, null]]);
	refuses = 10;
	same("crawlee: a page that answered is given back where the report failed, and has not failed", await visit({}), [["released", 1]]);
	refuses = 0;
	await failedRequestHandler({ request: { url: "https://a.example/", userData: {} } }, new Error("no answer"));
	same("crawlee: one that did not is reported as that", reports.splice(0), [[0, null]]);

	// A crawler that takes one page of each batch, is told by robots.txt to skip one, and leaves the third.
	const skipped = [];
	const picky = crawlerOptions(teller, { respectRobotsTxtFile: true, onSkippedRequest: ({ url }) => skipped.push(url) });
	let runs = 0;
	const run = async (requests) => {
		runs++;
		await picky.requestHandler({ request: requests[0], response: { statusCode: 200, headers: {} }, body: "<p>boats" });
		await picky.onSkippedRequest({ url: "https://a.example/2", reason: "robotsTxt" });
		await picky.onSkippedRequest({ url: "https://a.example/link", reason: "robotsTxt" });
	};
	teller.batches = async function* () {
		while (runs < 5) yield [1, 2, 3].map((i) => ({ url: `https://a.example/${i}` }));
	};
	const crawled = await crawl({ run }, teller);
	same("crawlee: what robots.txt forbids is reported as refused, but no link, and what the crawler leaves is given back", reports.splice(0), [[200, null], [403, null], ["released", 1]]);
	same("crawlee: a crawler that leaves pages is not given more", [runs, crawled], [1, 2]);
	same("crawlee: what is skipped is told to whom asked for it", skipped, ["https://a.example/2", "https://a.example/link"]);
	same("crawlee: one that does not know of robots.txt is told nothing of it", "onSkippedRequest" in crawlerOptions(teller), false);
	runs = 0;
	const broken = await crawl({ run: async () => { throw new Error("no queue"); } }, teller).catch((error) => error);
	same("crawlee: where the crawler fails, all is given back", [broken.message, reports.splice(0)], ["no queue", [["released", 3]]]);
}

if (crawlee) {
	const require = createRequire(`${crawlee}/package.json`);
	const { HttpCrawler, Configuration, log } = require("@crawlee/http");
	log.setLevel(log.LEVELS.OFF);
	const of = (seen) =>
		new HttpCrawler(crawlerOptions(client, { requestHandler: ({ request, body }) => seen(request.url, body.toString()) }), new Configuration({ persistStorage: false }));
	await claims("crawlee", (seen) => crawl(of(seen), client, { once: true, pause: 0.2, batch: 4 }));
	await client.add([`${root}/packed/faulty`]);
	await crawl(of(() => { throw new Error("no handler"); }), client, { once: true, pause: 0.2 });
	same("crawlee: a page is reported once, though its handler fails", await client.page(`${root}/packed/faulty`).then((page) => [page.visits, page.failures]), [1, 0]);
	await client.add(["private/a", "private/b", "target/allowed"].map((page) => `${root}/${page}`));
	asked = [];
	const obedient = new HttpCrawler(crawlerOptions(client, { respectRobotsTxtFile: true, requestHandler: () => {} }), new Configuration({ persistStorage: false }));
	await crawl(obedient, client, { once: true, pause: 0.2 });
	const forbidden = await Promise.all(["private/a", "private/b", "target/allowed"].map((page) => client.page(`${root}/${page}`)));
	same("crawlee: pages that robots.txt forbids are not asked for, wait, and are not on lease", [asked.some(([url]) => url.startsWith("/private")), ...forbidden.map((page) => [page.visits, page.failures, page.lease_until])], [false, [0, 1, null], [0, 1, null], [1, 0, null]]);
	await client.add(["x", "y", "z"].map((page) => `${root}/target/${page}`));
	const limited = new HttpCrawler(crawlerOptions(client, { maxRequestsPerCrawl: 2, maxConcurrency: 1, requestHandler: () => {} }), new Configuration({ persistStorage: false }));
	same("crawlee: one that crawls no more than so many pages ends then", await crawl(limited, client, { pause: 0.2 }), 2);
	same("crawlee: and what it left is not on lease, and has not failed", [(await client.stats()).leased, (await Promise.all(["x", "y", "z"].map((page) => client.page(`${root}/target/${page}`)))).map((page) => page.failures)], [0, [0, 0, 0]]);
	await crawl(of(() => {}), client, { once: true, pause: 0.2 });
	const [key, cert] = process.env.TLS_KEY ? [process.env.TLS_KEY, process.env.TLS_CERT].map((file) => readFileSync(file)) : [];
	if (key) {
		const modern = createSecureServer({ key, cert }, (request, response) => response.writeHead(200, { "Content-Type": "text/html" }).end(words(request.url)));
		const sessions = [];
		modern.on("session", (session) => sessions.push(session));
		await new Promise((resolve) => modern.listen(0, "localhost", resolve));
		const url = `https://localhost:${modern.address().port}/modern`;
		const seen = [];
		await client.add([url]);
		await crawl(of((page) => seen.push(page)), client, { once: true, pause: 0.2 });
		same("crawlee: a page by HTTP/2 is reported, and reaches the handler", [await client.page(url).then((page) => [page.visits, page.failures]), seen], [[1, 0], [url]]);
		sessions.forEach((session) => session.destroy());
		modern.close();
	} else console.log(`ok ${++count} - crawlee: a page by HTTP/2 is reported, and reaches the handler # SKIP openssl is not installed: it makes the certificate`);
} else console.log(`ok ${++count} - crawlee crawls what is due # SKIP @crawlee/http is not installed: npm install -g @crawlee/http, or set CRAWLEE to a folder that has it`);

// The last, for then nothing of the host is due any more.
await client.add([`${root}/closed/fetch`]);
same("fetch: a host that is closed is reported with its Retry-After", (await refresh(client, options))["host-delayed"], 1);
site.close();
site.closeAllConnections?.();
console.log(`1..${count}`);
