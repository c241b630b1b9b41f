# Shared by the stripes of pages, which name their table.
stats table using (column("to")) nooutput
scale = unit(STATS_max)
set xlabel unit_name(STATS_max) . " since first seen"
set ylabel "fragments"
set autoscale xfix
set autoscale yfix
unset grid
tone(r) = r eq "static" ? constant : r eq "churn" ? churn : r eq "scroll" ? scroll : other
