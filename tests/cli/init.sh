#!/usr/bin/env bash
# perennial init: a store with its settings, there whole or not at all.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
init() { "$PERENNIAL" init "$@"; }
# A setting lies in the file as its key and its text.
holds() { LC_ALL=C grep -aq "$2$3" "$1/data.mdb"; }

code "init makes a store" 0 init --state=plain
same "init of a new store says nothing" "$out$err" ""
code "what init makes is a whole store" 0 "$PERENNIAL" check --state=plain
ok "a store has the policy drift unless another is given" holds plain policy drift
ok "a store has a threshold of 0.25 unless another is given" holds plain threshold 0.25
code "init takes a policy, a threshold, a budget and a fragment length" 0 init --state=other --policy=drift:forgetting=0.8 --threshold=2 --budget=100/hour --shingle-words=3
ok "a store keeps the policy that it was given" holds other policy drift:forgetting=0.8
ok "a store keeps the threshold that it was given" holds other threshold 2
ok "a store keeps the budget that it was given, by the day" holds other budget-per-day 2400
ok "a store keeps the fragment length that it was given" holds other shingle-words 3
mkdir empty
code "init makes a store in an empty folder" 0 init --state=empty/

code "a store is not made over another" 3 init --state=plain
like "init over a store says that one is there already" "$err" "plain: a store is there already"
mkdir full && touch full/file
code "a store is not made over a folder that holds other files" 3 init --state=full
same "files in a folder that init refuses stay" "$(ls full)" file
code "a store is not made where there is no folder for it" 3 init --state=nowhere/store
for wrong in --policy=nonsense --policy=drift:summary=all --policy=drift:forgetting=x --threshold=-1 --threshold=x \
	--budget=5 --budget=0/day --budget=x/day --shingle-words=65 --shingle-words=0 --threshold=0; do
	code "$wrong is refused" 2 init --state=wrong $wrong
	like "the message about $wrong says why it is refused" "$err" "^perennial init: .{12,}"
done
code "an address may name what keeps the store" 0 init --state=lmdb:named
code "a store that was made by such an address is its folder" 0 "$PERENNIAL" check --state=named
code "the command makes no store in memory, which would end with it" 2 init --state=memory:brief
like "the message says why there is no store in memory" "$err" "memory:brief: what is in memory would be gone when this command ends"
same "a refused option leaves nothing of a store behind" "$(ls -d wrong* ./*.part 2>/dev/null)" ""
code "init at an address without a place is refused" 2 init --state=
like "an address without a place is told to name no store" "$err" "^perennial init: '' names no store: name the folder"
code "init without a place for the store is a usage error" 2 init
code "init with an operand is a usage error" 2 init --state=more more
done_testing
