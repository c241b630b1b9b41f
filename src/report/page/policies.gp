# The policies under test, by name and in the order of policies.tsv.  A name is data: none stands in a script.
stats "policies.tsv" using 0 nooutput
array policies[int(STATS_records)]
stats "policies.tsv" using (policies[int(column(0)) + 1] = strcol("policy"), 0) nooutput

# One policy has one colour in all figures: those under test by their places, and those that know the future beside them.
place(name) = sum [k=1:|policies|] (policies[k] eq name ? k : 0)
shade(name) = place(name) ? colour(place(name)) : name eq "uniform" ? colour(|policies| + 1) : name eq "fs-s" ? colour(|policies| + 2) : \
	name eq "hs-s" ? "#b8860b" : name eq "hs-d" ? "#7f7f7f" : ink
dashes(name) = place(name) ? (place(name) - 1) % 16 / 8 + 1 : name eq "fs-d" ? 2 : name eq "fs-l" ? 3 : 1
mark(name) = name eq "fs-d" ? 6 : name eq "fs-l" ? 7 : dashes(name) > 1 ? 6 : 7
faded(name) = int("0x90000000") + int("0x" . substr(shade(name), 2, 7))
