/* Where nonces, ids and secrets of shares come from (section 7.1 of ../../README.md): the provisioning record, and
 * random bits of the hardware if it has any. Counters alone keep a nonce from ever coming again. */
#ifndef TSL_RANDOM_H
#define TSL_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#include "tsl_limits.h"
#include "tsl_port.h"

/* It lies apart from the store: formatting that leaves it alone. `boots` starts at 0, `seed` with 32 random bytes
 * from provisioning. */
struct tsl_provisioning {
    bool sealed; /* false, for simulators only: there is no key, and nothing is sealed */
    uint8_t key[TSL_KEY];
    uint64_t boots;
    uint8_t seed[TSL_KEY];
};

/* Where the record lies. `save` replaces it as a whole or not at all. */
struct tsl_provisioning_store {
    void *self;
    /* False: it cannot be read, so the device has no key. */
    bool (*load)(void *self, struct tsl_provisioning *record);
    bool (*save)(void *self, const struct tsl_provisioning *record);
};

struct tsl_random {
    const struct tsl_port *port;
    const struct tsl_provisioning_store *store;
    struct tsl_provisioning record;
    uint8_t state[TSL_KEY]; /* the next secret comes from it */
    uint32_t nonces;        /* since the boot */
    bool failed;            /* the boot could not be counted; no nonce may be drawn */
};

/* First of all that a boot does: counts it, in one write. `port` only draws here. */
void tsl_random_start(struct tsl_random *random, const struct tsl_provisioning_store *store,
                      const struct tsl_port *port);

/* The id of a new log, and of this boot. */
void tsl_random_log(const struct tsl_random *random, uint8_t log[TSL_ID]);
void tsl_random_boot(const struct tsl_random *random, uint8_t boot[TSL_ID]);

/* A nonce that was never drawn under this key. False: the record could not be written. */
bool tsl_random_nonce(struct tsl_random *random, uint8_t nonce[TSL_NONCE]);

/* The secret of a share, for one session. */
void tsl_random_secret(struct tsl_random *random, uint8_t secret[TSL_KEY]);

#endif
