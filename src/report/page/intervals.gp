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
set xrange [0.4:6.6]
set xtics ("≤ 1 d" 1, "≤ 7 d" 2, "≤ 30 d" 3, "≤ 120 d" 4, "longer" 5, "never" 6)
at(i, c) = is_here("corpus") && strcol("statistic") eq word(names, i) ? column(c) : NaN
plot for [i=1:words(names)] "bars.tsv" using (i):(at(i, "value")) with boxes fc rgb scroll, \
	for [i=1:words(names)] "bars.tsv" using (i + 0 * at(i, "value")):(column("low")):(0):(column("high") - column("low")) with vectors nohead lw 1.5 lc rgb ink
