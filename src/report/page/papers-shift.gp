# title: Pages that become others
# caption: The estimated rate over the present one, of pages that change twenty times as often after 100 visits as before, by the number of visits: who forgets nothing stays behind for long, who forgets much is soon there, and remains off. (Cho 2001, §6.7.)
load "style.gp"
set output "papers-shift.svg"
set xlabel "visits"
set ylabel "estimated / present rate, mean"
set xrange [100:300]
set yrange [0:1.5]
set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb ink lw 1 dt 2
methods = "mle mle:forgetting=0.98 mle:forgetting=0.9 mle:forgetting=0.7"
names = "'forgets nothing' '.98 a visit' '.9' '.7'"
plot for [i=1:words(methods)] "papers-shift.tsv" using (strcol("method") eq word(methods, i) ? column("visits") : NaN):(column("ratio")) \
	with linespoints ls style(i) title word(names, i)
