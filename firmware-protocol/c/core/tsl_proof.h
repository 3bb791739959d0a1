/* What both sides of a handshake prove, and the keys of the session that follows (sections 6.1 and 7 of
 * ../../README.md). */
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

/* T over both Hello payloads as they were sent. */
void tsl_transcript(const uint8_t *host_hello, size_t host_size, const uint8_t *device_hello, size_t device_size,
                    uint8_t transcript[TSL_HASH]);

/* What `side` sends as its proof; `key` is 32 zero bytes where nothing is sealed. */
void tsl_mac(enum tsl_side side, const uint8_t key[TSL_KEY], const uint8_t transcript[TSL_HASH],
             uint8_t mac[TSL_HASH]);

void tsl_session_keys(const uint8_t key[TSL_KEY], const uint8_t transcript[TSL_HASH], struct tsl_session_keys *keys);

#endif
