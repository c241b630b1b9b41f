# title: How far estimators are off in the mean
# caption: The estimated rate over the true one, after 10 visits, by how many changes there are from one visit to the next; 1 is no bias. The counting of changes is low where several fall between two visits. (Cho 2001, §6.4 and §6.5.)
load "style.gp"
set output "papers-bias.svg"
set xlabel "changes a visit"
set ylabel "estimated / true rate, mean"
set logscale x
set yrange [0:2]
set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb ink lw 1 dt 2
methods = "naive ratio mle last-modified-naive last-modified"
plot for [i=1:words(methods)] "papers-bias.tsv" using (strcol("method") eq word(methods, i) ? column("rate") : NaN):(column("ratio")) \
	with linespoints ls style(i) title word(methods, i)
