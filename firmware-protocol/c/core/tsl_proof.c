#include "tsl_proof.h"

#include <string.h>

#include "tsl_bytes.h"
#include "tsl_crypto.h"

static struct tsl_part text_part(const char *text)
{
    return (struct tsl_part){(const uint8_t *)text, strlen(text)};
}

/* HKDF-Expand for one block. */
void tsl_subkey(const uint8_t key[TSL_KEY], const char *label, uint8_t subkey[TSL_KEY])
{
    static const uint8_t first_block = 1;
    const struct tsl_part parts[] = {text_part(label), {&first_block, 1}};
    tsl_hmac_sha256(key, parts, 2, subkey);
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

void tsl_host_mac(const uint8_t key[TSL_KEY], const uint8_t transcript[TSL_HASH], const uint8_t *share, size_t size,
                  uint8_t mac[TSL_HASH])
{
    uint8_t proof_key[TSL_KEY];
    const struct tsl_part parts[] = {text_part("TSL/1 host proof"), {transcript, TSL_HASH}, {share, size}};
    tsl_subkey(key, "TSL/1 proof", proof_key);
    tsl_hmac_sha256(proof_key, parts, 3, mac);
    tsl_erase(proof_key, sizeof proof_key);
}

static void hash_shares(const uint8_t transcript[TSL_HASH], const struct tsl_shares *shares, uint8_t second[TSL_HASH])
{
    const struct tsl_part parts[] = {
        text_part("TSL/1 shares"),
        {transcript, TSL_HASH},
        {shares->host, shares->size},
        {shares->device, shares->size},
    };
    tsl_sha256(parts, sizeof parts / sizeof parts[0], second);
}

void tsl_agree(const uint8_t key[TSL_KEY], const uint8_t transcript[TSL_HASH], const struct tsl_shares *shares,
               struct tsl_agreement *agreement)
{
    uint8_t second[TSL_HASH], mix[TSL_KEY], extracted[TSL_HASH], confirm[TSL_KEY];
    hash_shares(transcript, shares, second);
    tsl_subkey(key, "TSL/1 mix", mix);
    const struct tsl_part material[] = {{mix, TSL_KEY}, {shares->shared, shares->size}};
    tsl_hmac_sha256(second, material, 2, extracted);
    tsl_subkey(extracted, "TSL/1 host to device", agreement->keys.to_device);
    tsl_subkey(extracted, "TSL/1 device to host", agreement->keys.to_host);
    tsl_subkey(extracted, "TSL/1 confirm", confirm);
    const struct tsl_part proved[] = {text_part("TSL/1 device proof"), {second, TSL_HASH}};
    tsl_hmac_sha256(confirm, proved, 2, agreement->device_mac);
    tsl_erase(mix, sizeof mix);
    tsl_erase(extracted, sizeof extracted);
    tsl_erase(confirm, sizeof confirm);
}
