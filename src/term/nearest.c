#include "term/nearest.h"

#include <string.h>

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Returns the distance of two words of at most TERM_NEAREST_BYTES.  rows[i][j] is that of the first i letters of a from the
 * first j of b.
 */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[TERM_NEAREST_BYTES + 1][TERM_NEAREST_BYTES + 1];

	for (size_t i = 0; i <= a_length; i++)
		rows[i][0] = i;
	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_length; i++)
		for (size_t j = 1; j <= b_length; j++) {
			rows[i][j] = least(least(rows[i - 1][j], rows[i][j - 1]) + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				rows[i][j] = least(rows[i][j], rows[i - 2][j - 2] + 1);
		}
	return rows[a_length][b_length];
}

void term_nearest_init(struct term_nearest *nearest, const char *word)
{
	*nearest = (struct term_nearest){ .word = word };
}

void term_nearest_offer(struct term_nearest *nearest, const char *offered)
{
	size_t length = strlen(nearest->word), other = strlen(offered), apart;

	if (length > TERM_NEAREST_BYTES || other > TERM_NEAREST_BYTES)
		return;
	apart = distance(nearest->word, length, offered, other);
	if (3 * apart > (length > other ? length : other) || (nearest->best && apart >= nearest->distance))
		return;
	nearest->best = offered;
	nearest->distance = apart;
}
