# title: How long pages are there
# caption: Pages by visible lifespan. Method 1: the time the page was seen; method 2: twice that where it was there at the first or at the last capture already. (Cho 2001, figure 4.4.)
load "style.gp"
set output "lifespans.svg"
set xlabel "visible lifespan"
set ylabel "share of pages"
set yrange [0:*]
set boxwidth 0.38
bars = "day week month 4months beyond"
set xrange [0.4:5.6]
set xtics ("≤ 1 d" 1, "≤ 7 d" 2, "≤ 30 d" 3, "≤ 120 d" 4, "longer" 5)
at(m, i, c) = is_here("corpus") && strcol("statistic") eq m . word(bars, i) ? column(c) : NaN
plot for [i=1:words(bars)] "bars.tsv" using (i - 0.2):(at("lifespan_", i, "value")) with boxes fc rgb scroll title (i == 1 ? "method 1" : ""), \
	for [i=1:words(bars)] "bars.tsv" using (i + 0.2):(at("lifespan2_", i, "value")) with boxes fc rgb "#e69f00" title (i == 1 ? "method 2" : ""), \
	for [i=1:words(bars)] "bars.tsv" using (i - 0.2 + 0 * at("lifespan_", i, "value")):(column("low")):(0):(column("high") - column("low")) with vectors nohead lw 1.5 lc rgb ink notitle, \
	for [i=1:words(bars)] "bars.tsv" using (i + 0.2 + 0 * at("lifespan2_", i, "value")):(column("low")):(0):(column("high") - column("low")) with vectors nohead lw 1.5 lc rgb ink notitle
