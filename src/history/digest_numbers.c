#include "history/digest_numbers.h"

#include "base/buffer.h"
#include "perennial/error.h"

#include <stdlib.h>
#include <string.h>

void prn_digest_numbers_release(struct prn_digest_numbers *numbers)
{
	free(numbers->items);
	prn_digest_numbers_init(numbers);
}

int prn_digest_numbers_begin(struct prn_digest_numbers *numbers, size_t most)
{
	struct prn_digest_number *items;
	size_t size = 2;

	while (size / 2 < most)
		size *= 2;
	items = prn_array_grow(numbers->items, &numbers->capacity, size, sizeof *items);
	if (!items)
		return PRN_E_MEMORY;
	numbers->items = memset(items, 0, size * sizeof *items);
	numbers->mask = size - 1;
	return 0;
}

uint32_t *prn_digest_numbers_of(struct prn_digest_numbers *numbers, const struct prn_digest *digest)
{
	size_t at = (size_t)digest->low & numbers->mask;

	while (numbers->items[at].number && prn_digest_compare(&numbers->items[at].digest, digest))
		at = (at + 1) & numbers->mask;
	numbers->items[at].digest = *digest;
	return &numbers->items[at].number;
}
