# Shared by the stripes of pages.
set xlabel "days since first seen"
set ylabel "fragments"
set autoscale xfix
set autoscale yfix
unset grid
tone(r) = r eq "static" ? constant : r eq "churn" ? churn : r eq "scroll" ? scroll : other
