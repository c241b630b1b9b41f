"""The README's table of policies, and a picture of it: how stale copies are at what cost.

    python3 compare.py corpora/*.trace                 # the table, and policies.svg
    python3 compare.py --plot=policies.png X.trace

Cells begin with "# %%", for editors that run them one by one.
"""

# %% What is compared: what `perennial evaluate` compares, and a policy of one's own.
import argparse
import math

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import perennial


class Patient(perennial.Policy):
    """Every week, or less often where nothing changes."""

    dial = "scale"
    slots = 1
    state = ("visits", "changed")
    keys = {"days": 7.0, "patience": perennial.Key(4.0, "times as long for a page that was never seen to change", least=1, most=1000)}

    def visit(self, state, visit):
        if state.visits and visit.divergence[0] > 0:
            state.changed = 1
        state.visits = min(state.visits + 1, 2)
        return 0

    def decide(self, state, visit):
        quiet = state.visits == 2 and not state.changed
        return visit.threshold * self.days * (self.patience if quiet else 1)


parser = argparse.ArgumentParser(description="Policies at equal cost, as a table and a picture.")
parser.add_argument("traces", nargs="+")
parser.add_argument("--plot", default="policies.svg", help="the picture: svg, png or pdf")
arguments = parser.parse_args()

# %% Every policy is replayed over every page; this takes some seconds, most of them Python's.
compared = [row["policy"] for row in perennial.policies() if row["compared"]]
evaluation = perennial.evaluate(arguments.traces, [*compared, Patient])

# %% The table: staleness at equal cost, its ratio to cgm, and a star where the ratio's interval leaves out 1, by as many resamples as README's.
# Of pages of fewer than 6 hosts, or that were captured too seldom, no ratio is marked: `perennial evaluate` marks none either.
costs = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4)
rows = evaluation.compare(costs, window="steady", resamples=10000)


def cell(row):
    if math.isnan(row["staleness"]):
        return "-"
    star = "*" if evaluation.enough and (row["ratio_low"] > 1 or row["ratio_high"] < 1) else ""
    return f"{row['staleness']:.4f} x{row['ratio']:.2f}{star}"


print("steady".ljust(15) + "".join(f"at cost {cost:g}".ljust(15) for cost in costs).rstrip())
for policy in evaluation.policies:
    cells = (cell(row).ljust(15) for row in rows.where(policy=policy))
    print((policy.ljust(15) + "".join(cells)).rstrip())
print(f"# perennial {perennial.__version__}; {evaluation.pages} pages")

# %% The picture: each policy at all its settings; lower and further left is better.
figure, axes = plt.subplots(figsize=(8, 5))
for policy in evaluation.policies:
    scores = sorted(evaluation.scores("steady").where(policy=policy), key=lambda row: row["cost"])
    strong = policy in ("cgm", "drift", "fs-s", "patient")
    axes.plot(
        [row["cost"] for row in scores],
        [row["fragment"] for row in scores],
        label=policy if strong else None,
        linewidth=2 if strong else 0.8,
        color=None if strong else "0.75",
    )
axes.set(xlim=(0, 0.6), ylim=(0, 0.15), xlabel="cost (visits per capture)", ylabel="staleness (mean divergence over time)")
axes.legend(title="other policies are grey")
figure.savefig(arguments.plot)
