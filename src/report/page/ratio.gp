# title: The same relative to one policy, at equal cost
# caption: Each policy's staleness divided by that of the reference policy at the same cost, steady state; below 1 is better. The 95 % intervals resample both together, so one that does not reach 1 is a difference that other hosts would most likely show too.
load "style.gp"
load "curves.gp"
load "policies.gp"
set output "ratio.svg"
set ylabel "staleness / that of " . reference
set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb ink lw 1 dt 2
at(i, c) = strcol("policy") eq policies[i] && policies[i] ne reference && strcol("window") eq "steady" ? column(c) : NaN
name(i) = policies[i] eq reference ? "" : policies[i]
plot for [i=1:|policies|] "staleness.tsv" using (at(i, "cost") * beside(i)):(column("ratio-low")):(0):(column("ratio-high") - column("ratio-low")) \
	with vectors nohead lw 1.5 lc rgb faint(i) notitle, \
	for [i=1:|policies|] "staleness.tsv" using (at(i, "cost") * beside(i)):(column("ratio-to-" . reference)) \
	with linespoints ls style(i) title name(i)
