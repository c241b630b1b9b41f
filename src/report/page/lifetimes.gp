# title: How long fragments live
# caption: Share of fragments that outlast a time. Kaplan-Meier counts lives that were cut off by the end of the watch for as long as they were seen (band: 95 % bootstrap interval); the known lifetimes alone look shorter than lives are. (Olston and Pandey 2008, section 3.)
load "style.gp"
set output "lifetimes.svg"
set xlabel "lifetime"
set xtics @times rotate by -40
set ylabel "share that outlast it"
set logscale x
set yrange [0:1]
plot "lifetimes.tsv" using (of("days")):(column("low")):(column("high")) with filledcurves fc rgb scroll fs transparent solid 0.2 noborder title "95 %", \
	"lifetimes.tsv" using (of("days")):(column("survival")) with steps lw 2 lc rgb scroll title "Kaplan-Meier", \
	"lifetimes.tsv" using (of("days")):(column("known_survival")) with steps lw 2 dt 2 lc rgb churn title "known only"
