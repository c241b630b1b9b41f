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
mkdir -p "$tmp/src/room"
printf 'one\n' > "$tmp/src/room/part.h"
printf 'src/room/part.h\n%s\n%s\n! some\n' '- one' '+ x' > "$tmp/tools/mutants"
like "a header that no file includes is told, as it is never compiled" "$("$tmp/tools/mutate" --check)" 'src/room/part.h: it is no .c file, nor a header that one includes: one'
printf '#include "room/part.h"\n' > "$tmp/src/room/whole.c"
same "a header that one file includes may have mutants" "$("$tmp/tools/mutate" --check)" ""
printf '#include "room/part.h"\n' > "$tmp/src/room/other.c"
like "a header that two files include may not, for one would be left as it was" "$("$tmp/tools/mutate" --check)" 'src/room/part.h: it is no .c file, nor a header that one includes: one'
done_testing
