#!/usr/bin/env bash
# The command as a whole: help, version, and what it says to an unknown command.
. "${SRCDIR:?}/tests/tap.sh"

code "perennial --help succeeds" 0 "$PERENNIAL" --help
like "perennial --help tells what it is for" "$out" "worth fetching again"
code "perennial --version succeeds" 0 "$PERENNIAL" --version
like "perennial --version names the version" "$out" "^perennial [0-9]+\.[0-9]+\.[0-9]+$"
# The loader of another C library tells nothing: then this claims nothing.
LD_DEBUG=libs "$PERENNIAL" --version >"$tmp/loaded" 2>&1
if grep -q 'find library=' "$tmp/loaded"; then
	same "a command that is not serve starts without libmicrohttpd and GnuTLS" "$(grep -E 'find library=lib(microhttpd|gnutls)' "$tmp/loaded")" ""
else
	skip "a command that is not serve starts without libmicrohttpd and GnuTLS" "the loader here does not tell what it loads"
fi
code "perennial without a command is a usage error" 2 "$PERENNIAL"
code "an unknown command is a usage error" 2 "$PERENNIAL" frobnicate
like "a command that is unknown is named" "$err" "no command 'frobnicate'"
code "a command that is misspelt is a usage error" 2 "$PERENNIAL" exlpain
like "a misspelt command is answered with the one that it may have been" "$err" "no command 'exlpain': did you mean 'explain'?"
code "perennial -V tells the version, too" 0 "$PERENNIAL" -V
like "perennial -V names the version" "$out" "^perennial [0-9]"
code "perennial help COMMAND succeeds" 0 "$PERENNIAL" help due
same "perennial help COMMAND is COMMAND --help" "$out" "$("$PERENNIAL" due --help)"
for word in -h --help; do
	same "perennial help $word is perennial --help" "$("$PERENNIAL" help "$word" 2>&1)" "$("$PERENNIAL" --help)"
done
like "perennial --help names completions" "$("$PERENNIAL" --help)" "'perennial completions bash'"
code "perennial help of an unknown command is a usage error" 2 "$PERENNIAL" help frobnicate
code "an option that is misspelt is a usage error" 2 "$PERENNIAL" due --sate=x
like "a misspelt option is answered with the one that it may have been" "$err" "unknown option '--sate=x': did you mean --state?"
for command in $("$PERENNIAL" --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p'); do
	code "$command --help succeeds" 0 "$PERENNIAL" "$command" --help
	like "$command --help shows how it is called" "$out" "^Usage: perennial $command"
	same "help $command prints the same" "$("$PERENNIAL" help "$command")" "$out"
	code "$command refuses an unknown option" 2 "$PERENNIAL" "$command" --no-such-option
	like "$command names the option that is unknown" "$err" "no-such-option"
done
code "a command may run with standard input and error closed" 0 bash -c '"$PERENNIAL" add --create --state="$0" http://a.example/ <&- 2>&-' "$tmp/closed"
code "what is said to a closed standard error is not written into a store" 0 "$PERENNIAL" check --state="$tmp/closed"
code "a command whose standard output is closed fails" 3 bash -c '"$PERENNIAL" policies >&-'
like "the message says that standard output is closed" "$err" "perennial policies: standard output is closed"

# The store that the environment names.
code "init makes no store that only the environment names" 2 env PERENNIAL_STATE="$tmp/usual" "$PERENNIAL" init
code "a store to try" 0 "$PERENNIAL" init --state="$tmp/usual"
for command in "add http://usual.example/" due "explain http://usual.example/" stats "tune --budget=5/day" export check release\ --all "backup $tmp/copy"; do
	# shellcheck disable=SC2086
	code "PERENNIAL_STATE is the store of $command" 0 env PERENNIAL_STATE="$tmp/usual" "$PERENNIAL" $command
done
# Whichever command takes a store takes that one: it may be told of something else, not of a store that is missing.
for command in $("$PERENNIAL" help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p'); do
	case $command in init|help) continue ;; esac
	"$PERENNIAL" help "$command" 2>/dev/null | grep -q '^ *--state=' || continue
	told=$(PERENNIAL_STATE="$tmp/nowhere" timeout 20 "$PERENNIAL" "$command" 2>&1 </dev/null)
	same "$command looks for the store that PERENNIAL_STATE names" "$(grep -c 'state=DIR.*missing' <<<"$told")" 0
done
like "what was copied is of that store" "$("$PERENNIAL" export --state="$tmp/copy")" "http://usual.example/"
code "--state goes before PERENNIAL_STATE" 3 env PERENNIAL_STATE="$tmp/usual" "$PERENNIAL" due --state="$tmp/none"
code "an empty PERENNIAL_STATE names no store" 2 env PERENNIAL_STATE= "$PERENNIAL" due
like "where nothing names a store, both ways to name one are told" "$err" "state=DIR.*PERENNIAL_STATE"

# A limit of files that a store is beyond already is an error, and no signal.
seq -f http://limited.example/some/path/%g 1 3000 >"$tmp/limited"
"$PERENNIAL" init --state="$tmp/small" && "$PERENNIAL" add --state="$tmp/small" --now=2026-01-01 "$tmp/limited" 2>/dev/null
for most in 16 40 100 110; do
	code "a store that may have $most kB is told to be too large for it" 3 bash -c 'ulimit -f "$1"; shift; exec "$@"' - $most "$PERENNIAL" add --state="$tmp/small" --now=2026-01-01 http://one.more.example/$most
done
code "what was refused harmed nothing" 0 "$PERENNIAL" check --state="$tmp/small"

# A store whose name is misspelt is not made, by whatever takes one.
cd "$tmp"
for command in "add http://usual.example/" due "due --lease=0s" "observe /dev/null" "hint http://usual.example/" "release --all" "explain http://usual.example/" \
	tune "tune --budget=5/day --apply" "set --policy=cgm" stats "forget --count=1 --host=usual.example" export check "check --repair" "backup copy-of-none" serve; do
	# shellcheck disable=SC2086
	code "a misspelt --state ends $command" 3 timeout 60 "$PERENNIAL" $command --state=misspelt </dev/null
	same "$command names the misspelt store, and makes none" "$(grep -c misspelt <<<"$err") $(ls -d misspelt* copy-of-none 2>/dev/null)" "1 "
done
if [ -c /dev/full ]; then
	for command in --version --help help "help due" "due --help"; do
		# shellcheck disable=SC2086
		code "perennial $command fails where its output cannot be written" 3 bash -c '"$PERENNIAL" "$@" > /dev/full' - $command
	done
else
	skip "help fails where its output cannot be written" "there is no /dev/full"
fi
done_testing
