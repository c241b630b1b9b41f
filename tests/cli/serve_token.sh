#!/usr/bin/env bash
# The token: who makes it, who must send it, and what comes of wrong ones.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"

# Who makes it.
"$PERENNIAL" init --state="$tmp/store"
like "init makes a token of 32 random bytes" "$(cat "$tmp/store/token")" '^[0-9a-f]{64}$'
same "a token is its owner's alone" "$(stat -c %a "$tmp/store/token")" 600
"$PERENNIAL" init --state="$tmp/second"
ok "every store has a token of its own" test "$(cat "$tmp/store/token")" != "$(cat "$tmp/second/token")"
"$PERENNIAL" add --create --state="$tmp/third" http://a.example/ 2>/dev/null
ok "a store that --create makes has a token" test -s "$tmp/third/token"
same "nothing is left of the making of a token" "$(ls "$tmp/store")" "$(printf 'data.mdb\nlock.mdb\ntoken')"
"$PERENNIAL" backup --state="$tmp/store" "$tmp/copy"
ok "a copy of a store has not the token of the store" test ! -e "$tmp/copy/token"

# Who must send it.
before=$(cat "$tmp/store/token")
ok "serve starts with the token of the store" start_server
same "serve keeps the token of the store" "$(cat "$tmp/store/token")" "$before"
like "serve says where its token is" "$(cat "$log")" "listening .*token=$tmp/store/token"
same "serve does not tell its token" "$(grep -c "$before" "$log")" 0
routes=$(sed -n 's/^  \(\/[^:]*\):$/\1/p' "$SRCDIR/man/openapi.yaml")
for route in $routes; do
	for method in GET POST DELETE; do
		stranger ask -X $method "$server$route"
		case $method$route in
		*/healthz|*/readyz) [ $method != GET ] || same "$method $route needs no token" "$status" 200 ;;
		POST/indexnow|GET/indexnow) same "$method /indexnow, which has keys of its own, is not there without them, with a token or not" "$status" 404 ;;
		*) same "$method $route without a token is refused" "$status" 401 ;;
		esac
	done
done
get /metrics
same "who sends the token is let in" "$status" 200
stranger ask -u "perennial:$before" "$server/"
same "a browser that sends the token as password is let in" "$status" 200
like "a browser is told how to ask" "$(curl -s -D - -o /dev/null "$server/")" '^WWW-Authenticate: Basic realm="perennial: user perennial, the token as password"'

# Wrong ones.
wrong() { stranger ask -H "Authorization: Bearer $1" "$server/metrics"; }
wrong "${before%?}x"
same "who sends a wrong token is refused" "$status" 401
like "a wrong token is told in the log with its client" "$(cat "$log")" 'warning wrong token client=127\.0\.0\.1 count=1$'
same "a wrong token is not in the log" "$(grep -c "${before%?}x" "$log")" 0
guesses=
for i in 1 2 3 4; do wrong guess-number-$i-of-a-token & guesses="$guesses $!"; done
wait $guesses
told=$(grep -c 'wrong token' "$log")
ok "wrong tokens are told less often than they come" test "$told" -lt 5
get /metrics
same "who sends the token is let in while wrong tokens of the same client wait" "$status" 200
like "wrong tokens are counted as refused" "$body" 'perennial_http_responses_total\{status="401"\} [1-9]'
stop_server
same "serve ends well after wrong tokens" "$stopped" 0

# Where two may wait, of eight at once.
ok "serve starts with room for few connections" start_server --connections=16
answers=
for i in 1 2 3 4 5 6 7 8; do
	curl -s -o /dev/null -w '%{http_code}\n' -H "Authorization: Bearer wrong-$i-of-a-token" "$server/metrics" >> "$tmp/answers" &
	answers="$answers $!"
done
wait $answers
same "each of eight wrong tokens at once is answered, however few may wait" "$(sort "$tmp/answers" | uniq -c | tr -s ' ')" " 8 401"
stop_server

# A store that has none.
rm "$tmp/store/token"
ok "serve starts with a store that has no token" start_server
like "serve says that it made a token" "$(cat "$log")" "warning made a token: who asks must send it file=$tmp/store/token"
like "the token that serve makes is as init's" "$(stat -c %a "$tmp/store/token") $(cat "$tmp/store/token")" '^600 [0-9a-f]{64}$'
stranger get /metrics
same "the token that serve made is asked for" "$status" 401
stop_server
chmod 644 "$tmp/store/token"
code "serve refuses a token that others may read" 3 "$PERENNIAL" serve --state="$tmp/store" --listen=127.0.0.1:0
like "a token that others may read is told with what to do" "$err" "token: others may read the token: chmod o= "
chmod 600 "$tmp/store/token"

# None, and a Unix socket.
ok "serve starts without a token on loopback" start_server --no-token
stranger get /metrics
same "without a token none is asked for" "$status" 200
stop_server
"$PERENNIAL" serve --state="$tmp/store" --listen="unix:$tmp/socket" 2>> "$log" &
server_pid=$!
for ((i = 0; i < 100; i++)); do [ -S "$tmp/socket" ] && break; sleep 0.1; done
chmod 777 "$tmp/socket" && chmod 755 "$tmp"
stranger ask --unix-socket "$tmp/socket" http://x/metrics
same "at a Unix socket its owner needs no token" "$status" 200
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	same "at a Unix socket another user needs the token" \
		"$(setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -o /dev/null -w '%{http_code}' --unix-socket "$tmp/socket" http://x/metrics)" 401
	same "at a Unix socket another user who sends the token is let in" \
		"$(setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(cat "$tmp/store/token")" --unix-socket "$tmp/socket" http://x/metrics)" 200
else
	skip "at a Unix socket another user needs the token" "this needs root, and setpriv"
	skip "at a Unix socket another user who sends the token is let in" "this needs root, and setpriv"
fi
stop_server
done_testing
