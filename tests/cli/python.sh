#!/usr/bin/env bash
# The Python package: built by pip as a wheel, or by setuptools, against the library of this build; then tests/python.py.
. "${SRCDIR:?}/tests/tap.sh"
python=
for candidate in python3 /usr/bin/python3; do
	"$candidate" -c 'import cffi, numpy, setuptools, wheel' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || skip_all "python3-cffi, python3-numpy, python3-setuptools or python3-wheel is not installed: they make the package"
[ -e "$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ] || skip_all "python3-dev is not installed: it has the headers of what is compiled"
[ -e "$BUILDDIR/.libs/libperennial.so" ] || skip_all "there is no shared library here: it is what Python loads"
ldd "$BUILDDIR/.libs/libperennial.so" | grep -qE 'lib[a-z]*san|libclang_rt' && skip_all "the library is built with sanitizers, which Python has not"

# Nothing is written beside the sources.
cp -R "$SRCDIR/python" "$tmp/python" && chmod -R u+w "$tmp/python" && mkdir "$tmp/site"
export PERENNIAL_INCLUDE=$SRCDIR/include PERENNIAL_LIBDIR=$BUILDDIR/.libs CFLAGS=-O0 PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
if "$python" -m pip --version >/dev/null 2>&1; then
	code "pip makes a wheel without the network" 0 "$python" -m pip wheel --no-build-isolation --no-deps --no-index -w "$tmp" "$tmp/python"
	ok "the wheel is installed" "$python" -m zipfile -e "$tmp"/perennial-*.whl "$tmp/site"
	same "the wheel is of no one version of Python" "$(basename "$tmp"/perennial-*.whl | cut -d - -f 2-4)" "$(sed -n 's/^#define PRN_VERSION_[A-Z]* \([0-9]*\)$/\1/p' "$SRCDIR/include/perennial/version.h" | paste -sd .)-cp39-abi3"
else
	skip "pip makes a wheel without the network" "python3-pip is not installed"
	code "setuptools makes the package" 0 env -C "$tmp/python" "$python" setup.py -q build --build-lib="$tmp/site"
fi
ok "the package says that it is typed" test -e "$tmp/site/perennial/py.typed"
if "$python" -m mypy --version >/dev/null 2>&1; then
	mypy() { MYPYPATH=$tmp/site "$python" -m mypy --config-file="$SRCDIR/python/pyproject.toml" --cache-dir="$tmp/mypy" --no-error-summary "$@"; }
	code "the types of the package hold, by mypy's strict rules" 0 mypy "$tmp/site/perennial"
	same "mypy names nothing" "$out" ""
	printf 'import perennial\n\ntrace = perennial.Trace("a.trace")\nprint(trace[0].times.shape, trace[0].nothing)\nperennial.Client(7390)\n' > "$tmp/wrong.py"
	code "a program that uses the package wrongly is told so" 1 mypy "$tmp/wrong.py"
	like "a member that is not there is named" "$out" 'wrong.py:4: error: "Page" has no attribute "nothing"'
	like "an argument of another type is named" "$out" 'wrong.py:5: error: Argument 1 to "Client" has incompatible type "int"; expected "str"'
	same "the rest of that program is right" "$(wc -l <<< "$out")" 2
	for example in compare refresh; do
		code "the types of the example hold: $example.py" 0 mypy --allow-untyped-defs --allow-untyped-calls --ignore-missing-imports "$SRCDIR/doc/examples/$example.py"
	done
else
	skip "the types of the package hold, by mypy's strict rules" "mypy is not installed"
fi
PERENNIAL_INCLUDE=$tmp/none PERENNIAL_LIBDIR= PKG_CONFIG=false code "without the library" 1 env -C "$tmp/python" "$python" setup.py -q build --build-lib="$tmp/none"
like "without the library the build says what to install" "$err" "libperennial was not found: install it with its headers"

export PYTHONPATH=$tmp/site LD_LIBRARY_PATH=$BUILDDIR/.libs TMPDIR=$tmp MPLCONFIGDIR=$tmp
if echo 'const char *prn_version(void); const char *prn_version(void) { return "9.8.7"; }' | ${CC:-cc} -shared -fPIC -x c -o "$tmp/other.so" - 2>/dev/null; then
	code "beside a library of another version" 1 env LD_PRELOAD="$tmp/other.so" "$python" -c 'import perennial'
	like "the package says that it wants to be built anew" "$err" "ImportError: this package was built for libperennial [0-9.]+, and the one that is installed is 9.8.7: build the package anew"
else
	skip "the package says that it wants to be built anew" "no compiler"
fi
"$python" "$SRCDIR/tests/python.py" "$tap_count"
