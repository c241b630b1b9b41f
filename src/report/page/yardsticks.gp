# title: What is possible: policies that know the future
# caption: Offline policies know each page's whole history: by changes (hs) or by fragments (fs), with one period a page (s) or free to choose each visit: when it seems worth it by what has built up (d), or at the one level of divergence that is best for the page (fs-l); over all of each page's life. The room between uniform and fs-s is what an online policy can hope to win. (Olston and Pandey 2008, figure 6.)
load "style.gp"
load "curves.gp"
load "policies.gp"
set output "yardsticks.svg"
yardsticks = "uniform hs-s fs-s hs-d fs-d fs-l"
at(i, c) = strcol("policy") eq word(yardsticks, i) && strcol("window") eq "all" ? column(c) : NaN
plot for [i=1:words(yardsticks)] "yardsticks.tsv" using (at(i, "cost") * beside(i)):(column("low")):(0):(column("high") - column("low")) \
	with vectors nohead lw 1.5 lc rgb faded(word(yardsticks, i)) notitle, \
	for [i=1:words(yardsticks)] "yardsticks.tsv" using (at(i, "cost") * beside(i)):(column("staleness")) \
	with linespoints lw 2 dt dashes(word(yardsticks, i)) pt mark(word(yardsticks, i)) ps 0.45 lc rgb shade(word(yardsticks, i)) title word(yardsticks, i)
