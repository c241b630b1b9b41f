# title: What it costs to show a crawl only when it is whole
# caption: The mean freshness of pages that change once per unit of time, by how many crawls of all of them there are in that time: shown page by page as they are fetched, or a crawl at once when it ends, where it takes a quarter of the time, or all of it. (Cho 2001, §7.2; table 7.1 has 4 crawls.)
load "style.gp"
set output "papers-collections.svg"
set xlabel "crawls per mean time between changes"
set ylabel "freshness"
set logscale x
set xrange [0.1:20]
set yrange [0:1]
set key maxcols 2
names = "'in place' 'shadow, batches of a quarter' 'shadow, steady'"
plot for [i=1:3] "papers-collections.tsv" using (strcol("collection") eq word(names, i) ? column("crawls") : NaN):(column("freshness")) \
	with lines ls style(i) title word(names, i)
