# Shared by the figures of staleness against cost: one curve a policy, bars for its 95 % intervals.
# Each script defines at(i, c), column c of policy i, NaN in the rows of others.  Marks stand a little beside each other.
set xlabel "visits per page and capture"
set ylabel "staleness"
set xrange [0:*]
set yrange [0:*]
beside(i) = 1 + 0.012 * (i - 1)
faint(i) = int("0x90000000") + int("0x" . substr(colour(i), 2, 7))
