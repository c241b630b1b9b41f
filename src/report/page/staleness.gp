# title: Staleness against cost, in the steady state
# caption: How far copies differ from their pages (mean divergence over time) for how many visits, over the second half of each page's life. Bars are 95 % bootstrap intervals over hosts; hosts differ more than policies do, so compare policies in the figure of ratios. Lower is better. Dashed: two that know the future, as far as they can be set to these costs. (Olston and Pandey 2008, figures 8, 9 and 11.)
load "style.gp"
load "curves.gp"
load "policies.gp"
set output "staleness.svg"
at(i, c) = strcol("policy") eq policies[i] && strcol("window") eq "steady" ? column(c) : NaN
known(i, c) = strcol("policy") eq word("fs-d fs-l", i) && strcol("window") eq "steady" ? column(c) : NaN
plot for [i=1:|policies|] "staleness.tsv" using (at(i, "cost") * beside(i)):(column("low")):(0):(column("high") - column("low")) \
	with vectors nohead lw 1.5 lc rgb faint(i) notitle, \
	for [i=1:|policies|] "staleness.tsv" using (at(i, "cost") * beside(i)):(column("staleness")) \
	with linespoints ls style(i) title policies[i], \
	for [i=1:2] "yardsticks.tsv" using (known(i, "cost")):(column("staleness")) \
	with linespoints lw 1.5 dt dashes(word("fs-d fs-l", i)) pt mark(word("fs-d fs-l", i)) ps 0.6 lc rgb shade(word("fs-d fs-l", i)) title word("fs-d fs-l", i)
