/*
 * Digests against what others make of the same bytes: RFC 1321 A.5 and the examples of FIPS 180-4 and FIPS 202, which Python's
 * hashlib gives too; for XXH64, XXH3 and XXH128 xxhsum 0.8.1.
 */
#include "base/message_digest.h"
#include "tap.h"

#include <stdlib.h>

static const char *hex(const unsigned char *bytes, size_t length)
{
	static char text[2 * PRN_MESSAGE_BYTES + 1];

	for (size_t i = 0; i < length; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return text;
}

/* The digest of what is added in pieces. */
static const char *in_pieces(struct prn_message_digest *sum, const struct prn_message_kind *kind, const char *bytes, size_t length,
                             size_t piece)
{
	unsigned char out[PRN_MESSAGE_BYTES];

	if (prn_message_digest_begin(sum, kind))
		abort();
	for (size_t at = 0; at < length; at += piece)
		prn_message_digest_add(sum, bytes + at, piece < length - at ? piece : length - at);
	prn_message_digest_get(sum, out);
	return hex(out, kind->bytes);
}

static const char *at_once(const struct prn_message_kind *kind, const char *bytes, size_t length)
{
	unsigned char out[PRN_MESSAGE_BYTES];

	prn_message_digest_of(kind, bytes, length, out);
	return hex(out, kind->bytes);
}

/* "abc", and a million times "a", in pieces of any length.  One struct serves for all, as it does for the records of a file. */
static const struct {
	const char *name, *of_abc, *of_million;
} cases[] = {
	{ "md5", "900150983cd24fb0d6963f7d28e17f72", "7707d6ae4e027c70eea2a935c2296f21" },
	{ "sha1", "a9993e364706816aba3e25717850c26c9cd0d89d", "34aa973cd4c4daa4f61eeb2bdbad27316534016f" },
	{ "sha224",
	  "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7",
	  "20794655980c91d8bbb4c1ea97618a4bf03f42581948b2ee4ee7ad67" },
	{ "sha256",
	  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
	  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
	{ "sha384",
	  "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
	  "9d0e1809716474cb086e834e310a4a1ced149e9c00f248527972cec5704c2a5b07b8b3dc38ecc4ebae97ddd87f3d8985" },
	{ "sha512",
	  "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
	  "454d4423643ce80e2a9ac94fa54ca49f",
	  "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973ebde0ff244877ea60a4cb0432ce577c31b"
	  "eb009c5c2c49aa2e4eadb217ad8cc09b" },
	{ "sha512224",
	  "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa",
	  "37ab331d76f0d36de422bd0edeb22a28accd487b7a8453ae965dd287" },
	{ "sha512256",
	  "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23",
	  "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21" },
	{ "sha3224",
	  "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf",
	  "d69335b93325192e516a912e6d19a15cb51c6ed5c15243e7a7fd653c" },
	{ "sha3256",
	  "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
	  "5c8875ae474a3634ba4fd55ec85bffd661f32aca75c6d699d0cdcb6c115891c1" },
	{ "sha3384",
	  "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25",
	  "eee9e24d78c1855337983451df97c8ad9eedf256c6334f8e948d252d5e0e76847aa0774ddb90a842190d2c558b4b8340" },
	{ "sha3512",
	  "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e39340"
	  "57340b4cf408d5a56592f8274eec53f0",
	  "3c3a876da14034ab60627c077bb98f7e120a2a5370212dffb3385a18d4f38859ed311d0a9d5141ce9cc5c66ee689b266"
	  "a8aa18ace8282a0e0db596c90b0a7b87" },
	{ "xxh64", "44bc2cf5ad770999", "dc483aaa9b4fdc40" },
	{ "xxh3", "78af5f94892f3950", "b1fd6fae5285c4eb" },
	{ "xxh128", "06b05ab6733a618578af5f94892f3950", "a545df8e384a9579b1fd6fae5285c4eb" },
};

static void others_make_the_same(void)
{
	static const size_t pieces[] = { 1, 7, 63, 64, 65, 1000, 1000000 };
	struct prn_message_digest sum = { 0 };
	char *million = malloc(1000000);

	memset(million, 'a', 1000000);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct prn_message_kind *kind = prn_message_kind_find(cases[i].name);

		if (!ok(kind, "%s is known", cases[i].name))
			continue;
		ok(kind->maker && 2 * kind->bytes == strlen(cases[i].of_abc),
		   "%s can be made, and is as long as it is said to be", cases[i].name);
		if (!kind)
			continue;
		same(at_once(kind, "abc", 3), cases[i].of_abc, "%s of \"abc\"", cases[i].name);
		same(in_pieces(&sum, kind, "abc", 3, 2), cases[i].of_abc, "%s of \"abc\" in two pieces", cases[i].name);
		same(at_once(kind, million, 1000000), cases[i].of_million, "%s of a million bytes", cases[i].name);
		for (size_t j = 0; j < sizeof pieces / sizeof *pieces; j++)
			same(in_pieces(&sum, kind, million, 1000000, pieces[j]), cases[i].of_million,
			     "%s of a million bytes in pieces of %zu", cases[i].name, pieces[j]);
	}
	prn_message_digest_release(&sum);
	free(million);
}

/* Of nothing: RFC 1321 A.5, FIPS 180-4, and xxhsum. */
static void nothing(void)
{
	same(at_once(prn_message_kind_find("md5"), "", 0), "d41d8cd98f00b204e9800998ecf8427e", "the md5 of no bytes is right");
	same(at_once(prn_message_kind_find("sha1"), "", 0), "da39a3ee5e6b4b0d3255bfef95601890afd80709", "the sha1 of no bytes is right");
	same(at_once(prn_message_kind_find("xxh64"), "", 0), "ef46db3751d8e999", "the xxh64 of no bytes is right");
	same(at_once(prn_message_kind_find("xxh3"), "", 0), "2d06800538d394c2", "the xxh3 of no bytes is right");
	same(at_once(prn_message_kind_find("xxh128"), "", 0), "99aa06d3014798d86001c324468d497f", "the xxh128 of no bytes is right");
}

static void names(void)
{
	static const char *const nobodys[] = { "sha", "", "SHA1" };

	ok(prn_message_kind_find("xxh364") == prn_message_kind_find("xxh3") && prn_message_kind_find("xxh3128") == prn_message_kind_find("xxh128"),
	   "xxHash's algorithms are known by both of their names");
	ok(prn_message_kind_find("blake3") && !prn_message_kind_find("blake3")->maker, "of what is not made here the length is known");
	for (size_t i = 0; i < sizeof nobodys / sizeof *nobodys; i++)
		ok(!prn_message_kind_find(nobodys[i]), "\"%s\" is the name of no digest", nobodys[i]);
}

/* Reading a digest does not end it. */
static void goes_on(void)
{
	static const char *const kinds[] = { "sha1", "sha512", "sha3256", "xxh64", "xxh128" };
	struct prn_message_digest sum = { 0 };

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const struct prn_message_kind *kind = prn_message_kind_find(kinds[i]);
		unsigned char first[PRN_MESSAGE_BYTES], again[PRN_MESSAGE_BYTES], whole[PRN_MESSAGE_BYTES];

		if (prn_message_digest_begin(&sum, kind))
			abort();
		prn_message_digest_add(&sum, "ab", 2);
		prn_message_digest_get(&sum, first);
		prn_message_digest_get(&sum, again);
		prn_message_digest_add(&sum, "c", 1);
		prn_message_digest_get(&sum, whole);
		ok(!memcmp(first, again, kind->bytes), "%s is read twice", kinds[i]);
		same(hex(whole, kind->bytes), at_once(kind, "abc", 3), "%s goes on after it was read", kinds[i]);
	}
	prn_message_digest_release(&sum);
}

int main(void)
{
	others_make_the_same();
	nothing();
	names();
	goes_on();
	return done();
}
