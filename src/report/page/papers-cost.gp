# title: What an interval costs, and the one that costs least
# caption: The cost of a page that changes once in Δ: the share of time in which its copy is stale, and its crawls, for four prices of a crawl. Points are the intervals that cost least; where a crawl costs more than Δ of staleness there is none. At Δ/24 it is .32 Δ. (Ford, Grimes and Tassone 2008.)
load "style.gp"
set output "papers-cost.svg"
set xlabel "interval / Δ"
set ylabel "cost per unit of time"
set logscale x
set xrange [0.02:20]
set yrange [0:2]
set key maxcols 2
names = "'a crawl costs Δ/100 of staleness' 'Δ/24' 'Δ/4' 'Δ/2'"
drawn(i, c) = strcol("price") eq word(names, i) ? column(c) : NaN
plot for [i=1:4] "papers-cost.tsv" using (drawn(i, "interval")):(column("cost")) with lines ls style(i) title word(names, i), \
	for [i=1:4] "papers-cost.tsv" using (drawn(i, "interval")):(column("least")) with points ls style(i) ps 1.2 notitle
