/* A stand-in for a source of noise, which the board lacks: a seed from outside at the start, and HMAC-SHA-256 of a
 * counter with it after that. What was drawn cannot be found from what is drawn later: each draw replaces the key. */
#include <string.h>
#include <sys/random.h>

#include "semihosting.h"
#include "tsl_crypto.h"

static uint8_t key[TSL_KEY];
static bool seeded;

static void seed(void)
{
    const int file = semihosting_open("/dev/urandom", SEMIHOSTING_READ);
    if (file < 0 || semihosting_read(file, key, sizeof key) != sizeof key)
        semihosting_exit(); /* nothing may be sealed without it */
    semihosting_close(file);
    seeded = true;
}

static void next(uint8_t purpose, uint8_t number, uint8_t block[TSL_HASH])
{
    const uint8_t input[] = {purpose, number};
    const struct tsl_part part = {input, sizeof input};
    tsl_hmac_sha256(key, &part, 1, block);
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    uint8_t block[TSL_HASH], *to = bytes;
    (void)flags;
    if (!seeded)
        seed();
    for (size_t done = 0; done < size; done += sizeof block) {
        next(0, (uint8_t)(done / sizeof block), block);
        memcpy(to + done, block, size - done < sizeof block ? size - done : sizeof block);
    }
    next(1, 0, block);
    memcpy(key, block, sizeof key);
    memset(block, 0, sizeof block);
    return (ssize_t)size;
}
