#include "fragment/charset.h"

#include <stddef.h>
#include <string.h>

/*
 * The list is closed: the other charsets that iconv can read are not used on the web, and some of them are
 * stateful or dangerous.
 */
static const struct {
	const char *label, *name;
} charsets[] = {
	{ "utf-8", "UTF-8" }, { "utf8", "UTF-8" }, { "unicode-1-1-utf-8", "UTF-8" },
	{ "utf-16", "UTF-16LE" }, { "utf-16le", "UTF-16LE" }, { "utf-16be", "UTF-16BE" },
	{ "windows-1252", "WINDOWS-1252" }, { "cp1252", "WINDOWS-1252" }, { "x-cp1252", "WINDOWS-1252" },
	{ "iso-8859-1", "WINDOWS-1252" }, { "iso8859-1", "WINDOWS-1252" }, { "iso_8859-1", "WINDOWS-1252" },
	{ "iso88591", "WINDOWS-1252" }, { "latin1", "WINDOWS-1252" }, { "latin-1", "WINDOWS-1252" },
	{ "l1", "WINDOWS-1252" }, { "us-ascii", "WINDOWS-1252" }, { "ascii", "WINDOWS-1252" },
	{ "ansi_x3.4-1968", "WINDOWS-1252" },
	{ "iso-8859-2", "ISO-8859-2" }, { "latin2", "ISO-8859-2" }, { "iso-8859-3", "ISO-8859-3" },
	{ "iso-8859-4", "ISO-8859-4" }, { "iso-8859-5", "ISO-8859-5" }, { "iso-8859-6", "ISO-8859-6" },
	{ "iso-8859-7", "ISO-8859-7" }, { "iso-8859-8", "ISO-8859-8" }, { "iso-8859-8-i", "ISO-8859-8" },
	{ "iso-8859-9", "WINDOWS-1254" }, { "latin5", "WINDOWS-1254" }, { "iso-8859-10", "ISO-8859-10" },
	{ "iso-8859-13", "ISO-8859-13" }, { "iso-8859-14", "ISO-8859-14" },
	{ "iso-8859-15", "ISO-8859-15" }, { "latin-9", "ISO-8859-15" }, { "iso-8859-16", "ISO-8859-16" },
	{ "windows-1250", "WINDOWS-1250" }, { "cp1250", "WINDOWS-1250" },
	{ "windows-1251", "WINDOWS-1251" }, { "cp1251", "WINDOWS-1251" }, { "x-cp1251", "WINDOWS-1251" },
	{ "windows-1253", "WINDOWS-1253" }, { "windows-1254", "WINDOWS-1254" },
	{ "windows-1255", "WINDOWS-1255" }, { "windows-1256", "WINDOWS-1256" },
	{ "windows-1257", "WINDOWS-1257" }, { "windows-1258", "WINDOWS-1258" },
	{ "windows-874", "CP874" }, { "tis-620", "CP874" }, { "iso-8859-11", "CP874" },
	{ "koi8-r", "KOI8-R" }, { "koi8", "KOI8-R" }, { "koi8-u", "KOI8-U" }, { "ibm866", "IBM866" },
	{ "cp866", "IBM866" }, { "macintosh", "MACINTOSH" }, { "x-mac-roman", "MACINTOSH" },
	{ "gb2312", "GB18030" }, { "gbk", "GB18030" }, { "x-gbk", "GB18030" }, { "gb18030", "GB18030" },
	{ "gb_2312-80", "GB18030" }, { "big5", "BIG5-HKSCS" }, { "big5-hkscs", "BIG5-HKSCS" },
	{ "x-x-big5", "BIG5-HKSCS" }, { "euc-jp", "EUC-JP" }, { "x-euc-jp", "EUC-JP" },
	{ "iso-2022-jp", "ISO-2022-JP" }, { "shift_jis", "CP932" }, { "shift-jis", "CP932" },
	{ "sjis", "CP932" }, { "x-sjis", "CP932" }, { "ms_kanji", "CP932" }, { "windows-31j", "CP932" },
	{ "euc-kr", "UHC" }, { "korean", "UHC" }, { "ks_c_5601-1987", "UHC" }, { "ksc5601", "UHC" },
	{ "windows-949", "UHC" }, { "euc-tw", "EUC-TW" }, { "viscii", "VISCII" },
};

const char *prn_charset_of(const char *label)
{
	for (size_t i = 0; i < sizeof charsets / sizeof *charsets; i++)
		if (!strcmp(label, charsets[i].label))
			return charsets[i].name;
	return NULL;
}

uint32_t prn_charset_windows_1252(unsigned char byte)
{
	static const uint16_t high[32] = {
		0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
		0x2039, 0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
		0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178,
	};

	return byte >= 0x80 && byte < 0xa0 ? high[byte - 0x80] : byte;
}
