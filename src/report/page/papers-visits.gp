# title: How far they are off after more visits
# caption: The estimated rate over the true one, by the number of visits, at one change a visit in the mean; 1 is no bias. The counting of changes tends to 1 - 1/e, however many visits there are; the others to the truth. (Cho 2001, §6.4 and §6.5.)
load "style.gp"
set output "papers-visits.svg"
set xlabel "visits"
set ylabel "estimated / true rate, mean"
set logscale x
set yrange [0:2]
set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb ink lw 1 dt 2
methods = "naive ratio mle last-modified-naive last-modified"
plot for [i=1:words(methods)] "papers-visits.tsv" using (strcol("method") eq word(methods, i) ? column("visits") : NaN):(column("ratio")) \
	with linespoints ls style(i) title word(methods, i)
