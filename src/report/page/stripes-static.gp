# title: A static page
# caption: Each line is a fragment, from birth to death, in the order of first appearance: static ones are there all the time, churn goes with the next change of the page, scroll survives some; unknown is what was there at the first or the last capture and saw no change. (Olston and Pandey 2008, figure 1.)
load "style.gp"
set output "stripes-static.svg"
table = "stripes-static.tsv"
load "stripes.gp"
plot for [r in "static churn scroll unknown"] table \
	using ((if_is("region", r, "from") + column("to")) / 2 / scale):(column("fragment")):(column("from") / scale):(column("to") / scale):(column("fragment") - 0.5):(column("fragment") + 0.5) \
	with boxxyerror fc rgb tone(r) title r
