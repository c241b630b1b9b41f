# title: The same where changes come in bursts
# caption: The estimated rate over the true one, after 10 visits, of pages whose times between changes have a gamma distribution of shape 1/2: estimators that were made for Poisson processes see fewer visits with a change, and are low. (Cho 2001, chapter 6: how little an estimator may mind what changes are like.)
load "style.gp"
set output "papers-gamma.svg"
set xlabel "changes a visit"
set ylabel "estimated / true rate, mean"
set logscale x
set yrange [0:2]
set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb ink lw 1 dt 2
methods = "naive ratio last-modified-naive last-modified"
plot for [i=1:words(methods)] "papers-gamma.tsv" using (strcol("method") eq word(methods, i) ? column("rate") : NaN):(column("ratio")) \
	with linespoints ls style(i) title word(methods, i)
