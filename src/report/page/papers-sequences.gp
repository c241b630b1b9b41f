# title: The sequences that the two estimators are free to choose
# caption: The mean deviation of the estimated rate from the true one, 5, over it, at visits of rate 3, by their number: the law of large numbers whose damping α after k visits is 1, the logarithm of k + 1, or the root of k; stochastic approximation with steps of (k + 1) to the power of -γ. (Avrachenkov, Patil and Thoppe 2020, experiment 3.)
load "style.gp"
set output "papers-sequences.svg"
set xlabel "visits"
set ylabel "deviation / true rate, mean"
set logscale xy
set yrange [0.03:1]
methods = "lln:visit-rate=3 lln:visit-rate=3:growth=log lln:visit-rate=3:growth=0.5 sa:visit-rate=3:exponent=1 sa:visit-rate=3 sa:visit-rate=3:exponent=0.5"
names = "lln,α=1 lln,α=log lln,α=√k sa,γ=1 sa,γ=.75 sa,γ=.5"
plot for [i=1:words(methods)] "papers-sequences.tsv" using (strcol("method") eq word(methods, i) ? column("visits") : NaN):(column("deviation")) \
	with linespoints ls style(i) title word(names, i)
