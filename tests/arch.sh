#!/usr/bin/env bash
# The house stands: each room.am declares the rooms that its files may use ("# uses: base model"), nothing uses a room
# that it does not declare, and neither rooms nor files use each other in a circle.
. "${SRCDIR:?}/tests/tap.sh"

# What a room declares, and which room owns a public header: the one whose room.am installs it.
uses_of() { sed -n 's/^# uses: *//p' "$SRCDIR/src/$1/room.am"; }
declares() { grep -q '^# uses:' "$SRCDIR/src/$1/room.am"; }
owner() { grep -l "include/perennial/$1\b" "$SRCDIR"/src/*/room.am 2>/dev/null | head -n 1 | xargs -r dirname | xargs -r basename; }
rooms=$(for dir in "$SRCDIR"/src/*/; do basename "$dir"; done)
for header in "$SRCDIR"/include/perennial/*.h; do
	name=$(basename "$header")
	printf '%s %s\n' "perennial/$name" "$(owner "$name")"
done >"$tmp/owners"
owner_of() { sed -n "s|^$1 ||p" "$tmp/owners"; }

# The rooms of what the named files include.
included() {
	cat "$@" | sed -n 's/^#include "\([^"]*\)".*/\1/p' | sort -u | while read -r header; do
		case "$header" in
		perennial/perennial.h) echo "$header" ;;
		perennial/*) owner_of "$header" ;;
		*/*) echo "${header%%/*}" ;;
		esac
	done | sort -u
}

for room in $rooms; do
	ok "src/$room/room.am declares the rooms that src/$room uses" declares "$room"
	allowed=" $room $(uses_of "$room") " bad=
	for used in $(included "$SRCDIR/src/$room"/*.[ch]); do
		case "$allowed" in *" $used "*) ;; *) bad="$bad $used" ;; esac
	done
	same "src/$room uses no room that it does not declare" "$bad" ""
	public=$(sed -n 's|^perennial/\([^ ]*\) '"$room"'$|'"$SRCDIR"'/include/perennial/\1|p' "$tmp/owners" | grep -v '/perennial.h$')
	idle=
	for declared in $(uses_of "$room"); do
		included "$SRCDIR/src/$room"/*.[ch] $public | grep -qx "$declared" || idle="$idle $declared"
	done
	same "src/$room declares no room that it does not use" "$idle" ""
	bad=
	for used in ${public:+$(included $public)}; do
		case "$allowed" in *" $used "*) ;; *) bad="$bad $used" ;; esac
	done
	same "the public headers of src/$room use no room that it does not declare" "$bad" ""
done

for room in $rooms; do
	echo "$room $room"
	for used in $(uses_of "$room"); do echo "$used $room"; done
done >"$tmp/rooms"
same "no rooms use each other in a circle" "$(tsort "$tmp/rooms" 2>&1 >/dev/null | sed 's/^tsort: //' | tr '\n' ' ')" ""

# Files by what the linker sees: who defines a name, and who needs it.
objects=$(find "${BUILDDIR:-.}/src" -name '*.o' ! -name '*embedded*' 2>/dev/null | sort)
if command -v nm >/dev/null && [ -n "$objects" ]; then
	nm -A -g $objects 2>/dev/null | awk -v cut="${BUILDDIR:-.}/src/" '
		{ file = $1; sub(/:.*/, "", file); sub(/\.o$/, "", file); file = substr(file, length(cut) + 1) }
		{ sub(/\.libs\//, "", file); sub(/lib[a-z]*_la-/, "", file); kind = $(NF - 1); name = $NF }
		kind ~ /^[TDBRVW]$/ { defined[name] = file }
		kind == "U" { needs[file " " name] = 1 }
		END { for (need in needs) { split(need, part, " ")
			if (part[2] in defined && defined[part[2]] != part[1]) print defined[part[2]], part[1] } }' | sort -u >"$tmp/files"
	ok "the linker sees that files use each other" test "$(wc -l <"$tmp/files")" -gt 100
	same "no files use each other in a circle" "$(tsort "$tmp/files" 2>&1 >/dev/null | sed 's/^tsort: //' | tr '\n' ' ')" ""
else
	skip "no files use each other in a circle" "there is no nm, or no objects"
fi

missing=
for header in "$SRCDIR"/include/perennial/*.h; do
	name=$(basename "$header")
	[ "$name" = perennial.h ] || grep -q "perennial/$name" "$SRCDIR/include/perennial/perennial.h" || missing="$missing $name"
	[ -n "$(owner "$name")" ] || missing="$missing (not installed: $name)"
done
same "perennial.h includes every public header, and a room installs every one" "$missing" ""
done_testing
