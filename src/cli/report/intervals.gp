# title: How often pages change
# caption: Pages by the time they were watched divided by the changes seen; bars are 95 % bootstrap intervals. (Cho 2001, figure 4.2.)
load "style.gp"
set output "intervals.svg"
set xlabel "mean time between changes"
set ylabel "share of pages"
set yrange [0:*]
set boxwidth 0.8
set key off
names = "interval_day interval_week interval_month interval_4months interval_beyond interval_none"
set xtics ("1 day" 1, "1 week" 2, "1 month" 3, "4 months" 4, "longer" 5, "no change" 6)
at(i, c) = strcol("corpus") eq scope && strcol("statistic") eq word(names, i) ? column(c) : NaN
plot for [i=1:words(names)] "bars.tsv" using (i):(at(i, "value")) with boxes fc rgb scroll, \
	for [i=1:words(names)] "bars.tsv" using (i + 0 * at(i, "value")):(column("low")):(0):(column("high") - column("low")) with vectors nohead lw 1.5 lc rgb ink
