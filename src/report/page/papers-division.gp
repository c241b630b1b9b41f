# title: Which pages the visits are best spent on
# caption: Forty-one pages whose rates of change are spread evenly over a logarithmic axis share as many visits per unit of time. For freshness those that change too fast get nothing; for age every page gets more than those that change more slowly. Who visits at random times gives up the fastest pages likewise. (Cho 2001, §5.5; Azar et al. 2018; Kolobov et al. 2019.)
load "style.gp"
set output "papers-division.svg"
set xlabel "changes per unit of time"
set ylabel "visits per unit of time"
set logscale x
set xrange [0.05:20]
set yrange [0:*]
names = "'freshness' 'age' 'freshness, random visits' 'harmonic penalty'"
set key maxcols 2
plot for [i=1:4] "papers-division.tsv" using (strcol("objective") eq word(names, i) ? column("rate") : NaN):(column("visits")) \
	with lines ls style(i) title word(names, i)
