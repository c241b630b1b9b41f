# The whole shell test library: TAP lines, a plan at the end.  Source it, then use:
#   ok TEXT COMMAND…       the command succeeds
#   same TEXT GOT WANT     two strings are equal
#   like TEXT GOT REGEX    the string matches an extended regular expression
#   code TEXT N COMMAND…   the command exits with N; its output is in $out, its stderr in $err
#   skip TEXT REASON, skip_all REASON, done_testing
# A scratch folder is in $tmp and is removed at the end.
set -u
export LC_ALL=C.UTF-8 TZ=UTC
unset PERENNIAL_STATE
: "${PERENNIAL:?}" "${SRCDIR:?}"
tap_count=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

tap_line() { tap_count=$((tap_count + 1)); printf '%sok %d - %s\n' "$1" "$tap_count" "$2"; }
tap_note() { printf '%s\n' "$1" | sed 's/^/# /'; }
ok() { local text=$1; shift; if "$@"; then tap_line '' "$text"; else tap_line 'not ' "$text"; tap_note "failed: $*"; fi; }
same() { if [ "$2" = "$3" ]; then tap_line '' "$1"; else tap_line 'not ' "$1"; tap_note "got:  $2"; tap_note "want: $3"; fi; }
# The shell itself matches a single line, as grep would: there are thousands, and a process for each takes its time.
tap_matches() { if [[ $1$2 == *$'\n'* ]]; then grep -Eq -- "$2" <<<"$1"; else [[ $1 =~ $2 ]]; fi; }
like() { if tap_matches "$2" "$3"; then tap_line '' "$1"; else tap_line 'not ' "$1"; tap_note "got:  $2"; tap_note "want: $3"; fi; }
code() {
	local text=$1 want=$2 got=0; shift 2
	"$@" >"$tmp/.out" 2>"$tmp/.err" || got=$?
	out=$(<"$tmp/.out"); err=$(<"$tmp/.err")
	if [ "$got" = "$want" ]; then tap_line '' "$text"; else tap_line 'not ' "$text"; tap_note "exit $got, want $want: $*"; tap_note "$err"; fi
}
skip() { tap_count=$((tap_count + 1)); printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"; }
skip_all() { printf '1..0 # SKIP %s\n' "$1"; exit 0; }
done_testing() { printf '1..%d\n' "$tap_count"; }
