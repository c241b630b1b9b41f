#include "decide/host.h"

int prn_host_read(struct prn_host *host, const struct prn_store_reader *reader, struct prn_host_name name,
                  struct prn_error *error)
{
	const void *found = NULL;
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_HOSTS, name.text, name.length, &found, &count, error);

	if (code && code != PRN_E_NOT_FOUND)
		return code;
	prn_host_init(host);
	/* A record that is damaged tells nothing. */
	if (!code)
		prn_host_decode(host, found, count);
	return 0;
}

int prn_host_put(const struct prn_host *host, struct prn_batch *batch, struct prn_host_name name, int64_t now,
                 struct prn_error *error)
{
	unsigned char bytes[PRN_HOST_BYTES];
	bool forgotten = host->until <= now && host->free_at <= now && !host->leased && !host->redirects &&
	                 host->turn == PRN_TIME_UNKNOWN;

	prn_host_encode(host, bytes);
	return prn_batch_side_put(batch, PRN_SIDE_HOSTS, name.text, name.length, forgotten ? NULL : bytes, PRN_HOST_BYTES,
	                          error);
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

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t prn_host_free(const struct prn_host *host, const struct prn_decider_options *options, int64_t now)
{
	return later(later(now, host->until), options->host_delay_s > 0 ? host->free_at : now);
}

bool prn_host_is_full(const struct prn_host *host, const struct prn_decider_options *options)
{
	return options->host_limit && host->leased >= options->host_limit;
}
