# title: How fresh copies are while rates are being learned
# caption: A hundred pages of rates from .1 to 5.1 and weights from .1 to 1.1 share a hundred visits per unit of time, divided as is best for the rates that are thought to be theirs; what that brings under the true rates, of what the division by these brings, by the visits at rate 3 from which each page is known. Bands are 95 % intervals over sets of pages. (Avrachenkov, Patil and Thoppe 2020, experiment 2.)
load "style.gp"
set output "papers-freshness.svg"
set xlabel "visits"
set ylabel "freshness / the best there is"
set logscale x
set xrange [4:1000]
set yrange [*:1]
methods = "mle:lengths=20 lln:visit-rate=3 sa:visit-rate=3 naive"
names = "mle lln sa naive"
at(i, c) = strcol("method") eq word(methods, i) ? column(c) : NaN
plot for [i=1:words(methods)] "papers-freshness.tsv" using (at(i, "visits")):(column("low")):(column("high")) \
	with filledcurves fc rgb colour(i) fs transparent solid 0.2 noborder notitle, \
	for [i=1:words(methods)] "papers-freshness.tsv" using (at(i, "visits")):(column("share")) \
	with linespoints ls style(i) title word(names, i)
