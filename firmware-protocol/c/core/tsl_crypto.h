/* The primitives that the link needs. A port links one implementation of these functions; crypto_sodium.c in
 * the folder `sodium` is one, with X25519 from the folder `x25519`. */
#ifndef TSL_CRYPTO_H
#define TSL_CRYPTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsl_limits.h"

enum { TSL_CIPHER_NONCE = 12, TSL_SIGNATURE = 64, TSL_PUBLIC_KEY = 32 };

/* Bytes that are hashed one part after the other. */
struct tsl_part {
    const uint8_t *bytes;
    size_t size;
};

void tsl_sha256(const struct tsl_part *parts, size_t count, uint8_t hash[TSL_HASH]);

void tsl_hmac_sha256(const uint8_t key[TSL_KEY], const struct tsl_part *parts, size_t count, uint8_t mac[TSL_HASH]);

/* ChaCha20-Poly1305 as in RFC 8439. `sealed` gets size + TSL_TAG bytes. */
void tsl_encrypt(const uint8_t key[TSL_KEY], const uint8_t nonce[TSL_CIPHER_NONCE], const uint8_t header[TSL_HEADER],
                 const uint8_t *message, size_t size, uint8_t *sealed);

/* The same backwards: `size` includes the tag, `message` gets size - TSL_TAG bytes. False: the tag is wrong,
 * which takes the same time wherever it differs; `message` is then worth nothing. */
bool tsl_decrypt(const uint8_t key[TSL_KEY], const uint8_t nonce[TSL_CIPHER_NONCE], const uint8_t header[TSL_HEADER],
                 const uint8_t *sealed, size_t size, uint8_t *message);

/* Whether all bytes are equal, in a time that does not tell which differ. */
bool tsl_same(const uint8_t *one, const uint8_t *other, size_t size);

/* X25519 (RFC 7748) in slices, so that a slow processor can do other things between them. */
enum { TSL_X25519_LIMBS = 8, TSL_X25519_STEPS = 306 };

/* One multiplication under way; what is in it is the implementation's. */
struct tsl_x25519 {
    uint32_t base[TSL_X25519_LIMBS];
    uint32_t x2[TSL_X25519_LIMBS];
    uint32_t z2[TSL_X25519_LIMBS];
    uint32_t x3[TSL_X25519_LIMBS];
    uint32_t z3[TSL_X25519_LIMBS];
    uint8_t secret[TSL_KEY];
    uint16_t step;
    uint8_t swap;
};

/* A secret times a point. The secret need not be clamped; it is copied. */
void tsl_x25519_start(struct tsl_x25519 *work, const uint8_t secret[TSL_KEY], const uint8_t point[TSL_KEY]);

/* One step, of equal length whatever the secret is. True: it was the last of at most TSL_X25519_STEPS. */
bool tsl_x25519_step(struct tsl_x25519 *work);

/* The product after the last step; erases all else. False: it is zero, which no honest point makes it. */
bool tsl_x25519_result(struct tsl_x25519 *work, uint8_t result[TSL_KEY]);

/* Whether an Ed25519 signature is good. */
bool tsl_signed(const uint8_t public_key[TSL_PUBLIC_KEY], const uint8_t *message, size_t size,
                const uint8_t signature[TSL_SIGNATURE]);

#endif
