#include "tsl_round_trip.h"

#include "tsl_limits.h"

enum {
    FRACTION = 256,
    BITS_PER_BYTE = 10, /* 8N1 */
    SECOND = 1000000,
    LONGEST_SAMPLE = 60 * SECOND
};

void tsl_round_trip_start(struct tsl_round_trip *trip, uint32_t baud)
{
    *trip = (struct tsl_round_trip){.baud = baud, .doubled = 1};
}

void tsl_round_trip_sample(struct tsl_round_trip *trip, uint64_t took)
{
    const int64_t sample = (int64_t)(took < LONGEST_SAMPLE ? took : LONGEST_SAMPLE) * FRACTION;
    if (!trip->measured) {
        trip->measured = true;
        trip->mean = sample;
        trip->deviation = sample / 2;
        return;
    }
    const int64_t error = sample - trip->mean;
    trip->deviation += ((error < 0 ? -error : error) - trip->deviation) / 4;
    trip->mean += error / 8;
}

void tsl_round_trip_back_off(struct tsl_round_trip *trip)
{
    if (trip->doubled < TSL_MOST_TIMEOUT / TSL_LEAST_TIMEOUT)
        trip->doubled *= 2;
}

void tsl_round_trip_reset(struct tsl_round_trip *trip)
{
    trip->doubled = 1;
}

static uint64_t measured_timeout(const struct tsl_round_trip *trip)
{
    if (!trip->measured)
        return TSL_FIRST_TIMEOUT;
    const uint64_t wait = (uint64_t)(trip->mean + 4 * trip->deviation) / FRACTION;
    return wait > TSL_LEAST_TIMEOUT ? wait : TSL_LEAST_TIMEOUT;
}

uint64_t tsl_round_trip_timeout(const struct tsl_round_trip *trip, size_t outstanding)
{
    const uint64_t wait = measured_timeout(trip) * trip->doubled;
    const uint64_t bytes = outstanding + TSL_LINE_OVERHEAD + TSL_LONGEST_PAYLOAD;
    const uint64_t line = trip->baud == 0 ? 0 : bytes * BITS_PER_BYTE * SECOND / trip->baud;
    return (wait < TSL_MOST_TIMEOUT ? wait : TSL_MOST_TIMEOUT) + line;
}
