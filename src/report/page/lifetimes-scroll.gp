# title: Lifetimes on scroll pages, and the model's
# caption: The same on pages whose moving content scrolls, by K, the number of changes that the page's fragments most often live through (dashed: the model's). The model: each change appends an item and evicts the oldest of K, so that lifetimes are Gamma distributed. (Olston and Pandey 2008, figure 4.)
load "style.gp"
set output "lifetimes-scroll.svg"
set xlabel "lifetime / mean time between changes"
set ylabel "share that outlast it"
set xrange [0:20]
set yrange [0:1]
groups = "1-3 4-7 8+"
mine(i, c) = strcol("group") eq word(groups, i) ? column(c) : NaN
# One that has no rows has no place in the legend.
array many[3]
do for [i=1:3] { stats "scaled-k.tsv" using (strcol("group") eq word(groups, i)) nooutput; many[i] = STATS_sum }
named(i) = many[i] > 0 ? word("K≤3 K=4–7 K≥8", i) : ""
plot for [i=1:3] "scaled-k.tsv" using (mine(i, "changes")):(column("survival")) with steps lw 2 lc rgb colour(i) title named(i), \
	for [i=1:3] "scaled-k.tsv" using (mine(i, "changes")):(column("model")) with lines lw 2 dt 2 lc rgb colour(i) notitle
