#!/usr/bin/env bash
# What is cited can be found: sections of doc/theory.md, and papers by their short names in its References.
. "${SRCDIR:?}/tests/tap.sh"
theory=$SRCDIR/doc/theory.md

# What files say: text, with the escapes of man pages undone; of C the comments, and what strings cite.
text() { cat "$@" | sed 's/\\\[sc\]/§/g; s/\\-/-/g'; }
comments() { grep -hE '/\*|\*/|^[[:space:]]*\*|§|\.md' "$@"; }
code() { find "$SRCDIR"/{include,src,tests,bench,fuzz,soak} -name '*.[ch]' -print0 | xargs -0 cat | comments; }

#
# The papers that a text on standard input cites: a capitalised word before a section, an equation or the like ("Cho
# ch. 5", "OP's figure 1"), capitals that have something ("GF's prior"), or stand in a list of sources ("(AZ; KO)").
#
papers() {
	grep -oE "\b[A-Z][A-Za-z]+('s)? (§|(eq\.|ch\.|chapter|table|figure|appendix) [0-9A-Z])|\b[A-Z]{2,3}'s|[(;,] ?[A-Z]{2,3}[);,]" |
		sed -E "s/^[(;, ]+//; s/[^A-Za-z].*//" | sort -u | grep -vxE 'CDX|GB|HTML|IP|ISO|MB|NAN|NUL|RFC|SVG|TB|TSV|URL|UTC|XML'
}

references=$(sed -n '/^## References$/,$s/^\* \*\*\([A-Za-z]*\)\*\*: .*/\1/p' "$theory" | sort)
headings=$(sed -n 's/^## \([0-9]*\)\. .*/\1/p' "$theory")

# Lines of standard input that are not among the references, or not numbers of sections.
unknown() { comm -23 <(sort -u) <(printf '%s\n' "$references") | tr '\n' ' '; }
unnumbered() { grep -oE '§[0-9]+' | sort -u | grep -vxE "§($(tr '\n' '|' <<< "$headings" | sed 's/|$//'))"; }

same "the sections of doc/theory.md are numbered from 1 without a gap" "$headings" "$(seq "$(wc -l <<< "$headings")")"
ok "doc/theory.md has references" [ "$(wc -w <<< "$references")" -gt 5 ]

same "code and man pages cite the theory as doc/theory.md §N, or its References, or by the file's name" \
	"$({ code; text "$SRCDIR"/man/*.[1-9]; } | grep 'theory\.md' | grep -vE 'doc/theory\.md(,? §[0-9]|, References\.)|^\.IR theory\.md')" ""
same "every section of doc/theory.md that is cited is there" \
	"$({ code; text "$SRCDIR"/man/*.[1-9] "$SRCDIR"/{README,CONTRIBUTING}.md; } | grep -oE 'doc/theory\.md §[0-9]+(, §[0-9]+)*' | unnumbered)" ""
same "every section that doc/theory.md refers to is there" "$(grep -oE '([(–]|, |of |and |see )§[0-9]+' "$theory" | unnumbered)" ""
anchors=$(sed -n 's/^## //p' "$theory" | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n-')
same "every link within doc/theory.md leads to a heading" \
	"$(grep -oE '\]\(#[^)]+\)' "$theory" | sed 's/](#//; s/)$//' | sort -u | grep -vxF -- "$anchors")" ""

same "every paper that code cites is in the References" "$(code | papers | unknown)" ""
same "every paper that man pages cite is in the References" "$(text "$SRCDIR"/man/*.[1-9] | papers | unknown)" ""
same "every paper that doc/theory.md cites is in its References" "$(text "$theory" | papers | unknown)" ""
same "every source that perennial policies prints is in the References, or is this project" \
	"$("$PERENNIAL" policies --format=tsv | awk -F '\t' 'NR > 1 && $4 != "this project" { print $4 }' | tr ';' '\n' |
		sed -E 's/^ *(Apache )?//; s/[ ,].*//' | unknown)" ""
same "perennial(1) gives the same papers in full" \
	"$(sed -n '/^\.SH REFERENCES/,/^\.SH SEE/p' "$SRCDIR/man/perennial.1" | sed -n '/^\.TP/{n;s/^\.B //p}' | sort)" "$references"

unexplained=
for header in "$SRCDIR"/include/perennial/*.h; do
	[ -z "$(comments "$header" | papers)" ] || grep -q ' \* Papers by their short names: doc/theory\.md, References\.$' "$header" ||
		unexplained="$unexplained $(basename "$header")"
done
same "every public header that cites a paper says where its short name is explained" "$unexplained" ""
unexplained=
for page in "$SRCDIR"/man/*.[1-9]; do
	[ -z "$(text "$page" | papers)" ] || grep -qE '^(\.SH )?REFERENCES' "$page" || unexplained="$unexplained $(basename "$page")"
done
same "every man page that cites a paper refers to perennial(1), REFERENCES" "$unexplained" ""

same "code and man pages refer to no document that is not here" \
	"$({ code; text "$SRCDIR"/man/*.[1-9]; } | grep -oE '[a-z_/-]+\.md\b' | sort -u | while read -r name; do
		[ -n "$(find "$SRCDIR" -maxdepth 2 -name "$(basename "$name")" -print -quit)" ] || echo "$name"; done)" ""
same "every file of src/ or tests/ that a public header or doc/theory.md names is there" \
	"$(cat "$SRCDIR"/include/perennial/*.h "$theory" | grep -oE '\b(src|tests)/[a-z_/]+\.[a-z]+' | sort -u | while read -r name; do
		[ -e "$SRCDIR/$name" ] || echo "$name"; done)" ""
done_testing
