# title: Lifetimes on scroll pages, and the model's
# caption: The same on pages whose moving content scrolls. The model: each change appends an item and evicts the oldest of K, lifetimes are Gamma distributed; K is each page's most common. (Olston and Pandey 2008, figure 4.)
load "style.gp"
set output "lifetimes-scroll.svg"
set xlabel "lifetime / mean time between changes"
set ylabel "share that outlast it"
set xrange [0:20]
set yrange [0:1]
mine(c) = is_here("corpus") && strcol("nature") eq "scroll" ? column(c) : NaN
plot "scaled.tsv" using (mine("changes")):(column("survival")) with steps lw 2 lc rgb scroll title "seen", \
	"scaled.tsv" using (mine("changes")):(column("known_survival")) with steps lw 1 dt 2 lc rgb scroll title "known only", \
	"scaled.tsv" using (mine("changes")):(column("model")) with lines lw 2 lc rgb ink title "model"
