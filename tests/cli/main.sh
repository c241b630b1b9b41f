#!/usr/bin/env bash
# The command as a whole: help, version, and what it says to an unknown command.
. "${SRCDIR:?}/tests/tap.sh"

code "perennial --help succeeds" 0 "$PERENNIAL" --help
like "perennial --help tells what it is for" "$out" "worth fetching again"
code "perennial --version succeeds" 0 "$PERENNIAL" --version
like "perennial --version names the version" "$out" "^perennial [0-9]+\.[0-9]+\.[0-9]+$"
code "perennial without a command is a usage error" 2 "$PERENNIAL"
code "an unknown command is a usage error" 2 "$PERENNIAL" frobnicate
like "a command that is unknown is named" "$err" "no command 'frobnicate'"
for command in $("$PERENNIAL" --help | sed -n 's/^  \([a-z]*\)  *.*/\1/p'); do
	code "$command --help succeeds" 0 "$PERENNIAL" "$command" --help
	like "$command --help shows how it is called" "$out" "^Usage: perennial $command"
	code "$command refuses an unknown option" 2 "$PERENNIAL" "$command" --no-such-option
	like "$command names the option that is unknown" "$err" "no-such-option"
done
code "a command may run with standard input and error closed" 0 bash -c '"$PERENNIAL" add --create --state="$0" http://a.example/ <&- 2>&-' "$tmp/closed"
code "what is said to a closed standard error is not written into a store" 0 "$PERENNIAL" check --state="$tmp/closed"
code "a command whose standard output is closed fails" 3 bash -c '"$PERENNIAL" policies >&-'
like "the message says that standard output is closed" "$err" "perennial policies: standard output is closed"
done_testing
