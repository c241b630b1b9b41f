# What all figures share.  Every script here loads it first, so each can be run, and restyled, by itself.
#
# Ink is #010101 and rules are #c0c0c0: the page's style sheet replaces these, and the palette, in the dark.
# The palette is Okabe and Ito's, told apart by all common kinds of colour vision.
reset
load "scope.gp"
set terminal svg size 540,400 dynamic noenhanced font "sans-serif,15"
set encoding utf8
set datafile separator "\t"
set datafile missing "NA"
set datafile columnheaders
set border 3 lc rgb "#010101"
set tics nomirror textcolor rgb "#010101"
set xlabel textcolor rgb "#010101" offset 0,0.4
set ylabel textcolor rgb "#010101"
set grid back lc rgb "#c0c0c0" lw 0.6 dt solid
set key outside below center horizontal maxcols 3 title " " font "sans-serif,15" samplen 1.5 spacing 1.2 textcolor rgb "#010101"
set style fill solid 1 noborder

palette = "#0072b2 #e69f00 #009e73 #cc79a7 #d55e00 #56b4e9 #010101 #b8860b"
colour(i) = word(palette, (i - 1) % words(palette) + 1)

# Line styles 1, 2, … go through the palette, solid, then dashed.
do for [i=1:8] {
	set style line i lw 2 dt 1 pt 7 ps 0.45 lc rgb colour(i)
	set style line i + 8 lw 2 dt 2 pt 6 ps 0.45 lc rgb colour(i)
}
style(i) = (i - 1) % 16 + 1

# Churn, scroll, static, mixed or unknown: one colour each in every figure.
churn = "#d55e00"
scroll = "#0072b2"
constant = "#009e73"
other = "#cc79a7"
ink = "#010101"

# The unit that a person would choose for times of up to so many days, in days, and its name.
unit(d) = d < 2. / 1440 ? 1. / 86400 : d < 2. / 24 ? 1. / 1440 : d < 3 ? 1. / 24 : d < 1500 ? 1 : 365.25
unit_name(d) = d < 2. / 1440 ? "seconds" : d < 2. / 24 ? "minutes" : d < 3 ? "hours" : d < 1500 ? "days" : "years"

# Tics of a logarithmic axis of days: set xtics @times
times = '("1 s" 1. / 86400, "10 s" 1. / 8640, "1 min" 1. / 1440, "10 min" 1. / 144, "1 h" 1. / 24, "6 h" 0.25, "1 day" 1, "1 week" 7, "30 days" 30, "120 days" 120, "1 year" 365.25, "4 years" 1461, "16 years" 5844)'

# Whether a row is one of the report's scope.
is_here(c) = scope eq "" || strcol(c) eq scope

# A column's value in the rows of that scope, or with some name in another column.
of(c) = is_here("corpus") ? column(c) : NaN
if_is(name, value, c) = strcol(name) eq value ? column(c) : NaN
