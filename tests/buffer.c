/* Buffers and cursors: what is appended is read back, and nothing is read past the end. */
#include "base/buffer.h"
#include "perennial/error.h"
#include "tap.h"

int main(void)
{
	static const uint64_t values[] = { 0, 1, 127, 128, 300, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX };
	size_t n = sizeof values / sizeof *values;
	struct prn_buffer buffer;
	struct prn_cursor cursor;
	uint64_t wide = 42;
	uint32_t narrow = 42;
	bool all = true;

	prn_buffer_init(&buffer);
	for (size_t i = 0; i < n; i++)
		prn_buffer_append_varint(&buffer, values[i]);
	prn_buffer_append_u32(&buffer, 0xdeadbeef);
	prn_buffer_append_u64(&buffer, 0x0123456789abcdef);
	cursor = (struct prn_cursor){ buffer.data, buffer.length, 0 };
	for (size_t i = 0; i < n; i++)
		all &= !prn_cursor_varint(&cursor, &wide) && wide == values[i];
	ok(all, "variable-width integers are read back as written");
	ok(!prn_cursor_u32(&cursor, &narrow) && narrow == 0xdeadbeef,
	   "an integer of 32 bits is read back as written");
	ok(!prn_cursor_u64(&cursor, &wide) && wide == 0x0123456789abcdef,
	   "an integer of 64 bits is read back as written");
	ok(buffer.data[buffer.length - 1] == 0x01, "integers are little-endian");
	ok(prn_cursor_u32(&cursor, &narrow) == PRN_E_TRUNCATED && narrow == 0xdeadbeef,
	   "nothing is read past the end, and the output is untouched");

	for (size_t cut = 0; cut < buffer.length; cut++) {
		size_t at;

		cursor = (struct prn_cursor){ buffer.data, cut, 0 };
		do
			at = cursor.at;
		while (!prn_cursor_varint(&cursor, &wide));
		all &= cursor.at == at && at <= cut;
	}
	ok(all, "a cursor stays where it was when a value is cut off");
	cursor = (struct prn_cursor){ (const unsigned char *)"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, 0 };
	ok(prn_cursor_varint(&cursor, &wide) == PRN_E_INPUT, "a variable-width integer of eleven bytes is refused");
	cursor = (struct prn_cursor){ (const unsigned char *)"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 10, 0 };
	ok(prn_cursor_varint(&cursor, &wide) == PRN_E_INPUT && cursor.at == 0,
	   "a variable-width integer of more than 64 bits is refused, and the cursor stays");
	prn_buffer_clear(&buffer);
	ok(!prn_buffer_printf(&buffer, "%s-", "a"), "a text is printed to a buffer");
	ok(!prn_buffer_printf(&buffer, "%d", 12), "a number is printed to a buffer that has a text");
	ok(buffer.length == 4 && !memcmp(buffer.data, "a-12", 4), "what is printed to a buffer is appended, without a NUL");
	ok(prn_buffer_reserve(&buffer, SIZE_MAX) == PRN_E_MEMORY,
	   "reserving a size that overflows is out of memory");
	prn_buffer_release(&buffer);
	return done();
}
