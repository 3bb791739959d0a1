#include <stddef.h>
#include <stdio.h>

#include "bench.h"
#include "tsl_counters.h"

struct entry {
    const char *name;
    size_t offset;
};

static const struct entry ENTRIES[] = {
    {"frames_in", offsetof(struct tsl_counters, frames_in)},
    {"frames_out", offsetof(struct tsl_counters, frames_out)},
    {"bytes_in", offsetof(struct tsl_counters, bytes_in)},
    {"bytes_out", offsetof(struct tsl_counters, bytes_out)},
    {"retransmissions", offsetof(struct tsl_counters, retransmissions)},
    {"timeouts", offsetof(struct tsl_counters, timeouts)},
    {"naks_in", offsetof(struct tsl_counters, naks_in)},
    {"naks_out", offsetof(struct tsl_counters, naks_out)},
    {"sessions", offsetof(struct tsl_counters, sessions)},
    {"cobs", offsetof(struct tsl_counters, cobs)},
    {"length", offsetof(struct tsl_counters, length)},
    {"crc", offsetof(struct tsl_counters, crc)},
    {"version", offsetof(struct tsl_counters, version)},
    {"too_long", offsetof(struct tsl_counters, too_long)},
    {"seal", offsetof(struct tsl_counters, seal)},
    {"tag", offsetof(struct tsl_counters, tag)},
    {"replays", offsetof(struct tsl_counters, replays)},
    {"acknowledgement", offsetof(struct tsl_counters, acknowledgement)},
    {"channel", offsetof(struct tsl_counters, channel)},
    {"sequence", offsetof(struct tsl_counters, sequence)},
    {"credit", offsetof(struct tsl_counters, credit)},
    {"direction", offsetof(struct tsl_counters, direction)},
    {"message", offsetof(struct tsl_counters, message)},
    {"unknown", offsetof(struct tsl_counters, unknown)},
    {"handshake", offsetof(struct tsl_counters, handshake)},
    {"commit", offsetof(struct tsl_counters, commit)},
    {"unasked", offsetof(struct tsl_counters, unasked)},
    {"duplicates", offsetof(struct tsl_counters, duplicates)},
    {"out_of_order", offsetof(struct tsl_counters, out_of_order)},
    {"stray", offsetof(struct tsl_counters, stray)},
    {"late_heartbeats", offsetof(struct tsl_counters, late_heartbeats)},
    {"round_trip_us", offsetof(struct tsl_counters, round_trip_us)},
};

static const char *const ENDS[TSL_ENDS] = {
    [TSL_END_NEW_SESSION] = "new_session", [TSL_END_BYE] = "bye",           [TSL_END_HEARTBEAT] = "heartbeat",
    [TSL_END_TAGS] = "tags",               [TSL_END_LINK] = "link",         [TSL_END_UNSUPPORTED] = "unsupported",
    [TSL_END_SLEPT] = "slept",             [TSL_END_STOPPING] = "stopping", [TSL_END_UPDATE] = "update",
};

void bench_print_counters(const struct tsl_counters *counters)
{
    for (size_t place = 0; place < sizeof ENTRIES / sizeof ENTRIES[0]; place++) {
        const char *from = (const char *)counters + ENTRIES[place].offset;
        printf("counter %s %u\n", ENTRIES[place].name, *(const uint32_t *)(const void *)from);
    }
    for (int end = 0; end < TSL_ENDS; end++)
        if (counters->resets[end] > 0)
            printf("reset %s %u\n", ENDS[end], counters->resets[end]);
}
