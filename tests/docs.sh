#!/usr/bin/env bash
# Every example in README.md, doc/ and the man pages is run, and prints what the page says it prints.
#
# An example is a line "$ COMMAND" in a ```console block of Markdown or an .EX/.EE block of a man page; the
# lines after it, up to the next "$ " or the end of the block, are its output on a terminal.  "…" at the end
# of a line stands for any rest of that line, a line "…" for any lines.  A command goes on after a line that
# ends in "\".  Progress, which a terminal overwrites, is not output.
. "${SRCDIR:?}/tests/tap.sh"

command -v script >/dev/null || skip_all "script(1) is not installed: it is what makes the output a terminal's"
script -qec true /dev/null </dev/null >/dev/null 2>&1 || skip_all "no pseudo-terminals here (is /dev/pts mounted?): they make the output a terminal's"
mkdir "$tmp/bin" && ln -s "$PERENNIAL" "$tmp/bin/perennial"
PATH=$tmp/bin:$PATH

# The examples of a page into the folder $2: the commands as command.N, what they print as want.N; how many, to standard
# output.  A command goes on over lines that end in a backslash.
examples() {
	case "$1" in
	*.md) awk '/^```console$/ { on = 1; next } /^```/ { on = 0 } on' "$1" ;;
	*) awk '/^\.EX/ { on = 1; next } /^\.EE/ { on = 0 } on' "$1" | sed 's/\\-/-/g; s/\\\[u2026\]/…/g; s/\\&//g; s/\\(aq/'"'"'/g; s/\\\[aq\]/'"'"'/g; s/\\e/\\/g' ;;
	esac | awk -v folder="$2" '
		/^\$ / { n++; sub(/^\$ /, ""); command = 1; printf "" > (folder "/want." n) }
		n { print > (folder (command ? "/command." : "/want.") n); if ($0 !~ /\\$/) command = 0 }
		END { print n + 0 }'
}

# An output with its "…" as an extended regular expression, matched against the whole.
matches() {
	perl -e '
		local $/; open W, "<", $ARGV[0]; my $want = <W>; open G, "<", $ARGV[1]; my $got = <G>;
		s/\s+\z// for $want, $got; s/[ \t]+$//mg for $want, $got;
		my $re = join "\n", map { $_ eq "\xe2\x80\xa6" ? "(?s:.*?)" : join "[^\n]*", map quotemeta, split /\xe2\x80\xa6/, $_, -1 } split /\n/, $want, -1;
		exit !($got =~ /\A$re\z/);' "$1" "$2"
}

run_page() {
	local page=$1 name=${1##*/} n count command
	rm -rf "$tmp/run" "$tmp/examples" && mkdir "$tmp/run" "$tmp/examples" && cd "$tmp/run" && ln -s "$SRCDIR/corpora" corpora
	count=$(examples "$page" "$tmp/examples")
	for ((n = 1; n <= count; n++)); do
		read -r command < "$tmp/examples/command.$n"
		script -qec "stty cols 200 2>/dev/null; bash '$tmp/examples/command.$n'" /dev/null </dev/null 2>&1 |
			perl -pe 's/\r\n/\n/; s/.*\r//; s/\e\[K//g' > "$tmp/got"
		if matches "$tmp/examples/want.$n" "$tmp/got"; then
			tap_line '' "$name: $command"
		else
			tap_line 'not ' "$name: $command"
			tap_note "printed:"
			tap_note "$(cat "$tmp/got")"
		fi
	done
	cd "$tmp"
}

for page in "$SRCDIR"/README.md "$SRCDIR"/doc/*.md "$SRCDIR"/man/*.[1-9]; do
	[ -e "$page" ] && run_page "$page"
done

# The tour is tests/tour.c, so that it is compiled and run.
same "the tour in doc/tour.md is tests/tour.c" "$(awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$SRCDIR/doc/tour.md")" \
	"$(sed '1,/^ \*\/$/d' "$SRCDIR/tests/tour.c")"
same "the tour prints what doc/tour.md says it prints" "$("$BUILDDIR/tests/tour")" \
	"$(awk '/^```c$/ { tour = 1; next } tour && /^```$/ { part++; next } part == 2' "$SRCDIR/doc/tour.md")"
done_testing
