#include "tsl_proof.h"

#include <string.h>

#include "tsl_bytes.h"
#include "tsl_crypto.h"

static struct tsl_part text_part(const char *text)
{
    return (struct tsl_part){(const uint8_t *)text, strlen(text)};
}

void tsl_transcript(const uint8_t *host_hello, size_t host_size, const uint8_t *device_hello, size_t device_size,
                    uint8_t transcript[TSL_HASH])
{
    uint8_t lengths[2][2];
    tsl_put_u16(lengths[0], (uint16_t)host_size);
    tsl_put_u16(lengths[1], (uint16_t)device_size);
    const struct tsl_part parts[] = {
        text_part("TSL/1"), {lengths[0], 2}, {host_hello, host_size}, {lengths[1], 2}, {device_hello, device_size},
    };
    tsl_sha256(parts, sizeof parts / sizeof parts[0], transcript);
}

void tsl_mac(enum tsl_side side, const uint8_t key[TSL_KEY], const uint8_t transcript[TSL_HASH],
             uint8_t mac[TSL_HASH])
{
    const char *says = side == TSL_HOST ? "TSL/1 host proof" : "TSL/1 device proof";
    const struct tsl_part parts[] = {text_part(says), {transcript, TSL_HASH}};
    tsl_hmac_sha256(key, parts, 2, mac);
}

/* HKDF-SHA-256 for a key of one block: extracted with T as salt, expanded with `says`. */
static void derive(const uint8_t extracted[TSL_HASH], const char *says, uint8_t derived[TSL_KEY])
{
    static const uint8_t first_block = 1;
    const struct tsl_part parts[] = {text_part(says), {&first_block, 1}};
    tsl_hmac_sha256(extracted, parts, 2, derived);
}

void tsl_session_keys(const uint8_t key[TSL_KEY], const uint8_t transcript[TSL_HASH], struct tsl_session_keys *keys)
{
    uint8_t extracted[TSL_HASH];
    const struct tsl_part part = {key, TSL_KEY};
    tsl_hmac_sha256(transcript, &part, 1, extracted);
    derive(extracted, "TSL/1 host to device", keys->to_device);
    derive(extracted, "TSL/1 device to host", keys->to_host);
}
