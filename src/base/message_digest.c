#include "base/message_digest.h"

#include "perennial/error.h"

#include <string.h>

/* The names of IIPC's annotations of WARC 1.1 (warc-specifications, issue 80), and XXH64. */
static const struct prn_message_kind kinds[] = {
	{ "md5", NULL, MD5_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_md5 },
	{ "sha1", NULL, SHA1_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha1 },
	{ "sha224", NULL, SHA224_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha224 },
	{ "sha256", NULL, SHA256_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha256 },
	{ "sha384", NULL, SHA384_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha384 },
	{ "sha512", NULL, SHA512_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha512 },
	{ "sha512224", NULL, SHA512_224_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha512_224 },
	{ "sha512256", NULL, SHA512_256_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha512_256 },
	{ "sha3224", NULL, SHA3_224_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha3_224 },
	{ "sha3256", NULL, SHA3_256_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha3_256 },
	{ "sha3384", NULL, SHA3_384_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha3_384 },
	{ "sha3512", NULL, SHA3_512_DIGEST_SIZE, PRN_MESSAGE_NETTLE, &nettle_sha3_512 },
	{ "xxh64", NULL, sizeof(XXH64_hash_t), PRN_MESSAGE_XXH64, NULL },
	{ "xxh3", "xxh364", sizeof(XXH64_hash_t), PRN_MESSAGE_XXH3, NULL },
	{ "xxh128", "xxh3128", sizeof(XXH128_hash_t), PRN_MESSAGE_XXH128, NULL },
	/* These are here because the length of a digest tells how its text is encoded. */
	{ "blake2s", NULL, 32, PRN_MESSAGE_UNMADE, NULL },
	{ "blake2b", NULL, 64, PRN_MESSAGE_UNMADE, NULL },
	{ "blake3", NULL, 32, PRN_MESSAGE_UNMADE, NULL },
};

const struct prn_message_kind *prn_message_kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcmp(name, kinds[i].name) || (kinds[i].other && !strcmp(name, kinds[i].other)))
			return &kinds[i];
	return NULL;
}

int prn_message_digest_begin(struct prn_message_digest *sum, const struct prn_message_kind *kind)
{
	bool is_xxh64 = kind->maker == PRN_MESSAGE_XXH64;
	bool is_xxh3 = kind->maker == PRN_MESSAGE_XXH3 || kind->maker == PRN_MESSAGE_XXH128;

	if (is_xxh64 && !sum->xxh64)
		sum->xxh64 = XXH64_createState();
	if (is_xxh3 && !sum->xxh3)
		sum->xxh3 = XXH3_createState();
	if ((is_xxh64 && !sum->xxh64) || (is_xxh3 && !sum->xxh3))
		return PRN_E_MEMORY;
	sum->kind = kind;
	if (kind->maker == PRN_MESSAGE_NETTLE)
		kind->hash->init(&sum->of);
	else if (is_xxh64)
		XXH64_reset(sum->xxh64, 0);
	else if (kind->maker == PRN_MESSAGE_XXH3)
		XXH3_64bits_reset(sum->xxh3);
	else if (kind->maker == PRN_MESSAGE_XXH128)
		XXH3_128bits_reset(sum->xxh3);
	return 0;
}

void prn_message_digest_add(struct prn_message_digest *sum, const void *bytes, size_t length)
{
	if (sum->kind->maker == PRN_MESSAGE_NETTLE)
		sum->kind->hash->update(&sum->of, length, bytes);
	else if (sum->kind->maker == PRN_MESSAGE_XXH64)
		XXH64_update(sum->xxh64, bytes, length);
	else if (sum->kind->maker == PRN_MESSAGE_XXH3)
		XXH3_64bits_update(sum->xxh3, bytes, length);
	else if (sum->kind->maker == PRN_MESSAGE_XXH128)
		XXH3_128bits_update(sum->xxh3, bytes, length);
}

/* xxHash's tools write a digest with its highest byte first. */
static void put_64(XXH64_hash_t hash, unsigned char out[PRN_MESSAGE_BYTES])
{
	XXH64_canonical_t canonical;

	XXH64_canonicalFromHash(&canonical, hash);
	memcpy(out, &canonical, sizeof canonical);
}

static void put_128(XXH128_hash_t hash, unsigned char out[PRN_MESSAGE_BYTES])
{
	XXH128_canonical_t canonical;

	XXH128_canonicalFromHash(&canonical, hash);
	memcpy(out, &canonical, sizeof canonical);
}

void prn_message_digest_get(const struct prn_message_digest *sum, unsigned char out[PRN_MESSAGE_BYTES])
{
	struct prn_message_digest copy = *sum;

	/* libnettle resets the state when it writes the digest, so a copy is given to it. */
	if (sum->kind->maker == PRN_MESSAGE_NETTLE)
		sum->kind->hash->digest(&copy.of, sum->kind->bytes, out);
	else if (sum->kind->maker == PRN_MESSAGE_XXH64)
		put_64(XXH64_digest(sum->xxh64), out);
	else if (sum->kind->maker == PRN_MESSAGE_XXH3)
		put_64(XXH3_64bits_digest(sum->xxh3), out);
	else if (sum->kind->maker == PRN_MESSAGE_XXH128)
		put_128(XXH3_128bits_digest(sum->xxh3), out);
}

void prn_message_digest_release(struct prn_message_digest *sum)
{
	XXH64_freeState(sum->xxh64);
	XXH3_freeState(sum->xxh3);
	*sum = (struct prn_message_digest){ 0 };
}

void prn_message_digest_of(const struct prn_message_kind *kind, const void *bytes, size_t length,
                           unsigned char out[PRN_MESSAGE_BYTES])
{
	struct prn_message_digest sum = { 0 };

	if (kind->maker == PRN_MESSAGE_XXH64) {
		put_64(XXH64(bytes, length, 0), out);
	} else if (kind->maker == PRN_MESSAGE_XXH3) {
		put_64(XXH3_64bits(bytes, length), out);
	} else if (kind->maker == PRN_MESSAGE_XXH128) {
		put_128(XXH3_128bits(bytes, length), out);
	} else if (!prn_message_digest_begin(&sum, kind)) {
		prn_message_digest_add(&sum, bytes, length);
		prn_message_digest_get(&sum, out);
	}
}
