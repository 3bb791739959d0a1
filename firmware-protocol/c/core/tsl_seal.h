/* Sealing of frames (section 7 of ../../README.md): one key and one counter for each direction. */
#ifndef TSL_SEAL_H
#define TSL_SEAL_H

#include <stddef.h>
#include <stdint.h>

#include "tsl_frame.h"
#include "tsl_limits.h"

enum { TSL_SEAL_OVERHEAD = TSL_COUNTER + TSL_TAG };

struct tsl_sealer {
    uint8_t key[TSL_KEY];
    uint64_t counter; /* of the next frame */
};

struct tsl_opener {
    uint8_t key[TSL_KEY];
    uint64_t last; /* of the last good frame; UINT64_MAX, which is -1, before the first */
};

enum tsl_verdict { TSL_GOOD, TSL_REPLAY, TSL_BAD_TAG };

/* The sealed payload behind these 8 header bytes, size + TSL_SEAL_OVERHEAD bytes. Each call takes a fresh
 * counter. */
void tsl_sealer_seal(struct tsl_sealer *sealer, const uint8_t header[TSL_HEADER], const uint8_t *message, size_t size,
                     uint8_t *payload);

/* The message of a frame as it came, of frame->size - TSL_SEAL_OVERHEAD bytes, if the verdict is good. */
enum tsl_verdict tsl_opener_open(struct tsl_opener *opener, const struct tsl_frame *frame, uint8_t *message);

#endif
