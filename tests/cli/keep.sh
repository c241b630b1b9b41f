#!/usr/bin/env bash
# Kept bodies: observe and serve keep the last two of each page, show draws what changed between them, forget takes them away.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
. "$SRCDIR/tests/show_corpus.sh"
cd "$tmp" || exit 1
now=2026-02-01T00:00:00Z page=http://harbour.example/
for day in 1 2 3; do record $page $day 'text/html; charset=utf-8' "$(harbour $((4 * day)))"; done > days.warc
record $page 4 'text/html; charset=utf-8' "$(harbour 12)" > same.warc
record $page 5 'text/html' "down" 503 > down.warc
record http://other.example/a 1 'text/plain' "the other page has one body alone" > other.warc
bodies() { ls "$1" | grep -cE '^[0-9a-f]{32}\.[01]$'; }

# observe
code "observe keeps no bodies unless it is told to" 0 "$PERENNIAL" observe -q --create --state=plain --now=$now days.warc
ok "where nothing is kept there is no folder for it" test ! -e plain/bodies
code "show of a store that keeps nothing is told how to keep" 3 "$PERENNIAL" show --state=plain $page
like "the error where nothing is kept names the option" "$err" "plain: no bodies are kept beside it: 'observe' and 'serve' do with --keep-bodies"
code "observe --keep-bodies takes captures as without it" 0 "$PERENNIAL" observe -q --create --state=s --keep-bodies --now=$now days.warc other.warc
same "of a page two bodies are kept, of one that was seen once one" "$(bodies s/bodies)" 3
same "the folder of bodies is its owner's alone" "$(stat -c %a s/bodies)" 700
same "files of bodies are their owner's alone" "$(stat -c %a s/bodies/* | sort -u)" 600
same "no URL is a name there" "$(ls s/bodies | grep -c example)" 0
code "a body that comes again is no other" 0 "$PERENNIAL" observe -q --state=s --keep-bodies --now=$now same.warc
code "an answer that is no content has no body to keep" 0 "$PERENNIAL" observe -q --state=s --keep-bodies --now=$now down.warc
same "a body that comes again, and an error, take the place of none" "$(bodies s/bodies)" 3
like "stats counts bodies, and their blocks" "$("$PERENNIAL" stats --state=s --now=$now)" "^bodies      3 kept, in 12.3 kB$"
like "stats counts bodies in JSON" "$("$PERENNIAL" stats --state=s --now=$now --format=json)" '"kept":\{"bodies":3,"bytes":12288\}'
like "of a store that keeps none stats says so in JSON" "$("$PERENNIAL" stats --state=plain --now=$now --format=json)" '"kept":null'
code "captures that were refused are passed over" 0 "$PERENNIAL" observe -q --state=s --keep-bodies --now=$now days.warc
same "after captures that were refused the bodies are as they were" "$("$PERENNIAL" show --state=s $page | cut -f 1 | sort -u)" "$(printf '2026-01-02T12:00:00Z\n2026-01-03T12:00:00Z\nas_of')"

# show
rows=$("$PERENNIAL" show --state=s $page)
like "show tells what is new" "$rows" $'^2026-01-03T12:00:00Z\tnew\topen day and night since the refit\\.$'
like "show tells what is gone" "$rows" $'^2026-01-02T12:00:00Z\tgone\twhich is closed on Mondays\\.$'
like "show tells what stays" "$rows" $'^2026-01-03T12:00:00Z\tstays\tHarbour news Harbour news The harbour office'
same "show of two bodies speaks of no kind that takes more" "$(grep -cE $'\t(static|scroll|churn)\t' <<<"$rows")" 0
same "of one body all is unknown" "$("$PERENNIAL" show --state=s --format=tsv http://other.example/a | tail -n +2)" $'2026-01-01T12:00:00Z\tunknown\tthe other page has one body alone'
same "show --state takes a URL in any form" "$("$PERENNIAL" show --state=s HTTP://Harbour.example)" "$rows"
same "show takes the store of the environment" "$(PERENNIAL_STATE=s "$PERENNIAL" show $page)" "$rows"
like "show --color is in colours" "$("$PERENNIAL" show --state=s --color $page)" $'\033\\[4;32mopen day and night since the refit\\. \033\\[0m'
code "show writes a page of a store" 0 "$PERENNIAL" show --state=s -o page.html $page
like "the page of a store says of how many words a fragment is" "$(< page.html)" "A fragment is 5 words in a row"
"$PERENNIAL" init --state=short --shingle-words=2 2>/dev/null
"$PERENNIAL" observe -q --state=short --keep-bodies --now=$now days.warc 2>/dev/null
like "fragments are those of the store" "$("$PERENNIAL" show --state=short -o - $page)" "A fragment is 2 words in a row"
code "a page that has no body is not found" 3 "$PERENNIAL" show --state=s http://none.example/
like "a page that is not in the store is told" "$err" "http://none.example/: not in s$"
"$PERENNIAL" add --state=s http://none.example/ 2>/dev/null
code "a page that is there and has no body is not found" 3 "$PERENNIAL" show --state=s http://none.example/
like "a page that is there and has no body is told" "$err" "http://none.example/: no body of it is kept"
"$PERENNIAL" forget --state=s http://none.example/ 2>/dev/null
code "a store that is not there is told" 3 "$PERENNIAL" show --state=none $page
code "--state and files exclude each other" 2 "$PERENNIAL" show --state=s $page days.warc
for option in --at=2026-01-02 --policy=cgm --cost=.5 --threshold=1 --texts=3; do
	code "$option is of captures, and no option of a store's page" 2 "$PERENNIAL" show --state=s $option $page
done
code "captures need no store, and show says what is missing" 2 "$PERENNIAL" show $page
code "--keep-in is of a store's page, and no option of captures" 2 "$PERENNIAL" show --keep-in=s/bodies -o - $page days.warc
like "who names a folder of bodies beside captures is told what it goes with" "$err" "--keep-in goes with --state"

# Damage, and what is no body.
cp -r s hurt
for file in hurt/bodies/*; do printf x | dd of="$file" bs=1 seek=20 conv=notrunc status=none; done
code "bodies that are damaged are no bodies" 3 "$PERENNIAL" show --state=hurt $page
like "a body that is damaged is told with its file" "$err" "hurt/bodies/[0-9a-f]*\.[01]: it is no kept body: its head is damaged"
rm hurt/bodies/*
for file in s/bodies/*; do ln -s "../../$file" hurt/bodies/; done
code "links to bodies are no bodies" 3 "$PERENNIAL" show --state=hurt $page
rm hurt/bodies/*
for file in s/bodies/*; do mkfifo "hurt/bodies/${file##*/}"; done
code "pipes in the place of bodies are not waited for" 3 timeout 20 "$PERENNIAL" show --state=hurt $page
like "a pipe in the place of a body is told with its name" "$err" "hurt/bodies/[0-9a-f]*\.[01]: is no regular file"
other=$(grep -o '[0-9a-f]*\.0' <<< "$err" | sed 's/0$/1/')
rm "hurt/bodies/$other" && cp "s/bodies/$other" hurt/bodies/
code "beside a pipe the other body is shown, and the pipe told by the exit code" 1 timeout 20 "$PERENNIAL" show --state=hurt $page
like "beside a pipe in place of a body its name is told" "$err" "hurt/bodies/[0-9a-f]*\.0: is no regular file"
rm -r hurt/bodies && ln -s ../s/bodies hurt/bodies
code "a link in the place of the folder is refused" 3 "$PERENNIAL" show --state=hurt $page
like "a link in the place of the folder is told" "$err" "hurt/bodies: is a link or no folder"
rm hurt/bodies && cp -r s/bodies hurt/ && chmod 755 hurt/bodies
code "a folder that others may look into is refused" 3 "$PERENNIAL" observe -q --state=hurt --keep-bodies --now=$now other.warc
like "a folder that others may look into is told" "$err" "hurt/bodies: others may look into it"
code "a folder that others may look into keeps nothing else of stats back" 1 "$PERENNIAL" stats --state=hurt --now=$now
same "stats without its bodies is what it is where none are kept" "$out" "$("$PERENNIAL" stats --state=s --now=$now | grep -v '^bodies ')"
like "stats tells why it counts no bodies" "$err" "^perennial stats: bodies are not counted: hurt/bodies: others may look into it"
code "a folder that others may look into keeps nothing else of the JSON of stats back" 1 "$PERENNIAL" stats --state=hurt --now=$now --format=json
like "in the JSON of stats bodies that could not be counted are null" "$out" '^\{"pages":2,.*"kept":null'
code "no page is forgotten while its bodies would stay" 3 "$PERENNIAL" forget --state=hurt $page
code "observe that keeps nothing goes by a folder that others may look into" 0 "$PERENNIAL" observe -q --state=hurt --now=$now days.warc

# Bounds, and where.
code "--keep-bodies takes at least a block" 2 "$PERENNIAL" observe --state=s --keep-bodies=100 --now=$now days.warc
like "the error for a bound that is too low says what it takes" "$err" "keep-bodies takes at least 4K"
code "--keep-in without --keep-bodies is an error" 2 "$PERENNIAL" observe --state=s --keep-in=x --now=$now days.warc
for i in 1 2 3 4 5 6; do record http://many.example/$i $i text/plain "page $i has a body of its own"; done > many.warc
code "observe keeps within a bound" 0 "$PERENNIAL" observe -q --create --state=small --keep-bodies=16K --now=$now many.warc
same "above the bound those go whose captures are eldest" \
	"$(for i in 1 2 3 4 5 6; do "$PERENNIAL" show --state=small http://many.example/$i 2>/dev/null | tail -n +2 | cut -f 3; done)" \
	"$(printf 'page %s has a body of its own\n' 3 4 5 6)"
head -c 9000 /dev/urandom > noise
{ printf '{"url":"http://noise.example/","time":"2026-01-01T00:00:00Z","status":200,"content_type":"application/x-noise","body_base64":"'; base64 -w 0 noise; printf '"}\n'; } > noise.jsonl
code "a body that alone is above the bound is told" 1 "$PERENNIAL" observe -q --media=all --create --state=small2 --keep-bodies=8K --now=$now noise.jsonl other.warc
like "a body that alone is above the bound is counted" "$err" "2 observed, 1 body not kept \(--keep-bodies\)"
like "a body that alone is above the bound is named" "$err" "http://noise.example/: its body takes [0-9]* bytes packed, more than all that --keep-bodies allows"
same "beside a body that is not kept others are" "$(bodies small2/bodies)" 1
code "bodies are kept in a folder of one's own" 0 "$PERENNIAL" observe -q --create --state=apart --keep-bodies --keep-in=elsewhere --now=$now days.warc
same "where a folder is named bodies are there" "$(bodies elsewhere) $(ls apart | grep -c bodies)" "2 0"
same "show looks where it is told to" "$("$PERENNIAL" show --state=apart --keep-in=elsewhere $page)" "$rows"
like "stats counts where it is told to" "$("$PERENNIAL" stats --state=apart --keep-in=elsewhere --now=$now)" "^bodies      2 kept"
"$PERENNIAL" reshard --state=apart --to=spread --shards=2 >/dev/null 2>&1
same "a store that was spread anew has the bodies of a folder that is named" "$("$PERENNIAL" show --state=spread --keep-in=elsewhere $page)" "$rows"
like "a store that was spread anew has no bodies beside it" "$("$PERENNIAL" show --state=spread $page 2>&1)" "spread: no bodies are kept beside it"
code "forget refuses a folder that is not there, lest bodies elsewhere stay" 3 "$PERENNIAL" forget --state=apart --keep-in=elsewher $page
like "a folder that is not there is named" "$err" "elsewher: no bodies are kept there"
code "stats tells of a folder that is not there" 1 "$PERENNIAL" stats --state=apart --keep-in=elsewher --now=$now
like "show names a folder that is not there" "$("$PERENNIAL" show --state=apart --keep-in=elsewher $page 2>&1)" "elsewher: no bodies are kept there"
code "forget takes away where it is told to" 0 "$PERENNIAL" forget --state=apart --keep-in=elsewhere $page
same "what was forgotten is gone from the folder that was named" "$(bodies elsewhere)" 0
code "a store without a folder has no place for bodies" 2 "$PERENNIAL" observe -q --create --state=memory:x --keep-bodies --now=$now days.warc
like "observe says how to name a folder of bodies for a store that has none" "$err" "name one with --keep-in=DIR"

# forget
code "forget takes a page's bodies away" 0 "$PERENNIAL" forget --state=s $page
same "of a page that was forgotten no body is left, of others they are" "$(bodies s/bodies)" 1
code "forget takes the bodies of a host away" 0 "$PERENNIAL" forget --state=s --host=Other.example --count=1
same "of a host that was forgotten no body is left" "$(bodies s/bodies)" 0
"$PERENNIAL" observe -q --state=s --keep-bodies --now=$now days.warc other.warc 2>/dev/null
code "forget takes the bodies under a prefix away" 0 "$PERENNIAL" forget --state=s --surt='http://(example,harbour' --count=1
same "of a prefix that was forgotten no body is left, of others they are" "$(bodies s/bodies)" 1
code "a page is forgotten where nothing is kept" 0 "$PERENNIAL" forget --state=plain $page

# A lower bound.
"$PERENNIAL" observe -q --state=small --keep-bodies=8K --now=$now other.warc 2>/dev/null
same "a bound that is lower holds for what is there already" "$("$PERENNIAL" show --state=small http://many.example/6 | tail -n +2 | cut -f 3) $(bodies small/bodies)" "page 6 has a body of its own 2"

# Calls of the system that fail in the middle, and a process that is killed there: the two bodies stay, or the next one is there.
failing=${BUILDDIR:-.}/soak/failing.so
record $page 1 'text/html; charset=utf-8' "$(harbour 4)" > one.warc
record $page 2 'text/html; charset=utf-8' "$(harbour 8)" > two.warc
record $page 3 'text/html; charset=utf-8' "$(harbour 12)" > three.warc
"$PERENNIAL" observe -q --create --state=two --keep-bodies --now=$now one.warc two.warc 2>/dev/null
old=$("$PERENNIAL" show --state=two $page | cksum)
cp -r two new && "$PERENNIAL" observe -q --state=new --keep-bodies --now=$now three.warc 2>/dev/null
new=$("$PERENNIAL" show --state=new $page | cksum)
fail_in_turn() {
	local kind=$1 most=$2 step=$3 at end
	for ((at = 1; at <= most; at += step)); do
		rm -rf round; cp -r two round; head -c 8 /dev/zero > count
		LD_PRELOAD=$failing FAILING=$kind FAILING_AT=$at FAILING_COUNT=count "$PERENNIAL" observe -q --state=round --keep-bodies --threads=1 --now=$now three.warc > told 2>&1
		end=$?
		[ "$(od -An -tu8 count)" -lt $at ] && break
		[ $end -le 3 ] || echo "$kind $at: crashed with $end"
		case $("$PERENNIAL" show --state=round $page 2>&1 | cksum) in
		"$old") [ $end != 0 ] || echo "$kind $at: not kept, and not said" ;;
		"$new") ;;
		*) echo "$kind $at: neither the bodies before nor those after" ;;
		esac
	done
	[ $at -gt 1 ] || echo "$kind: none failed"
}
if [ -e "$failing" ] && ! grep -q __asan_init "$PERENNIAL" && LD_PRELOAD=$failing FAILING=memory FAILING_AT=0 "$PERENNIAL" --version >/dev/null 2>&1; then
	same "a disk that is full at any write leaves the bodies before or those after, and that is told" "$(fail_in_turn write 60 1)" ""
	same "a sync that fails leaves the bodies before or those after, and that is told" "$(fail_in_turn sync 20 1)" ""
	same "a rename that fails leaves the bodies before, and that is told" "$(fail_in_turn rename 20 1)" ""
	same "memory that is refused leaves the bodies before or those after, and that is told" "$(fail_in_turn memory 4000 53)" ""
else
	skip "calls that fail leave the bodies before or those after" "nothing can be loaded before the command"
fi

# serve
rm -rf store
ok "serve starts with bodies to keep" start_server --now=2026-05-10T12:00:00Z --keep-bodies=1M
get "/v1/show?url=$page"
same "a page that was never reported has no body to show" "$status $(member error)" "404 \"$page: no body of it is kept yet\""
report() { post "/v1/observe?url=$1&time=2026-05-0$2T12:00:00Z" -H 'Content-Type: text/html' --data-binary "$3"; }
report $page 1 "$(harbour 4)"; report $page 2 "$(harbour 8)"; report $page 3 "$(harbour 12)"
same "serve takes reports with bodies to keep" "$status" 200
get "/v1/show?url=$page"
like "GET /v1/show is the page of what changed" "$body" '<h1>What changed of <span class="url" dir="ltr">http://harbour.example/</span></h1>'
like "what is shown is of the last two reports" "$body" 'of 2026-05-02 12:00 and 2026-05-03 12:00 UTC, 24 hours apart'
like "what is new is marked" "$body" '<ins class="n"[^>]*><span class="vh">\[new:</span>open day and night since the refit\.'
like "the page leads to when the page is visited next" "$body" '<a href="/\?url=http://harbour.example/">When it is visited next</a>'
like "no script of a body may run there" "$(curl -s -D - -o /dev/null -H @"$auth" "$server/v1/show?url=$page")" "^Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
stranger get "/v1/show?url=$page"
same "who sends no token is shown no page" "$status" 401
get "/v1/show"
same "GET /v1/show without a page is refused" "$status" 400
get "/?url=$page"
like "a person's page leads to what changed" "$body" '<a href="/v1/show\?url=http://harbour.example/">What changed between its last two bodies</a>'
post /v1/pages --data-binary 'http://new.example/'
get "/?url=http://new.example/"
same "a person's page of a page without bodies leads to none" "$(grep -c '/v1/show' <<<"$body")" 0
report http://late.example/ 5 "one body"; report http://late.example/ 4 "an earlier one"
get "/v1/show?url=http://late.example/"
same "a report that is refused is not kept" "$(grep -c 'an earlier one' <<<"$body") $(grep -c 'one body' <<<"$body")" "0 1"
post /v1/observe -H 'Content-Type: application/warc' --data-binary @days.warc
post /v1/observe -H 'Content-Type: application/warc' --data-binary @other.warc
get "/v1/show?url=http://other.example/a"
like "bodies of a batch are kept" "$body" '<span class="u">the other page has one body alone</span>'
get /v1/stats
like "/v1/stats counts kept bodies" "$body" '"kept":\{"bodies":4,"bytes":16384\}'
get /metrics
like "/metrics counts kept bodies" "$body" '^perennial_kept_bodies 4$'
like "/metrics counts their bytes" "$body" '^perennial_kept_bytes 16384$'
like "/metrics has the bound" "$body" '^perennial_kept_capacity_bytes 1048576$'
like "/metrics counts what could not be kept" "$body" '^perennial_unkept_bodies_total 0$'
code "beside serve the page of a store is shown" 0 "$PERENNIAL" show --state=store $page
chmod 500 store/bodies
if [ -w store/bodies ]; then # root may write there all the same
	chmod 700 store/bodies; mkdir was && mv store/bodies/* was/
	for file in was/*; do mkdir "store/bodies/${file##*/}"; done
fi
report $page 6 "a text that cannot be kept as there is no place"
same "a report whose body cannot be kept is taken" "$status $(member outcome)" '200 "observed"'
get /metrics
like "a body that could not be kept is counted" "$body" '^perennial_unkept_bodies_total 1$'
like "a body that could not be kept is logged" "$(< "$log")" 'body not kept'
[ ! -d was ] || { rmdir store/bodies/*.[01]; mv was/* store/bodies/; }
chmod 700 store/bodies
ask -X DELETE "$server/v1/pages?url=$page"
get "/v1/show?url=$page"
same "DELETE of a page takes its bodies away" "$status" 404
ask -X DELETE "$server/v1/pages?host=other.example&count=1"
get "/v1/show?url=http://other.example/a"
same "DELETE of a host takes its bodies away" "$status" 404
kill -KILL "$server_pid"; wait "$server_pid" 2>/dev/null
: > store/bodies/00000000000000000000000000000000.7.part
ok "serve starts again after it was killed, without bodies to keep" start_server --now=2026-05-10T12:00:00Z
same "what was being written when it was killed is taken away" "$(ls store/bodies | grep -c part)" 0
report http://late.example/ 7 "not to be kept"
get "/v1/show?url=http://late.example/"
same "without --keep-bodies what was kept is shown, and nothing more is kept" "$(grep -c 'not to be kept' <<<"$body") $(grep -c 'one body' <<<"$body")" "0 1"
ask -X DELETE "$server/v1/pages?url=http://late.example/"
same "without --keep-bodies DELETE takes away what was kept" "$(bodies store/bodies)" 0
get "/v1/show?url=http://late.example/"
like "serve without --keep-bodies says why there is no body" "$body" "no body of it is kept, for serve runs without --keep-bodies"
stop_server
same "serve stops as without bodies" "$stopped" 0

# What an earlier run kept, where it was told to: without --keep-bodies it is shown and forgotten, and never in the way.
record http://late.example/ 1 text/plain "kept apart from the store" > late.warc
rm -rf store && cp -r s store && "$PERENNIAL" observe -q --state=store --keep-bodies --keep-in=apart-bodies --now=$now late.warc 2>/dev/null
ok "serve takes a folder of bodies without being told to keep any" start_server --now=2026-05-10T12:00:00Z --keep-in=apart-bodies
get "/v1/show?url=http://late.example/"
like "without --keep-bodies what was kept in a named folder is shown" "$body" '<span class="u">kept apart from the store</span>'
report http://late.example/ 7 "not to be kept"
ask -X DELETE "$server/v1/pages?url=http://late.example/"
same "without --keep-bodies DELETE takes away what was kept in a named folder" "$status $(bodies apart-bodies)" "200 0"
stop_server
chmod 755 store/bodies
ok "serve without --keep-bodies starts beside a folder that others may look into" start_server --now=2026-05-10T12:00:00Z
like "serve tells what is wrong with a folder that it leaves alone" "$(< "$log")" "warning.*kept bodies are neither shown nor forgotten.*store/bodies: others may look into it"
report http://late.example/ 8 "not to be kept"
same "beside a folder that others may look into reports are taken" "$status" 200
stop_server
code "serve --keep-bodies refuses a folder that others may look into" 3 "$PERENNIAL" serve --state=store --listen=127.0.0.1:0 --keep-bodies
done_testing
