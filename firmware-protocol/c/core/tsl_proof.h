/* The key schedule of a handshake: what both sides prove, and the keys of the session that follows (sections 6.1
 * and 7 of ../../README.md). Where nothing is sealed, K is 32 zero bytes, and shares and shared secret are empty. */
#ifndef TSL_PROOF_H
#define TSL_PROOF_H

#include <stddef.h>
#include <stdint.h>

#include "tsl_codes.h"
#include "tsl_limits.h"

struct tsl_session_keys {
    uint8_t to_device[TSL_KEY];
    uint8_t to_host[TSL_KEY];
};

/* What both sides have after the shares. */
struct tsl_agreement {
    struct tsl_session_keys keys;
    uint8_t device_mac[TSL_HASH]; /* of step 4 */
};

/* Both shares and what X25519 makes of them, `size` bytes each: TSL_KEY, or 0. */
struct tsl_shares {
    const uint8_t *host;
    const uint8_t *device;
    const uint8_t *shared;
    size_t size;
};

/* The key that K gives for one purpose. */
void tsl_subkey(const uint8_t key[TSL_KEY], const char *label, uint8_t subkey[TSL_KEY]);

/* T over both Hello payloads as they were sent. */
void tsl_transcript(const uint8_t *host_hello, size_t host_size, const uint8_t *device_hello, size_t device_size,
                    uint8_t transcript[TSL_HASH]);

/* The mac of step 3. */
void tsl_host_mac(const uint8_t key[TSL_KEY], const uint8_t transcript[TSL_HASH], const uint8_t *share, size_t size,
                  uint8_t mac[TSL_HASH]);

/* All that follows from T and the shares. It is secret: erase it when it has served. */
void tsl_agree(const uint8_t key[TSL_KEY], const uint8_t transcript[TSL_HASH], const struct tsl_shares *shares,
               struct tsl_agreement *agreement);

#endif
