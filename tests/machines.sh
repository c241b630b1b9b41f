#!/usr/bin/env bash
# Other kinds of machines: built by Debian's cross compilers and run by qemu, the program writes the same bytes as here.  And
# another C library, musl: all files compile with its headers, and what needs no library that Debian has for the GNU C library
# alone is linked with it and does what it should.
#
# That takes minutes, and the network where the libraries are not there yet, so it is done where CHECK_MACHINES names
# architectures of Debian, or musl: CHECK_MACHINES='s390x arm64 musl' (s390x is big-endian).  MACHINES_ROOT=DIR keeps the
# libraries and the builds for the next time; CROSS_PREFIX goes before each compiler, such as ccache.
. "${SRCDIR:?}/tests/tap.sh"
: "${BUILDDIR:?}"
export SRCDIR BUILDDIR

[ -n "${CHECK_MACHINES:-}" ] || skip_all "CHECK_MACHINES is not set, such as to 's390x arm64 musl': this takes minutes"
for program in dpkg-architecture dpkg-deb dpkg-query apt-get pkg-config; do
	command -v $program >/dev/null || skip_all "$program is not installed (tools/packages --machines)"
done
machines=${MACHINES_ROOT:-$tmp/machines}
mkdir -p "$machines"

# What each noun's test is: of bytes that are read or written, of arithmetic, of stores.  The others hold nothing that could
# be different there, or need what is not there (browsers, shells, servers, and migrate the files of LMDB of a little-endian machine).
tests="base64 buffer digest message_digest number sort sorter text_lines json_values time url html html_tokens xml words
	summary decode archive index http page_codec trace import stripes curve fit profile allocate estimator policy packing
	page_state record store store_check store_damage store_faults replay"

# What is compared: everything that a program prints or writes, into a folder.
results() {
	local run=$1 into=$2 at=2026-03-01T00:00:00Z i
	mkdir -p "$into/known"
	(
		set -e
		cd "$into"
		$run synth -o synth.trace --truth=synth.truth --pages=40 --captures=30 --seed=7
		$run synth --warc=synth.warc --pages=12 --captures=12 --seed=8
		$run import -o import.trace --links synth.warc
		$run dump synth.trace import.trace > dump
		# Of these the content is known by a digest of ours alone, and a sample is by one.
		for i in {1..24}; do echo "k 2015010100000$((i % 9)) {\"url\":\"http://a.example/$((i % 12))\",\"mime\":\"text/html\",\"status\":\"200\",\"digest\":\"$((i % 5))\"}"; done > known.cdxj
		for i in {1..9}; do printf 'http://a.example/%s\t%s\t1\n' $i $i; done > known/url_urlid_hostid.txt
		for i in {1..9}; do printf '%s\t%s\t[[1.5, %s], [2, 1], [1, 0]]\n' $i $i $((i % 2)); done > known/urlid_offset_history.txt
		$run dump known.cdxj known > known.dump
		$run dump --sample=0.5 known.cdxj known synth.warc > sample.dump
		$run measure --format=tsv "$SRCDIR/corpora/watch.trace" synth.trace > measure
		for view in lifetimes survival k scaled intervals bars; do $run measure --$view --format=tsv synth.trace > measure.$view; done
		$run evaluate --format=tsv --at-cost=0.1,0.3 "$SRCDIR/corpora/terms-ai.trace" > evaluate
		$run evaluate --format=json --policy=drift,cgm,curve-fitting --offsets=0,3 synth.trace > evaluate.sweep
		$run dump --visits synth.trace > visits
		$run estimate --interval=0.95 --format=tsv < visits > estimate
		$run prior --format=tsv synth.trace > prior
		$run init --state=store --budget=20/day
		$run observe --state=store --create --now=$at --format=tsv synth.warc > observe
		$run due --state=store --now=2026-04-01 --format=tsv --host-delay=0s > due
		$run export --state=store --now=2026-04-01 > export
		$run check --state=store > check
	) > "$into/said" 2>&1
}

code "the program runs here" 0 results "$PERENNIAL" "$tmp/native"
[ -s "$tmp/native/check" ] || tap_note "$(tail -n 5 "$tmp/native/said")"

# The lines of two files in which a word is not the same, nor a number that is within 1e-12 of the other.
differences() {
	paste -d '\n' "$1" "$2" | awk 'NR % 2 { n = split($0, a); first = $0; next }
		{ bad = n != NF; for (i = 1; i <= NF; i++) if (a[i] "" != $i "" && !(a[i] * $i != 0 && (a[i] / $i - 1) ^ 2 < 1e-24)) bad = 1; if (bad) print first " / " $0 }'
}

on_machine() {
	local arch=$1 triplet cpu emulator root build qemu name
	triplet=$(dpkg-architecture -a"$arch" -qDEB_HOST_GNU_TYPE 2>/dev/null) && cpu=$(dpkg-architecture -a"$arch" -qDEB_HOST_GNU_CPU 2>/dev/null) ||
		{ ok "$arch is an architecture of Debian" false; return; }
	for emulator in qemu-$cpu qemu-$cpu-static ''; do command -v "$emulator" >/dev/null && break; done
	for name in "$triplet-gcc" "$emulator"; do
		command -v "$name" >/dev/null || { skip "the program for $arch is what it is here" "${name:-qemu-$cpu} is not installed (tools/packages --machines)"; return; }
	done
	root=$machines/$arch build=$machines/build-$arch qemu="$emulator -L $root"
	code "the libraries of $arch are to be had" 0 "$SRCDIR/tools/sysroot" "$arch" "$root"
	[ -e "$root/.packages" ] || return
	mkdir -p "$build"
	code "configure finds everything for $arch" 0 env -C "$build" PKG_CONFIG=pkg-config PKG_CONFIG_SYSROOT_DIR="$root" \
		PKG_CONFIG_LIBDIR="$root/usr/lib/$triplet/pkgconfig:$root/usr/share/pkgconfig" \
		"$SRCDIR/configure" -q --host="$triplet" --disable-shared CC="${CROSS_PREFIX:+$CROSS_PREFIX }$triplet-gcc --sysroot=$root" CFLAGS="-O1 -g"
	# shellcheck disable=SC2086
	code "the program and its tests are built for $arch" 0 make -s -C "$build" -j"$(nproc)" perennial $(printf 'tests/%s ' $tests)
	same "no compiler warns about what is built for $arch" "$(grep -E 'warning:' <<<"$err" | grep -v '^configure:')" ""

	code "the program runs on $arch" 0 results "$qemu $build/perennial" "$tmp/$arch"
	[ -s "$tmp/$arch/check" ] || tap_note "$(tail -n 5 "$tmp/$arch/said")"
	# What zstd packs well, it packs into other bytes on a big-endian machine: a trace of it is read here, and written anew.
	for name in "$tmp/native" "$tmp/$arch"; do
		(cd "$name" && mv import.trace imported && "$PERENNIAL" import -o import.trace imported) > "$name/imports" 2>&1
	done
	[ "$(dpkg-architecture -a"$arch" -qDEB_HOST_ARCH_ENDIAN)" = big ] ||
		ok "$arch: the trace that import makes is byte for byte what it is here" cmp -s "$tmp/native/imported" "$tmp/$arch/imported"
	for name in synth.trace:"a synthetic trace" synth.warc:"a synthetic WARC file" import.trace:"the trace that import makes, written anew here," \
		dump:"what dump prints of both" known.dump:"what is made of an index and of histories" sample.dump:"a sample of pages" measure:"what measure prints of real pages" evaluate:"what evaluate prints of all policies" \
		evaluate.sweep:"a sweep" estimate:"what all estimators say" prior:"a prior" observe:"each decision of a store" \
		due:"what is due" export:"all that a store knows"; do
		ok "$arch: ${name#*:} is byte for byte what it is here" cmp -s "$tmp/native/${name%%:*}" "$tmp/$arch/${name%%:*}"
	done
	same "$arch: nothing that is printed or written is otherwise than here, but for the files of the store" \
		"$(diff -rq -x store -x imported -x measure.scaled "$tmp/native" "$tmp/$arch")" ""
	# Of the C library's exp and pow the last bit is not the same on all machines, nor where a processor multiplies and adds in one step.
	same "$arch: lifetimes against the model's, which go by exp and pow, are the same to 12 digits" "$(differences "$tmp/native/measure.scaled" "$tmp/$arch/measure.scaled")" ""
	mv "$tmp/native/imported" "$tmp/native/import.trace"
	for name in $tests; do
		code "tests/$name passes on $arch" 0 env SRCDIR="$SRCDIR" BUILDDIR="$build" PERENNIAL="$build/perennial" $qemu "$build/tests/$name"
		like "tests/$name says so on $arch" "$(grep -c '^not ok' <<<"$out") $(grep -Ec '^ok' <<<"$out")" '^0 [1-9]'
	done
}

# On musl, which has none of what base/portable.c prefers, as far as it is told here: what stands in for it is what is tested.
musl_tests="adaptive allocate base64 buffer cgm curve digest drift estimator fit html media number output packing page_codec
	page_state parallel pipeline policy polite portable profile quantile record replay root sort sorter summary text_lines time version visible"

on_musl() {
	local build=$machines/build-musl headers=$machines/musl-headers version file name wraps
	command -v musl-gcc >/dev/null || { skip "the library is what it is here with musl" "musl-gcc is not installed (tools/packages --machines)"; return; }
	version=$("$PERENNIAL" --version | sed 's/perennial //')
	rm -rf "$headers" "$build" && mkdir -p "$headers" "$build"
	# The headers of the libraries, and of nothing else: those of the GNU C library lie in the same folders.
	for name in $(sed -n '/^packages=/,/"$/p' "$SRCDIR/tools/packages" | grep -oE '\blib[a-z0-9-]*-dev|zlib1g-dev|nettle-dev' | grep -v '^libc6') libicu-dev; do
		dpkg-query -L "$name" 2>/dev/null
	done | sed -n "s|^\(/usr/include/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/[^/]*\)$|\1|p; s|^\(/usr/include/[^/]*\)$|\1|p" | grep -v -- '-linux-' | sort -u |
		while read -r file; do ln -s "$file" "$headers"; done
	export flags="-std=gnu11 -O1 -Wall -Wextra -D_GNU_SOURCE -DXXH_INLINE_ALL= -DPACKAGE_VERSION=\"$version\" -DVERSION=\"$version\" -DHAVE_BROTLI=1
		-DHAVE_LIBDEFLATE=1 -DHAVE_LZ4=1 -DHAVE_LIBARCHIVE=1 -I$SRCDIR/include -I$SRCDIR/src -I$SRCDIR/tests -I$BUILDDIR -I$BUILDDIR/src
		-isystem $headers -isystem $headers/libxml2"
	export build CROSS_PREFIX
	(cd "$SRCDIR" && ls src/*/*.c; cd "$BUILDDIR" && ls src/*/*.c 2>/dev/null) | sort -u | grep -v '/rados' > "$build/sources"
	code "every file compiles with musl's headers" 0 xargs -P "$(nproc)" -n 1 bash -c 'file=$SRCDIR/$1; [ -e "$file" ] || file=$BUILDDIR/$1
		${CROSS_PREFIX:-} musl-gcc $flags -Werror -c "$file" -o "$build/$(tr / _ <<<"$1").o"' - < "$build/sources"
	ok "there are files to compile" test "$(ls "$build"/*.o | wc -l)" -gt 300
	ar rcs "$build/all.a" "$build"/src_{base,fragment,model,policy,simulate,archive,history,web,evaluate,longevity,store,decide}_*.o
	for name in $musl_tests; do
		# What a test stands before is a function of the library, as its LDFLAGS say.
		wraps=$(grep -oE '\b__wrap_\w+' "$SRCDIR/tests/$name.c" | sort -u | sed 's/__wrap_/-Wl,--wrap=/')
		# shellcheck disable=SC2086
		code "tests/$name is linked with musl, and with nothing else" 0 musl-gcc $flags -static $wraps "$SRCDIR/tests/$name.c" "$build/all.a" -lm -o "$build/$name"
		code "tests/$name passes with musl" 0 "$build/$name"
		like "tests/$name says so with musl" "$(grep -c '^not ok' <<<"$out") $(grep -Ec '^ok' <<<"$out")" '^0 [1-9]'
	done
}

for machine in $CHECK_MACHINES; do
	if [ "$machine" = musl ]; then on_musl; else on_machine "$machine"; fi
done
done_testing
