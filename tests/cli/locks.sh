#!/usr/bin/env bash
# The files of locks in a store's folder: whoever can write there must not have another file written to by who uses the store.
. "${SRCDIR:?}/tests/tap.sh"
cd "$tmp"

"$PERENNIAL" init --state=S
echo http://a.example/ | "$PERENNIAL" add --state=S 2> /dev/null
printf 'what is of value\n' > value
cp value victim

# put NAME KIND: something else under the name of a file of locks.
put() {
	rm -f "S/$1"
	case $2 in
	link) ln -s ../victim "S/$1" ;;
	dangling) ln -s ../new "S/$1" ;;
	hard) ln victim "S/$1" ;;
	pipe) mkfifo "S/$1" ;;
	esac
}
kind_is() { case $1 in hard) echo "has another name, too" ;; pipe) echo "is no regular file" ;; *) echo "is a symbolic link" ;; esac; }

# untouched TEXT: of what the names lead to nothing was written, and nothing was made.
untouched() { same "$1" "$(cmp value victim 2>&1; ls new 2> /dev/null)" ""; }

for kind in link dangling hard pipe; do
	put writer.lock $kind
	code "a writer refuses a writer.lock that is another file: $kind" 3 timeout 20 "$PERENNIAL" add --state=S http://b.example/
	like "who is to write is told what is wrong with writer.lock: $kind" "$err" "S/writer.lock: $(kind_is $kind)"
	untouched "a writer leaves alone what writer.lock leads to: $kind"
	code "a store is read whatever its writer.lock is: $kind" 0 timeout 20 "$PERENNIAL" stats --state=S
	code "a repair refuses a writer.lock that is another file: $kind" 3 timeout 20 "$PERENNIAL" check --repair --state=S
	untouched "a repair leaves alone what writer.lock leads to: $kind"
	rm -f S/writer.lock
	put lock.mdb $kind
	for command in stats export "check --repair" "backup copy" "due --lease=0s"; do
		code "$command refuses a lock.mdb that is another file: $kind" 3 timeout 20 "$PERENNIAL" $command --state=S
		like "$command says what is wrong with lock.mdb: $kind" "$err" "S/lock.mdb: $(kind_is $kind)"
		untouched "$command leaves alone what lock.mdb leads to: $kind"
	done
	rm -f S/lock.mdb
done
# A repair looks at lock.mdb itself, before it replaces what is damaged.
printf 'damage' | dd of=S/data.mdb bs=1 seek=0 conv=notrunc 2> /dev/null
put lock.mdb link
code "a repair of a damaged store refuses a lock.mdb that is a link" 3 "$PERENNIAL" check --repair --state=S
untouched "a repair of a damaged store leaves alone what lock.mdb leads to"
done_testing
