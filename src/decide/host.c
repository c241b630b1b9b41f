#include "decide/host.h"

#include "base/clock.h"
#include "perennial/due.h"

#include <math.h>
#include <string.h>

#define REMEMBERED_S (7.0 * PRN_DAY_S)

static int read_host(struct prn_host *host, const struct prn_store_reader *reader, struct prn_host_name name,
                     struct prn_error *error)
{
	const void *found = NULL;
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_HOSTS, name.text, name.length, &found, &count, error);

	prn_host_init(host);
	/* A damaged record counts as none. */
	if (!code)
		prn_host_decode(host, found, count);
	return code == PRN_E_NOT_FOUND ? 0 : code;
}

int prn_host_find(struct prn_known_host *known, const struct prn_store_reader *reader,
                  const struct prn_decider_options *options, struct prn_host_name name, struct prn_error *error)
{
	memcpy(known->text, name.text, name.length);
	known->name = (struct prn_host_name){ known->text, name.length };
	known->settings = prn_host_settings_find(options, known->name);
	return read_host(&known->host, reader, known->name, error);
}

int prn_host_find_of(struct prn_known_host *known, const struct prn_store_reader *reader,
                     const struct prn_decider_options *options, const char *normal_url, struct prn_error *error)
{
	int code = prn_host_find(known, reader, options, prn_host_name(normal_url), error);
	const char *group = known->settings.group;
	char text[PRN_HOST_NAME_BYTES];
	size_t length;

	if (code || (!group && !(options->group_by_address && known->host.address[0])))
		return code;
	group = group ? group : known->host.address;
	length = strlen(group);
	text[0] = PRN_HOST_GROUP;
	memcpy(text + 1, group, length);
	return prn_host_find(known, reader, options, (struct prn_host_name){ text, length + 1 }, error);
}

int prn_host_put(const struct prn_host *host, const struct prn_host_settings *settings, struct prn_batch *batch,
                 struct prn_host_name name, int64_t now, struct prn_error *error)
{
	unsigned char bytes[PRN_HOST_BYTES];
	size_t length = prn_host_encode(host, bytes);
	/* The record of a host that has spent some of its share is kept, because that still has to be paid off. */
	double kept_s = host->spent > 0 ? REMEMBERED_S : settings->delay_s;
	bool forgotten = (double)host->until + REMEMBERED_S <= (double)now &&
	                 (kept_s <= 0 || (double)host->asked + kept_s <= (double)now) && !host->leased &&
	                 !host->redirects && !host->fruitless && host->turn == PRN_TIME_UNKNOWN &&
	                 !host->crawl_delay_s && !host->address[0];

	return prn_batch_side_put(batch, PRN_SIDE_HOSTS, name.text, name.length, forgotten ? NULL : bytes, length,
	                          error);
}

int prn_host_put_address(struct prn_batch *batch, const char *normal_url, const char *address, int64_t now,
                         struct prn_error *error)
{
	static const struct prn_host_settings any = { 0 };
	struct prn_store_reader reader = { .batch = batch };
	struct prn_host_name name = prn_host_name(normal_url);
	struct prn_host host;
	int code = read_host(&host, &reader, name, error);

	if (code || strlen(address) >= PRN_ADDRESS_TEXT || !strcmp(host.address, address))
		return code;
	strcpy(host.address, address);
	return prn_host_put(&host, &any, batch, name, now, error);
}

int prn_host_set_turn(struct prn_host *host, struct prn_batch *batch, struct prn_host_name name, int64_t turn,
                      struct prn_error *error)
{
	uint64_t number = prn_host_number(name);
	unsigned char key[PRN_TURN_BYTES];
	int code = 0;

	if (host->turn == turn)
		return 0;
	if (host->turn != PRN_TIME_UNKNOWN) {
		prn_turn_key(host->turn, number, key);
		code = prn_batch_side_put(batch, PRN_SIDE_TURNS, key, sizeof key, NULL, 0, error);
	}
	if (!code && turn != PRN_TIME_UNKNOWN) {
		prn_turn_key(turn, number, key);
		code = prn_batch_side_put(batch, PRN_SIDE_TURNS, key, sizeof key, name.text, name.length, error);
	}
	if (!code)
		host->turn = turn;
	return code;
}

/* A time that only a clock that ran far ahead can have written counts as unknown. */
static int64_t unless_ahead(int64_t time, int64_t now)
{
	return time <= prn_time_after(now, PRN_AHEAD_MOST_S) ? time : PRN_TIME_UNKNOWN;
}

int64_t prn_host_opens(const struct prn_host *host, const struct prn_host_settings *settings, int64_t now)
{
	double delay_s = fmax(settings->delay_s, host->crawl_delay_s);
	int64_t asked = unless_ahead(host->asked, now), opens = prn_time_later(now, unless_ahead(host->until, now));

	if (asked != PRN_TIME_UNKNOWN && delay_s > 0)
		opens = prn_time_later(opens, prn_time_after(asked, ceil(delay_s)));
	return prn_host_settings_open(settings, opens);
}

void prn_host_refuse(struct prn_host *host, int64_t time, double wanted_s, int64_t now)
{
	int64_t until = prn_time_after(time, fmin(wanted_s, PRN_HOST_UNTIL_MOST_S) / (1.0 + host->successes));

	host->until = prn_time_later(unless_ahead(host->until, now), until);
	host->refused = time;
	host->successes = 0;
}

bool prn_host_came(struct prn_host *host, int64_t time, int64_t now)
{
	if (host->until == PRN_TIME_UNKNOWN || time <= host->refused)
		return false;
	host->successes += host->successes < UINT32_MAX;
	if (host->until > now)
		host->until = now + (host->until - now) / 2;
	return true;
}

void prn_host_take_back(struct prn_host *host, int64_t fetched, int64_t now)
{
	host->leased -= host->leased > 0;
	if (!host->leased)
		host->leased_until = PRN_TIME_UNKNOWN;
	if (fetched != PRN_TIME_UNKNOWN)
		prn_host_was_asked(host, fetched, now);
}

void prn_host_was_asked(struct prn_host *host, int64_t fetched, int64_t now)
{
	if (fetched > host->asked)
		host->asked = fetched < now ? fetched : now;
}

bool prn_host_delays(const struct prn_known_host *known, int64_t fetched, int64_t now)
{
	double delay_s = fmax(known->settings.delay_s, known->host.crawl_delay_s);

	return fetched > known->host.asked && delay_s > 0 && prn_time_after(fetched, ceil(delay_s)) > now;
}

bool prn_host_is_full(const struct prn_host *host, const struct prn_host_settings *settings, int64_t now, int64_t leased_from)
{
	return settings->limit && host->leased >= settings->limit && host->leased_until > now &&
	       host->leased_until <= prn_time_after(leased_from, PRN_LEASE_END_MOST_S);
}

int prn_host_wake(struct prn_known_host *known, struct prn_batch *batch, int64_t since, int64_t now,
                  struct prn_error *error)
{
	struct prn_host *host = &known->host;
	int64_t opens = prn_host_opens(host, &known->settings, now);

	/* Hosts that may be asked take turns by how long their pages have been due, as if these were in one queue. */
	if (opens <= now)
		opens = prn_time_later(since, host->until);
	if (host->turn == PRN_TIME_UNKNOWN || opens >= host->turn || prn_host_is_full(host, &known->settings, now, now))
		return 0;
	return prn_host_set_turn(host, batch, known->name, opens, error);
}
