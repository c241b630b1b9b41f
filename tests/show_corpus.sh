# A hand-made page for show's tests, of which is known what is static, scroll and churn.  Sourced; writes with printf alone.

# record URL DAY TYPE BODY [STATUS]: a response of 2026-01-DAY.
record() {
	local answer
	answer=$(printf 'HTTP/1.1 %s OK\r\nContent-Type: %s\r\n\r\n%s.' "${5:-200}" "$3" "$4")
	answer=${answer%.}
	printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:%s-%s>\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-%02dT12:00:00Z\r\n' \
		"$2" "${#answer}" "$1" "$2"
	printf 'Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n' \
		"$(printf %s "$answer" | wc -c)" "$answer"
}

# item N: six words; news DAY: that day's page.  A list of three items, of which the oldest goes each day; a line that is another each day.
item() { printf '<li>Item%s reports calm weather near harbour%s</li>' "$1" "$1"; }
news() {
	printf '<title>Harbour</title><p>Welcome to the <b>harbour</b> page, (kept) since 1990.</p><ul>%s%s%s</ul><p>Today%s tide%s wind%s moon%s sun%s stars%s</p><p>All about our boats and nets, always.</p>' \
		"$(item "$1")" "$(item $(($1 + 1)))" "$(item $(($1 + 2)))" "$1" "$1" "$1" "$1" "$1" "$1"
}

# harbour DAY: a page that reads like one, for the picture in the README: `harbour_warc > harbour.warc`, `perennial show -o
# harbour.html --at=2026-01-18 --cost=.35 -p drift,cgm,uniform http://harbour.example/ harbour.warc`, 1000 x 1480 in a browser.
headlines=('New pontoon opens for visiting boats' 'Winter fair moves to the east quay' 'Ferry runs every hour from Friday' 'Lighthouse lamp goes electric after 120 years'
	'Dredging of the north channel begins' 'Storm warning lifted for the bay' 'Fish market extends its opening hours' 'Sailing school takes names for spring'
	'Crane on pier three is out of order' 'Harbour master retires after thirty years' 'Seal pups seen on the outer bank' 'Night berths are free until March'
	'Pilot boat Dora is back in service' 'Old customs house becomes a library')
harbour() {
	local newest=$((($1 + 1) / 2 + 2)) i
	printf '<title>Harbour news</title><h1>Harbour news</h1><p>The harbour office is open daily from eight to six. Boats that stay overnight register at the pier.</p>'
	printf '<p>High water today at %02d:%02d, low water at %02d:%02d. Wind force %d, visitors so far this year: %d.</p><h2>What is new</h2><ul>' \
		$((3 + $1 * 5 % 7)) $(($1 * 37 % 60)) $((10 + $1 * 5 % 7)) $(($1 * 53 % 60)) $((2 + $1 * 7 % 6)) $((1204 + $1 * 211))
	for ((i = newest; i > newest - 4; i--)); do printf '<li>%s</li>' "${headlines[i % ${#headlines[@]}]}"; done
	printf '</ul><h2>Berths</h2><p>Length is measured over all. Water and electricity are in the price; showers are in the yellow house, '
	[ "$1" -lt 9 ] && printf 'which is closed on Mondays. ' || printf 'open day and night since the refit. '
	printf 'Dogs are welcome on a lead.</p><p>Questions? Ask for Marit at the office, or write to us.</p>'
}
harbour_warc() {
	local day
	for ((day = 1; day <= 24; day++)); do
		[ $day = 13 ] && record http://harbour.example/ $day text/html "down" 503 || record http://harbour.example/ $day text/html "$(harbour $day)"
	done
}
