/* What a link counts (section 16 of ../../README.md). Each received frame that is dropped counts once. */
#ifndef TSL_COUNTERS_H
#define TSL_COUNTERS_H

#include <stdint.h>

/* Why a session ended. */
enum tsl_end {
    TSL_END_NEW_SESSION,
    TSL_END_BYE,
    TSL_END_HEARTBEAT,
    TSL_END_TAGS,
    TSL_END_LINK,
    TSL_END_UNSUPPORTED,
    TSL_END_SLEPT,
    TSL_END_STOPPING,
    TSL_END_UPDATE,
    TSL_ENDS /* how many there are */
};

struct tsl_counters {
    uint32_t frames_in;
    uint32_t frames_out;
    uint32_t bytes_in;
    uint32_t bytes_out;
    uint32_t retransmissions;
    uint32_t timeouts;
    uint32_t naks_in;
    uint32_t naks_out;
    uint32_t sessions;
    uint32_t cobs;
    uint32_t length;
    uint32_t crc;
    uint32_t version;
    uint32_t too_long;
    uint32_t seal; /* clear in a sealed session, or sealed in a clear one */
    uint32_t tag;
    uint32_t replays;
    uint32_t acknowledgement;
    uint32_t channel;
    uint32_t sequence;
    uint32_t credit;
    uint32_t direction;
    uint32_t message; /* unreadable ones */
    uint32_t unknown;
    uint32_t handshake;
    uint32_t commit; /* commits of events that do not exist */
    uint32_t unasked; /* blocks that were not asked for */
    uint32_t duplicates;
    uint32_t out_of_order;
    uint32_t stray;
    uint32_t late_heartbeats;
    uint32_t round_trip_us;
    uint32_t resets[TSL_ENDS];
};

#endif
