#!/usr/bin/env bash
# perennial init: a store with its settings, there whole or not at all.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
init() { "$PERENNIAL" init "$@"; }
# A setting lies in the file as its key and its text.
holds() { LC_ALL=C grep -aq "$2$3" "$1/data.mdb"; }

code "a store is made" 0 init --state=plain
same "nothing is said" "$out$err" ""
code "it is one" 0 "$PERENNIAL" check --state=plain
ok "of the policy drift" holds plain policy drift
ok "with T = 0.25" holds plain threshold 0.25
code "another" 0 init --state=other --policy=drift:forgetting=0.8 --threshold=2 --budget=100/hour --shingle-words=3
ok "has its policy" holds other policy drift:forgetting=0.8
ok "its threshold" holds other threshold 2
ok "its budget, by the day" holds other budget-per-day 2400
ok "its fragments" holds other shingle-words 3
mkdir empty
code "an empty folder is taken" 0 init --state=empty/

code "a store is not made over another" 3 init --state=plain
like "which is said" "$err" "plain: a store is there already"
mkdir full && touch full/file
code "nor over anything else" 3 init --state=full
same "which stays" "$(ls full)" file
code "nor where there is no folder for it" 3 init --state=nowhere/store
for wrong in --policy=nonsense --policy=drift:summary=all --policy=drift:forgetting=x --threshold=-1 --threshold=x \
	--budget=5 --budget=0/day --budget=x/day --shingle-words=65; do
	code "$wrong is refused" 2 init --state=wrong $wrong
	like "and the message says why" "$err" "^perennial init: .{12,}"
done
same "nothing of it is left behind" "$(ls -d wrong* ./*.part 2>/dev/null)" ""
code "an address may name what keeps the store" 0 init --state=lmdb:named
code "a store that was made by such an address is its folder" 0 "$PERENNIAL" check --state=named
code "the command makes no store in memory, which would end with it" 2 init --state=memory:brief
like "the message says why there is no store in memory" "$err" "memory:brief: what is in memory would be gone when this command ends"
code "a place is needed" 2 init
code "operands are refused" 2 init --state=more more
done_testing
