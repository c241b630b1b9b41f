# title: Estimators at the times of a Poisson process
# caption: The estimated rate over the true one, 5, at visits of rate 3, by their number: maximum likelihood, the method of moments, the law of large numbers with α = 1, stochastic approximation with steps of (k + 1) to the power of -.75, and the counting of changes. (Avrachenkov, Patil and Thoppe 2020, experiment 1.)
load "style.gp"
set output "papers-av.svg"
set xlabel "visits"
set ylabel "estimated / true rate, mean"
set logscale x
set yrange [0:2]
set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb ink lw 1 dt 2
methods = "mle:lengths=20 mm:lengths=20 lln:visit-rate=3 sa:visit-rate=3 naive"
names = "mle mm lln sa naive"
plot for [i=1:words(methods)] "papers-av.tsv" using (strcol("method") eq word(methods, i) ? column("visits") : NaN):(column("ratio")) \
	with linespoints ls style(i) title word(names, i)
