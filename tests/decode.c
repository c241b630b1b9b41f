/* Which charset wins, what the bytes become, and that nothing invalid gets through. */
#include "fragment/decode.h"
#include "base/random.h"
#include "tap.h"

#include <stdlib.h>
#include <unistr.h>

static void order_of_precedence(void)
{
	static const struct {
		const char *bytes;
		size_t length;
		enum prn_media media;
		const char *type, *charset, *claim;
	} cases[] = {
		{ "\xef\xbb\xbfx", 4, PRN_MEDIA_TEXT, "text/plain; charset=koi8-r", "UTF-8",
		  "a byte order mark wins over the header" },
		{ "\xff\xfex\0", 4, PRN_MEDIA_TEXT, NULL,
		"UTF-16LE", "a page with the byte order mark of UTF-16LE is UTF-16LE" },
		{ "\xfe\xff\0x", 4, PRN_MEDIA_TEXT, NULL,
		"UTF-16BE", "a page with the byte order mark of UTF-16BE is UTF-16BE" },
		{ "<\0?\0x\0", 6, PRN_MEDIA_XML, NULL, "UTF-16LE", "XML in UTF-16LE needs no byte order mark" },
		{ "\0<\0?\0x", 6, PRN_MEDIA_XML, NULL, "UTF-16BE", "XML in UTF-16BE needs no byte order mark" },
		{ "<meta charset=utf-8>", 20, PRN_MEDIA_HTML, "text/html; charset=windows-1251",
		  "WINDOWS-1251", "the header wins over the meta element" },
		{ "<meta charset=koi8-r>", 21, PRN_MEDIA_HTML, "text/html; charset=martian",
		  "KOI8-R", "the meta element wins over a header that names no known charset" },
		{ "<?xml version='1.0' encoding='ISO-8859-2'?>", 43, PRN_MEDIA_XML, "text/xml",
		  "ISO-8859-2", "the XML declaration tells the charset of XML" },
		{ "<?xml version='1.0' encoding='ISO-8859-2'?>", 43, PRN_MEDIA_TEXT, "text/plain",
		  "UTF-8", "an XML declaration means nothing in a plain text" },
		{ "<html><META Charset = 'Shift_JIS' >", 35, PRN_MEDIA_HTML, NULL, "CP932",
		  "the meta element tells the charset, in any case and quotes" },
		{ "<meta http-equiv=content-type content=\"text/html; charset=euc-kr\">", 66,
		  PRN_MEDIA_HTML, NULL, "UHC", "the old form of the meta element tells the charset" },
		{ "<!-- <meta charset=koi8-r> --><meta charset=gbk>", 48, PRN_MEDIA_HTML, NULL,
		  "GB18030", "a meta element within a comment means nothing" },
		{ "<meta name=description content='mycharset=koi8-r'>", 50, PRN_MEDIA_HTML, NULL,
		  "UTF-8", "a charset within a description means nothing" },
		{ "<meta charset=utf-16><p>", 24, PRN_MEDIA_HTML, NULL, "UTF-8",
		  "a meta element that can be read is not UTF-16" },
		{ "caf\xc3\xa9", 5, PRN_MEDIA_HTML, NULL, "UTF-8", "a page that is valid UTF-8 is UTF-8" },
		{ "caf\xe9", 4, PRN_MEDIA_HTML, NULL, "WINDOWS-1252",
		  "a page that says nothing and is no UTF-8 is windows-1252" },
		{ "\xed\xa0\x80", 3, PRN_MEDIA_HTML, NULL, "WINDOWS-1252",
		  "a surrogate is not valid UTF-8" },
		{ "caf\xe9", 4, PRN_MEDIA_HTML, "text/html; charset=iso-8859-1", "WINDOWS-1252",
		  "Latin-1 is windows-1252, as in browsers" },
		{ "", 0, PRN_MEDIA_HTML, NULL, "UTF-8", "an empty page is UTF-8" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t mark;

		same(prn_decode_charset(cases[i].bytes, cases[i].length, cases[i].media,
		                        cases[i].type, &mark),
		     cases[i].charset, "%s", cases[i].claim);
	}
}

static void late_meta(void)
{
	static char page[PRN_DECODE_PRESCAN + 100];
	size_t mark;

	memset(page, ' ', sizeof page);
	memcpy(page, "<head>", 6);
	memcpy(page + 5000, "<meta charset=koi8-r>", 21);
	same(prn_decode_charset(page, sizeof page, PRN_MEDIA_HTML, NULL, &mark), "KOI8-R",
	     "a meta element after 5000 bytes is still found");
	memset(page + 5000, ' ', 21);
	memcpy(page + PRN_DECODE_PRESCAN, "<meta charset=koi8-r>", 21);
	same(prn_decode_charset(page, sizeof page, PRN_MEDIA_HTML, NULL, &mark), "UTF-8",
	     "a meta element after %d bytes is not looked for", PRN_DECODE_PRESCAN);
}

static void check(struct prn_decoder *decoder, const char *type, const char *bytes, size_t length,
                  const char *expected, const char *claim)
{
	const unsigned char *text = NULL;
	size_t text_length = 0;
	char *copy;

	ok(!prn_decoder_decode(decoder, bytes, length, PRN_MEDIA_TEXT, type, &text, &text_length),
	   "decoding succeeds: %s", claim);
	copy = strndup(text_length ? (const char *)text : "", text_length);
	same(copy, expected, "%s", claim);
	free(copy);
}

static void conversions(struct prn_decoder *decoder)
{
	check(decoder, NULL,
	      "\x93"
	      "caf\xe9\x94 \x80 \x81",
	      10, "“café” € \xc2\x81", "windows-1252 is decoded");
	check(decoder, "text/plain; charset=koi8-r", "\xf4\xc5\xcb\xd3\xd4", 5, "Текст", "KOI8-R is decoded");
	check(decoder, "text/plain; charset=koi8-r", "\xf4\xc5\xcb\xd3\xd4", 5, "Текст",
	      "KOI8-R is decoded once more with the converter kept");
	check(decoder, "text/plain; charset=shift_jis", "\x93\xfa\x96\x7b", 4, "日本", "Shift_JIS is decoded");
	check(decoder, "text/plain; charset=shift_jis", "\x93\xfa\x96", 3, "日\xef\xbf\xbd",
	      "a character that is cut off becomes U+FFFD");
	check(decoder, "text/plain; charset=gb2312", "\xc4\xe3\xba\xc3\xff!", 6,
	      "你好\xef\xbf\xbd!", "a bad byte in GB2312 becomes U+FFFD");
	check(decoder, "text/plain; charset=euc-kr", "\xc7\xd1\xb1\xdb", 4, "한글", "EUC-KR is decoded");
	check(decoder, "text/plain; charset=big5", "\xa4\xa4\xa4\xe5", 4, "中文", "Big5 is decoded");
	check(decoder, "text/plain; charset=windows-1258", "one two three", 13, "one two three",
	      "the last letter of a text in windows-1258, which an accent might follow, is not lost");
	check(decoder, "text/plain; charset=windows-1258", "\xe2\xec", 2, "\xe1\xba\xa5", "an accent in windows-1258 joins its letter");
	check(decoder, "text/plain; charset=windows-1258", "two\x8a one", 8, "two\xef\xbf\xbd one",
	      "in windows-1258 a bad byte stays behind the letter that it follows");
	check(decoder, "text/plain; charset=windows-1255", "\xf9\xec\xe5\xed", 4, "שלום",
	      "the last letter of a text in windows-1255, which a point might follow, is not lost");
	check(decoder, "text/plain; charset=windows-1258", "e", 1, "e", "nothing of a text is left for the next one");
	check(decoder, "text/plain; charset=iso-2022-jp", "\x1b$B\x46\x7c\xff\x4b\x5c\x1b(B.", 12, "日\xef\xbf\xbd本.",
	      "a bad byte in ISO-2022-JP leaves the text Japanese");
	check(decoder, NULL,
	      "\xff\xfe"
	      "a\0\xe4\0=\xd8\0\xde",
	      10, "aä😀", "UTF-16LE with a pair of surrogates is decoded");
	check(decoder, NULL, "\xfe\xff\0a\xd8\0\0b", 8,
	      "a\xef\xbf\xbd"
	      "b",
	      "a lone surrogate in UTF-16BE becomes U+FFFD");
	check(decoder, NULL, "\xef\xbb\xbfx", 4, "x", "the byte order mark is no text");
	check(decoder, "text/plain; charset=utf-8", "a\xff\xc3\xa9\xc3", 5,
	      "a\xef\xbf\xbdé\xef\xbf\xbd", "UTF-8 with bad bytes is repaired");
	check(decoder, "text/plain; charset=utf-8", "a\x00\x0c\tb\x1b\r\n", 8, "a  \tb \r\n",
	      "control characters become spaces");
	check(decoder, "text/plain; charset=koi8-r", "a\x00\x01z", 4, "a  z",
	      "control characters become spaces in other charsets than UTF-8 too");
	check(decoder, NULL, "", 0, "", "an empty text stays empty");
}

/* The bytes in which windows-1252 and Latin-1 differ, as the Encoding Standard has them: five are left open. */
static void windows_1252(struct prn_decoder *decoder)
{
	char bytes[33];

	for (int i = 0; i < 32; i++)
		bytes[i] = (char)(0x80 + i);
	bytes[32] = (char)0xa0;
	check(decoder, "text/plain; charset=windows-1252", bytes, sizeof bytes,
	      "€\xc2\x81‚ƒ„…†‡ˆ‰Š‹Œ\xc2\x8dŽ\xc2\x8f\xc2\x90‘’“”•–—˜™š›œ\xc2\x9džŸ\xc2\xa0",
	      "every byte that windows-1252 and Latin-1 have otherwise is that of windows-1252");
}

static void no_copy(struct prn_decoder *decoder)
{
	static const char page[] = "plain \xc3\xa4\xc3\xb6\xc3\xbc text that is long enough for a "
	                           "block of sixty-four bytes, and more";
	const unsigned char *text;
	size_t length;

	prn_decoder_decode(decoder, page, sizeof page - 1, PRN_MEDIA_TEXT, NULL, &text, &length);
	ok(text == (const unsigned char *)page && length == sizeof page - 1,
	   "clean UTF-8 is not copied");
}

/*
 * Whatever goes in, what comes out is valid by libunistring, has no control characters, and keeps
 * what was valid.
 */
static void always_clean(struct prn_decoder *decoder)
{
	static const char *const types[] = { "text/plain; charset=utf-8",
		                             "text/plain; charset=utf-16le",
		                             NULL,
		                             "text/plain; charset=gb18030",
		                             "text/plain; charset=iso-2022-jp",
		                             "text/plain; charset=big5",
		                             "text/plain; charset=euc-tw" };
	struct prn_random random;
	bool clean = true, bounded = true;

	prn_random_seed(&random, 5, 0);
	for (int round = 0; round < 3000; round++) {
		unsigned char bytes[300];
		size_t length = prn_random_below(&random, sizeof bytes), text_length;
		const unsigned char *text;

		for (size_t i = 0; i < length; i++)
			bytes[i] = (unsigned char)(prn_random_below(&random, 4)
			                                   ? prn_random_bits(&random)
			                                   : 'a');
		if (prn_decoder_decode(decoder, bytes, length, PRN_MEDIA_TEXT, types[round % 7],
		                       &text, &text_length))
			clean = false;
		clean &= !text_length || !u8_check(text, text_length);
		for (size_t i = 0; i < text_length; i++)
			clean &= text[i] >= 0x20 || text[i] == '\t' || text[i] == '\n' ||
			         text[i] == '\r';
		bounded &= text_length <= 4 * length;
	}
	ok(clean, "3000 random bodies decode to clean UTF-8");
	ok(bounded, "3000 random bodies decode to at most four times their length");
}

int main(void)
{
	struct prn_decoder decoder;

	prn_decoder_init(&decoder);
	order_of_precedence();
	late_meta();
	conversions(&decoder);
	windows_1252(&decoder);
	no_copy(&decoder);
	always_clean(&decoder);
	prn_decoder_release(&decoder);
	return done();
}
