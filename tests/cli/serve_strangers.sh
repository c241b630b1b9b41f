#!/usr/bin/env bash
# A page of another origin in a browser on the same machine can neither lease, report, forget nor give back.  The server
# asks for no token here, as it would for one that the browser has stored: what keeps the page out must not be the token.
. "${SRCDIR:?}/tests/tap.sh"
. "$SRCDIR/tests/server.sh"
browser=$(command -v chromium || command -v chromium-browser) || skip_all "chromium is not installed: it is what the page is opened in"

ok "a server starts without a token" start_server --no-token
post /v1/pages --data-binary $'http://a.example/\nhttp://b.example/\n'
post '/v1/due?limit=1'
leased=$(member url | tr -d '"')
port=${server##*:}

# The stranger: it answers everything with a page that tries, and counts what comes back to it.
cat > "$tmp/stranger.pl" <<'PL'
use IO::Socket::INET; $| = 1; $SIG{PIPE} = "IGNORE";
my ($target, $names) = @ARGV;
my $server = IO::Socket::INET->new(Listen => 20, LocalAddr => "127.0.0.1", ReuseAddr => 1) or die;
print $server->sockport, "\n";
my $page = do { local $/; <STDIN> };
while (my $client = $server->accept) {
	my $head = "";
	while (my $line = <$client>) { $head .= $line; last if $line =~ /^\r?\n/; }
	print $client "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ", length $page, "\r\nConnection: close\r\n\r\n", $page;
	close $client;
}
PL
# What a page can do: requests of scripts in every mode, forms, images, frames, styles, beacons, links.
page() {
	cat <<HTML
<!DOCTYPE html><title>stranger</title>
<img src="$1/v1/due?limit=5&n=i"><img src="$1/"><link rel="stylesheet" href="$1/metrics"><script src="$1/v1/due?n=s"></script>
<link rel="prefetch" href="$1/v1/page?url=http://a.example/">
<iframe name="f1"></iframe><iframe name="f2"></iframe><iframe name="f3"></iframe><iframe src="$1/v1/due"></iframe>
<form id="a" target="f1" method="post" enctype="text/plain" action="$1/v1/observe?url=http://a.example/&status=404"><input name="x" value="y"></form>
<form id="b" target="f2" method="post" enctype="text/plain" action="$1/v1/due?limit=5"><input name="x" value="y"></form>
<form id="c" target="f3" method="post" action="$1/v1/release?all=yes"></form>
<p id="said"></p>
<script>
const at = "$1", tries = [];
function go(path, options) { tries.push(fetch(at + path, options).then(r => r.text()).then(t => t.length, e => "kept out")); }
for (const mode of ["no-cors", "cors"]) {
	go("/v1/due?limit=5", { method: "POST", mode: mode });
	go("/v1/due?limit=5", { method: "POST", mode: mode, credentials: "include" });
	go("/v1/observe?url=http://a.example/&status=404", { method: "POST", mode: mode, body: "x" });
	go("/v1/observe", { method: "POST", mode: mode, headers: { "Content-Type": "text/plain" }, body: '{"url":"http://b.example/","status":404}' });
	go("/v1/release?all=yes", { method: "POST", mode: mode });
	go("/v1/pages", { method: "POST", mode: mode, body: "http://stranger.example/" });
	go("/v1/tune?budget=1&apply=yes", { method: "POST", mode: mode });
}
go("/v1/pages?url=http://a.example/", { method: "DELETE", mode: "cors" });
go("/v1/observe", { method: "POST", mode: "cors", headers: { "Content-Type": "application/x-ndjson" }, body: '{"url":"http://b.example/","status":404}' });
navigator.sendBeacon(at + "/v1/release?all=yes", "x");
for (const form of document.forms) form.submit();
Promise.all(tries).then(all => { document.getElementById("said").textContent = "tried " + all.length + ": " + [...new Set(all)].join(", "); });
</script>
HTML
}

visit() {
	timeout 90 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --disable-extensions --host-resolver-rules="MAP rebound.example 127.0.0.1" \
		--disable-features=BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessChecks,LocalNetworkAccessChecks \
		--user-data-dir="$(mktemp -d "$tmp/profile.XXXXXX")" --virtual-time-budget=8000 --dump-dom "$1" 2> "$tmp/log"
}

# attack NAME TARGET HOST: the page of the stranger is opened at HOST, and goes for TARGET.
attack() {
	local before refused dom threshold
	page "$2" > "$tmp/page.html"
	perl "$tmp/stranger.pl" < "$tmp/page.html" > "$tmp/port" & stranger_pid=$!
	disown
	trap 'kill -KILL "$stranger_pid" $server_pid 2>/dev/null; rm -rf "$tmp"' EXIT
	for ((i = 0; i < 100; i++)); do [ -s "$tmp/port" ] && break; sleep 0.1; done
	get /metrics; before=$(sed -n 's/^perennial_http_responses_total{status="403"} //p' <<<"$body")
	threshold=$(grep '^perennial_threshold ' <<<"$body")
	dom=$(visit "http://$3:$(cat "$tmp/port")/") || skip_all "chromium does not run here: $(grep -v dbus "$tmp/log" | tail -n 1)"
	kill "$stranger_pid"
	: > "$tmp/port"
	like "$1: the browser ran the page" "$dom" 'id="said">tried 16: '
	get /metrics; refused=$(sed -n 's/^perennial_http_responses_total{status="403"} //p' <<<"$body")
	ok "$1: what the page asked reached the server and was refused" test "${refused:-0}" -ge "$((${before:-0} + 10))"
	same "$1: the page could not lease" "$(sed -n 's/^perennial_due_given_total //p' <<<"$body")" 1
	same "$1: the page could not give leases back" "$(sed -n 's/^perennial_leased_pages //p' <<<"$body")" 1
	same "$1: the page could not report" "$(grep '^perennial_observations_total' <<<"$body" | grep -vc ' 0$')" 0
	same "$1: the page could neither add nor forget" "$(sed -n 's/^perennial_pages //p' <<<"$body")" 2
	same "$1: the page could not change the threshold" "$(grep '^perennial_threshold ' <<<"$body")" "$threshold"
}
attack "a page of another port" "$server" 127.0.0.1
attack "a page of another name" "$server" rebound.example
attack "a page whose name was made to resolve to this machine" "http://rebound.example:$port" rebound.example

# The same without a browser: a name that resolves to loopback is a Host that is not answered, whatever else is sent.
for request in "POST /v1/due" "POST /v1/observe?url=http://a.example/&status=404" "DELETE /v1/pages?url=$leased" "POST /v1/release?all=yes"; do
	ask -X "${request%% *}" -H "Host: rebound.example:$port" "$server${request#* }"
	same "${request%%\?*} for a Host that was made to resolve to this machine is refused" "$status" 403
done
get "/v1/page?url=$leased"
like "what is on lease still is after all of this" "$(member lease_until)" '^"2'
stop_server
same "the server of the strangers ends well" "$stopped" 0
done_testing
