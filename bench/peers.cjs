// What bench/peers runs of JavaScript: a line for each parser that is there, its name, a tab, and megabytes a second of the
// processor.  Arguments: the folder where npm put them, and files of HTML.
const fs = require('fs'), { createRequire } = require('module');
const wanted = createRequire(process.argv[2] + '/'), pages = process.argv.slice(3).map((name) => fs.readFileSync(name, 'utf8'));
const bytes = process.argv.slice(3).reduce((sum, name) => sum + fs.statSync(name).size, 0);
const ROUNDS = 9, LEAST_MS = 200;

function words(texts) {
	return texts.join(' ').toLowerCase().split(/[^\p{L}\p{N}]+/u).length;
}

function textOf(node, out) {
	if (node.nodeName === '#text')
		out.push(node.value);
	else if (node.nodeName !== 'script' && node.nodeName !== 'style')
		for (const child of node.childNodes || [])
			textOf(child, out);
	return out;
}

const readers = {
	'parse5: HTML to a tree and words': () => {
		const { parse } = wanted('parse5');
		return (page) => words(textOf(parse(page), []));
	},
	'htmlparser2: HTML to callbacks and words': () => {
		const { Parser } = wanted('htmlparser2');
		return (page) => {
			const texts = [];
			const parser = new Parser({ ontext: (text) => texts.push(text) });
			parser.end(page);
			return words(texts);
		};
	},
};

function seconds(read, times) {
	const before = process.cpuUsage();
	for (let n = 0; n < times; n++)
		for (const page of pages)
			read(page);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1e6;
}

for (const [name, open] of Object.entries(readers)) {
	let read;
	try {
		read = open();
	} catch (error) {
		console.error(`${name}: skipped: ${error.code}`);
		continue;
	}
	let times = 1;
	while (seconds(read, times) < LEAST_MS / 1000)
		times *= 2;
	const rounds = Array.from({ length: ROUNDS }, () => seconds(read, times)).sort((a, b) => a - b);
	console.log(`${name}\t${(times * bytes / 1e6 / rounds[ROUNDS >> 1]).toFixed(0)}`);
}
