#!/usr/bin/env bash
# What a command's --help lists, its man page tells of: each option, and a default that is a figure beside it, or, of those
# that are keys of a configuration file too, in perennial-config(5).
. "${SRCDIR:?}/tests/tap.sh"

# A man page as plain text, a paragraph a line; what .so names in its place.
plain() {
	local other
	other=$(sed -n 's/^\.so man1\///p' "$1")
	sed 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\f[A-Z]//g; s/\\[& ]//g' "${other:+$SRCDIR/man/}${other:-$1}" |
		awk '/^\.(TP|SS|SH|PP)/ { printf "\n"; next } { sub(/^\.[A-Z]+ /, ""); printf "%s ", $0 } END { print "" }'
}

# The options of a command by its --help, a line each: its name, and its default if one is told.
options() {
	"$PERENNIAL" "$1" --help | awk '/^ +(-[a-z], )?--/ { printf "\n" } /^ / { printf "%s ", $0; next } { print "" }' |
		tr -s ' ' | sed -n 's/^ *\(-[a-z], \)\{0,1\}--\([a-z0-9-]*\).*[( ]default:\{0,1\} \([0-9][^;,) ]*\).*/\2 \3/p; t; s/^ *\(-[a-z], \)\{0,1\}--\([a-z0-9-]*\).*/\2/p'
}

# Of options, each with its default if it has one: "missing --NAME" where no paragraph of the page has it as a word of its own,
# "silent --NAME (DEFAULT)" where none of the page's has both, nor one of perennial-config(5) with the key.
untold() { # PAGE CONFIG OPTIONS
	awk '
		function tells(texts, count, word, text, i) {
			for (i = 1; i <= count; i++)
				if (index(texts[i], text) && texts[i] ~ "(^|[^a-z0-9-])" word "([^a-z0-9-]|$)") return 1
			return 0
		}
		FNR == 1 { file++ }
		file == 1 { page[++pages] = $0; next }
		file == 2 { config[++configs] = $0; next }
		{
			if (!tells(page, pages, "--" $1, "--" $1)) print "missing --" $1
			if ($2 != "" && !tells(page, pages, "--" $1, $2) && !tells(config, configs, $1, $2)) print "silent --" $1 " (" $2 ")"
		}' "$@"
}

# Headings: a page's own name, a day, the version.
version=$("$PERENNIAL" --version)
headings='' names=''
for page in "$SRCDIR"/man/*.[1-9]; do
	name=${page##*/}
	[ "$(head -c 4 "$page")" != ".so " ] || continue
	heading=$(head -n 1 "$page" | sed 's/\\-/-/g')
	grep -Eq "^\.TH [A-Z-]+ [1-9] \"20[0-9]{2}-[01][0-9]-[0-3][0-9]\" \"$version\" " <<<"$heading" || headings="$headings $name"
	[[ $heading == ".TH $(tr a-z A-Z <<<"${name%.*}") ${name##*.} "* ]] || names="$names $name"
done
same "the heading of every man page has a day, and the version of the command" "$headings" ""
same "the heading of every man page has its name and section" "$names" ""
if command -v mandoc >/dev/null; then
	for section in 1 3 5; do mkdir -p "$tmp/man$section" && cp "$SRCDIR"/man/*."$section" "$tmp/man$section"; done
	same "mandoc finds nothing to say about the man pages, but that it would have links for pages that are others" \
		"$(cd "$tmp" && mandoc -Tlint -W warning man?/*.[1-9] | grep -v 'WARNING: .so is fragile')" ""
else
	skip "mandoc finds nothing to say about the man pages" "mandoc is not installed"
fi
# At any width no line is stretched, and none stands out.  A page that only names another one is that one.  What man would
# say of each page groff says of all in one go: a man of its own for each takes thirty seconds.
if command -v groff >/dev/null; then
	pages=()
	for page in "$SRCDIR"/man/*.[1-9]; do [ "$(head -c 4 "$page")" = ".so " ] || pages+=("${page##*/}"); done
	fitted() { (cd "$1" && groff -K utf8 -mandoc -rLL="$2"n -rLT="$2"n -w mac -Tutf8 -Z "${@:3}" 2>&1 >/dev/null); }
	for width in 60 80 130; do
		same "groff fits every line of the man pages to $width columns" "$(fitted "$SRCDIR/man" "$width" "${pages[@]}")" ""
	done
	{ cat "$SRCDIR/man/perennial-due.1" && printf '.PP\n%0100d\n' 0; } > "$tmp/wide.1"
	like "groff names the page and line of a word that is wider than the page" "$(fitted "$tmp" 80 wide.1)" "wide\.1:$(wc -l < "$tmp/wide.1"):.*can't break line"
else
	skip "groff fits every line of the man pages to any width" "groff is not installed"
fi

plain "$SRCDIR/man/perennial-config.5" > "$tmp/config"
commands=$("$PERENNIAL" --help | sed -n 's/^  \([a-z]*\)  *[^ ].*/\1/p')
ok "perennial --help lists its commands" test "$(wc -w <<<"$commands")" -ge 20
ok "serve --help lists options, and figures as defaults" test "$(options serve | wc -l)" -ge 40 -a "$(options serve | grep -c ' [0-9]')" -ge 20
same "perennial(1) tells of every command that perennial --help lists" \
	"$(for command in $commands; do grep -qE "^\.BR .*perennial\\\\-$command[ \"(]" <(sed -n '/^\.SH COMMANDS/,/^\.SH URLS/p' "$SRCDIR/man/perennial.1") || echo "$command"; done)" ""
for command in $commands; do
	page=$SRCDIR/man/perennial-$command.1
	# Never empty: awk tells files apart by their first lines.
	{ echo; [ ! -e "$page" ] || plain "$page"; } > "$tmp/page"
	untold "$tmp/page" "$tmp/config" <(options "$command" | grep -v '^help$') > "$tmp/untold"
	same "perennial-$command(1) tells of every option that $command --help lists" "$(grep '^missing' "$tmp/untold")" ""
	same "every figure that $command --help tells as a default is in perennial-$command(1) or perennial-config(5)" "$(grep '^silent' "$tmp/untold")" ""
done
done_testing
