# The policies under test, by name and in the order of policies.tsv.  A name is data: none stands in a script.
stats "policies.tsv" using 0 nooutput
array policies[int(STATS_records)]
stats "policies.tsv" using (policies[int(column(0)) + 1] = strcol("policy"), 0) nooutput
