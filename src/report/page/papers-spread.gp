# title: How far estimates scatter
# caption: The standard deviation of the estimated rate over the true one, after 10 visits, by how many changes there are from one visit to the next. About 1.5 changes a visit say most. (Cho 2001, §6.4 and §6.5.)
load "style.gp"
set output "papers-spread.svg"
set xlabel "changes a visit"
set ylabel "estimated / true rate, σ"
set logscale x
set yrange [0:2]
methods = "naive ratio mle last-modified-naive last-modified"
plot for [i=1:words(methods)] "papers-bias.tsv" using (strcol("method") eq word(methods, i) ? column("rate") : NaN):(column("spread")) \
	with linespoints ls style(i) title word(methods, i)
