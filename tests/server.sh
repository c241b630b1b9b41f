# A perennial serve for tests: source it after tap.sh, then
#   start_server [OPTION…]  starts one on a free port with the store $tmp/store; its URL is in $server, its log in $log,
#                           the header that brings its token in $auth, for curl
#   stop_server             tells it to stop; its exit code is in $stopped
#   get PATH, post PATH [CURL OPTION…]: the status is in $status, the body in $body; with the token, and without it as "stranger get PATH"
# At the end it is killed, however the test ends.
server_pid= log=$tmp/serve.log auth=$tmp/auth
trap '[ -z "$server_pid" ] || kill -KILL "$server_pid" 2>/dev/null; rm -rf "$tmp"' EXIT
command -v curl >/dev/null || skip_all "curl is not installed: it is what asks"

start_server() {
	: > "$log" > "$auth"
	"$PERENNIAL" serve --create --state="$tmp/store" --listen=127.0.0.1:0 "$@" 2>> "$log" &
	server_pid=$!
	for ((i = 0; i < 100; i++)); do
		server=$(sed -n 's/.*listening.*address"*[=:]"*\(127[0-9.:]*\).*/http:\/\/\1/p' "$log")
		if [ -n "$server" ]; then
			token=$(sed -n 's/.*listening.*token"*[=:]"*\([^" ]*\).*/\1/p' "$log" | tail -n 1)
			[ "$token" = none ] || printf 'Authorization: Bearer %s\n' "$(head -n 1 "$token")" > "$auth"
			return 0
		fi
		kill -0 "$server_pid" 2>/dev/null || break
		sleep 0.1
	done
	tap_note "no server: $(cat "$log")"
	return 1
}

stop_server() {
	stopped=0
	kill -TERM "$server_pid"
	wait "$server_pid" || stopped=$?
	server_pid=
}

ask() {
	status=$(curl -s -m 20 -H @"$auth" -o "$tmp/.body" -w '%{http_code}' "$@") || status="curl $?"
	body=$(cat "$tmp/.body" 2>/dev/null)
}
stranger() { local auth=/dev/null; "$@"; }
get() { ask "${@:2}" "$server$1"; }
post() { ask -X POST "${@:2}" "$server$1"; }
# member NAME: its value in $body, as JSON writes it
member() { sed -n "s/.*\"$1\":\(\"[^\"]*\"\|[^,}]*\).*/\1/p" <<<"$body"; }
