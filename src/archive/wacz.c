#include "archive/wacz.h"

#include "archive/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool prn_wacz_is(int fd)
{
	unsigned char start[4];
	struct stat about;

	return !fstat(fd, &about) && S_ISREG(about.st_mode) && pread(fd, start, 4, 0) == 4 && !memcmp(start, "PK\3\4", 4);
}

#if HAVE_LIBARCHIVE

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#define PIECE_BYTES ((size_t)64 << 10)
#define END_BYTES 22         /* bytes of the end of the central directory (APPNOTE 4.3.16) … */
#define COMMENT_BYTES 65535  /* … and of the longest comment behind it */
#define ENTRY_BYTES 46       /* bytes of one of its entries without names (4.3.12) */
#define END64_BYTES 56       /* bytes of the 64-bit end record (4.3.14) … */
#define LOCATOR_BYTES 20     /* … and of its locator, before the other (4.3.15) */

struct prn_wacz {
	struct archive *zip;
	int fd;
	bool owned;
	locale_t locale; /* locale of names, or 0: only ASCII names can be read then */
	int64_t position, size;
	const void *block; /* [left] of what was decoded last, the library's */
	size_t left;
	struct prn_error warned; /* of the file that is read: its checksum or length is wrong, which the library finds with the last of its bytes */
	unsigned char piece[PIECE_BYTES];
};

static la_ssize_t read_piece(struct archive *zip, void *context, const void **bytes)
{
	struct prn_wacz *wacz = context;
	ssize_t got;

	do
		got = pread(wacz->fd, wacz->piece, PIECE_BYTES, (off_t)wacz->position);
	while (got < 0 && errno == EINTR);
	if (got < 0) {
		archive_set_error(zip, errno, "cannot be read");
		return ARCHIVE_FATAL;
	}
	wacz->position += got;
	*bytes = wacz->piece;
	return got;
}

static la_int64_t skip_bytes(struct archive *zip, void *context, la_int64_t length)
{
	struct prn_wacz *wacz = context;

	(void)zip;
	if (length > wacz->size - wacz->position)
		length = wacz->size > wacz->position ? wacz->size - wacz->position : 0;
	wacz->position += length;
	return length;
}

static la_int64_t seek_to(struct archive *zip, void *context, la_int64_t offset, int whence)
{
	struct prn_wacz *wacz = context;
	int64_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? wacz->position : wacz->size;

	(void)zip;
	if (offset < -from || offset > INT64_MAX - from)
		return ARCHIVE_FATAL;
	wacz->position = from + offset;
	return wacz->position;
}

static uint64_t number(const unsigned char *bytes, size_t length)
{
	uint64_t sum = 0;

	while (length--)
		sum = sum << 8 | bytes[length];
	return sum;
}

/* Finds the list of files from the end of the zip file; false: it is not there. */
static bool find_directory(const struct prn_wacz *wacz, const unsigned char *tail, size_t length, uint64_t *from, uint64_t *bytes,
                           uint64_t *end)
{
	uint64_t start = (uint64_t)wacz->size - length;
	unsigned char wide[END64_BYTES];
	size_t at = length < END_BYTES ? 0 : length - END_BYTES + 1;

	while (at && memcmp(tail + at - 1, "PK\5\6", 4))
		at--;
	if (!at--)
		return false;
	*end = start + at;
	if (at < LOCATOR_BYTES || memcmp(tail + at - LOCATOR_BYTES, "PK\6\7", 4)) {
		*bytes = number(tail + at + 12, 4);
		*from = *end - *bytes;
		return true;
	}
	*end = number(tail + at - LOCATOR_BYTES + 8, 8);
	if (*end >= start + at || pread(wacz->fd, wide, sizeof wide, (off_t)*end) != (ssize_t)sizeof wide || memcmp(wide, "PK\6\6", 4))
		return false;
	*bytes = number(wide + 40, 8);
	*from = number(wide + 48, 8);
	return true;
}

/* The library reads entries as long as there are any, whatever length is stated, so they are counted in the same way. */
static int count_files(const struct prn_wacz *wacz, uint64_t from, uint64_t end, struct prn_error *error)
{
	unsigned char entry[ENTRY_BYTES];
	uint64_t count = 0, at = from;

	while (at < end && pread(wacz->fd, entry, sizeof entry, (off_t)at) == (ssize_t)sizeof entry && !memcmp(entry, "PK\1\2", 4)) {
		at += ENTRY_BYTES + number(entry + 28, 2) + number(entry + 30, 2) + number(entry + 32, 2);
		if (++count > PRN_WACZ_FILES)
			return prn_error_set(error, PRN_E_INPUT, "a zip file of more than %llu files", (unsigned long long)PRN_WACZ_FILES);
	}
	/* If there is none here, the library looks for one behind it. */
	if (at > end || (from < end && !count))
		return prn_error_set(error, PRN_E_INPUT, "a zip file of which its list of files is not where it says: it is damaged");
	return 0;
}

/* The library keeps the list in memory, so a list that is longer than any real one is refused. */
static int check_directory(const struct prn_wacz *wacz, struct prn_error *error)
{
	size_t most = END_BYTES + COMMENT_BYTES + LOCATOR_BYTES;
	size_t length = wacz->size < (int64_t)most ? (size_t)wacz->size : most;
	unsigned char *tail = malloc(length ? length : 1);
	uint64_t from = 0, bytes = 0, end = 0;
	bool found;

	if (!tail)
		return prn_error_memory(error);
	found = pread(wacz->fd, tail, length, (off_t)(wacz->size - (int64_t)length)) == (ssize_t)length &&
	        find_directory(wacz, tail, length, &from, &bytes, &end);
	free(tail);
	if (!found)
		return prn_error_set(error, PRN_E_INPUT, "a zip file without its list of files: it is cut or damaged");
	if (bytes > PRN_WACZ_DIRECTORY_BYTES)
		return prn_error_set(error, PRN_E_INPUT, "a zip file whose list of files is longer than %llu bytes",
		                     (unsigned long long)PRN_WACZ_DIRECTORY_BYTES);
	if (bytes > end || from != end - bytes)
		return prn_error_set(error, PRN_E_INPUT, "a zip file of which its list of files is not as long as it says: it is damaged");
	return count_files(wacz, from, end, error);
}

/* Sets the error of the library. */
static int fault(const struct prn_wacz *wacz, struct prn_error *error)
{
	const char *text = archive_error_string(wacz->zip);

	if (archive_errno(wacz->zip) == ENOMEM)
		return prn_error_memory(error);
	return prn_error_set(error, PRN_E_INPUT, "%s", text ? text : "the zip file is damaged");
}

int prn_wacz_open(struct prn_wacz **out, int fd, bool owned, struct prn_error *error)
{
	struct prn_wacz *wacz = calloc(1, sizeof *wacz);
	struct stat about;
	int code;

	if (!wacz && owned)
		close(fd);
	if (!wacz)
		return prn_error_memory(error);
	wacz->fd = fd;
	wacz->owned = owned;
	wacz->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	wacz->zip = archive_read_new();
	if (!wacz->zip)
		code = prn_error_memory(error);
	else if (fstat(fd, &about))
		code = prn_error_set(error, PRN_E_IO, "cannot be read: %s", strerror(errno));
	else {
		wacz->size = about.st_size;
		code = check_directory(wacz, error);
	}
	if (code)
		goto out;
	archive_read_support_format_zip_seekable(wacz->zip);
	archive_read_set_read_callback(wacz->zip, read_piece);
	archive_read_set_skip_callback(wacz->zip, skip_bytes);
	archive_read_set_seek_callback(wacz->zip, seek_to);
	archive_read_set_callback_data(wacz->zip, wacz);
	if (archive_read_open1(wacz->zip) != ARCHIVE_OK)
		code = fault(wacz, error);
out:
	if (code)
		prn_wacz_free(wacz);
	else
		*out = wacz;
	return code;
}

void prn_wacz_free(struct prn_wacz *wacz)
{
	if (!wacz)
		return;
	archive_read_free(wacz->zip);
	if (wacz->locale)
		freelocale(wacz->locale);
	if (wacz->owned)
		close(wacz->fd);
	free(wacz);
}

/* The library converts names to the locale's charset: in the locale "C" only ASCII can be converted. */
static int next_header(struct prn_wacz *wacz, struct archive_entry **entry, const char **name)
{
	locale_t before = wacz->locale ? uselocale(wacz->locale) : (locale_t)0;
	int code = archive_read_next_header(wacz->zip, entry);

	if (code == ARCHIVE_OK || code == ARCHIVE_WARN) {
		*name = archive_entry_pathname_utf8(*entry);
		if (!*name)
			*name = archive_entry_pathname(*entry);
		if (!*name)
			*name = PRN_WACZ_NAMELESS;
	}
	if (before)
		uselocale(before);
	return code;
}

int prn_wacz_next(struct prn_wacz *wacz, const char **name, struct prn_error *error)
{
	for (;;) {
		struct archive_entry *entry;
		int code = next_header(wacz, &entry, name);

		wacz->warned.code = 0;
		wacz->left = 0;
		if (code == ARCHIVE_EOF)
			return 0;
		if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
			return fault(wacz, error);
		/* A file in the folder of archives should be one, whatever its name. */
		if (archive_entry_filetype(entry) == AE_IFREG &&
		    (prn_is_collected_name(*name) || (!strncmp(*name, "archive/", 8) && (*name)[8])))
			return 1;
	}
}

/* Decodes the next piece of the file in hand: 1; 0 at its end. */
static int next_block(struct prn_wacz *wacz, struct prn_error *error)
{
	la_int64_t offset;
	int code;

	do {
		code = archive_read_data_block(wacz->zip, &wacz->block, &wacz->left, &offset);
		if (code == ARCHIVE_WARN && fault(wacz, &wacz->warned) == PRN_E_MEMORY)
			return prn_error_memory(error);
	} while (code == ARCHIVE_RETRY || ((code == ARCHIVE_OK || code == ARCHIVE_WARN) && !wacz->left));
	if (code == ARCHIVE_OK || code == ARCHIVE_WARN)
		return 1;
	wacz->left = 0;
	return code == ARCHIVE_EOF ? 0 : fault(wacz, error);
}

int prn_wacz_read(void *context, void *to, size_t room, size_t *got, struct prn_error *error)
{
	struct prn_wacz *wacz = context;
	int code = wacz->left ? 1 : next_block(wacz, error);

	*got = 0;
	if (code <= 0)
		return code || !wacz->warned.code ? code : prn_error_set(error, PRN_E_INPUT, "%s", wacz->warned.text);
	*got = room < wacz->left ? room : wacz->left;
	memcpy(to, wacz->block, *got);
	wacz->block = (const char *)wacz->block + *got;
	wacz->left -= *got;
	return 0;
}

#else

int prn_wacz_open(struct prn_wacz **out, int fd, bool owned, struct prn_error *error)
{
	(void)out;
	if (owned)
		close(fd);
	return prn_error_set(error, PRN_E_UNSUPPORTED, "a zip file, such as WACZ is, and this program was built without libarchive");
}

void prn_wacz_free(struct prn_wacz *wacz)
{
	(void)wacz;
}

int prn_wacz_next(struct prn_wacz *wacz, const char **name, struct prn_error *error)
{
	(void)wacz, (void)name, (void)error;
	return 0;
}

int prn_wacz_read(void *wacz, void *to, size_t room, size_t *got, struct prn_error *error)
{
	(void)wacz, (void)to, (void)room, (void)got, (void)error;
	return PRN_E_UNSUPPORTED;
}

#endif
