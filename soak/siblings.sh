#!/usr/bin/env bash
# Kills writers of a store that learns about hosts and their directories: the store must end with exactly the contents of a store whose
# writers were not killed, page by page, including what siblings lead to expect.  siblings.sh [KILLS] [SEED]
set -eu
kills=${1:-20} seed=${2:-1}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
now=2026-02-01
awk -v seed="$seed" 'BEGIN {
	srand(seed)
	split("news/2024 about p", sections, " ")
	for (i = 0; i < 20000; i++) {
		page = int(600 * rand())
		text = ""
		for (j = 0; j < 40; j++)
			text = text " w" page "x" (j + int(i / 2000) * (page % 5))
		printf "{\"url\":\"http://h%d.example/%s/%d.html\",\"time\":%d,\"status\":200,\"content_type\":\"text/plain\",\"body\":\"%s\"}\n",
			page % 3, sections[1 + int(page / 3) % 3], page, 1767225600 + 60 * i, text
	}
}' >visits
"$PERENNIAL" init --state=whole
"$PERENNIAL" init --state=hurt
"$PERENNIAL" observe --state=whole --now=$now --quiet visits 2>/dev/null
for ((i = 0; i < kills; i++)); do
	timeout -s KILL "0.$(((seed * 7 + i * 13) % 9 + 1))" "$PERENNIAL" observe --state=hurt --now=$now --quiet visits >/dev/null 2>&1 || true
done 2>/dev/null
"$PERENNIAL" observe --state=hurt --now=$now --quiet visits 2>/dev/null || [ $? -eq 1 ]
"$PERENNIAL" check --state=hurt >/dev/null
for store in whole hurt; do
	"$PERENNIAL" add --state=$store --now=$now http://h{0,1,2}.example/{news/2024,about,p,other}/new.html 2>/dev/null
	"$PERENNIAL" export --state=$store --now=$now >$store.pages
done
told=$(grep -c '/new.html".*"siblings":{' whole.pages)
if [ "$told" -ne 12 ] || ! cmp whole.pages hurt.pages; then
	echo "siblings: $kills kills, seed $seed: the store that was hurt is not as the whole one" >&2
	exit 1
fi
echo "siblings: $kills kills, $(wc -l <whole.pages) pages, $told of them new: the store is as one that nobody killed"
