#!/usr/bin/env bash
# The house stands: each room.am declares the rooms that its files may use, by an #include or by a name ("# uses: base model"), nothing uses a room
# that it does not declare or that stands below it in the table of CONTRIBUTING.md, and no files use each other in a circle.
. "${SRCDIR:?}/tests/tap.sh"

# Of each room: the rooms that it declares, and the public headers that it installs.
rooms=() all_headers=("$SRCDIR"/include/perennial/*.h)
declare -A uses declares public owner
for dir in "$SRCDIR"/src/*/; do
	room=$(basename "$dir")
	rooms+=("$room")
	while read -r kind name; do
		case "$kind" in
		uses) declares[$room]=yes uses[$room]+=" $name" ;;
		installs) public[$room]+=" $name" owner[$name]=$room ;;
		esac
	done < <(sed -n 's/^# uses: */uses /p' "$dir/room.am"; grep -o 'include/perennial/[a-z0-9_]*\.h' "$dir/room.am" | sort -u | sed 's|.*/|installs |')
done

# Who includes a room: "src/ROOM/FILE USED" for files of rooms, "perennial/HEADER USED" for public headers.
for name in "${!owner[@]}"; do echo "$name ${owner[$name]}"; done >"$tmp/owners"
(cd "$SRCDIR" && awk -v owners="$tmp/owners" '
	BEGIN { while ((getline < owners) > 0) owner[$1] = $2 }
	/^#include "/ {
		split($0, part, "\""); header = part[2]; used = ""
		if (header == "perennial/perennial.h") used = header
		else if (header ~ /^perennial\//) used = owner[substr(header, 11)]
		else if (header ~ /\//) { used = header; sub(/\/.*/, "", used) }
		file = FILENAME; sub(/^include\//, "", file)
		if (used != "") print file, used
	}' src/*/*.[ch] include/perennial/*.h | sort -u >"$tmp/includes")

# Files by what the linker sees: who defines a name, and who needs it.
objects=$(find "${BUILDDIR:-.}/src" -name '*.o' ! -name '*embedded*' 2>/dev/null | sort)
linked=no
! command -v nm >/dev/null || [ -z "$objects" ] || linked=yes
: >"$tmp/files"
[ "$linked" = no ] || nm -A -g $objects 2>/dev/null | awk -v cut="${BUILDDIR:-.}/src/" '
	{ file = $1; sub(/:.*/, "", file); sub(/\.o$/, "", file); file = substr(file, length(cut) + 1) }
	{ sub(/\.libs\//, "", file); sub(/lib[a-z]*_la-/, "", file); kind = $(NF - 1); name = $NF }
	kind ~ /^[TDBRVW]$/ { defined[name] = file }
	kind == "U" { needs[file " " name] = 1 }
	END { for (need in needs) { split(need, part, " ")
		if (part[2] in defined && defined[part[2]] != part[1]) print defined[part[2]], part[1] } }' | sort -u >"$tmp/files"

# A room uses another by an #include, or by a name that the linker finds there.
used_by_room() {
	{ sed -n "s|^src/$1/[^ ]* ||p" "$tmp/includes"; sed -n "s|^\([a-z]*\)/[^ ]* $1/.*|\1|p" "$tmp/files"; } | sort -u
}
included_by_public() { for name in ${public[$1]-}; do [ "$name" = perennial.h ] || sed -n "s|^perennial/$name ||p" "$tmp/includes"; done | sort -u; }
among() { case " $2 " in *" $1 "*) true ;; *) false ;; esac }

for room in "${rooms[@]}"; do
	ok "src/$room/room.am declares the rooms that src/$room uses" test "${declares[$room]-}"
	allowed="$room ${uses[$room]-}" by_room=$(used_by_room "$room" | tr '\n' ' ') by_public=$(included_by_public "$room" | tr '\n' ' ')
	bad=
	for used in $by_room; do among "$used" "$allowed" || bad="$bad $used"; done
	same "src/$room uses no room that it does not declare" "$bad" ""
	idle=
	for declared in ${uses[$room]-}; do among "$declared" "$by_room $by_public" || idle="$idle $declared"; done
	if [ "$linked" = yes ]; then
		same "src/$room declares no room that it does not use" "$idle" ""
	else
		skip "src/$room declares no room that it does not use" "there is no nm, or no objects"
	fi
	bad=
	for used in $by_public; do among "$used" "$allowed" || bad="$bad $used"; done
	same "the public headers of src/$room use no room that it does not declare" "$bad" ""
	[ "${public[$room]-}" ] || continue
	bad=
	for header in "$SRCDIR/src/$room"/*.h; do [ -z "${owner[$(basename "$header")]-}" ] || bad="$bad $(basename "$header")"; done
	same "no header of src/$room is named as a public one: the library's side of a noun is NOUN_internal.h" "$bad" ""
done

# What stands above what: a room that used itself through others would use one below it.
order=$(sed -n 's#^| `src/\([a-z]*\)/`.*#\1#p' "$SRCDIR/CONTRIBUTING.md")
same "the table of CONTRIBUTING.md has every room once" "$(sort <<<"$order")" "$(printf '%s\n' "${rooms[@]}" | sort)"
drawn=$(awk '/^```/ { inside = !inside; next } inside { gsub(/[^a-z ]/, " "); print $1 }' "$SRCDIR/doc/architecture.md" | grep -xF "$order")
same "doc/architecture.md draws the rooms in the order of that table" "$drawn" "$order"
above=
for room in $order; do
	bad=
	for used in ${uses[$room]-}; do among "$used" "$above" || bad="$bad $used"; done
	same "src/$room uses only rooms above it" "$bad" ""
	above="$above $room"
done

if [ "$linked" = yes ]; then
	ok "the linker sees that files use each other" test "$(wc -l <"$tmp/files")" -gt 100
	same "no files use each other in a circle" "$(tsort "$tmp/files" 2>&1 >/dev/null | sed 's/^tsort: //' | tr '\n' ' ')" ""
else
	skip "no files use each other in a circle" "there is no nm, or no objects"
fi

missing=
for header in "${all_headers[@]}"; do
	name=${header##*/}
	[ "$name" = perennial.h ] || grep -q "perennial/$name" "$SRCDIR/include/perennial/perennial.h" || missing="$missing $name"
	[ "${owner[$name]-}" ] || missing="$missing (not installed: $name)"
done
same "perennial.h includes every public header, and a room installs every one" "$missing" ""

# Words of protocols do not go by the locale of the program that uses the library.
same "nothing but base/ascii compares without regard to case" \
	"$(cd "$SRCDIR" && grep -nEw 'strcasecmp|strncasecmp|strcasestr|tolower|toupper' src/*/*.c src/*/*.h | grep -v '^src/base/ascii\.')" ""

same "nothing but base/portable uses what not every system has" \
	"$(cd "$SRCDIR" && grep -nEw 'accept4|dladdr1|eventfd|getpeereid|memrchr|MSG_NOSIGNAL|pipe2|posix_fadvise|prctl|prlimit|qsort_r|sched_getaffinity|SOCK_CLOEXEC|SOCK_NONBLOCK|SO_PEERCRED|syncfs' src/*/*.c src/*/*.h | grep -v '^src/base/portable\.')" ""
done_testing
