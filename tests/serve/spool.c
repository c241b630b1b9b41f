/* Spools: in memory, in a file, over the limit. */
#include "../tap.h"
#include "serve/spool.h"

#include <stdlib.h>
#include <unistd.h>

static unsigned char pattern[3 * SERVE_SPOOL_MEMORY];

/* In pieces of an odd size, so that every boundary is crossed somewhere. */
static void check_length(size_t length)
{
	struct serve_spool spool;
	const unsigned char *bytes = NULL;
	int code = 0;

	serve_spool_init(&spool, sizeof pattern);
	for (size_t at = 0; !code && at < length; at += 7919)
		code = serve_spool_append(&spool, pattern + at, length - at < 7919 ? length - at : 7919, NULL, NULL);
	ok(!code && spool.length == length, "%zu bytes are taken by a spool", length);
	ok(!spool.over, "%zu bytes are not over a spool's limit", length);
	ok(spool.in_file == (length > SERVE_SPOOL_MEMORY), "%zu bytes go into %s", length, spool.in_file ? "a file" : "memory");
	ok(!serve_spool_bytes(&spool, &bytes, NULL) && bytes, "%zu bytes can be had from their spool", length);
	ok(bytes && !memcmp(bytes, pattern, length), "%zu bytes come back from their spool as they were", length);
	ok(spool.memory.capacity <= 2 * SERVE_SPOOL_MEMORY, "%zu bytes are kept with little memory", length);
	serve_spool_release(&spool);
}

int main(void)
{
	struct serve_spool spool;
	struct prn_error error = { 0 };

	for (size_t i = 0; i < sizeof pattern; i++)
		pattern[i] = (unsigned char)(i * 2654435761u >> 24);
	check_length(0);
	check_length(1);
	check_length(SERVE_SPOOL_MEMORY);
	check_length(SERVE_SPOOL_MEMORY + 1);
	check_length(sizeof pattern);

	serve_spool_init(&spool, 10);
	ok(!serve_spool_append(&spool, pattern, 10, NULL, NULL) && !spool.over,
	   "a spool takes as many bytes as its limit");
	ok(!serve_spool_append(&spool, pattern, 1, NULL, NULL) && spool.length == 10,
	   "a spool does not take one byte more than its limit");
	ok(spool.over, "a spool that is given more than its limit says so");
	ok(!serve_spool_append(&spool, pattern, 1000, NULL, NULL) && spool.length == 10,
	   "a spool at its limit keeps what it has, however many bytes come");
	serve_spool_release(&spool);

	serve_spool_init(&spool, 10);
	serve_spool_append(&spool, pattern, 5, NULL, NULL);
	ok(!serve_spool_to_file(&spool, NULL, NULL) && spool.in_file,
	   "a few bytes of a spool go into a file if they shall");
	ok(lseek(spool.file.fd, 0, SEEK_END) == 5, "the file of a spool has all its bytes");
	ok(!serve_spool_append(&spool, pattern, 5, NULL, NULL) && lseek(spool.file.fd, 0, SEEK_END) == 10,
	   "bytes that follow those in a file go there too");
	serve_spool_release(&spool);

	serve_spool_init(&spool, sizeof pattern);
	ok(serve_spool_append(&spool, pattern, sizeof pattern, "/no/such/folder", &error) == PRN_E_IO &&
	           strstr(error.text, "/no/such/folder"),
	   "a folder that takes no files of a spool is told: %s", error.text);
	serve_spool_release(&spool);
	return done();
}
