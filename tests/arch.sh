#!/usr/bin/env bash
# The house stands: a room includes only rooms above it, and public headers that those rooms own.
. "${SRCDIR:?}/tests/tap.sh"

rooms="base fragment model policy corpus evaluate longevity decide serve cli"
rank() { local n=0 r; for r in $rooms; do n=$((n + 1)); [ "$r" = "$1" ] && { echo "$n"; return; }; done; echo 0; }

# Which room owns a public header: the room whose room.am installs it.
owner() { grep -l "include/perennial/$1\b" "$SRCDIR"/src/*/room.am 2>/dev/null | head -n 1 | xargs -r dirname | xargs -r basename; }

for dir in "$SRCDIR"/src/*/; do
	room=$(basename "$dir") mine=$(rank "$(basename "$dir")") bad=
	[ "$mine" -gt 0 ] || { tap_line 'not ' "src/$room is a room of the house"; continue; }
	for header in $(cat "$dir"*.[ch] | sed -n 's/^#include "\([^"]*\)".*/\1/p' | sort -u); do
		case "$header" in
		perennial/*) uses=$(owner "${header#perennial/}") ;;
		config.h) continue ;;
		*/*) uses=${header%%/*} ;;
		*) continue ;;
		esac
		[ -n "$uses" ] && [ "$(rank "$uses")" -gt 0 ] && [ "$(rank "$uses")" -le "$mine" ] || bad="$bad $header"
		[ "$uses" != base ] || [ "$room" != base ] || case "$header" in perennial/perennial.h) bad="$bad $header" ;; esac
	done
	same "src/$room includes only itself and rooms above it" "$bad" ""
done

missing=
for header in "$SRCDIR"/include/perennial/*.h; do
	name=$(basename "$header")
	[ "$name" = perennial.h ] || grep -q "perennial/$name" "$SRCDIR/include/perennial/perennial.h" || missing="$missing $name"
	[ -n "$(owner "$name")" ] || missing="$missing (not installed: $name)"
done
same "perennial.h includes every public header, and every one is installed by a room" "$missing" ""
done_testing
