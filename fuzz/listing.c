/* Reads pages of other crawlers; the first byte chooses the form. */
#include "cli/listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int listed(void *context, const struct cli_listed *page, const char *where, struct prn_error *error)
{
	(void)error;
	if (!page->url || !*where || strlen(page->url) > 1 << 20)
		abort();
	++*(unsigned *)context;
	return 0;
}

static void unlisted(void *context, const struct prn_error *why)
{
	if (!*why->text)
		abort();
	++*(unsigned *)context;
}

static void noted(void *context, const char *text)
{
	if (!*text)
		abort();
	++*(unsigned *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned pages = 0;
	struct cli_listing listing = { .listed = listed, .unlisted = unlisted, .noted = noted, .context = &pages };
	struct prn_error error = { 0 };
	char path[64];
	int file;

	if (!size || data[0] < '1' || data[0] > '5')
		return 0;
	listing.kind = (enum cli_listing_kind)(CLI_LISTING_NUTCH + data[0] - '1');
	file = memfd_create("listing", MFD_CLOEXEC);
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	if (file >= 0 && write(file, data + 1, size - 1) == (ssize_t)size - 1)
		if (cli_listing_read(&listing, path, &error) && !*error.text)
			abort();
	close(file);
	return 0;
}
