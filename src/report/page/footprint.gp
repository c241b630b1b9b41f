# title: How little memory a page needs
# caption: Staleness at 0.2 visits per page and capture, steady state, when of each version only m fragments are known, and curves are fitted to h of them at a time. (Olston and Pandey 2008, figure 10.)
load "style.gp"
load "curves.gp"
set output "footprint.svg"
set xlabel "fragments kept of a version (m)"
set ylabel "staleness at cost 0.2"
set logscale x 2
set xrange [3:680]
set xtics ("4" 4, "8" 8, "16" 16, "64" 64, "256" 256, "all" 512)
lines = "drift curve-fitting,h=1 curve-fitting,h=2 curve-fitting,h=5"
beside(i) = 1 + 0.04 * (i - 1)
at(i, c) = strcol("line") eq word(lines, i) ? column(c) : NaN
plot for [i=1:words(lines)] "footprint.tsv" using (at(i, "m") * beside(i)):(column("low")):(0):(column("high") - column("low")) \
	with vectors nohead lw 1.5 lc rgb faint(6 - i) notitle, \
	for [i=1:words(lines)] "footprint.tsv" using (at(i, "m") * beside(i)):(column("staleness")) \
	with linespoints ls style(6 - i) title word(lines, i)
