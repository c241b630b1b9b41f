# title: What a refresh is worth
# caption: How much of an example page is expected to differ from its copy, by the time since a refresh, D*: marks are means over its captures, the line is the closest curve of the model. Shaded is the utility of a refresh at every fifth capture: what the copy would go on missing without it, less what it misses again until it differs as much. (Olston and Pandey 2008, figure 2.)
load "style.gp"
set output "utility.svg"
stats "utility.tsv" using (column("days")) nooutput
scale = unit(STATS_max)
set xlabel unit_name(STATS_max) . " since a refresh"
set ylabel "share that differs"
set xrange [0:STATS_max / scale]
set yrange [0:*]
is(w, c) = strcol("what") eq w ? column(c) : NaN
plot "utility.tsv" using (is("utility", "days") / scale):(column("divergence")):(column("level")) with filledcurves fc rgb scroll fs transparent solid 0.25 noborder title "utility", \
	"utility.tsv" using (is("curve", "days") / scale):(column("divergence")) with lines lw 2 lc rgb scroll title "D*, the model's", \
	"utility.tsv" using (is("seen", "days") / scale):(column("divergence")) with points pt 7 ps 0.5 lc rgb ink title "seen"
