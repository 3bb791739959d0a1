/* How long a sender waits for an acknowledgement (section 4 of ../../README.md). */
#ifndef TSL_ROUND_TRIP_H
#define TSL_ROUND_TRIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsl_round_trip {
    uint32_t baud; /* 0: bytes take no time on the line */
    bool measured;
    int64_t mean;      /* 1/256 microseconds, as the next one */
    int64_t deviation;
    uint32_t doubled;
};

void tsl_round_trip_start(struct tsl_round_trip *trip, uint32_t baud);

/* A frame that was sent once was acknowledged after so many microseconds. */
void tsl_round_trip_sample(struct tsl_round_trip *trip, uint64_t took);

/* Nothing came in time: wait twice as long; and something came: back to the measured time. */
void tsl_round_trip_back_off(struct tsl_round_trip *trip);
void tsl_round_trip_reset(struct tsl_round_trip *trip);

/* Microseconds to wait while so many bytes are on the line. */
uint64_t tsl_round_trip_timeout(const struct tsl_round_trip *trip, size_t outstanding);

#endif
