#include "archive/gzip_whole.h"

#include <stdlib.h>

#if HAVE_LIBDEFLATE
#include <libdeflate.h>

#define AT_HAND (PRN_INPUT_BYTES / 2) /* of a regular file: more packed bytes than most members have */

struct prn_gzip_whole {
	struct libdeflate_decompressor *inflate;
	unsigned char bytes[PRN_GZIP_WHOLE_BYTES];
};

struct prn_gzip_whole *prn_gzip_whole_open(void)
{
	struct prn_gzip_whole *whole = malloc(sizeof *whole);

	if (whole && !(whole->inflate = libdeflate_alloc_decompressor())) {
		free(whole);
		return NULL;
	}
	return whole;
}

void prn_gzip_whole_free(struct prn_gzip_whole *whole)
{
	if (whole)
		libdeflate_free_decompressor(whole->inflate);
	free(whole);
}

bool prn_gzip_whole_take(struct prn_gzip_whole *whole, struct prn_input *input, const unsigned char **bytes, size_t *length)
{
	size_t packed;

	/* An error of reading is met again, and told, by who reads on. */
	if (!whole || (input->regular && prn_input_ensure(input, AT_HAND, NULL)))
		return false;
	if (libdeflate_gzip_decompress_ex(whole->inflate, prn_input_at(input), prn_input_left(input), whole->bytes,
	                                  sizeof whole->bytes, &packed, length) != LIBDEFLATE_SUCCESS)
		return false;
	prn_input_skip(input, packed);
	*bytes = whole->bytes;
	return true;
}
#else
struct prn_gzip_whole *prn_gzip_whole_open(void)
{
	return NULL;
}

void prn_gzip_whole_free(struct prn_gzip_whole *whole)
{
	(void)whole;
}

bool prn_gzip_whole_take(struct prn_gzip_whole *whole, struct prn_input *input, const unsigned char **bytes, size_t *length)
{
	(void)whole, (void)input, (void)bytes, (void)length;
	return false;
}
#endif
