#include "store/host_record.h"

#include "base/checksum.h"
#include "perennial/error.h"
#include "perennial/time.h"
#include "store/big_endian.h"

#include <string.h>

#define FIXED_BYTES 76
#define BYTES_WITH_TURN 32
#define BYTES_WITH_LEASED 20

#define HAS_SUM ((uint64_t)3 << 56)
#define UNTIL_MOST ((int64_t)1 << 56)

void prn_host_init(struct prn_host *host)
{
	*host = (struct prn_host){ .until = PRN_TIME_UNKNOWN,        .refused = PRN_TIME_UNKNOWN,
		                   .asked = PRN_TIME_UNKNOWN,        .turn = PRN_TIME_UNKNOWN,
		                   .leased_until = PRN_TIME_UNKNOWN, .spent_at = PRN_TIME_UNKNOWN };
}

/* A time as it can be written: no host is left alone from a time before 1970, or for so long. */
static int64_t written(int64_t until)
{
	return until < 0 ? PRN_TIME_UNKNOWN : until < UNTIL_MOST ? until : UNTIL_MOST - 1;
}

size_t prn_host_encode(const struct prn_host *host, unsigned char bytes[PRN_HOST_BYTES])
{
	size_t address = strlen(host->address);
	unsigned char *at = bytes;
	uint64_t spent;

	memcpy(&spent, &host->spent, sizeof spent);
	prn_big_put(&at, 8, (uint64_t)written(host->until) | HAS_SUM);
	prn_big_put(&at, 8, (uint64_t)host->asked);
	prn_big_put(&at, 4, host->leased);
	prn_big_put(&at, 4, host->redirects);
	prn_big_put(&at, 8, (uint64_t)host->turn);
	prn_big_put(&at, 8, (uint64_t)host->leased_until);
	prn_big_put(&at, 4, host->crawl_delay_s);
	prn_big_put(&at, 4, host->successes);
	prn_big_put(&at, 8, spent);
	prn_big_put(&at, 8, (uint64_t)host->spent_at);
	prn_big_put(&at, 8, (uint64_t)host->refused);
	prn_big_put(&at, 4, host->fruitless);
	memcpy(at, host->address, address);
	at += address;
	prn_big_put(&at, PRN_CHECKSUM_BYTES, prn_checksum(bytes, FIXED_BYTES + address));
	return FIXED_BYTES + address + PRN_CHECKSUM_BYTES;
}

int prn_host_decode(struct prn_host *host, const void *found, size_t count)
{
	const unsigned char *bytes = found, *head = found, *sum;
	uint64_t spent;
	bool has_sum = count >= 8 && prn_big_take(&head, 8) & HAS_SUM;

	if (has_sum && count >= FIXED_BYTES + PRN_CHECKSUM_BYTES) {
		count -= PRN_CHECKSUM_BYTES;
		sum = bytes + count;
		has_sum = prn_big_take(&sum, PRN_CHECKSUM_BYTES) != prn_checksum(found, count);
	}
	if (has_sum)
		return PRN_E_DAMAGED;
	if (count != BYTES_WITH_LEASED && count != BYTES_WITH_TURN &&
	    (count < FIXED_BYTES || count >= FIXED_BYTES + PRN_ADDRESS_TEXT))
		return PRN_E_DAMAGED;
	prn_host_init(host);
	host->until = written((int64_t)(prn_big_take(&bytes, 8) & ~HAS_SUM));
	host->asked = (int64_t)prn_big_take(&bytes, 8);
	host->leased = (uint32_t)prn_big_take(&bytes, 4);
	if (count == BYTES_WITH_LEASED)
		return 0;
	host->redirects = (uint32_t)prn_big_take(&bytes, 4);
	host->turn = (int64_t)prn_big_take(&bytes, 8);
	if (count == BYTES_WITH_TURN)
		return 0;
	host->leased_until = (int64_t)prn_big_take(&bytes, 8);
	host->crawl_delay_s = (uint32_t)prn_big_take(&bytes, 4);
	host->successes = (uint32_t)prn_big_take(&bytes, 4);
	spent = prn_big_take(&bytes, 8);
	memcpy(&host->spent, &spent, sizeof spent);
	/* These are bits that no count of pages has. */
	if (!(host->spent >= 0 && host->spent < 1e18))
		host->spent = 0;
	host->spent_at = (int64_t)prn_big_take(&bytes, 8);
	host->refused = (int64_t)prn_big_take(&bytes, 8);
	host->fruitless = (uint32_t)prn_big_take(&bytes, 4);
	memcpy(host->address, bytes, count - FIXED_BYTES);
	return 0;
}
