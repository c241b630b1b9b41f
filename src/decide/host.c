/*
 * In the store, big-endian: until and free_at, 8 bytes each; leased and redirects, 4; turn, 8.  Older records end with
 * leased.
 */
#include "decide/host.h"

#define HOST_BYTES 32
#define HOST_BYTES_ONCE 20

static uint64_t take(const unsigned char *bytes, size_t count)
{
	uint64_t value = 0;

	for (size_t i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

static void put(unsigned char *bytes, size_t count, uint64_t value)
{
	for (size_t i = count; i--; value >>= 8)
		bytes[i] = (unsigned char)value;
}

int prn_host_read(struct prn_host *host, const struct prn_store_reader *reader, struct prn_host_name name,
                  struct prn_error *error)
{
	const void *found = NULL;
	const unsigned char *bytes;
	size_t count = 0;
	int code = prn_store_reader_side(reader, PRN_SIDE_HOSTS, name.text, name.length, &found, &count, error);

	if (code && code != PRN_E_NOT_FOUND)
		return code;
	*host = (struct prn_host){ .until = PRN_TIME_UNKNOWN, .free_at = PRN_TIME_UNKNOWN, .turn = PRN_TIME_UNKNOWN };
	if (code || (count != HOST_BYTES && count != HOST_BYTES_ONCE))
		return 0;
	bytes = found;
	host->until = (int64_t)take(bytes, 8);
	host->free_at = (int64_t)take(bytes + 8, 8);
	host->leased = (uint32_t)take(bytes + 16, 4);
	if (count == HOST_BYTES_ONCE)
		return 0;
	host->redirects = (uint32_t)take(bytes + 20, 4);
	host->turn = (int64_t)take(bytes + 24, 8);
	return 0;
}

int prn_host_put(const struct prn_host *host, struct prn_batch *batch, struct prn_host_name name, int64_t now,
                 struct prn_error *error)
{
	unsigned char bytes[HOST_BYTES];
	bool forgotten = host->until <= now && host->free_at <= now && !host->leased && !host->redirects &&
	                 host->turn == PRN_TIME_UNKNOWN;

	put(bytes, 8, (uint64_t)host->until);
	put(bytes + 8, 8, (uint64_t)host->free_at);
	put(bytes + 16, 4, host->leased);
	put(bytes + 20, 4, host->redirects);
	put(bytes + 24, 8, (uint64_t)host->turn);
	return prn_batch_side_put(batch, PRN_SIDE_HOSTS, name.text, name.length, forgotten ? NULL : bytes, HOST_BYTES,
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
