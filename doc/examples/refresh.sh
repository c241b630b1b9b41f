#!/bin/sh
# A refresher that asks politely: curl fetches what is due, and sends along what the server said of the version that is
# known, so that a page which is still that is answered 304, without its content.
#
#	refresh.sh STORE [OPTION OF DUE]…
#
# --config=FILE is what goes for both commands, due and observe; so does --now=TIME, with which everything is fetched at that
# time.  HINTS=sitemap,feed in the environment (or hints = sitemap,feed in FILE) has sitemaps and feeds among the pages say
# which others have changed.
#
# One round; repeat it, or run it from a timer.  Needs nothing but curl: what is due comes as a table with tabs, the answers
# go back as a manifest, a table of whole answers (perennial-import(1)).
set -eu
if [ $# -eq 0 ]; then
	echo "usage: $0 STORE [OPTION OF DUE]…" >&2
	exit 2
fi
store=$1
shift
perennial=${PERENNIAL:-perennial}
config= now= before=
for option; do
	case $before$option in
	--config=*) config=${option#*=} ;;
	--now=*) now=${option#*=} ;;
	"--config "*) config=$option ;;
	"--now "*) now=$option ;;
	esac
	before=
	case $option in --config | --now) before="$option " ;; esac
done
batch=$(mktemp -d)
trap 'rm -rf "$batch"' EXIT
tab=$(printf '\t')

"$perennial" due --state="$store" --format=tsv "$@" > "$batch/due" || [ $? -eq 1 ] # 1: what a shard that is lost has was passed over
sed 1d "$batch/due" | while IFS=$tab read -r url weight value due lease reason etag since; do
	n=$((${n:-0} + 1))
	[ "$etag" != - ] || etag=
	[ "$since" != - ] || since=
	# A header without a value is not sent.  --globoff: brackets and braces of a URL are its own.
	curl -q --silent --include --suppress-connect-headers --globoff --compressed --max-time 60 --max-filesize 16M \
		-H "If-None-Match: $etag" -H "If-Modified-Since: $since" -o "$batch/$n" -- "$url" || : > "$batch/$n"
	[ -e "$batch/$n" ] || : > "$batch/$n"
	printf '%s\t%s\tapplication/http\t%s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$url" "$n"
done > "$batch/batch.tsv"
"$perennial" observe --state="$store" --format=tsv ${config:+--config="$config"} ${HINTS:+--hints="$HINTS"} \
	${now:+--now="$now" --time="$now"} "$batch/batch.tsv"
