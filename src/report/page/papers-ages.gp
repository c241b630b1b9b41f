# title: How old what is out of date is
# caption: The mean time since the copy went out of date, 0 while it has not, in mean times between visits, by how many changes there are for each visit. Lines are the closed forms, points simulated pages. (Cho 2001, §5.2.)
load "style.gp"
set output "papers-ages.svg"
set xlabel "changes a visit"
set ylabel "age / interval of visits"
set logscale x
set yrange [0:1]
orders = "'fixed' 'random' 'purely random'"
drawn(i, c) = strcol("order") eq word(orders, i) ? column(c) : NaN
plot for [i=1:3] "papers-orders.tsv" using (drawn(i, "rate")):(column("age")) with lines ls style(i) title word(orders, i), \
	for [i=1:3] "papers-orders.tsv" using (drawn(i, "rate")):(column("simulated_age")) with points ls style(i) notitle
