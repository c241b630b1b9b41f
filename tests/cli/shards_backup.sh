#!/usr/bin/env bash
# A copy of a store of several shards is there whole or not at all: one that was broken off is known, gone on with, or removed;
# and what killed processes leave beside a store.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp" || exit 1
backup() { "$PERENNIAL" backup "$@"; }
pages() { "$PERENNIAL" export --state="$1" --now=2026-02-02; }
same_pages() { cmp <(pages "$1" 2>/dev/null) <(pages "$2") && echo same; }

for i in $(seq 1 300); do echo "http://h$((i % 60)).example/$i"; done >urls
"$PERENNIAL" init --state=store --shards=16
"$PERENNIAL" add --state=store --now=2026-01-01 urls 2>/dev/null

# A shard that cannot be copied breaks a copy off.
mv store.9 away
code "a store that lacks a shard is not copied" 3 backup --state=store copy
like "who makes a copy that is not finished is told how to go on" "$err" "copy: not finished, --resume goes on with it: .*store.9: is not there"
ok "what was copied before is kept, and marked" test -d copy.0 -a -d copy.8 -a -d copy.backup -a ! -e copy -a ! -e copy.10
same "an unfinished copy leaves nothing half made" "$(ls -d ./*.part 2>/dev/null)" ""
mv away store.9
code "an unfinished copy is no store" 3 "$PERENNIAL" stats --state=copy
like "who opens an unfinished copy is told what it is" "$err" "copy: this is no store, but a copy of one that was not finished"
code "an unfinished copy is not begun anew unasked" 3 backup --state=store copy
like "who copies onto an unfinished copy is told of both ways out" "$err" "begun there and not finished: --resume goes on with it, --discard removes it"
code "a store is not made where a copy is unfinished" 3 "$PERENNIAL" init --state=copy --shards=16
"$PERENNIAL" init --state=other --shards=16 && "$PERENNIAL" add --state=other http://h1.example/ 2>/dev/null
code "no store of one is made where a copy is unfinished" 3 "$PERENNIAL" init --state=copy
like "who would make a store where a copy is unfinished is told" "$err" "copy: this is no store, but a copy of one that was not finished: .*--resume.*--discard"
code "add makes no store where a copy is unfinished" 3 "$PERENNIAL" add --create --state=copy http://a.example/
like "who would add where a copy is unfinished is told" "$err" "copy: this is no store, but a copy of one that was not finished"
code "add takes nothing where a copy is unfinished" 3 "$PERENNIAL" add --state=copy http://a.example/
like "who adds to an unfinished copy is not told to make a store" "$err" "copy: this is no store, but a copy of one that was not finished"
code "observe makes no store where a copy is unfinished" 3 "$PERENNIAL" observe --create --state=copy /dev/null
code "observe takes nothing where a copy is unfinished" 3 "$PERENNIAL" observe --state=copy /dev/null
like "who observes in an unfinished copy is told what it is" "$err" "copy: this is no store, but a copy of one that was not finished"
"$PERENNIAL" init --state=single
code "a store of one is not copied where a copy of several is unfinished" 3 backup --state=single copy
ok "what was refused left nothing" test ! -e copy -a -e copy.backup
code "another store does not go on with the copy of this one" 3 backup --state=other --resume copy
like "who would go on with a copy of another store is told" "$err" "copy: is of another store than other"
before=$(stat -c %i copy.0/data.mdb copy.8/data.mdb)
code "an unfinished copy is gone on with" 0 backup --state=store --resume copy
same "a copy that was gone on with has all" "$(same_pages copy store)" same
same "what was copied already is not copied again" "$(stat -c %i copy.0/data.mdb copy.8/data.mdb)" "$before"
same "a finished copy has no mark, and nothing beside it" "$(ls -d copy* | sort -V | tr '\n' ' ')" "copy $(for i in {0..15}; do [ -d store.$i ] && echo copy.$i; done | tr '\n' ' ')"
code "a finished copy passes check" 0 "$PERENNIAL" check --state=copy
code "a finished copy is not gone on with" 3 backup --state=store --resume copy
like "who goes on with a finished copy is told that it is there" "$err" "copy: a store is there already"
code "a finished copy is not removed" 3 backup --discard copy
like "who would remove a finished copy is told that none is unfinished" "$err" "copy: there is no copy .* was begun and not finished: a store is there"
code "a copy that nobody began is made by --resume too" 0 backup --state=store --resume fresh
same "a copy that --resume began has all" "$(same_pages fresh store)" same

mv store.9 away
code "a second copy is broken off" 3 backup --state=store second
mkdir second.3.keep
code "an unfinished copy is removed" 0 backup --discard second
like "who removes an unfinished copy is told what that was" "$err" "^perennial backup: second: removed [89] shards$"
same "of a removed copy nothing is left, and other things are" "$(ls -d second*)" second.3.keep
rmdir second.3.keep
code "a copy is broken off once more" 3 backup --state=store second
rm -r second.4 && cp -r other.1 second.4 2>/dev/null || cp -r "$(ls -d other.* | head -n 1)" second.4
code "an unfinished copy among which something else stands is not removed" 3 backup --discard second
like "who removes a copy is told what stays" "$err" "second: 1 that stands among the copy and is no part of it stays, and so does its mark: second.4: is a shard of another store"
same "what stands in an unfinished copy and is no part of it stays, as the mark does, and all else goes" "$(ls -d second* | tr '\n' ' ')" "second.4 second.backup "
mv away store.9
code "a copy is not gone on with where something else stands in it" 3 backup --state=store --resume second
rm -r second.4
code "a copy goes on when that is gone" 0 backup --state=store --resume second
same "a copy that went on when a stranger was gone has all" "$(same_pages second store)" same

mkdir full && touch full/file
code "a store of shards is not copied into a folder that has something" 3 backup --state=store full
same "a copy that was refused leaves neither shards nor mark" "$(ls -d full*)" full
code "both ways out at once are a usage error" 2 backup --state=store --resume --discard copy
code "a removal that names a store is a usage error" 2 backup --state=store --discard copy

# A copy does not stand where a part of a store stands, or is to, nor within one, nor behind a link.
refused() { code "$1" 3 backup --state="$2" "$3"; like "who is refused is told why: $1" "$err" "$4"; same "what was refused leaves nothing: $1" "$(find . -newer begun_at ! -name '.out' ! -name '.err' ! -name lock.mdb ! -name . | head -n 3)" ""; }
unmade=$(for i in {0..15}; do [ -d store.$i ] || echo $i; done | head -n 1)
"$PERENNIAL" init --state=lone
sleep 0.01; touch begun_at
[ -n "$unmade" ] || skip "a shard that is not made yet" "all are"
for name in store.16 single.3 lone.backup; do
	code "a name that is no shard's is taken: $name" 0 backup --state=lone $name
	rm -r $name
done
touch begun_at
refused "a store of one is not copied to where a shard of another is to stand" lone "store.${unmade:-1}" "store.*: is where a shard of store, a store of 16 shards, stands or is to stand"
refused "a store is not copied to its own shard" store ./store.3/ "is where a shard of ./store, a store of 16 shards"
refused "a copy does not stand where the mark of another would" lone store.backup "is where the mark of store"
refused "a copy does not stand in the folder of its store" store store/copy "store/copy: lies in the folder of a store, .*/store: choose a place outside of it"
refused "a copy does not stand in the folder of a shard" lone store.3/copy "lies in the folder of a store, .*/store.3: "
refused "a copy does not stand deep in the folder of a store" lone store/no/copy "store/no/copy"
mv store.9 away; backup --state=store under 2>/dev/null; mv away store.9; touch begun_at
refused "a copy does not stand where a shard of an unfinished copy is to" lone under.9 "under.9: is where a shard of under, a store of 16 shards"
code "a store is not made where a shard of another is to stand" 3 "$PERENNIAL" init --state="store.${unmade:-1}"
like "who makes a store where a shard is to stand is told" "$err" "is where a shard of store, a store of 16 shards"
backup --discard under 2>/dev/null
mkdir empty whole.d && cp -r single whole.d/ && ln -s empty link && ln -s nowhere dangling && ln -s whole.d/single whole
touch begun_at
for state in lone store; do
	refused "a link to an empty folder is something that is there: $state" $state link "link: something is there already: a symbolic link, which is not followed"
	refused "a link is one with a slash behind it too: $state" $state link/ "link: something is there already: a symbolic link"
	refused "a link that leads to nothing is refused: $state" $state dangling "dangling: is a symbolic link that leads to nothing: remove it"
	refused "a store behind a link is there: $state" $state whole "whole: a store is there already"
done
code "a folder behind a link is one to copy into" 0 backup --state=lone link/copy
if [ "$(id -u)" -ne 0 ]; then
	mkdir closed && chmod 0 closed
	code "a place that cannot be looked at is no store that is there" 3 backup --state=store closed/copy
	like "who cannot look at a place is told that" "$err" "Permission denied"
	chmod 700 closed
else
	skip "a place that cannot be looked at is no store that is there" "run as root"
fi
code "a place that cannot be looked at is not called a store" 3 backup --state=store "$(printf 'n%.0s' {1..300})"
like "who names what there cannot be is told so" "$err" "File name too long"
code "nothing is removed where it cannot be looked" 3 backup --discard "$(printf 'n%.0s' {1..300})"
like "who removes where it cannot be looked is told so" "$err" "File name too long"

# Killed, and two at a time.
"$PERENNIAL" init --state=wide --shards=256
for i in $(seq 1 1500); do echo "http://w$i.example/"; done >wide.urls
"$PERENNIAL" add --state=wide --now=2026-01-01 wide.urls 2>/dev/null
"$PERENNIAL" backup --state=wide killed & writer=$!
until [ -e killed.20 ]; do sleep 0.01; done
kill -STOP $writer
code "who goes on with a copy that somebody is making is refused" 3 backup --state=wide --resume killed
like "who goes on with a copy that somebody is making is told who" "$err" "process $writer is writing to it"
code "a copy that somebody is making is not removed" 3 backup --discard killed
parts=$(ls -d killed.*.part)
code "a check beside a copy that is being made is in nobody's way" 0 "$PERENNIAL" check --state=wide
same "what is being made stays" "$(ls -d killed.*.part)" "$parts"
kill -KILL $writer; wait $writer 2>/dev/null
ok "a copy that was killed is no store" test ! -e killed -a -e killed.backup -a -n "$parts"
code "a copy that was killed is gone on with" 0 backup --state=wide --resume killed
same "a copy that was killed and gone on with has all" "$(same_pages killed wide)" same
same "nothing is left of the killed one's work" "$(ls -d killed*.part killed.backup 2>/dev/null)" ""

# Killed before there was a mark, and where the mark alone was left.
dead=$(sh -c 'echo $$')
mkdir "early.backup.$dead.part" "early.$dead.part" "early.$$.part" "earlyish.$dead.part"
code "a copy that was killed before it had its mark is removed" 0 backup --discard early
like "who removes what was being made is told" "$err" "^perennial backup: early: removed 0 shards, 2 that were being made$"
same "of what was being made that stays whose maker lives, and what is another's" "$(ls -d early* | tr '\n' ' ')" "early.$$.part earlyish.$dead.part "
code "where nothing was begun nothing is removed" 3 backup --discard early
like "who removes what nobody began is told" "$err" "early: there is no copy .* was begun and not finished$"
rmdir early*
mv wide.3 away; backup --state=wide begun 2>/dev/null; mv away wide.3
cp -r begun.backup killed.backup
code "the mark of a copy that stands is removed" 0 backup --discard killed
like "who removes a mark is told that the store stays" "$err" "^perennial backup: killed: is a store, and stays; removed the mark that was left of its making$"
same "the store stays when its mark is removed" "$(same_pages killed wide) $(ls -d killed.backup 2>/dev/null)" "same "
mkdir begun
code "an unfinished copy with an empty folder in its place is removed" 0 backup --discard begun
rmdir begun

# Shards are made while a copy is: each copy is a store.
"$PERENNIAL" init --state=live --shards=256
"$PERENNIAL" add --state=live --now=2026-01-01 <(head -n 60 wide.urls) 2>/dev/null
for i in $(seq 2000 4000); do echo "http://w$i.example/"; done | while read -r url; do "$PERENNIAL" add --state=live --now=2026-01-01 "$url" 2>/dev/null; done &
writer=$!
whole=0
for i in 1 2 3 4 5 6; do
	backup --state=live "live-$i" && "$PERENNIAL" check --state="live-$i" >/dev/null && whole=$((whole + 1))
done
kill $writer; wait $writer 2>/dev/null
same "copies of a store whose shards are being made have all that they list" "$whole" 6

# What processes that were killed left beside a store.
dead=$(sh -c 'echo $$')
leave() { mkdir -p "$@"; for part; do touch "$part/data.mdb" "$part/lock.mdb"; done; }
leave "store.$dead.part" "store.3.$dead.part" "store.list-1.$dead.part" "store.4.$$.part" "store.notes.$dead.part" "stored.$dead.part" "store.3.x.$dead.part"
code "what killed processes left is no fault" 0 "$PERENNIAL" check --state=store --format=tsv
same "what killed processes left is counted" "$(sed -n 's/^left beside.*	//p' <<<"$out")" 3
like "check names what each killed process left" "$err" "store.3.$dead.part: was being made by process $dead, which was killed: it can be removed"
code "a repair takes away what was left" 0 "$PERENNIAL" check --state=store --repair
same "a repair leaves what somebody may be making, and what is of something else" "$(ls -d ./*.part | tr '\n' ' ')" "./store.3.x.$dead.part ./store.4.$$.part ./store.notes.$dead.part ./stored.$dead.part "
leave "new.$dead.part" "new.2.$dead.part"
exec {held}<"new.2.$dead.part"
flock -x $held
code "a store is made beside what was left" 0 "$PERENNIAL" init --state=new --shards=4
same "who makes a store takes away what was left, but not what is locked" "$(ls -d new*.part)" "new.2.$dead.part"
exec {held}<&-
leave "later.1.$dead.part"
code "a copy is made beside what was left" 0 backup --state=store later
same "who makes a copy takes away what was left, whoever had locked it" "$(ls -d later*.part 2>/dev/null)" ""
cp -r "$(ls -d copy | head -n 1)" finished && for i in {0..15}; do [ ! -d copy.$i ] || cp -r copy.$i finished.$i; done
mv store.9 away; backup --state=store begun 2>/dev/null; mv away store.9; mv begun.backup finished.backup
# A copy of the store has its identity, and goes its own way.
backup --state=store twin
"$PERENNIAL" add --state=twin --now=2026-01-01 http://twin.example/ 2>/dev/null
mv store.9 away; backup --state=store mixed 2>/dev/null; mv away store.9
code "a copy of the store is not taken for the store that a copy was begun of" 3 backup --state=twin --resume mixed
like "who goes on with a copy of another store is told which that was" "$err" "mixed: was begun of /.*/store, which twin was copied from"
code "by another spelling of its path it is the same store" 0 backup --state=./store/ --resume mixed
same "the copy has what the store has" "$(same_pages mixed store)" same

# A link to a store is that store: its shards stand beside it, and not beside the link.
mkdir yonder && "$PERENNIAL" init --state=yonder/linked --shards=4 && ln -s yonder/linked shortcut
for i in $(seq 20); do echo "http://l$i.example/"; done | "$PERENNIAL" add --state=shortcut --now=2026-01-01 2>/dev/null
same "nothing is made beside a link" "$(ls -d shortcut*)" shortcut
same "what was added by a link is in the store" "$(pages yonder/linked | grep -c '"url"')" 20
same "what was added by a link is read by it, with a slash or without" "$(pages shortcut | grep -c '"url"') $(pages lmdb:shortcut/ | grep -c '"url"')" "20 20"
code "the mark of a copy that was finished is no fault" 0 "$PERENNIAL" check --state=finished
like "a mark that was left is told" "$err" "finished.backup: was to mark an unfinished copy"
code "a repair takes away a mark that was left" 0 "$PERENNIAL" check --state=finished --repair
ok "the mark is gone and the copy is not" test ! -e finished.backup -a -e finished
done_testing
