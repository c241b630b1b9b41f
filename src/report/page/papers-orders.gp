# title: How fresh a copy is, by the order of visits
# caption: The share of time in which the copy is as the page, by how many changes there are for each visit: visits at equal intervals, at a random time of each interval, and at random times altogether. Lines are the closed forms, points simulated pages with their 95 % intervals, which are smaller than the points. (Cho 2001, §5.2; table 5.2 is their values at 1.)
load "style.gp"
set output "papers-orders.svg"
set xlabel "changes a visit"
set ylabel "freshness"
set logscale x
set yrange [0:1]
orders = "'fixed' 'random' 'purely random'"
drawn(i, c) = strcol("order") eq word(orders, i) ? column(c) : NaN
plot for [i=1:3] "papers-orders.tsv" using (drawn(i, "rate")):(column("freshness")) with lines ls style(i) title word(orders, i), \
	for [i=1:3] "papers-orders.tsv" using (drawn(i, "rate")):(column("simulated")):(column("within")) with yerrorbars ls style(i) notitle
