#!/usr/bin/env bash
# Commands whose memory is refused or whose disk fails: a sample of what `make soak` tries.
. "${SRCDIR:?}/tests/tap.sh"
failing="$BUILDDIR/soak/failing.so"
if ! [ -e "$failing" ] || ! LD_PRELOAD=$failing FAILING=memory FAILING_AT=0 "$PERENNIAL" --version >/dev/null 2>&1; then
	skip "calls of the system that fail end no command with a crash or half of a result" "nothing can be loaded before it"
else
	code "calls of the system that fail end no command with a crash or half of a result" 0 \
		bash "$SRCDIR/soak/faults.sh" 2 1 add observe export backup rebuild import
	# A build with sanitizers answers calls for memory by itself.
	grep -q __asan_init "$PERENNIAL" && skip "calls that fail are counted" "a build with sanitizers" ||
		like "calls that fail are counted" "$out" "[1-9][0-9] calls failed, 0 badly"
fi
done_testing
