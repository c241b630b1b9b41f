#!/usr/bin/env bash
# What all functions of a kind have in common (error.h), called as the public headers declare them: a new one is tested with the others.
. "${SRCDIR:?}/tests/tap.sh"

setting() { sed -n "s/^$1 = //p" "${BUILDDIR:?}/Makefile" | head -n 1; }
headers() { cat "$SRCDIR"/include/perennial/*.h; }

# Runs statements in a program that is linked with the library.
run() {
	{
		printf '#include <stdio.h>\n#include "perennial/perennial.h"\nint main(void)\n{\n\tsetvbuf(stdout, NULL, _IONBF, 0);\n'
		cat
		printf '\treturn 0;\n}\n'
	} > "$tmp/program.c"
	$(setting CC) -std=c11 $(setting SANITIZE) -I"$SRCDIR/include" -c -o "$tmp/program.o" "$tmp/program.c" &&
		(cd "$BUILDDIR" && ./libtool --silent --tag=CC --mode=link $(setting CC) $(setting SANITIZE) -o "$tmp/program" "$tmp/program.o" libperennial.la) &&
		"$tmp/program"
}

headers | sed -nE 's/^const char \*(prn_[a-z_]*_name)\((enum prn_[a-z_]*|unsigned) [a-z]*\);$/\1 \2/p' | sort > "$tmp/names"
ok "functions that name values are found in the headers" [ "$(wc -l < "$tmp/names")" -ge 19 ]
same "every function that names values says ? of one that there is not, below or above" \
	"$(while read -r function type; do
		printf '\tprintf("%s %%s %%s\\n", %s((%s)-1), %s((%s)1000000));\n' "$function" "$function" "$type" "$function" "$type"
	done < "$tmp/names" | run 2>&1)" \
	"$(sed 's/ .*/ ? ?/' "$tmp/names")"

headers | sed -nE 's/^void (prn_[a-z_]*_(free|close))\(struct prn_[a-z_]* \*[a-z]*\);$/\1/p' | sort > "$tmp/frees"
ok "functions that free are found in the headers" [ "$(wc -l < "$tmp/frees")" -ge 23 ]
same "every function that frees takes NULL, and does nothing" \
	"$(sed 's/.*/\t&(NULL);\n\tprintf("&\\n");/' "$tmp/frees" | run 2>&1)" "$(cat "$tmp/frees")"
done_testing
