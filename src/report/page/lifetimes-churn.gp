# title: Lifetimes on churn pages, and the model's
# caption: Lifetimes (Kaplan-Meier; dotted: the known ones alone) in units of the page's mean time between changes, on pages whose moving content is churn. The model: every change replaces everything, lifetimes are exponential. (Olston and Pandey 2008, figure 5.)
load "style.gp"
set output "lifetimes-churn.svg"
set xlabel "lifetime / mean time between changes"
set ylabel "share that outlast it"
set xrange [0:6]
set yrange [0:1]
mine(c) = is_here("corpus") && strcol("nature") eq "churn" ? column(c) : NaN
plot "scaled.tsv" using (mine("changes")):(column("survival")) with steps lw 2 lc rgb churn title "seen", \
	"scaled.tsv" using (mine("changes")):(column("known_survival")) with steps lw 1 dt 2 lc rgb churn title "known only", \
	exp(-x) lw 2 lc rgb ink title "model"
