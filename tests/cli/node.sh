#!/usr/bin/env bash
# node/ with plain fetch, and with crawlee where that is installed: what is due from a local site is fetched and reported.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
[ "$(node -p 'typeof fetch' 2>/dev/null)" = function ] || skip_all "node of version 18 or later is not installed: it is what fetches"
crawlee=
for candidate in "${CRAWLEE:-}" "$(npm prefix -g 2>/dev/null)/lib"; do
	[ -d "$candidate/node_modules/@crawlee/http" ] && crawlee=$candidate && break
done
ok "a server starts for Node" start_server --host-limit=0 --host-delay=0s
# Times of bodies are those of this machine, which the server's clock shares.
if [ -n "$crawlee" ] && openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 2 -keyout "$tmp/tls.key" -out "$tmp/tls.pem" 2> /dev/null; then
	export TLS_KEY=$tmp/tls.key TLS_CERT=$tmp/tls.pem
fi
ended=0
node "$SRCDIR/tests/node.mjs" "$server" "$tmp/store/token" "$tap_count" ${crawlee:+"$crawlee"} || ended=$?
stop_server
exit "$ended"
