/* The numbers of TSL/1 (section 15 of ../../README.md). Times are microseconds, sizes bytes. */
#ifndef TSL_LIMITS_H
#define TSL_LIMITS_H

#include <stdint.h>

/* Messages that wait for the window. Each takes about 150 bytes of memory; 24 are enough, and more only let
 * the device queue more while the host is slow. */
#ifndef TSL_QUEUE
#define TSL_QUEUE 64
#endif

/* No event number, count of cards or action key is above the first; a key is at most the second above the
 * highest that the device has seen. */
#define TSL_HIGHEST (UINT64_C(1) << 52)
#define TSL_STEP (UINT64_C(1) << 32)

enum {
    TSL_MAJOR = 1,
    TSL_MINOR = 0,
    TSL_HEADER = 8,
    TSL_OVERHEAD = 12,         /* header and check */
    TSL_LONGEST_MESSAGE = 209, /* sealed or not */
    TSL_LONGEST_PAYLOAD = 229, /* a message, 4 counter bytes before it, a tag of 16 behind it */
    TSL_LONGEST_FRAME = TSL_OVERHEAD + TSL_LONGEST_PAYLOAD,
    TSL_LONGEST_RUN = TSL_LONGEST_FRAME + 1, /* COBS adds one byte to any frame */
    TSL_LONGEST_WIRE = TSL_LONGEST_RUN + 2,
    TSL_LINE_OVERHEAD = TSL_OVERHEAD + 3, /* what a frame occupies on the line beyond its payload */
    TSL_LONGEST_QUEUED = 128,             /* no event and no result is longer */
    TSL_LONGEST_TEXT = 80,

    TSL_WINDOW = 8,
    TSL_BULK_WINDOW = 2,
    TSL_MOST_SENDS = 9,
    TSL_NAK_INTERVAL = 25000,
    TSL_ACKNOWLEDGE = 5000,
    TSL_FIRST_TIMEOUT = 200000,
    TSL_LEAST_TIMEOUT = 25000,
    TSL_MOST_TIMEOUT = 400000,

    TSL_HEARTBEAT = 500000,
    TSL_HEARTBEAT_WARNING = 1500000,
    TSL_HEARTBEAT_LOST = 3000000,
    TSL_SLEPT = 3000000,
    TSL_SAME_ANSWER = 5000000,
    TSL_STRAY_ANSWER = 250000,
    TSL_TAMPER_EVERY = 60000000,
    TSL_BAD_TAGS = 5,
    TSL_BAD_TAGS_WITHIN = 10000000,

    TSL_NONCE = 16,
    TSL_ID = 8, /* schema, boot, log and the transcript of a Proof */
    TSL_KEY = 32,
    TSL_HASH = 32,
    TSL_TAG = 16,
    TSL_COUNTER = 4,

    TSL_RESERVE = 64,
    TSL_RESULTS = 32,
    TSL_MOST_AHEAD = 64, /* cards */
    TSL_FOR_RESULTS = 16 /* places in the queue that events leave free */
};

#endif
