# title: Staleness against cost, while learning
# caption: The same over the first half of each page's life: what it costs a policy to get to know its pages. (Olston and Pandey 2008, figure 8.)
load "style.gp"
load "curves.gp"
load "policies.gp"
set output "warm-up.svg"
at(i, c) = strcol("policy") eq policies[i] && strcol("window") eq "warm-up" ? column(c) : NaN
known(i, c) = strcol("policy") eq word("fs-d fs-l", i) && strcol("window") eq "warm-up" ? column(c) : NaN
plot for [i=1:|policies|] "staleness.tsv" using (at(i, "cost") * beside(i)):(column("low")):(0):(column("high") - column("low")) \
	with vectors nohead lw 1.5 lc rgb faint(i) notitle, \
	for [i=1:|policies|] "staleness.tsv" using (at(i, "cost") * beside(i)):(column("staleness")) \
	with linespoints ls style(i) title policies[i], \
	for [i=1:2] "yardsticks.tsv" using (known(i, "cost")):(column("staleness")) \
	with linespoints lw 1.5 dt dashes(word("fs-d fs-l", i)) pt mark(word("fs-d fs-l", i)) ps 0.6 lc rgb shade(word("fs-d fs-l", i)) title word("fs-d fs-l", i)
