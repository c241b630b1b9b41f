/**
 * A client of `perennial serve`, and a crawler that needs nothing but fetch: it asks what is due, fetches it as a conditional
 * request, and reports what came.
 *
 *	import { Client, refresh } from "perennial";
 *
 *	const client = new Client("http://127.0.0.1:7390", { tokenFile: "S/token" });
 *	await client.add(["https://a.example/"]);
 *	await refresh(client, { once: true, onContent: (page, body, response) => index(page.url, body) });
 */
import { readFileSync } from "node:fs";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

/**
 * The server refused a request: status is that of HTTP, answer what came with it.
 *
 *	done	of many at once: how many of the request that was refused are done and durable all the same, the first of those that can be
 *		read; undefined: the server does not say
 *	answers	of reportAll, add and release: the answers to the requests before, which are durable
 */
export class Refused extends Error {
	constructor(status, answer) {
		super(`${status}: ${answer.error ?? "the server says no more"}`);
		this.name = "Refused";
		this.status = status;
		this.answer = answer;
		this.answers = [];
		const found = /\b(\d+) of the batch are done/.exec(answer.error);
		this.done = found ? Number(found[1]) : undefined;
	}
}

/** Whether a server says that it has done nothing of what it refuses: it was stopping before it took it, or before it began. */
const isUndone = (refused) => refused.done === 0 || refused.answer.error === "the server is stopping";

const wait = (milliseconds, signal) =>
	new Promise((resolve) => {
		const timer = setTimeout(done, milliseconds);
		function done() {
			clearTimeout(timer);
			signal?.removeEventListener("abort", done);
			resolve();
		}
		signal?.addEventListener("abort", done);
		if (signal?.aborted) done();
	});

function parse(text) {
	try {
		return JSON.parse(text);
	} catch {
		return { error: text.slice(0, 500).trim() };
	}
}

const ANEW = 500; // milliseconds until a server is asked again that cannot be reached
const BATCH = 1000;
const BATCH_BYTES = 8 << 20;

/** Some of the given at a time, each with its line.  Where one cannot be had, those before it come first. */
async function* lineBatches(given, line) {
	let batch = [];
	let size = 0;
	try {
		for await (const one of given) {
			const text = JSON.stringify(line(one)) + "\n";
			batch.push([one, text]);
			size += Buffer.byteLength(text);
			if (batch.length < BATCH && size < BATCH_BYTES) continue;
			const full = batch;
			[batch, size] = [[], 0];
			yield full;
		}
	} catch (error) {
		if (batch.length) yield batch;
		throw error;
	}
	if (batch.length) yield batch;
}

const pageLine = (page) => (typeof page === "string" || page instanceof URL ? { url: String(page) } : page);
const hasTime = ({ time }) => time !== undefined && time !== null;
const timeText = (time) => (time instanceof Date ? time.toISOString().replace(/\.\d+/, "") : time);

function leaseText(lease) {
	if (typeof lease !== "number") return lease;
	if (!(lease >= 0 && lease < Infinity)) throw new RangeError(`a lease of ${lease} seconds is none`);
	return `${Math.ceil(lease)}s`;
}

function attemptLine({ url, body, time, ...told }) {
	const line = { url: String(url), ...told, time: timeText(time) };
	if (body === undefined || body === null || typeof body === "string") return { ...line, body: body ?? undefined };
	return { ...line, body_base64: bytesOf(body).toString("base64") };
}

/** A body as bytes; a string is UTF-8. */
function bytesOf(body) {
	if (body === undefined || body === null) return Buffer.alloc(0);
	if (typeof body === "string") return Buffer.from(body);
	if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
	if (body instanceof ArrayBuffer) return Buffer.from(body);
	throw new TypeError(`a body is a string, a Buffer, a Uint8Array or an ArrayBuffer, not ${Object.prototype.toString.call(body).slice(8, -1)}`);
}

/** Where a server is, as node:http takes it, and the path before all others. */
function addressOf(text) {
	if (text.startsWith("unix:/")) return { request: requestHttp, to: { socketPath: text.slice("unix:".length) }, folder: "" };
	let url;
	try {
		url = new URL(text);
	} catch {
		url = {};
	}
	if (!["http:", "https:"].includes(url.protocol) || url.search || url.hash)
		throw new TypeError(`'${text}' is no server's address: http://host:port, https://host or unix:/path`);
	return { request: url.protocol === "https:" ? requestHttps : requestHttp, to: { host: url.hostname.replace(/^\[|\]$/g, ""), port: url.port || undefined }, folder: url.pathname.replace(/\/+$/, "") };
}

const LARGE = 65536; // bytes of a body that is not sent before the server has said that it takes it: who refuses it may close the connection
const SOON = 1000; // milliseconds until it is sent all the same: a proxy may not know of that

/** One request: status, retryAfter, text. */
function exchange({ request, to, folder }, { method, path, headers, body, timeout }) {
	return new Promise((resolve, reject) => {
		const large = body.length > LARGE;
		const length = method === "GET" ? {} : { "Content-Length": body.length };
		const sent = request({ ...to, path: folder + path, method, agent: false, headers: { ...headers, ...length, ...(large ? { Expect: "100-continue" } : {}) } });
		const failed = (error) => reject(Object.assign(new Error(error.message || error.code, { cause: error }), { code: error.code ?? error.errors?.[0]?.code }));
		let timer;
		const send = () => {
			clearTimeout(timer);
			if (!sent.writableEnded) sent.end(body);
		};
		sent.on("error", failed);
		sent.on("close", () => clearTimeout(timer));
		sent.setTimeout(timeout * 1000, () => sent.destroy(Object.assign(new Error(`no answer in ${timeout} seconds`), { code: "ETIMEDOUT" })));
		sent.on("response", (answer) => {
			const parts = [];
			clearTimeout(timer);
			answer.on("data", (part) => parts.push(part));
			answer.on("error", failed);
			answer.on("end", () => {
				resolve({ status: answer.statusCode, retryAfter: answer.headers["retry-after"], text: Buffer.concat(parts).toString() });
				sent.destroy();
			});
		});
		if (!large) return send();
		sent.on("continue", send);
		sent.flushHeaders();
		timer = setTimeout(send, SOON);
	});
}

/** An answer whose error does not begin with the number of its line, which is that in one request. */
const unnumbered = (answer) => (answer.error ? { ...answer, error: answer.error.replace(/^line \d+: /, "") } : answer);

/** The headers of a conditional request for a page of due(): one that is as it was is answered 304. */
export function conditionalHeaders(page) {
	const headers = {};
	// A tag that another fetcher reported may have characters that fetch refuses in a header: such a page is fetched whole.
	if (page.if_none_match && !/[^\t\x20-\xff]/.test(page.if_none_match)) headers["If-None-Match"] = page.if_none_match;
	if (page.if_modified_since) headers["If-Modified-Since"] = page.if_modified_since;
	return headers;
}

export class Client {
	#address;
	#hasAnswered = false;

	/**
	 * token is what stands in the file token in the folder of the store; tokenFile names that file.  A server that is busy (429, 503)
	 * is asked again as it says, for as long as patience (seconds), and so is one that has answered and cannot be reached, as while it is
	 * started anew; then, and for all else that it refuses, Refused is thrown.  Another error: it does not answer, within timeout (seconds).
	 * What was done in part is only sent again by itself where that does nothing twice: reportAll() says when.
	 */
	constructor(url = "http://127.0.0.1:7390", { token, tokenFile, patience = 30, timeout = 60 } = {}) {
		this.url = String(url).replace(/\/+$/, "");
		this.#address = addressOf(this.url);
		this.timeout = timeout;
		this.token = tokenFile ? readFileSync(tokenFile, "ascii").split("\n")[0].trim() : token;
		this.patience = patience;
	}

	/**
	 * Pages to look after: URLs, or objects with url and weight.  Of each: url, and outcome (added, known, revived), or error.  They may be
	 * added again: what was added when a server ended in the midst of them, and was sent again, is known.
	 */
	add(pages) {
		return this.#all("/v1/pages", pages, pageLine);
	}

	/**
	 * Pages to fetch now, most valuable first, on lease; { pages, next, overBudget }: next is a time when there may be more, or null;
	 * overBudget: more is due, and the budget has no room for it before then.  lease is such as "10m", or seconds, of
	 * which a part counts as one; 0: only a look.
	 */
	async due({ limit = 100, lease } = {}) {
		const lines = await this.#lines("POST", "/v1/due", { limit, lease: leaseText(lease) });
		const last = lines.find((line) => !line.url);
		return { pages: lines.filter((line) => line.url), next: last?.next_time ?? null, overBudget: last?.over_budget ?? false };
	}

	/**
	 * What is due, limit pages at a time, for ever.  Where nothing is due it asks again after pause seconds, or when there may be more.
	 * once: it ends when nothing is due, nor will be within pause because its host may be asked again; what becomes due meanwhile, and
	 * what the budget has no room for, is left for the next time.
	 */
	async *batches({ limit = 100, lease, once = false, pause = 10, signal } = {}) {
		const began = Date.now();
		const given = new Set();
		// One that was found meanwhile, and may have waited for its host, belongs to what is due.
		const isFound = (page) => ["new", "host"].includes(page.reason) && !given.has(page.url);
		const isLate = (page) => !isFound(page) && Date.parse(page.due_time) > began;
		for (let late = false; !signal?.aborted; ) {
			const { pages, next, overBudget } = await this.due({ limit, lease });
			if (pages.length) {
				yield pages;
				late = pages.every(isLate);
				if (once) pages.forEach((page) => given.add(page.url));
				continue;
			}
			const soon = next === null ? Infinity : Math.max(0, Date.parse(next) - Date.now());
			if (once && (overBudget || late || soon > pause * 1000)) return;
			await wait(Math.max(100, Math.min(soon, pause * 1000)), signal);
		}
	}

	/**
	 * Reports what came of a page: status (0: no answer), content_type, etag, last_modified, location, retry_after, time, weight, …;
	 * returns the decision, which is durable.  A string is UTF-8; without content_type the first bytes say what a body is.  There may be none
	 * where none came: not with status 200.
	 */
	async report(url, body, { content_type, time, ...told } = {}) {
		if ((body === undefined || body === null) && [200, 203].includes(told.status ?? 200)) throw new TypeError("a page that came has a body; where it is empty, that is ''");
		return this.#json("POST", "/v1/observe", { url, ...told, time: timeText(time) }, body, content_type ?? "");
	}

	/**
	 * Reports many: objects with url, status, time, content_type, body (a string or bytes), and the rest as report() has it.  An answer for
	 * each, in their order; that of one that could not be read has error.
	 *
	 * They go in requests of at most 1000 reports, and of no more than some 8 MiB and the last of its reports: of attempts, which may be any
	 * iterable, also one that is awaited, no more is held at a time.  A request that fails ends it: those of the requests before are
	 * durable, and of its own some may be.  They may all be sent again, if each has its time: one that was taken is answered duplicate,
	 * or past where a later one of its page was taken, too.  Where attempts itself fails, what it gave until then is reported first.
	 * reportEach() tells how far it came.
	 *
	 * A server that is stopped ends a request after a part of it.  Where each of its reports has its time, it is sent again, and what was
	 * done is answered duplicate.  Without times that would be second visits: Refused is thrown, with how many are done, and answers.
	 */
	reportAll(attempts) {
		return this.#all("/v1/observe", attempts, attemptLine, hasTime);
	}

	/** As reportAll(), but yields [report, answer] when that is durable, and keeps none: for as many as there may be. */
	reportEach(attempts) {
		return this.#each("/v1/observe", attempts, attemptLine, hasTime);
	}

	/**
	 * Gives leases back, of URLs or of pages as due() has them.  Of each: url, and outcome (released, not-leased).  They may be given back
	 * again: what was when a server ended in the midst of them, and was sent again, is not-leased.
	 */
	release(pages) {
		return this.#all("/v1/release", pages, (page) => ({ url: pageLine(page).url }));
	}

	/** Tells what others say of pages: a sitemap, a feed, JSON lines or a list of URLs; base is the document's own URL. */
	hint(document, { source, base, sameHost = false } = {}) {
		return this.#json("POST", "/v1/hint", { source, base, same_host: sameHost ? "yes" : undefined }, document, "application/octet-stream");
	}

	/** What is known of a page, and why its next visit is when it is. */
	page(url) {
		return this.#json("GET", "/v1/page", { url });
	}

	/** What became of the budget, and which hosts are held back. */
	stats() {
		return this.#json("GET", "/v1/stats", {});
	}

	async #ask(method, path, parameters, body, type, isRepeatable = true) {
		const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
		const headers = {};
		if (type) headers["Content-Type"] = type;
		if (this.token) headers.Authorization = `Bearer ${this.token}`;
		const bytes = bytesOf(body);
		const until = Date.now() + this.patience * 1000;
		for (;;) {
			let answer;
			try {
				answer = await exchange(this.#address, { method, path: `${path}?${new URLSearchParams(given)}`, headers, body: bytes, timeout: this.timeout });
			} catch (error) {
				if (!error.cause) throw error; // a mistake of the program, as in a header
				// Nothing was sent to one that is not there.
				if (!["ECONNREFUSED", "ENOENT"].includes(error.code) || !this.#hasAnswered || !(Date.now() + ANEW <= until)) {
					error.message = `${this.url} does not answer: ${error.message}`;
					throw error;
				}
				await wait(ANEW);
				continue;
			}
			this.#hasAnswered = true;
			if (answer.status >= 200 && answer.status < 300) return answer.text;
			const pause = 1000 * Number(answer.retryAfter || 1);
			const refused = new Refused(answer.status, parse(answer.text));
			const isAgain = answer.status === 429 || (answer.status === 503 && (isRepeatable || isUndone(refused)));
			if (!isAgain || !(Date.now() + pause <= until)) throw refused;
			await wait(pause);
		}
	}

	async #json(...request) {
		return this.#read(await this.#ask(...request));
	}

	#read(text) {
		try {
			return JSON.parse(text);
		} catch {
			throw new Refused(200, { error: `${this.url} answers as perennial serve does not: ${JSON.stringify(text.slice(0, 80))}` });
		}
	}

	/**
	 * Sends a line for each in requests of a bounded size: each with its answer, in their order.  isRepeatable: whether what is done of a
	 * line is not done again where it is sent again.
	 */
	async *#each(path, given, line, isRepeatable = () => true) {
		for await (const batch of lineBatches(typeof given === "string" || given instanceof URL ? [given] : given, line)) {
			const answers = await this.#lines("POST", path, {}, batch.map(([, text]) => text).join(""), "application/x-ndjson", batch.every(([one]) => isRepeatable(one)));
			if (answers.length !== batch.length) throw new Error(`${this.url}${path}: ${batch.length} lines were answered with ${answers.length}`);
			for (const [i, [one]] of batch.entries()) yield [one, unnumbered(answers[i])];
		}
	}

	async #all(...request) {
		const answers = [];
		try {
			for await (const [, answer] of this.#each(...request)) answers.push(answer);
		} catch (error) {
			if (error instanceof Refused) error.answers = answers;
			throw error;
		}
		return answers;
	}

	async #lines(...request) {
		return (await this.#ask(...request)).split("\n").filter(Boolean).map((line) => this.#read(line));
	}
}

// In bytes: what is longer no store keeps, and together it would be more than the server reads.
const LONGEST = { etag: 127, "last-modified": 64, location: 8192, "retry-after": 64, "content-type": 1024 };

/** What a response's headers tell, as report() takes it.  One that is too long to be of use is left out. */
export function told(headers) {
	const short = (name, value) => (value && Buffer.byteLength(value) <= LONGEST[name] ? value : undefined);
	const get = (name) => short(name, headers.get(name));
	// Bytes beyond ASCII, which many servers send, come as a character each: a browser asks for them in escapes.
	const location = headers.get("location")?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
	return { etag: get("etag"), last_modified: get("last-modified"), location: short("location", location), retry_after: get("retry-after"), content_type: get("content-type") };
}

/** Statuses with which the server refuses a report for what is in it, and not for who reports. */
const UNREPORTABLE = [400, 413, 414, 415, 422, 431];

/**
 * Reports what came of a page, as Client.report() does.  A page whose site sent what no report can hold has failed: such an answer is not
 * to end the crawl of all others.
 */
export async function reportAnswer(client, url, body, answer) {
	try {
		return await client.report(url, body, answer);
	} catch (error) {
		if (!(error instanceof Refused && UNREPORTABLE.includes(error.status))) throw error;
		return client.report(url, undefined, { status: 0 });
	}
}

/** A body up to a limit: more is not read. */
async function read(response, most) {
	const parts = [];
	let length = 0;
	for await (const part of response.body ?? []) {
		parts.push(part);
		length += part.length;
		if (length >= most) break;
	}
	return Buffer.concat(parts).subarray(0, most);
}

function headersFor(page, headers) {
	const sent = new Headers(headers);
	for (const [name, value] of Object.entries(conditionalHeaders(page))) sent.set(name, value);
	return sent;
}

/** Fetches one page that is due, and reports it: the decision.  A redirect is reported as it is, and not followed: its target is a page. */
async function visit(client, page, { headers, timeout, maxBody, onContent, signal }) {
	let response, body;
	// What is wrong with these is the program's mistake, and no failure of the page.
	const sent = headersFor(page, headers);
	const ends = AbortSignal.timeout(Math.ceil(timeout * 1000));
	const either = signal && AbortSignal.any ? AbortSignal.any([signal, ends]) : ends;
	try {
		response = await fetch(page.url, { headers: sent, redirect: "manual", signal: either });
		body = await read(response, maxBody);
	} catch (error) {
		if (signal?.aborted) {
			await client.release([page.url]);
			return { url: page.url, outcome: "released" };
		}
		return client.report(page.url, undefined, { status: 0 });
	}
	const decision = await reportAnswer(client, page.url, body, { status: response.status, ...told(response.headers) });
	if (onContent && [200, 203].includes(response.status)) await onContent(page, body, response, decision);
	return decision;
}

/**
 * Crawls what is due until it is told to stop, `batch` pages at a time; once, pause: as Client.batches() has them.  Returns how many
 * pages came to which outcome.
 *
 *	onContent	called with (page, body, response, decision) for each page that brought content, not for a 304
 *	onDecision	called with (decision) for each page
 *	sitemaps	URLs of sitemaps and feeds: read first, and told as hints of the pages on their own hosts
 *	headers		of each request, such as User-Agent
 *	timeout, maxBody	seconds a page may take; bytes of it that are read
 *	signal		of an AbortController: ends it; what is out is given back
 */
export async function refresh(client, options = {}) {
	const { batch = 10, lease = "10m", once = false, pause = 10, sitemaps = [], onDecision, signal } = options;
	const how = { ...options, timeout: options.timeout ?? 30, maxBody: options.maxBody ?? 16 << 20, headers: options.headers ?? {} };
	const outcomes = {};
	for (const sitemap of sitemaps) {
		const response = await fetch(sitemap, { headers: how.headers, signal: AbortSignal.timeout(Math.ceil(how.timeout * 1000)) });
		if (!response.ok) throw new Error(`${sitemap}: ${response.status} ${response.statusText}`);
		await client.hint(await read(response, 50 << 20), { base: sitemap, sameHost: true });
	}
	for await (const pages of client.batches({ limit: batch, lease, once, pause, signal })) {
		// One that ends the crawl does so after its fellows came to their ends, and no lease stays out.
		const visits = await Promise.allSettled(pages.map((page) => visit(client, page, how)));
		const ended = visits.find(({ status }) => status === "rejected");
		if (ended) await client.release(pages.filter((_, i) => visits[i].status === "rejected").map((page) => page.url)).catch(() => {});
		for (const { value: decision } of visits.filter(({ status }) => status === "fulfilled")) {
			outcomes[decision.outcome] = (outcomes[decision.outcome] ?? 0) + 1;
			onDecision?.(decision);
		}
		if (ended) throw ended.reason;
	}
	return outcomes;
}
