# title: Do changes come like a Poisson process?
# caption: Times between the changes of a page, divided by the page's mean. The band is where 95 % of Poisson processes fall that are seen through the same captures; the line is the exponential law that they would follow if watched without gaps. (Cho 2001, figure 4.6.)
load "style.gp"
set output "poisson.svg"
set xlabel "time between changes / its mean"
set ylabel "share of times"
set xrange [0:5]
set yrange [0:*]
plot "intervals.tsv" using (of("from") + 0.05):(column("low")):(column("high")) with filledcurves fc rgb ink fs transparent solid 0.15 noborder title "Poisson, 95 %", \
	"intervals.tsv" using (of("from") + 0.05):(column("exponential")) with lines lw 1.5 dt 2 lc rgb ink title "exponential", \
	"intervals.tsv" using (of("from") + 0.05):(column("share")) with linespoints pt 7 ps 0.4 lw 1.5 lc rgb churn title "seen"
