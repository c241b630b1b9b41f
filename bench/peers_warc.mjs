// What bench/peers runs of JavaScript on a WARC file: warcio reads its records, and htmlparser2 the pages in them.  Prints a line for
// each: its name, a tab, and seconds of the processor.  Arguments: the folder where npm put them, and the file.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const wanted = createRequire(process.argv[2] + '/'), path = process.argv[3];
const { WARCParser } = await import(pathToFileURL(wanted.resolve('warcio')));
const { Parser } = wanted('htmlparser2');

// Each response's body, as it was sent: warcio takes chunks and gzip away.
async function read(take) {
	for await (const record of new WARCParser(fs.createReadStream(path))) {
		if (record.warcType !== 'response')
			continue;
		const body = await record.readFully(true);
		if ((record.httpHeaders?.headers.get('content-type') || '').includes('html'))
			take(body);
	}
}

function words(page) {
	const texts = [];
	const parser = new Parser({ ontext: (text) => texts.push(text) });
	parser.end(new TextDecoder().decode(page));
	return texts.join(' ').toLowerCase().split(/[^\p{L}\p{N}]+/u).length;
}

async function measure(name, take) {
	const before = process.cpuUsage();
	await read(take);
	const { user, system } = process.cpuUsage(before);
	console.log(`${name}\t${(user + system) / 1e6}`);
}

await measure('warcio: WARC to bodies', () => {});
await measure('warcio and htmlparser2: WARC to words', words);
