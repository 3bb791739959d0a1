#include "tsl_seal.h"

#include "tsl_bytes.h"
#include "tsl_crypto.h"

enum { ZEROS = 4 };
static const uint32_t HALF = UINT32_C(1) << 31;

static void make_nonce(uint64_t counter, uint8_t nonce[TSL_CIPHER_NONCE])
{
    tsl_put_u32(nonce, 0);
    tsl_put_u64(nonce + ZEROS, counter);
}

void tsl_sealer_seal(struct tsl_sealer *sealer, const uint8_t header[TSL_HEADER], const uint8_t *message, size_t size,
                     uint8_t *payload)
{
    uint8_t nonce[TSL_CIPHER_NONCE];
    make_nonce(sealer->counter, nonce);
    tsl_put_u32(payload, (uint32_t)sealer->counter);
    sealer->counter++;
    tsl_encrypt(sealer->key, nonce, header, message, size, payload + TSL_COUNTER);
}

enum tsl_verdict tsl_opener_open(struct tsl_opener *opener, const struct tsl_frame *frame, uint8_t *message)
{
    if (frame->size < TSL_SEAL_OVERHEAD)
        return TSL_BAD_TAG;
    const uint32_t ahead = tsl_get_u32(frame->payload) - (uint32_t)opener->last;
    if (ahead == 0 || ahead >= HALF)
        return TSL_REPLAY;
    const uint64_t counter = opener->last + ahead;
    uint8_t header[TSL_HEADER], nonce[TSL_CIPHER_NONCE];
    tsl_frame_header(frame, header);
    make_nonce(counter, nonce);
    const size_t size = (size_t)frame->size - TSL_COUNTER;
    if (!tsl_decrypt(opener->key, nonce, header, frame->payload + TSL_COUNTER, size, message))
        return TSL_BAD_TAG;
    opener->last = counter;
    return TSL_GOOD;
}
