#!/usr/bin/env bash
# What the library exports is what its public headers declare: tools/exports makes the linker's script from them, and is
# held here against the compiler's own list of what they declare.
. "${SRCDIR:?}/tests/tap.sh"

setting() { sed -n "s/^$1 = //p" "${BUILDDIR:?}/Makefile" | head -n 1; }
cc=$(setting CC) awk=$(setting AWK)
names() { grep -o 'prn_[A-Za-z0-9_]*' | sort; }
exported() { nm -D --defined-only "$1" | awk '{ print $NF }' | grep -E '^(prn|cli|serve)_' | sort; }
differ() { diff "$1" "$2" | grep '^[<>]'; }

names < "$BUILDDIR/exports.map" > "$tmp/map"

# The compiler's list: gcc writes one of functions; data is what is declared "extern" without parentheses.
for header in "$SRCDIR"/include/perennial/*.h; do printf '#include "perennial/%s"\n' "${header##*/}"; done > "$tmp/all.c"
: > "$tmp/declared"
for compiler in "$cc" gcc; do
	$compiler -I"$SRCDIR/include" -aux-info "$tmp/functions" -c -o "$tmp/all.o" "$tmp/all.c" 2>/dev/null && [ -s "$tmp/functions" ] || continue
	{
		perl -ne 'print "$1\n" if m{\*/ extern [^(]*\b(prn_\w+) \(}' "$tmp/functions"
		$compiler -I"$SRCDIR/include" -E -P "$tmp/all.c" | perl -0777 -ne 'print "$1\n" while /^extern\s+[^;({"]*?\b(\w+)\s*(?:\[[^]]*\]\s*)*;/mg' | grep '^prn_'
	} | sort -u > "$tmp/declared"
	break
done
title="the linker's script has what the compiler sees declared in the public headers, and nothing else"
if [ -s "$tmp/declared" ]; then
	same "$title" "$(differ "$tmp/map" "$tmp/declared")" ""
else
	skip "$title" "no compiler here writes a list of declarations (gcc -aux-info)"
fi

title="the shared library exports what the public headers declare, and nothing else"
library=$BUILDDIR/.libs/libperennial.so
if [ -e "$library" ]; then
	exported "$library" > "$tmp/library"
	[ -s "$tmp/declared" ] || cp "$tmp/map" "$tmp/declared"
	same "$title" "$(differ "$tmp/library" "$tmp/declared")" ""
else
	skip "$title" "there is no shared library: configured with --disable-shared"
fi
exported "$PERENNIAL" > "$tmp/command"
same "the command exports to the shared objects that it loads what the library exports" \
	"$(differ "$tmp/command" "$tmp/map")" ""
same "the command has one copy of the library in itself, and does not link the shared one beside it" \
	"$(readelf -d "$PERENNIAL" | grep -o 'libperennial[^]]*')" ""

# tools/exports itself.
cat > "$tmp/odd.h" <<'END'
#ifndef ODD_H
#define ODD_H
#define PRN_DECLARE(name) \
	int prn_in_a_macro(int);
#ifdef __cplusplus
extern "C" {
int prn_in_cplusplus(void);
#endif
enum prn_enum { PRN_ONE, PRN_TWO };
struct prn_opaque;
struct prn_struct {
	int (*prn_member)(void *prn_argument); /* int prn_commented(void); */
	struct { int prn_inner; } prn_outer;
};
typedef void prn_typedef_fn(void *context, const struct prn_opaque *what);
static inline int prn_inline(int prn_a) { if (prn_a) { return 1; } return 0; }
int prn_function(const char *prn_text, prn_typedef_fn *prn_callback,
	double prn_rows[static 2])
	__attribute__((format(printf, 1, 2))); /* a comment **/
const struct prn_struct *const *prn_pointer(void);
extern const char *const prn_names[PRN_TWO];
extern int prn_number;
#ifdef __cplusplus
}
#endif
#endif
END
same "tools/exports exports functions and data, not types, members, inline functions, macros or what is in comments" \
	"$($awk -f "$SRCDIR/tools/exports" "$tmp/odd.h" | names | xargs)" "prn_function prn_names prn_number prn_pointer"

echo 'int (*prn_chooser(int which))(void);' > "$tmp/unread.h"
code "tools/exports fails at a declaration that it cannot read" 1 $awk -f "$SRCDIR/tools/exports" "$tmp/odd.h" "$tmp/unread.h"
like "tools/exports says which declaration it cannot read, and where" "$err" "unread.h: .*prn_chooser"
echo 'int prn_cut(int which' > "$tmp/cut.h"
code "tools/exports fails at a header that ends within a declaration" 1 $awk -f "$SRCDIR/tools/exports" "$tmp/cut.h" "$tmp/odd.h"
done_testing
