#!/usr/bin/env bash
# How the program comes onto a machine, as far as this can be told without the network: make install, the container file,
# the list of what it depends on.  tests/debian.sh has the Debian packages.
. "${SRCDIR:?}/tests/tap.sh"
: "${BUILDDIR:?}"

# make install, into a folder.
installed=$tmp/installed
if make -s -C "$BUILDDIR" install DESTDIR="$installed" > "$tmp/log" 2>&1; then tap_line '' "make install succeeds"; else tap_line 'not ' "make install succeeds"; tap_note "$(tail -n 5 "$tmp/log")"; fi
prefix=$installed$(sed -n 's/^prefix = //p' "$BUILDDIR/Makefile")
# A build with --disable-shared has the other library.
library=lib/libperennial.so
grep -q '^build_libtool_libs=yes' "$BUILDDIR/libtool" || library=lib/libperennial.a
for file in bin/perennial $library lib/pkgconfig/perennial.pc include/perennial/perennial.h \
	share/man/man1/perennial.1 share/man/man3/libperennial.3 share/man/man5/perennial-config.5 share/doc/perennial/tour.md \
	share/perennial/openapi.yaml share/perennial/perennial.rules.yml share/perennial/perennial.json share/perennial/perennial.service \
	share/perennial/perennial.sysusers share/perennial/perennial.tmpfiles share/perennial/perennial.conf \
	share/bash-completion/completions/perennial share/zsh/site-functions/_perennial share/fish/vendor_completions.d/perennial.fish; do
	ok "make install brings $file" test -s "$prefix/$file"
done

# A man page for each header.
pages=$prefix/share/man/man3
same "make install brings a man page for each public header" "$(cd "$pages" && ls perennial_*.3 | sed 's/perennial_//; s/\.3$//')" \
	"$(cd "$prefix/include/perennial" && ls | sed 's/\.h$//' | grep -vx perennial)"
same "each function that the library exports stands under NAME of a header's page" \
	"$(sed -n '/^\.SH NAME/{n;p}' "$pages"/perennial_*.3 | grep -o 'prn_[a-z0-9_]*' | sort -u | comm -13 - <(sed -n 's/^\t\(prn_[a-z0-9_]*\);$/\1/p' "$BUILDDIR/exports.map" | sort))" \
""
like "a header's page has what a function takes and what it does" "$(tr '\n' ' ' < "$pages/perennial_curve.3")" \
	'Writes to \*period the time after a refresh.*int prn_curve_period\(const struct prn_curve \*curve'
like "a header's page has each error with its condition" "$(cat "$pages/perennial_curve.3")" "^\.B PRN_E_ARGUMENT\$"
if command -v mandoc >/dev/null; then
	same "mandoc finds nothing to say about the pages of headers" "$(cd "$pages" && mandoc -Tlint -W warning ./*.3)" ""
else
	skip "mandoc finds nothing to say about the pages of headers" "mandoc is not installed"
fi

for shell in bash:share/bash-completion/completions/perennial zsh:share/zsh/site-functions/_perennial fish:share/fish/vendor_completions.d/perennial.fish; do
	ok "the installed completions for ${shell%%:*} are what the command prints" cmp -s <("$PERENNIAL" completions "${shell%%:*}") "$prefix/${shell#*:}"
done
if command -v pkg-config >/dev/null; then
	# Whatever else pkg-config knows of: the library is shared, and its headers include none of another.
	code "pkg-config tells what a program needs, where nothing else is known to it" 0 env PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" pkg-config --cflags --libs perennial
	like "what a program needs is the library alone" "$out" "-lperennial ?$"
	like "pkg-config tells what a static library would need" "$(PKG_CONFIG_LIBDIR=$prefix/lib/pkgconfig pkg-config --libs --static perennial)" "-lxml2 .*-lzstd"
else
	skip "pkg-config tells what a program needs" "pkg-config is not installed"
fi
same "the installed command is this version" "$("$prefix/bin/perennial" --version)" "$("$PERENNIAL" --version)"
code "the installed configuration is read" 0 "$PERENNIAL" add --create --state="$tmp/S" --config="$prefix/share/perennial/perennial.conf" http://a.example/
sed 's/^#\([a-z]\)/\1/' "$prefix/share/perennial/perennial.conf" > "$tmp/all.conf"
code "the keys that the installed configuration has as comments are keys, too" 0 "$PERENNIAL" add --state="$tmp/S" --config="$tmp/all.conf" http://b.example/
make -s -C "$BUILDDIR" uninstall DESTDIR="$installed" > /dev/null 2>&1
same "make uninstall leaves no file" "$(find "$installed" ! -type d)" ""

# The unit and what goes with it speak of the same user and folders.
unit=$SRCDIR/tools/systemd/perennial.service
user=$(sed -n 's/^User=//p' "$unit")
like "the unit's user is made by its sysusers file" "$(cat "$SRCDIR/tools/systemd/perennial.sysusers")" "^u $user "
for folder in $(sed -n 's/^ExecStart=.*--state=\([^ ]*\)\/[^ ]* .*--spool=\([^ ]*\) .*/\1 \2/p' "$unit"); do
	like "the unit's folder $folder is made by its tmpfiles file, for its user" "$(cat "$SRCDIR/tools/systemd/perennial.tmpfiles")" "^d $folder 07[05]0 $user $user "
done
if command -v systemd-tmpfiles >/dev/null; then
	mkdir -p "$tmp/root/etc" && printf 'root:x:0:0::/:/bin/sh\nperennial:x:%d:%d::/:/bin/sh\n' "$(id -u)" "$(id -g)" > "$tmp/root/etc/passwd"
	printf 'root:x:0:\nperennial:x:%d:\n' "$(id -g)" > "$tmp/root/etc/group"
	code "systemd-tmpfiles makes the folders" 0 systemd-tmpfiles --root="$tmp/root" --create "$SRCDIR/tools/systemd/perennial.tmpfiles"
	ok "the folder of stores is there" test -d "$tmp/root/var/lib/perennial"
else
	skip "systemd-tmpfiles makes the folders" "systemd-tmpfiles is not installed"
fi

# The container file does what README.md says, of files that are there, in commands that a shell reads.
file=$SRCDIR/Containerfile
for step in 'tools/packages --packaging' 'dpkg-buildpackage -us -uc -b'; do
	like "README.md builds packages by '$step'" "$(cat "$SRCDIR/README.md")" "$step"
	like "the container is built by '$step', too" "$(grep '^RUN' "$file")" "$step"
done
same "the container file has no instruction that is none" "$(grep -Ev '^(#.*|)$|^(FROM|WORKDIR|COPY|RUN|USER|ENV|VOLUME|EXPOSE|ENTRYPOINT|CMD) ' "$file")" ""
unread=
while read -r run; do sh -nc "$run" 2>/dev/null || unread="$unread $run"; done < <(sed -n 's/^RUN //p' "$file")
same "a shell reads every command of the container file" "$unread" ""
same "every stage of the container file is Debian 12, or one before it" "$(sed -n 's/^FROM \([^ ]*\).*/\1/p' "$file" | grep -v '^debian:12')" ""
for source in $(sed -n 's/^COPY \([^-][^ ]*\) .*/\1/p' "$file"); do ok "$source, which the container file copies, is there" test -e "$SRCDIR/$source"; done
like "the container's user is the one of the packages" "$(grep '^USER' "$file")" " $user$"
podman=$(command -v podman || command -v buildah || :)
if [ -n "$podman" ] && [ -n "${CHECK_PACKAGES:-}" ]; then
	code "the container is built" 0 "$podman" build -q -t perennial-test "$SRCDIR"
	"$podman" rmi perennial-test > /dev/null 2>&1
else
	skip "the container is built" "${podman:+CHECK_PACKAGES is not set: this takes minutes}${podman:-neither podman nor buildah is installed}"
fi

# What it depends on.
if command -v dpkg-query >/dev/null && command -v objdump >/dev/null; then
	code "tools/sbom tells what the command depends on" 0 env SOURCE_DATE_EPOCH=0 "$SRCDIR/tools/sbom" "$PERENNIAL"
	printf '%s\n' "$out" > "$tmp/sbom"
	same "the document is of SPDX 2.3" "$(head -n 1 "$tmp/sbom")" "SPDXVersion: SPDX-2.3"
	same "the document is of the time that was told" "$(sed -n 's/^Created: //p' "$tmp/sbom")" 1970-01-01T00:00:00Z
	same "every line of the document is a tag and a value" "$(grep -Ev '^([A-Za-z]+: .+|)$' "$tmp/sbom")" ""
	for library in libxml2 libzstd1 liblmdb0 libmicrohttpd12 libc6; do
		dpkg-query -W "$library" >/dev/null 2>&1 || continue
		same "the document has $library, of the version that is installed" "$(grep -A 2 "^PackageName: $library\$" "$tmp/sbom" | sed -n 's/^PackageVersion: //p')" \
			"$(dpkg-query -W -f '${Version}\n' "$library" | head -n 1)"
	done
	same "each package stands in the document once, and in one relationship" "$(sed -n 's/^SPDXID: //p' "$tmp/sbom" | grep -vx SPDXRef-DOCUMENT | grep -vx SPDXRef-perennial | sort)" \
		"$(grep '^Relationship: ' "$tmp/sbom" | grep -o 'SPDXRef-[^ ]*' | grep -vx 'SPDXRef-perennial\|SPDXRef-DOCUMENT' | sort)"
	code "what is no program is refused" 1 "$SRCDIR/tools/sbom" "$SRCDIR/README.md"
	like "the file that is no program is named" "$err" "README.md is no program"
else
	skip "tools/sbom tells what the command depends on" "dpkg-query or objdump is not installed"
fi
done_testing
