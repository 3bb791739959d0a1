/* tsl_crypto.h by libsodium. */
#include <sodium.h>

#include "tsl_crypto.h"

void tsl_sha256(const struct tsl_part *parts, size_t count, uint8_t hash[TSL_HASH])
{
    crypto_hash_sha256_state state;
    crypto_hash_sha256_init(&state);
    for (size_t place = 0; place < count; place++)
        crypto_hash_sha256_update(&state, parts[place].bytes, parts[place].size);
    crypto_hash_sha256_final(&state, hash);
}

void tsl_hmac_sha256(const uint8_t key[TSL_KEY], const struct tsl_part *parts, size_t count, uint8_t mac[TSL_HASH])
{
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, key, TSL_KEY);
    for (size_t place = 0; place < count; place++)
        crypto_auth_hmacsha256_update(&state, parts[place].bytes, parts[place].size);
    crypto_auth_hmacsha256_final(&state, mac);
    sodium_memzero(&state, sizeof state);
}

void tsl_encrypt(const uint8_t key[TSL_KEY], const uint8_t nonce[TSL_CIPHER_NONCE], const uint8_t header[TSL_HEADER],
                 const uint8_t *message, size_t size, uint8_t *sealed)
{
    /* The call cannot fail: it returns 0 for every message that fits a frame. */
    (void)crypto_aead_chacha20poly1305_ietf_encrypt(sealed, NULL, message, size, header, TSL_HEADER, NULL, nonce, key);
}

bool tsl_decrypt(const uint8_t key[TSL_KEY], const uint8_t nonce[TSL_CIPHER_NONCE], const uint8_t header[TSL_HEADER],
                 const uint8_t *sealed, size_t size, uint8_t *message)
{
    return crypto_aead_chacha20poly1305_ietf_decrypt(message, NULL, NULL, sealed, size, header, TSL_HEADER, nonce,
                                                     key) == 0;
}

bool tsl_same(const uint8_t *one, const uint8_t *other, size_t size)
{
    return sodium_memcmp(one, other, size) == 0;
}

bool tsl_signed(const uint8_t public_key[TSL_PUBLIC_KEY], const uint8_t *message, size_t size,
                const uint8_t signature[TSL_SIGNATURE])
{
    return crypto_sign_verify_detached(signature, message, size, public_key) == 0;
}
