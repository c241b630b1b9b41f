#!/usr/bin/env bash
# The public headers, each by itself, as C and as C++; and a program in C++ that links the library.
. "${SRCDIR:?}/tests/tap.sh"

setting() { sed -n "s/^$1 = //p" "${BUILDDIR:?}/Makefile" | head -n 1; }
cc=$(setting CC) cxx=${CXX:-g++} sanitize=$(setting SANITIZE)
strict="-Wall -Wextra -pedantic -Werror -I$SRCDIR/include"
command -v "${cxx%% *}" >/dev/null || cxx=

# What the compiler $1 says of header $2 as the language $3.
complaints() {
	printf '#include "perennial/%s"\n' "$2" > "$tmp/one.$3"
	case "$3" in
	c) $1 -std=c11 $strict -fsyntax-only "$tmp/one.c" 2>&1 ;;
	cc) $1 -std=c++11 $strict -fsyntax-only "$tmp/one.cc" 2>&1 ;;
	esac
}

for header in "$SRCDIR"/include/perennial/*.h; do
	name=${header##*/}
	same "$name compiles by itself as C11" "$(complaints "$cc" "$name" c)" ""
	title="$name compiles by itself as C++11"
	if [ "$cxx" ]; then same "$title" "$(complaints "$cxx" "$name" cc)" ""; else skip "$title" "no C++ compiler is installed"; fi
done

# What is in comments of the headers (1), or what is not (0).
comments() {
	awk -v comments="$1" '{
		rest = $0; line = ""
		while (rest != "") {
			at = index(rest, inside ? "*/" : "/*")
			piece = at ? substr(rest, 1, at - 1) : rest
			if (inside + 0 == comments + 0) line = line piece " "
			rest = at ? substr(rest, at + 2) : ""
			if (at) inside = !inside
		}
		print line
	}' "$SRCDIR"/include/perennial/*.h
}
names() { grep -Eo '\b(PRN_[A-Z0-9_]*[A-Z0-9]|prn_[a-z0-9_]*[a-z0-9])\b' | sort -u; }
comments 0 | names > "$tmp/declared"
same "each name in a comment of the headers is declared in one" "$(comments 1 | names | comm -23 - "$tmp/declared")" ""
same "each name of the library in a man page is declared in a header" \
	"$(sed 's/\\-/-/g' "$SRCDIR"/man/*.[1-9] | names | comm -23 - "$tmp/declared")" ""

if [ ! "$cxx" ]; then
	skip "every function of the library has the same name in C++ as in C" "no C++ compiler is installed"
	skip "a program in C++ links the library and gets its answers" "no C++ compiler is installed"
	done_testing
	exit
fi

grep -o 'prn_[a-z0-9_]*' "$BUILDDIR/exports.map" | sort > "$tmp/names"
{
	echo '#include "perennial/perennial.h"'
	echo 'void use(const volatile void *); void all(void); void all(void) {'
	sed 's/.*/use(reinterpret_cast<const volatile void *>(\&&));/' "$tmp/names"
	echo '}'
} > "$tmp/all.cc"
$cxx -std=c++11 -I"$SRCDIR/include" -c -o "$tmp/all.o" "$tmp/all.cc"
same "every function of the library has the same name in C++ as in C" \
	"$(nm -u "$tmp/all.o" | awk '/prn_/ { print $2 }' | sort | diff - "$tmp/names" | grep '^[<>]')" ""

title="a program in C++ links the library and gets its answers"
if [ "$sanitize" ]; then
	skip "$title" "the library is built with sanitizers: who links it must be built by the same compiler"
else
	$cxx -std=c++11 $strict -c -o "$tmp/program.o" "$SRCDIR/tests/program.cc"
	cd "$BUILDDIR"
	./libtool --silent --tag=CC --mode=link $cxx -o "$tmp/program" "$tmp/program.o" libperennial.la
	cd "$tmp"
	# 11 words make 7 runs of five, of which the last holds the one word that changed: 1 - 6/8.  After three visits the
	# next one is bounded by three times 2T.
	same "$title" "$("$tmp/program" 2>&1)" "perennial $(setting PACKAGE_VERSION): 0.25 apart, next visit in 1.5 days
no-such-policy: -9"
fi
done_testing
