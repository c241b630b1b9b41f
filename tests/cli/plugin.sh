#!/usr/bin/env bash
# Policies out of shared objects: doc/examples/patient.c in every command that opens one, and what cannot be loaded.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
: "${CC:=cc}"

# plugin NAME [SED-SCRIPT]: the example, changed so, as NAME.so
plugin() {
	sed "${2:-}" "$SRCDIR/doc/examples/patient.c" > "$1.c" && $CC -shared -fPIC -I"$SRCDIR/include" -o "$1.so" "$1.c"
}
$CC --version >/dev/null 2>&1 || skip_all "no compiler '$CC' here: it is what makes a plugin"
ok "the example is built without the library's build or its objects" plugin patient

: "${CXX:=g++}"
title="the example is built as C++20 too"
echo 'int main() {}' > twenty.cc
if $CXX -std=c++20 -fsyntax-only twenty.cc 2>/dev/null; then
	same "$title" "$($CXX -std=c++20 -Wall -x c++ -shared -fPIC -I"$SRCDIR/include" -o patientpp.so patient.c 2>&1 &&
		"$PERENNIAL" policies --plugin=./patientpp.so --format=tsv | grep -c ^patient)" 1
else
	skip "$title" "no compiler of C++20 is installed"
fi

# A policy in C++11, where what is const is not seen from outside unless the header declares it.
if $CXX --version >/dev/null 2>&1; then
	cat > every.cc <<'EOF'
#include "perennial/policy_kind.h"

static int visit(const void *, void *, const prn_visit *) { return -1; }

static void decide(const void *, const void *, const prn_visit *now, prn_decision *decision)
{
	prn_bounds_decide(nullptr, now->threshold, 1, now, decision);
}

static prn_policy_kind make()
{
	static const prn_policy_key none[] = { prn_policy_key() };
	prn_policy_kind kind = prn_policy_kind();

	kind.version = PRN_POLICY_KIND_VERSION;
	kind.info.name = "every";
	kind.info.title = "at a fixed interval";
	kind.info.source = "a test";
	kind.info.dial = PRN_DIAL_PERIOD;
	kind.info.keys = none;
	kind.visit = visit;
	kind.decide = decide;
	return kind;
}

static const prn_policy_kind every = make();

const prn_policy_kind *const prn_plugin_policies[] = { &every, nullptr };
EOF
	ok "a plugin is built in C++" $CXX -std=c++11 -Wall -shared -fPIC -I"$SRCDIR/include" -o every.so every.cc
	same "policies lists the policy of a plugin in C++" "$("$PERENNIAL" policies --plugin=./every.so --format=tsv | cut -f 1 | grep every)" every
	"$PERENNIAL" init --state=E --plugin=./every.so --policy=every --threshold=2
	same "a store of its policy visits pages as it says" \
		"$(echo '{"url":"http://a.example/","time":"2026-05-01T00:00:00Z","body":"words"}' | "$PERENNIAL" observe --state=E --plugin=./every.so --now=2026-05-01 --format=json 2>/dev/null | grep -c '"next_time":"2026-05-03T00:00:00Z"')" 1
else
	skip "a plugin is built in C++" "no C++ compiler '$CXX' here"
fi

# Twelve days of pages that change every day or never.
for day in 01 02 03 04 05 06 07 08 09 10 11 12; do
	mkdir -p "days/202605${day}T120000Z/a.example"
	echo "always the same words here" > "days/202605${day}T120000Z/a.example/still.txt"
	echo "these are the words of day $day alone" > "days/202605${day}T120000Z/a.example/daily.txt"
done
"$PERENNIAL" import -o days.trace days 2>/dev/null
evaluate() { "$PERENNIAL" evaluate --format=tsv --clock=days days.trace "$@"; }

code "evaluate takes a policy out of a plugin" 0 evaluate --plugin=./patient.so --policy=patient --scale=0.5,1
same "evaluate sweeps the dial of a plugin's policy" "$(tail -n +2 <<<"$out" | cut -f 1,2 | tr '\t\n' ' ;')" "patient 0.5;patient 1;"
code "the keys of a plugin's policy are set as any policy's" 0 evaluate --plugin=./patient.so --policy=patient:days=2:patience=1 --scale=1
same "patient:days=2:patience=1 visits when uniform with period 2 does" "$(tail -n 1 <<<"$out" | cut -f 3-)" \
	"$(evaluate --policy=uniform --period=2 2>/dev/null | tail -n 1 | cut -f 3-)"
code "a value outside a key's range is a usage error" 2 evaluate --plugin=./patient.so --policy=patient:patience=0
like "the error tells the range of a plugin's key" "$err" "key 'patience' takes a number from 1 to 1000, not '0'"
code "evaluate solves the dial of a plugin's policy for a budget" 0 evaluate --plugin=./patient.so --policy=patient --budget=0.3
code "a plugin's name without a folder is a file here" 0 evaluate --plugin=patient.so --policy=patient --scale=1
same "a policy that was loaded is compared only where it is named" "$(evaluate --plugin=./patient.so --bootstrap=0 2>/dev/null)" \
	"$(evaluate --bootstrap=0 2>/dev/null)"
code "without its plugin a policy is unknown" 2 evaluate --policy=patient
like "the error for an unknown policy lists those there are" "$err" "no policy 'patient': there is uniform, "

code "policies takes a plugin" 0 "$PERENNIAL" policies --plugin=./patient.so --format=tsv
same "policies lists a plugin's after the library's and before the yardsticks" "$(cut -f 1,2 <<<"$out" | grep -A 1 patient | tr '\t\n' ' ;')" "patient online;fs-s offline;"
same "policies writes a plugin's policy with its defaults" "$(awk -F'\t' '$1 == "patient" { print $6 }' <<<"$out")" "patient:days=7:patience=4:summary=all"
code "policies takes the name of a plugin's policy" 0 "$PERENNIAL" policies --plugin=./patient.so --format=tsv patient
like "policies tells what the keys of a plugin's policy mean" "$out" $'^patient\tdays\t7\tanew\tfrom one visit to the next$'

# A store of it, through every command that opens one.
code "init makes a store of a plugin's policy" 0 "$PERENNIAL" init --state=S --plugin=./patient.so --policy=patient:days=3 --threshold=1
code "add opens a store of a plugin's policy" 0 "$PERENNIAL" add --state=S --plugin=./patient.so --now=2026-05-01 http://b.example/
code "observe opens a store of a plugin's policy" 0 "$PERENNIAL" observe --state=S --plugin=./patient.so --now=2026-05-13 --format=json days
same "observe: by patient:days=3 a page that changes comes again after three days" "$(grep -c '"url":"https://a.example/daily.txt","time":"2026-05-12.*"next_time":"2026-05-15T12:00:00Z"' <<<"$out")" 1
same "observe: by patient:days=3 a page that does not change comes again after twelve" "$(grep -c '"url":"https://a.example/still.txt","time":"2026-05-12.*"next_time":"2026-05-24T12:00:00Z"' <<<"$out")" 1
echo "plugin = ./patient.so" > crawl.conf
code "a configuration file may name the plugin" 0 "$PERENNIAL" due --state=S --config=crawl.conf --now=2026-05-16
same "due hands out what a plugin's policy wants" "$(sort <<<"$out" | tr "\n" " ")" "http://b.example/ https://a.example/daily.txt "
code "explain opens a store of a plugin's policy" 0 "$PERENNIAL" explain --state=S --plugin=./patient.so --now=2026-05-16 https://a.example/still.txt
like "explain names a plugin's policy and its dial" "$out" "^  policy      patient:days=3, scale = 1$"
code "export opens a store of a plugin's policy" 0 "$PERENNIAL" export --state=S --plugin=./patient.so --now=2026-05-16
same "export writes all pages of a store of a plugin's policy" "$(grep -c '"url"' <<<"$out")" 3
code "tune solves for the dial of a plugin's policy" 0 "$PERENNIAL" tune --state=S --plugin=./patient.so --budget=2/day
code "forget opens a store of a plugin's policy" 0 "$PERENNIAL" forget --state=S --plugin=./patient.so http://b.example/
code "check reads a store of a plugin's policy without the plugin" 0 "$PERENNIAL" check --state=S
like "check without the plugin says that states were not looked at" "$err" "the states of pages were not looked at: S: the store's policy 'patient' is not known here"
code "check with the plugin reads the states too" 0 "$PERENNIAL" check --state=S --plugin=./patient.so
same "check with the plugin finds nothing wrong" "$(grep -c "cannot be read.0$" <<<"$out") $err" "1 "
for command in "add http://c.example/" "due" "observe days" "explain https://a.example/still.txt" export tune "forget https://a.example/" serve; do
	code "${command%% *} without the plugin fails" 3 "$PERENNIAL" ${command%% *} --state=S ${command#"${command%% *}"}
	like "${command%% *} says which policy it misses, and what to do" "$err" "S: the store's policy 'patient' is not known here: load what defines it, by --plugin=FILE"
done

# Waits until the log of serve has a line.
logged() { for ((i = 0; i < 200; i++)); do grep -q "$1" serve.log && return 0; kill -0 "$server" 2>/dev/null || break; sleep 0.05; done; return 1; }
"$PERENNIAL" serve --state=S --config=crawl.conf --listen=unix:p.sock 2> serve.log & server=$!
ok "serve opens a store of a plugin's policy" logged listening
kill -HUP $server
ok "serve reads the configuration again that names a plugin it has" logged reloaded
kill -TERM $server; stopped=0; wait $server || stopped=$?
same "serve ends well with a plugin loaded" "$stopped" 0

# A plugin that changed under its store.
plugin newer 's/.dial = PRN_DIAL_SCALE,/&.state_version = 2,/'
code "a plugin whose states have another version than the store's is refused" 3 "$PERENNIAL" due --state=S --plugin=./newer.so
like "the error tells both versions of the states" "$err" "S: the store's states are of version 0 of the policy 'patient', and here it has version 2"
"$PERENNIAL" init --state=T --plugin=./newer.so --policy=patient --threshold=1
code "a store is opened by a plugin whose states have its version" 0 "$PERENNIAL" due --state=T --plugin=./newer.so
code "a plugin whose states have an older version than the store's is refused" 3 "$PERENNIAL" due --state=T --plugin=./patient.so

# One that was built otherwise, and cannot read what it kept of pages that changed: each stops nothing else.
plugin rebuilt 's/visits > state->changed/visits > 2 * state->changed/'
kept() { "$PERENNIAL" "$1" --state=S "${@:2}" --plugin=./rebuilt.so; }
"$PERENNIAL" release --state=S --plugin=./patient.so --now=2026-05-17 --all 2>/dev/null
code "due with a plugin that was built otherwise hands out what it can read" 0 kept due --now=2026-06-30
same "due hands out the page that the plugin can read" "$out" "https://a.example/still.txt"
like "due tells the page that its policy cannot read" "$err" "^perennial due: passed over 1 page that cannot be read, the first: https://a.example/daily.txt: the page's state"
code "a second call of due goes on" 0 kept due --now=2026-06-30 --format=json
same "a second call does not meet the page again" "$(grep -c unreadable <<<"$out$err")" 0
like "stats counts a page that cannot be read" "$(kept stats --now=2026-06-30)" "^            1 cannot be read, and were passed over: 'perennial check' tells which$"
like "a look a day later tells it in its last line" "$(kept due --now=2026-07-02 --format=json --lease=0s 2>/dev/null)" \
	'"next_time":.*,"unreadable":1,"first_unreadable":"https://a.example/daily.txt: '
code "export fails for it, at its end" 3 kept export --now=2026-06-30
same "export writes the others" "$(grep -c '"url"' <<<"$out")" 1
like "export says how many are left out" "$err" "left out: 1; the first: https://a.example/daily.txt"
like "tune says how many it leaves out" "$(kept tune --budget=2/day)" "^1 more cannot be read, and are left out"
code "check finds a state that its policy cannot read" 1 kept check
same "check counts the states that cannot be read" "$(grep "state cannot be read" <<<"$out")" "pages whose state cannot be read	1"
like "check tells which page it is" "$err" "^perennial check: https://a.example/daily.txt: the page's state is damaged, or of another policy"
if command -v curl > /dev/null; then
	"$PERENNIAL" serve --state=S --plugin=./rebuilt.so --no-token --listen=unix:r.sock --now=2026-07-02 2> serve.log & server=$!
	logged listening
	like "POST /v1/due tells, in its last line, of a page that cannot be read" "$(curl -s --unix-socket r.sock -X POST "http://localhost/v1/due")" \
		'"next_time":.*,"unreadable":1,"first_unreadable":"https://a.example/daily.txt: '
	like "serve logs that a page cannot be read" "$(cat serve.log)" "warning pages cannot be read, and were passed over count=1 first=.https://a.example/daily.txt: "
	same "serve counts what was met within a day" "$(curl -s --unix-socket r.sock http://localhost/metrics | grep '^perennial_unreadable')" "perennial_unreadable_pages 1"
	like "serve's statistics tell it too" "$(curl -s --unix-socket r.sock http://localhost/v1/stats)" '"unreadable":1'
	kill -TERM $server; wait $server || true
else
	skip "serve tells of a page that cannot be read" "curl is not installed"
fi
"$PERENNIAL" backup --state=S mended
code "check --repair mends a page that cannot be read" 0 "$PERENNIAL" check --state=mended --plugin=./rebuilt.so --repair
same "check --repair counts what it mended" "$(grep "^repaired" <<<"$out")" "repaired	1"
same "a page that was mended is known, as a new one" "$("$PERENNIAL" export --state=mended --plugin=./rebuilt.so | grep -c '"url":"https://a.example/daily.txt","status":"new"')" 1
echo '{"url":"https://a.example/daily.txt","time":"2026-07-01T00:00:00Z","body":"other words"}' > later.ndjson
code "observe takes a report of a page that cannot be read" 0 kept observe --now=2026-07-01 --format=json later.ndjson
like "the decision says that the page begins anew" "$out" '"outcome":"observed".*,"anew":true'
like "observe counts the pages that begin anew" "$err" "1 page that could not be read and begins anew"
code "after the report no state is left that cannot be read" 0 kept check

code "a plugin that is not there is a failure" 3 evaluate --plugin=none.so --policy=patient
like "a plugin that is not there is named, as a file of this folder" "$err" "^perennial evaluate: cannot load a plugin: \./none\.so: "
echo text > text.so
code "a plugin that is no shared object is a failure" 3 evaluate --plugin=./text.so
like "a plugin that is no shared object is named" "$err" "cannot load a plugin: \./text\.so: "
plugin other 's/prn_plugin_policies/something_else/'
code "a shared object without policies is a failure" 3 evaluate --plugin=./other.so
like "a shared object without policies is told what it lacks" "$err" "other\.so: it is no plugin: it does not define prn_plugin_policies"
plugin_of() { printf '%s\n' "$2" > "$1.c" && $CC -shared -fPIC -o "$1.so" "$1.c"; }
plugin_of number 'long prn_plugin_policies = 5;'
plugin_of function 'void prn_plugin_policies(void) {}'
plugin_of endless 'static char some[4096]; void *prn_plugin_policies[] = { some, some };'
for wrong in number function endless; do
	code "a shared object whose list of policies is a $wrong is a failure" 3 evaluate --plugin=./$wrong.so
	like "a shared object whose list of policies is a $wrong is told so" "$err" "$wrong\.so: it is no plugin: its prn_plugin_policies is no list of policies"
done
for part in 100 1000 5000 9000; do
	head -c $part patient.so > part.so
	code "a shared object that is cut off after $part bytes is a failure" 3 evaluate --plugin=./part.so
	like "a shared object that is cut off after $part bytes is named" "$err" "^perennial evaluate: cannot load a plugin: \./part\.so: "
done
mkfifo pipe.so
code "a pipe for a plugin is a failure" 3 timeout 20 "$PERENNIAL" policies --plugin=./pipe.so
like "a pipe for a plugin is told to be no file" "$err" "cannot load a plugin: \./pipe\.so: it is no file"
plugin old 's/= PRN_POLICY_KIND_VERSION/= 1/'
code "a plugin of other headers is refused" 3 evaluate --plugin=./old.so
like "a plugin of other headers is to be built anew" "$err" "old\.so: a policy was built against other headers \(version 0\.1\) than this library \([0-9.]+\): build it anew"
plugin drift 's/"patient"/"drift"/'
code "a plugin does not take a name that there is" 3 evaluate --plugin=./drift.so
like "the error tells the name that there is already" "$err" "drift\.so: there is a policy 'drift' already"
plugin second 's/"patient"/"second"/'
code "several plugins may be given, and one of them twice" 0 evaluate --plugin=./patient.so --plugin=./second.so --plugin=./patient.so \
	--policy=patient,second --scale=1

command -v gnuplot >/dev/null || { skip "report compares a plugin's policy" "gnuplot is not installed: it is what draws"; done_testing; exit; }
code "report compares a plugin's policy" 0 "$PERENNIAL" report -o r.html --bootstrap=20 --draws=19 --plugin=./patient.so --policy=patient,uniform days.trace
like "report has a plugin's policy in its table" "$(grep '^<tr>' r.html)" '<th scope="row">patient</th>'
done_testing
