/**
 * crawlee crawls what perennial says is due.  crawlerOptions() makes options for HttpCrawler, CheerioCrawler and what else fetches by
 * HTTP: requests are conditional, redirects are reported and not followed, and each page that came is reported before your handler
 * sees it.
 *
 *	import { CheerioCrawler } from "crawlee";
 *	import { Client } from "perennial";
 *	import { crawl, crawlerOptions } from "perennial/crawlee";
 *
 *	const client = new Client("http://127.0.0.1:7390", { tokenFile: "S/token" });
 *	const crawler = new CheerioCrawler(crawlerOptions(client, { requestHandler: async ({ request, $ }) => index(request.url, $) }));
 *	await crawl(crawler, client, { once: true });
 */
import { conditionalHeaders, reportAnswer, told } from "./perennial.js";

const CONTENT = [200, 203];
const FORBIDDEN = 403;
const FAILURES = Array.from({ length: 100 }, (_, i) => 500 + i);

/**
 * The headers of a response of crawlee's, whose values may be lists.  They are no Headers, which refuse the names that HTTP/2 adds, such as
 * ":status".
 */
function headersOf(response) {
	const named = Object.entries(response.headers ?? {}).filter(([name, value]) => !name.startsWith(":") && [].concat(value ?? []).length);
	return new Map(named.map(([name, value]) => [name.toLowerCase(), [].concat(value).join(", ")]));
}

/** Of each client the URLs that crawl() has handed to a crawler, and of which nothing was told yet. */
const handedOut = new WeakMap();

function outOf(client) {
	if (!handedOut.has(client)) handedOut.set(client, new Set());
	return handedOut.get(client);
}

/**
 * Options for a crawler.  yours are any that it takes; its requestHandler is called for pages that brought content, with the decision in
 * context.decision.  A page that cannot be fetched is tried again when it is due, as the store says, and not by crawlee.
 * What is due and robots.txt forbids (respectRobotsTxtFile) is reported as 403, as if its site had refused it: it is tried less and less
 * often, for a robots.txt may change.
 */
export function crawlerOptions(client, yours = {}) {
	const { requestHandler, failedRequestHandler, onSkippedRequest, preNavigationHooks = [], ...more } = yours;
	const out = outOf(client);
	const skips = {
		async onSkippedRequest(skipped) {
			// Links are skipped, too: those are no pages.
			if (skipped.reason === "robotsTxt" && out.delete(skipped.url)) await client.report(skipped.url, undefined, { status: FORBIDDEN });
			await onSkippedRequest?.(skipped);
		},
	};
	return {
		...more,
		...(more.respectRobotsTxtFile || onSkippedRequest ? skips : {}), // older ones do not know it
		useSessionPool: false, // it would take 403 and 429 for its own
		maxRequestRetries: 0,
		additionalMimeTypes: ["*/*"], // a 304 has none
		ignoreHttpErrorStatusCodes: FAILURES,
		preNavigationHooks: [
			...preNavigationHooks,
			({ request }, options) => {
				options.followRedirect = false;
				request.headers = { ...request.headers, ...conditionalHeaders(request.userData.page ?? {}) };
			},
		],
		async requestHandler(context) {
			const { request, response, body } = context;
			request.userData.answered = true;
			const tell = told(headersOf(response));
			// Text is UTF-8 by now, whatever it was.
			if (typeof body === "string" && tell.content_type) tell.content_type = `${tell.content_type.split(";")[0]}; charset=utf-8`;
			context.decision = await reportAnswer(client, request.url, body, { status: response.statusCode, ...tell });
			request.userData.reported = true;
			out.delete(request.url);
			if (requestHandler && CONTENT.includes(response.statusCode)) await requestHandler(context);
		},
		async failedRequestHandler(context, error) {
			const { url, userData } = context.request;
			out.delete(url);
			// A page that answered did not fail, though its report did: it is due again.
			if (!userData.answered) await client.report(url, undefined, { status: 0 });
			else if (!userData.reported) await client.release([url]);
			await failedRequestHandler?.(context, error);
		},
	};
}

/**
 * Has a crawler with these options crawl what is due, `batch` pages at a time; once, pause: as Client.batches() has them.  Where the crawler
 * leaves pages, as one that was stopped or has had maxRequestsPerCrawl, they are given back, and it ends.  Returns how many pages were
 * crawled.
 */
export async function crawl(crawler, client, { batch = 100, lease = "1h", once = false, pause = 10 } = {}) {
	const out = outOf(client);
	let crawled = 0;
	for await (const pages of client.batches({ limit: batch, lease, once, pause })) {
		const now = Date.now();
		const urls = pages.map((page) => page.url);
		urls.forEach((url) => out.add(url));
		let left;
		try {
			await crawler.run(pages.map((page) => ({ url: page.url, uniqueKey: `${page.url} ${now}`, userData: { page } })));
		} finally {
			left = urls.filter((url) => out.delete(url));
			if (left.length) await client.release(left);
		}
		crawled += pages.length - left.length;
		if (left.length) break;
	}
	return crawled;
}
