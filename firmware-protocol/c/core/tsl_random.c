#include "tsl_random.h"

#include <string.h>

#include "tsl_bytes.h"
#include "tsl_crypto.h"
#include "tsl_proof.h"

enum { COUNTED = 12 }; /* bytes of both counters of a nonce */

/* HMAC under one of the chained keys over a text and fresh bits of the hardware. */
static void chain(const struct tsl_random *random, const uint8_t key[TSL_KEY], const char *text, uint8_t next[TSL_KEY])
{
    uint8_t drawn[TSL_KEY];
    random->port->draw(random->port->self, drawn, sizeof drawn);
    const struct tsl_part parts[] = {{(const uint8_t *)text, strlen(text)}, {drawn, sizeof drawn}};
    tsl_hmac_sha256(key, parts, 2, next);
    tsl_erase(drawn, sizeof drawn);
}

static void count_boot(struct tsl_random *random)
{
    uint8_t seed[TSL_KEY];
    chain(random, random->record.seed, "TSL/1 start", random->state);
    chain(random, random->record.seed, "TSL/1 seed", seed);
    memcpy(random->record.seed, seed, sizeof seed);
    random->record.boots++;
    random->nonces = 0;
    random->failed = !random->store->save(random->store->self, &random->record);
    tsl_erase(seed, sizeof seed);
}

void tsl_random_start(struct tsl_random *random, const struct tsl_provisioning_store *store,
                      const struct tsl_port *port)
{
    memset(random, 0, sizeof *random);
    random->port = port;
    random->store = store;
    if (store->load(store->self, &random->record))
        count_boot(random);
    else
        memset(&random->record, 0, sizeof random->record);
}

/* From the counters of `size` bytes and fresh bits of the hardware. */
static void derive(const struct tsl_random *random, const char *text, size_t size, uint8_t derived[TSL_HASH])
{
    uint8_t key[TSL_KEY], counters[COUNTED], drawn[TSL_NONCE];
    random->port->draw(random->port->self, drawn, sizeof drawn);
    tsl_subkey(random->record.key, "TSL/1 draw", key);
    tsl_put_u64(counters, random->record.boots);
    tsl_put_u32(counters + 8, random->nonces);
    const struct tsl_part parts[] = {
        {(const uint8_t *)text, strlen(text)}, {counters, size}, {drawn, sizeof drawn}};
    tsl_hmac_sha256(key, parts, 3, derived);
    tsl_erase(key, sizeof key);
}

static void derive_id(const struct tsl_random *random, const char *text, uint8_t id[TSL_ID])
{
    uint8_t derived[TSL_HASH];
    derive(random, text, sizeof random->record.boots, derived);
    memcpy(id, derived, TSL_ID);
}

void tsl_random_log(const struct tsl_random *random, uint8_t log[TSL_ID])
{
    derive_id(random, "TSL/1 log", log);
}

void tsl_random_boot(const struct tsl_random *random, uint8_t boot[TSL_ID])
{
    derive_id(random, "TSL/1 boot", boot);
}

bool tsl_random_nonce(struct tsl_random *random, uint8_t nonce[TSL_NONCE])
{
    uint8_t derived[TSL_HASH];
    if (random->failed)
        return false;
    derive(random, "TSL/1 nonce", COUNTED, derived);
    memcpy(nonce, derived, TSL_NONCE);
    random->nonces++;
    if (random->nonces == 0)
        count_boot(random);
    return true;
}

void tsl_random_secret(struct tsl_random *random, uint8_t secret[TSL_KEY])
{
    static const char text[] = "TSL/1 next";
    const struct tsl_part part = {(const uint8_t *)text, sizeof text - 1};
    uint8_t next[TSL_KEY];
    chain(random, random->state, "TSL/1 share", secret);
    tsl_hmac_sha256(random->state, &part, 1, next);
    memcpy(random->state, next, sizeof next);
    tsl_erase(next, sizeof next);
}
