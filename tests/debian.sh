#!/usr/bin/env bash
# The Debian packages: built of what `make dist` packs, held against lintian, and, on a machine that has nothing but Debian's
# base system (a folder that debootstrap makes), installed, used and purged.
#
# That takes minutes, the network and root, so it is done where CHECK_PACKAGES is set (CHECK_PACKAGES=yes tools/check --all).  Packages come from
# where this machine has its own.  PACKAGES=DIR takes those that were built already.
. "${SRCDIR:?}/tests/tap.sh"
: "${BUILDDIR:?}"

# What can be said of the files alone.
version=$("$PERENNIAL" --version | sed 's/perennial //')
same "the version of the packages is the command's" "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$SRCDIR/debian/changelog")" "$version"
forgotten=
for file in $(cd "$SRCDIR" && find debian -type f -o -type l | grep -Ev '^debian/(tmp|\.debhelper|files|.*\.substvars|.*debhelper.*|autoreconf\..*|(lib)?perennial[a-z0-9-]*/)'); do
	grep -Eq "(^|[ =])$file( |\$)" <(tr '\t\\' '  ' < "$SRCDIR/tools/room.am") || forgotten="$forgotten $file"
done
same "every file of debian/ is packed by make dist" "$forgotten" ""
wanted=$(sed -n '/^packages=/,/"$/p' "$SRCDIR/tools/packages" | grep -oE '\blib[a-z0-9-]*-dev|zlib1g-dev|nettle-dev' | grep -v libc6 | sort)
same "what tools/packages installs for building is what the packages are built with" \
	"$(grep -vxF "$(sed -n '/^Build-Depends:/,/^$/s/^ \([a-z0-9-]*\).*/\1/p' "$SRCDIR/debian/control")" <<<"$wanted")" ""

# README.md builds them with their tests; build-essential is no dependency that is named.
built=$({ echo build-essential; sed -n '/^Build-Depends:/,/^$/s/^ \([a-z0-9-]*\).*/\1/p' "$SRCDIR/debian/control"; } |
	sed -E 's/^(debhelper-compat|dh-sequence-installsysusers)$/debhelper/; s/^dh-sequence-python3$/dh-python/' | sort -u)
same "what the packages are built with is what tools/packages --packaging installs" \
	"$(sed -n '/^packages=/,/"$/p; /^--packaging)/p' "$SRCDIR/tools/packages" | grep -oE '[a-z0-9-]+' | sort -u | comm -13 - <(echo "$built"))" ""

finish() {
	[ -z "${server:-}" ] || kill "$server" 2>/dev/null
	[ -z "${mounted:-}" ] || umount "$root/proc"
	rm -rf --one-file-system "$tmp"
}
trap finish EXIT
rest() { skip "the packages are built, installed, used and purged" "$1"; done_testing; exit 0; }
[ -n "${CHECK_PACKAGES:-}" ] || rest "CHECK_PACKAGES is not set: this takes minutes"
for program in dpkg-buildpackage dh debootstrap apt-get; do
	command -v "$program" >/dev/null || rest "$program is not installed (tools/packages --ci)"
done
[ "$(id -u)" -eq 0 ] || rest "only root makes a bare system by debootstrap"

# What takes minutes says what it is at.
stage() { tap_note "$1 …"; }
# Debhelper's steps as they come, and how many files were compiled; the whole is in the file.
steps() { tee "$1" | awk '/^ *dh_/ { print "# " $1; fflush() } / -c / && / -o / && ++n % 50 == 0 { print "# " n " files compiled"; fflush() }'; }
build() {
	cd "$1" || return
	DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" nice dpkg-buildpackage -us -uc -b 2>&1 < /dev/null | steps ../built
	[ "${PIPESTATUS[0]}" -eq 0 ] || { tail ../built | sed 's/^/# /'; return 1; }
}

# The packages.
packages=${PACKAGES:-$tmp/build}
if [ -z "${PACKAGES:-}" ]; then
	mkdir "$packages"
	stage "packing what make dist packs"
	make -s -C "$BUILDDIR" distdir distdir="$packages/perennial-$version" am__remove_distdir=: > "$tmp/dist" 2>&1 || tap_note "$(tail "$tmp/dist")"
	stage "building the packages"
	(build "$packages/perennial-$version")
	same "the packages are built of what make dist packs" $? 0
fi
cd "$packages" || exit 1
for package in perennial libperennial0 libperennial-dev python3-perennial perennial-doc; do
	ok "there is a package $package" sh -c 'ls "$1"_*.deb > /dev/null' - "${package}_$version"
done
if command -v lintian >/dev/null; then
	stage "lintian reads them"
	# What lintian itself excuses (metadata of Python packages) it counts, and does not print.
	code "lintian finds neither errors nor warnings in the packages" 0 lintian --allow-root --display-info --fail-on error,warning ./*.changes
	same "lintian names nothing, not even for information" "$out" ""
else
	skip "lintian finds neither errors nor warnings in the packages" "lintian is not installed"
fi

# A bare system.  Where this machine has its packages from stands in a one-line list or in a stanza.
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror=$(sed -n "s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) $suite main.*/\2/p; s/^URIs: \([^ ]*\).*/\1/p" /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
	/etc/apt/sources.list.d/*.sources 2>/dev/null | head -n 1)
root=$tmp/root
stage "making a bare system"
if ! debootstrap --variant=minbase "$suite" "$root" "$mirror" > "$tmp/bootstrap" 2>&1; then
	tap_note "$(tail -n 3 "$tmp/bootstrap")"
	rest "debootstrap makes no bare system here"
fi
if ! mount -t proc proc "$root/proc" 2> "$tmp/mount"; then
	tap_note "$(cat "$tmp/mount")"
	rest "/proc cannot be mounted in a bare system here"
fi
mounted=yes
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"; }
# All that a package could leave, apart from who there is and what the package manager notes.
files() { (cd "$root" && find etc lib usr var run home root opt srv -xdev ! -path 'var/lib/dpkg/*' ! -path 'var/cache/*' ! -path 'var/log/*' ! -path 'var/lib/apt/*' \
	! -path 'etc/passwd*' ! -path 'etc/group*' ! -path 'etc/shadow*' ! -path 'etc/gshadow*' ! -path '*/ld.so.cache' | sort); }

stage "fetching what the packages depend on"
# What the packages depend on is fetched as this machine fetches its own, and comes first, so that what they leave can be told.
# dpkg unpacks in the order of names, and what depends on others before it is unpacked has its turn in a second go, what depends on that in a third;
# what was unpacked before its turn is configured in the end.
apt-get -qq -o Dir::State::status="$root/var/lib/dpkg/status" -o Dir::Cache::archives="$root/var/cache/apt/archives" -o Debug::NoLocking=1 \
	--no-install-recommends --download-only install -y ./perennial_*.deb ./libperennial0_*.deb ./libperennial-dev_*.deb ./python3-perennial_*.deb ./perennial-doc_*.deb \
	gcc libc6-dev pkg-config curl \
	systemd-standalone-sysusers systemd-standalone-tmpfiles \
	> "$tmp/fetched" 2>&1 || { tap_note "$(tail -n 3 "$tmp/fetched")"; rest "what the packages depend on cannot be fetched"; }
mkdir "$root/tmp/packages"
find "$root/var/cache/apt/archives" -name '*.deb' ! -name '*perennial*' -exec mv -t "$root/tmp/packages" {} +
code "what the packages depend on is installed" 0 inside sh -c 'install() { dpkg --force-unsafe-io -iE /tmp/packages/*.deb; }; { install || install || install; dpkg --configure -a; } 2>&1 && rm /tmp/packages/*.deb'
stage "installing, using and purging the packages"
files > "$tmp/before"
cp ./*perennial*_"$version"_*.deb "$root/tmp/packages/" && rm -f "$root"/tmp/packages/*dbgsym*

code "the packages are installed in a bare system" 0 inside sh -c 'dpkg -i /tmp/packages/*.deb'
files > "$tmp/installed"
code "the command runs there" 0 inside perennial --version
same "the command there is this version" "$out" "perennial $version"
same "the daemon has a user of its own" "$(inside id -un perennial)" perennial
same "the folder of stores is its user's" "$(inside stat -c '%U:%G %a' /var/lib/perennial)" "perennial:perennial 750"
ok "the unit is where systemd looks" inside test -f /lib/systemd/system/perennial.service
same "the daemon is not enabled unasked" "$(inside find /etc/systemd -name 'perennial*')" ""
ok "bash completes the command" inside bash -c '. /usr/share/bash-completion/completions/perennial && complete -p perennial > /dev/null'
ok "there is a man page for every command" inside sh -c 'for c in $(perennial --help | sed -n "s/^  \([a-z]*\)  *[^ ].*/\1/p"); do [ -e /usr/share/man/man1/perennial-$c.1.gz ] || [ -L /usr/share/man/man1/perennial-$c.1.gz ] || { echo $c; exit 1; }; done'
code "what the archives say is judged there" 0 inside sh -c 'cd /tmp && perennial evaluate --policy=cgm,drift --at-cost=0.1 /usr/share/doc/perennial/examples/corpora/watch.trace'
like "the result has both policies" "$out" "drift"

# As an administrator would: the daemon as its unit has it, by its own user, and the commands beside it.
line=$(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/perennial.service")
as_daemon() { inside setpriv --reuid=perennial --regid=perennial --clear-groups "$@"; }
# shellcheck disable=SC2086
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/ LC_ALL=C.UTF-8 chroot "$root" setpriv --reuid=perennial --regid=perennial --clear-groups \
	$line --listen=unix:/tmp/perennial.sock > "$tmp/served" 2>&1 < /dev/null & # not by a function: what is told to stop is the daemon itself
server=$!
for ((i = 0; i < 100; i++)); do [ -S "$root/tmp/perennial.sock" ] && break; sleep 0.1; done
ask() { as_daemon curl -s --unix-socket /tmp/perennial.sock "$@"; }
like "the unit's command line serves" "$(ask http://x/healthz; cat "$tmp/served")" "listening"
like "a page is added over HTTP" "$(ask http://x/v1/pages --data-binary http://a.example/)" '"outcome":"added"'
like "the page is due" "$(ask -X POST 'http://x/v1/due?limit=1')" '"url":"http://a.example/"'
like "a report of it is taken" "$(ask -H 'Content-Type: text/html' --data-binary '<p>Boats leave at nine.' 'http://x/v1/observe?url=http://a.example/')" '"outcome":"observed"'
kill "$server" 2>/dev/null; wait "$server" 2>/dev/null; server=
like "the daemon stops when it is told to" "$(cat "$tmp/served")" "stopped"
code "a store is made there" 0 inside perennial init --state=/tmp/S --budget=100/day
code "a page is added" 0 inside perennial add --state=/tmp/S http://b.example/
same "the page is due" "$(inside perennial due --state=/tmp/S 2>/dev/null)" http://b.example/
printf '{"url":"http://b.example/","status":200,"content_type":"text/html","body":"<p>Boats leave at nine."}\n' > "$root/tmp/capture.ndjson"
code "what was fetched is observed" 0 inside perennial observe --state=/tmp/S /tmp/capture.ndjson
like "a decision is printed" "$out" "http://b.example/"

# As who writes a program would.
cp "$SRCDIR/tests/tour.c" "$root/tmp/tour.c"
code "a program is built against the library" 0 inside sh -c 'cd /tmp && cc tour.c $(pkg-config --cflags --libs perennial) -o tour && ./tour'
like "the program runs" "$out" "^day 5: .* next visit"

# From Python, with what the package depends on and nothing else.
corpus=/usr/share/doc/perennial/examples/corpora/watch.trace
cat > "$root/tmp/judged.py" <<END
import perennial
for row in perennial.evaluate("$corpus", ["cgm", "drift"]).compare(at_cost=[0.1], resamples=0):
    print("%s,%.9f" % (row["policy"], row["staleness"]))
with perennial.Store("/tmp/S") as store:
    print(store.stats()["pages"], "page")
END
code "policies are compared and a store is opened from Python" 0 inside python3 /tmp/judged.py
same "Python has the figures that the command has, and its store" "$out" "$(inside perennial evaluate --policy=cgm,drift --at-cost=0.1 --format=csv "$corpus" 2>/dev/null |
	awk -F, '/^(cgm|drift),/ { printf "%s,%.9f\n", $1, $4 }')
1 page"
ok "the compiled part of the Python package is of every version of Python 3" inside sh -c 'ls /usr/lib/python3/dist-packages/perennial/_binding.abi3.so'
ok "the Python package says that it is typed" inside test -e /usr/lib/python3/dist-packages/perennial/py.typed

code "the packages are removed" 0 inside dpkg -r perennial-doc python3-perennial libperennial-dev libperennial0 perennial
ok "what the daemon learned stays when the package is removed" inside test -e /var/lib/perennial/store/data.mdb
code "the packages are purged" 0 inside dpkg -P perennial-doc python3-perennial libperennial-dev libperennial0 perennial
files > "$tmp/after"
ok "the packages brought their files, so that it can be told what they leave" test "$(comm -13 "$tmp/before" "$tmp/installed" | wc -l)" -gt 100
same "nothing of the packages is left when they are purged" "$(comm -3 "$tmp/before" "$tmp/after")" ""
done_testing
