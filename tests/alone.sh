#!/usr/bin/env bash
# tools/alone and tools/tally: what failed beside other tests runs again, alone, and is named whatever came of it.  And which
# tests are left to tools/check --all.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1

# ran NAME PASS|FAIL: the files that Automake's driver leaves of a test of one claim.
ran() {
	printf ':test-result: %s 1 - a claim\n:global-test-result: %s\n:recheck: yes\n:copy-in-global-log: yes\n' "$2" "$2" >"$1.trs"
	if [ "$2" = PASS ]; then echo 'ok 1 - a claim'; else printf 'not ok 1 - a claim\n# got: 2\n'; fi >"$1.log"
}
alone() { "$SRCDIR/tools/alone" "$tmp"; }
tally() { "$SRCDIR/tools/tally" "$tmp"; }

ran good PASS
code 'where nothing failed nothing runs again' 1 alone
same 'and nothing is told of it' "$(tally)" '1 passed, 0 failed'

ran sour FAIL
code 'what failed is set aside' 0 alone
like 'and named' "$err" 'alone: .*sour'
same 'with its log alone, so that make runs it again' "$(echo *)" 'good.log good.trs sour.log.first'

ran sour FAIL
code 'a test that fails alone too is a failure' 1 tally
like 'whose line stays the last' "$(tally | tail -n 1)" '^1 passed, 1 failed$'
like 'and which is told to have failed twice' "$(tally)" '^Failed beside other tests, failed alone: .*sour'

ran sour PASS
code 'one that passes alone is no failure' 0 tally
like 'but is named' "$(tally)" '^Failed beside other tests, passed alone: .*sour'
like 'with what had failed in it' "$(tally)" 'not ok 1 - a claim'
same 'and the last line counts it once' "$(tally | tail -n 1)" '2 passed, 0 failed'

rm -f ./*
for n in 1 2 3 4 5 6 7 8 9 10 11; do ran "t$n" FAIL; done
code 'more than ten failures are no accident: nothing is set aside' 1 alone
same 'and all stay failures' "$(tally)" '0 passed, 11 failed'

rm -f ./*
mkdir -p tests/cli
ran tests/good PASS
ran tests/cli/slow PASS
whole=(tests/slow.sh tests/cli/slow.sh tests/cli/slower.sh)
same 'scripts that have not run are named in the line before the last' "$("$SRCDIR/tools/tally" "$tmp" "${whole[@]}" | tail -n 2)" \
	$'Left out, for tools/check --all: slow.sh cli/slower.sh\n2 passed, 0 failed'
ran tests/slow PASS
ran tests/cli/slower PASS
same 'where all have run none is named' "$("$SRCDIR/tools/tally" "$tmp" "${whole[@]}")" '4 passed, 0 failed'

# The lists of room.am: what make check runs, and what it leaves to make check-all.
# listed LIST [PATTERN]: its words that match, scripts unless told otherwise.
listed() {
	cat "$SRCDIR"/{src/*,node,python,tests}/room.am | awk -v list="$1" -v pattern="${2-[.]sh$}" '
		$1 == list && $2 == "+=" { on = 1; $1 = $2 = "" }
		on { for (i = 1; i <= NF; i++) if ($i ~ pattern) print $i; on = /\\$/ }' | sort
}
cd "$SRCDIR" || exit 1
same 'every script that is a test is in one list, and in no other' "$(sort <(listed dist_check_SCRIPTS) <(listed system_tests))" \
	"$(grep -l '^#!' tests/*.sh tests/cli/*.sh | sort)"
same 'what is long is in a list of tests' "$(comm -23 <(listed long_tests ^tests/) <(sort <(listed dist_check_SCRIPTS ^tests/) <(listed check_PROGRAMS ^tests/)))" ''
same 'a test of a cluster, of a browser or of a chroot is left to tools/check --all' \
	"$(comm -12 <(listed dist_check_SCRIPTS) <(grep -lE '^start_cluster|rados_serve\.sh"$|command -v (chromium|debootstrap|javac)\b' tests/*.sh tests/cli/*.sh | sort))" ''
done_testing
