# title: How long pages stay as they are
# caption: Share of pages that have neither changed nor disappeared by then (Kaplan-Meier, with its 95 % bootstrap interval). (Cho 2001, figure 4.5.)
load "style.gp"
set output "survival.svg"
set xlabel "time since first seen"
set xtics @times rotate by -40
set ylabel "share unchanged and there"
set logscale x
set yrange [0:1]
set arrow from graph 0, first 0.5 to graph 1, first 0.5 nohead lc rgb ink lw 1 dt 2
plot "survival.tsv" using (of("days")):(column("low")):(column("high")) with filledcurves fc rgb constant fs transparent solid 0.2 noborder title "95 %", \
	"survival.tsv" using (of("days")):(column("survival")) with steps lw 2 lc rgb constant title "unchanged"
