# title: How little memory a page needs
# caption: Staleness at 0.2 visits per page and capture, steady state, when of each version only m fragments are known, and curves are fitted to h of them at a time. (Olston and Pandey 2008, figure 10.)
load "style.gp"
load "curves.gp"
load "policies.gp"
set output "footprint.svg"
set xlabel "fragments kept of a version (m)"
set ylabel "staleness at cost 0.2"
set logscale x 2
set xrange [3:680]
set xtics ("4" 4, "8" 8, "16" 16, "64" 64, "256" 256, "all" 512)
lines = "drift curve-fitting,h=1 curve-fitting,h=2 curve-fitting,h=5"
beside(i) = 1 + 0.04 * (i - 1)
# Curve fitting has its colour whatever it keeps.
policy(i) = i == 1 ? "drift" : "curve-fitting"
tone(i) = place(policy(i)) ? shade(policy(i)) : colour(|policies| + (i == 1 ? 1 : 2))
dash(i) = i == 1 ? 1 : i - 1
at(i, c) = strcol("line") eq word(lines, i) ? column(c) : NaN
plot for [i=1:words(lines)] "footprint.tsv" using (at(i, "m") * beside(i)):(column("low")):(0):(column("high") - column("low")) \
	with vectors nohead lw 1.5 lc rgb int("0x90000000") + int("0x" . substr(tone(i), 2, 7)) notitle, \
	for [i=1:words(lines)] "footprint.tsv" using (at(i, "m") * beside(i)):(column("staleness")) \
	with linespoints lw 2 dt dash(i) pt 5 + i ps 0.5 lc rgb tone(i) title word(lines, i)
