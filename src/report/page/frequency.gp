# title: Change frequency against longevity
# caption: One mark a page: how often it changes, and how long those of its fragments live whose birth and death were seen. (Olston and Pandey 2008, figure 3.)
load "style.gp"
set output "frequency.svg"
set xlabel "change frequency (share of captures)"
set ylabel "mean known lifetime"
set ytics @times
set logscale y
set xrange [0:1.02]
natures = "churn scroll mixed unknown"
tone(n) = n eq "churn" ? churn : n eq "scroll" ? scroll : n eq "mixed" ? other : ink
shape(n) = n eq "churn" ? 5 : n eq "scroll" ? 7 : n eq "mixed" ? 9 : 6
plot for [n in natures] "pages.tsv" \
	using (if_is("nature", n, "change_frequency")):(column("longevity_days")) \
	with points pt shape(n) ps 0.7 lc rgb tone(n) title n
