# title: A page of churn and scroll
# caption: Each line is a fragment, from birth to death, in the order of first appearance: static ones are there all the time, churn goes with the next change of the page, scroll survives some; unknown is what was there at the first or the last capture and saw no change. (Olston and Pandey 2008, figure 1.)
load "style.gp"
set output "stripes-mixed.svg"
load "stripes.gp"
plot for [r in "static churn scroll unknown"] "stripes-mixed.tsv" \
	using (if_is("region", r, "from") / 2 + column("to") / 2):(column("fragment")):(column("from")):(column("to")):(column("fragment") - 0.5):(column("fragment") + 0.5) \
	with boxxyerror fc rgb tone(r) title r
