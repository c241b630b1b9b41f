#!/usr/bin/env bash
# tools/alone and tools/tally: what failed beside other tests runs again, alone, and is named whatever came of it.
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
done_testing
