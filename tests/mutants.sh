#!/usr/bin/env bash
# The list of mutants has not rotted: what tools/mutate would replace still stands there.  `make mutate` kills them.
. "${SRCDIR:?}/tests/tap.sh"

same "each mutant's old text stands once in its file, and its tests are there" "$("$SRCDIR/tools/mutate" --check 2>&1)" ""
without=
for room in "$SRCDIR"/src/*/; do
	grep -q "^src/$(basename "$room")/" "$SRCDIR/tools/mutants" || without="$without $(basename "$room")"
done
same "every room has mutants" "$without" ""

# The checker itself: a list with one fault of each kind.
mkdir -p "$tmp/tools" "$tmp/tests" && cp "$SRCDIR/tools/mutate" "$tmp/tools/"
printf 'one\ntwo\ntwo\n' > "$tmp/file.c"
: > "$tmp/tests/some.c"
printf 'file.c\n%s\n%s\n! some\n' '- three' '+ x' > "$tmp/tools/mutants"
like "a text that is not in its file is told" "$("$tmp/tools/mutate" --check)" 'file.c: the old text is not there: three'
printf 'file.c\n%s\n%s\n! some\n' '- two' '+ x' > "$tmp/tools/mutants"
like "a text that stands in its file twice is told" "$("$tmp/tools/mutate" --check)" 'file.c: the old text stands there more than once: two'
printf 'file.c\n%s\n%s\n! other\n' '- one' '+ x' > "$tmp/tools/mutants"
like "a test that is not there is told" "$("$tmp/tools/mutate" --check)" 'file.c: no test other'
printf 'gone.c\n%s\n%s\n! some\n' '- one' '+ x' > "$tmp/tools/mutants"
like "a file that is not there is told" "$("$tmp/tools/mutate" --check)" 'gone.c: there is no such file: one'
printf 'file.c\n%s\n%s\n%s\n! some\n' '- one' '- two' '+ x' > "$tmp/tools/mutants"
same "a text of two lines is found" "$("$tmp/tools/mutate" --check)" ""
done_testing
