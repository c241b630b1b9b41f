#!/usr/bin/env bash
# The alert rules for Prometheus: promtool gives them four hours of a daemon, a value a minute, on which all is well or
# one thing is not, and says which of them fire.  tests/cli/serve.sh holds their metrics against those of the daemon.
. "${SRCDIR:?}/tests/tap.sh"

rules=$SRCDIR/tools/prometheus/perennial.rules.yml
alerts=$(sed -n 's/^ *- alert: //p' "$rules")
cp "$rules" "$tmp/perennial.rules.yml" && cd "$tmp"
command -v promtool >/dev/null || skip_all "promtool is not installed (on Debian, prometheus): it is what runs the rules"
ok "promtool finds nothing to say about the alert rules" bash -c 'promtool check rules perennial.rules.yml > checked'

# The dashboard's queries as rules, which promtool reads.
{ printf 'groups:\n- name: dashboard\n  rules:\n'
	sed -n 's/^ *"expr": "\(.*\)",*$/\1/p' "$SRCDIR/tools/grafana/perennial.json" | sed 's/\\"/"/g; s/\$__rate_interval/5m/g; s/\$instance/.*/g' |
		awk '{ print "  - record: dashboard:" NR; print "    expr: >-"; print "      " $0 }'; } > dashboard.yml
like "the dashboard has queries" "$(grep -c 'record:' dashboard.yml)" '^[1-9][0-9]$'
ok "promtool finds nothing to say about the dashboard's queries" bash -c 'promtool check rules dashboard.yml > checked || { cat checked; exit 1; }'

declare -A well=(
	['up{job="perennial"}']=1x240
	[perennial_commit_failures_total]=3x240
	[perennial_damaged_shards_total]=2x240
	[perennial_unreadable_pages]=0x240
	[perennial_hint_damaged_sources]=0x240
	[perennial_queue_depth]=100x240
	[perennial_queue_capacity]=4096x240
	[perennial_spool_bytes]=1000x240
	[perennial_spool_capacity_bytes]=17179869184x240
	['perennial_commit_seconds_bucket{le="0.5"}']=0+99x240
	['perennial_commit_seconds_bucket{le="2.5"}']=0+100x240
	['perennial_commit_seconds_bucket{le="+Inf"}']=0+100x240
	['perennial_http_responses_total{status="500"}']=1x240
	['perennial_http_responses_total{status="503"}']=0+1x240
	[perennial_due_pages]=50x240
	[perennial_due_given_total]=0+10x240
	['perennial_observations_total{outcome="observed"}']=0+8x240
	['perennial_observations_total{outcome="error"}']=0+2x240
)

# fires TITLE ALERT SERIES=VALUES…: of a daemon on which all is well but for these series ALERT fires and no other does; '': none.
fires() {
	local title=$1 alert=$2 line; shift 2
	local -A series
	for line in "${!well[@]}"; do series[$line]=${well[$line]}; done
	for line; do series[${line%=*}]=${line##*=}; done
	{
		printf 'rule_files: [ perennial.rules.yml ]\nevaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n'
		for line in "${!series[@]}"; do printf "      - { series: '%s', values: '%s' }\n" "$line" "${series[$line]}"; done
		printf '    promql_expr_test:\n      - expr: count by (alertname) (ALERTS{alertstate="firing"})\n        eval_time: 4h\n'
		[ -z "$alert" ] || printf "        exp_samples: [ { labels: '{alertname=\"%s\"}', value: 1 } ]\n" "$alert"
	} > "test.yml"
	if promtool test rules test.yml > tested 2>&1; then tap_line '' "$title"; else tap_line 'not ' "$title"; tap_note "$(cat tested)"; fi
	tried="${tried:-}$alert "
}

fires "no alert fires where all is well" ''
fires "no alert fires where a daemon has nothing to do" '' perennial_due_pages=0x240 perennial_due_given_total=7x240 \
	'perennial_observations_total{outcome="observed"}=3x240' 'perennial_observations_total{outcome="error"}=3x240'
fires "no alert fires for few errors of few visits" '' 'perennial_observations_total{outcome="observed"}=3x240' \
	'perennial_observations_total{outcome="error"}=0x185 0+1x10 10x45'
fires "a daemon that does not answer is told" PerennialDown 'up{job="perennial"}=1x200 0x39'
fires "commits that fail are told" PerennialCommitsFail 'perennial_commit_failures_total=0x235 1x5'
fires "a damaged shard is told" PerennialShardsDamaged 'perennial_damaged_shards_total=0x200 1x40'
fires "pages that cannot be read are told" PerennialPagesUnreadable perennial_unreadable_pages=1x240
fires "sources of hints that cannot be read are told" PerennialHintSourcesDamaged perennial_hint_damaged_sources=1x240
fires "a queue that fills is told" PerennialQueueFills perennial_queue_depth=3500x240
fires "a folder for uploads that fills is told" PerennialSpoolFills perennial_spool_bytes=16000000000x240
fires "slow commits are told" PerennialCommitsSlow 'perennial_commit_seconds_bucket{le="0.5"}=0+80x240'
fires "requests that fail are told" PerennialFails 'perennial_http_responses_total{status="500"}=0x235 1x5'
fires "due pages that nobody asks for are told" PerennialNobodyFetches perennial_due_given_total=7x240
fires "fetchers that report nothing are told" PerennialNobodyReports \
	'perennial_observations_total{outcome="observed"}=3x240' 'perennial_observations_total{outcome="error"}=3x240'
fires "visits that mostly fail are told" PerennialMostVisitsFail 'perennial_observations_total{outcome="error"}=0+10x240'
same "every alert was made to fire" "$(tr ' ' '\n' <<<"$tried" | grep . | sort -u)" "$(sort <<<"$alerts")"
done_testing
