/* Frames and the bytes they are on the line (section 3 of ../../README.md). */
#ifndef TSL_FRAME_H
#define TSL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsl_limits.h"

struct tsl_frame {
    uint8_t flags; /* a sum of enum tsl_flag */
    uint8_t channel;
    uint16_t sequence;
    uint16_t acknowledgement;
    uint8_t credit;
    uint8_t size;
    const uint8_t *payload; /* `size` bytes, at most TSL_LONGEST_PAYLOAD */
};

/* The 8 header bytes. */
void tsl_frame_header(const struct tsl_frame *frame, uint8_t header[TSL_HEADER]);

/* Writes the frame as it goes out, both zeros included; returns how many bytes. */
size_t tsl_frame_encode(const struct tsl_frame *frame, uint8_t wire[TSL_LONGEST_WIRE]);

/* What a byte of the line ended. */
enum tsl_found {
    TSL_FOUND_NOTHING,
    TSL_FOUND_FRAME,
    TSL_FOUND_BAD_COBS,
    TSL_FOUND_BAD_LENGTH,
    TSL_FOUND_BAD_CRC,
    TSL_FOUND_BAD_VERSION,
    TSL_FOUND_TOO_LONG
};

/* Cuts a stream into frames and noise; zeroed, it is ready. */
struct tsl_deframer {
    uint8_t run[TSL_LONGEST_RUN];
    uint8_t size;
    bool overrun;
};

/* One byte came. The payload of a frame stays valid until the next call. */
enum tsl_found tsl_deframer_feed(struct tsl_deframer *deframer, uint8_t byte, struct tsl_frame *frame);

#endif
