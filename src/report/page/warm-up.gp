# title: Staleness against cost, while learning
# caption: The same over the first half of each page's life: what it costs a policy to get to know its pages. (Olston and Pandey 2008, figure 8.)
load "style.gp"
load "curves.gp"
load "policies.gp"
set output "warm-up.svg"
at(i, c) = strcol("policy") eq policies[i] && strcol("window") eq "warm-up" ? column(c) : NaN
plot for [i=1:|policies|] "staleness.tsv" using (at(i, "cost") * beside(i)):(column("low")):(0):(column("high") - column("low")) \
	with vectors nohead lw 1.5 lc rgb faint(i) notitle, \
	for [i=1:|policies|] "staleness.tsv" using (at(i, "cost") * beside(i)):(column("staleness")) \
	with linespoints ls style(i) title policies[i]
