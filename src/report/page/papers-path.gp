# title: New pages, known better with each visit
# caption: The mean absolute deviation of the estimated mean time between changes from the true one, on pages of three rates that are visited as often as they are thought to change, by the number of visits. Priors speak at the first visits; they are in the unit of time here. (Grimes and Ford 2008; Ford, Grimes and Tassone 2008: curves, without numbers to hold these against.)
load "style.gp"
set output "papers-path.svg"
set xlabel "visits"
set ylabel "mean deviation of the interval"
set logscale x
set yrange [0:4]
methods = "mle prior-mle empirical ratio"
is(i) = strcol("method")[1:strlen(word(methods, i))] eq word(methods, i)
plot for [i=1:words(methods)] "papers-path.tsv" using (is(i) ? column("visits") : NaN):(column("deviation")) \
	with linespoints ls style(i) title word(methods, i)
