/* Reliability of channels 1 to 3 (section 4 of ../../README.md): what the device sends until it is acknowledged,
 * and what it takes. Both halves begin anew with each session. */
#ifndef TSL_WINDOW_H
#define TSL_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsl_counters.h"
#include "tsl_limits.h"
#include "tsl_round_trip.h"

#define TSL_NO_DEADLINE UINT64_MAX

struct tsl_queued {
    uint8_t flags;
    uint8_t channel;
    uint8_t size;
    uint8_t sends;
    uint16_t sequence;
    uint64_t sent_at;
    uint8_t payload[TSL_LONGEST_QUEUED];
};

/* Places in a pool, first in first out. */
struct tsl_line_up {
    uint8_t places[TSL_QUEUE];
    uint8_t first;
    uint8_t count;
};

struct tsl_sender {
    struct tsl_counters *counters;
    struct tsl_round_trip trip;
    struct tsl_queued pool[TSL_QUEUE + TSL_WINDOW];
    bool taken[TSL_QUEUE + TSL_WINDOW];
    struct tsl_line_up queue;
    struct tsl_line_up bulk;
    struct tsl_line_up flights;
    uint16_t next;
    int allowed;
    size_t overhead;    /* bytes on the line beyond a message */
    size_t outstanding; /* bytes of all in flight on the line */
    uint64_t since;
    uint64_t deaf_until; /* to NAKs */
    bool again;
    bool failed; /* a frame was sent nine times in vain */
};

/* `seal`: bytes that sealing adds to each frame. */
void tsl_sender_start(struct tsl_sender *sender, uint32_t baud, size_t seal, struct tsl_counters *counters);

/* How many more messages `put` takes. */
size_t tsl_sender_room(const struct tsl_sender *sender);

/* Nothing waits and nothing is in flight. */
bool tsl_sender_idle(const struct tsl_sender *sender);

/* Queues a message of at most TSL_LONGEST_QUEUED bytes; false: too long, or no room. */
bool tsl_sender_put(struct tsl_sender *sender, uint8_t channel, uint8_t flags, const uint8_t *payload, size_t size);

/* Takes the peer's acknowledgement and credit; false: it acknowledges what was never sent. */
bool tsl_sender_acknowledged(struct tsl_sender *sender, uint16_t acknowledgement, uint8_t credit, uint64_t now);

/* All in flight go out again, in order. */
void tsl_sender_again(struct tsl_sender *sender, uint64_t now);

/* The peer misses a frame: all in flight go out again, unless they did just before and nothing was acknowledged
 * since. */
void tsl_sender_nak(struct tsl_sender *sender, uint64_t now);

/* Resends when the time-out has run out. */
void tsl_sender_tick(struct tsl_sender *sender, uint64_t now);

/* When it runs out. */
uint64_t tsl_sender_deadline(const struct tsl_sender *sender);

/* Whether all in flight are to go out again: then call `repeat` for each place from 0 until it returns NULL. */
bool tsl_sender_repeats(struct tsl_sender *sender);
const struct tsl_queued *tsl_sender_repeat(struct tsl_sender *sender, size_t place);

/* The next message that may go out for the first time, NULL if none may; it counts as sent. */
const struct tsl_queued *tsl_sender_launch(struct tsl_sender *sender, uint64_t now);

struct tsl_receiver {
    struct tsl_counters *counters;
    uint16_t expected;
    uint8_t promised;
    uint8_t offer; /* for how many messages the owner has room */
    bool complained; /* about the expected frame */
    bool nak_due;
    uint64_t due_at;
};

void tsl_receiver_start(struct tsl_receiver *receiver, struct tsl_counters *counters);

/* Frames from the expected one on that there is room for: what was promised stays promised. */
uint8_t tsl_receiver_credit(const struct tsl_receiver *receiver);

/* Whether a frame with this sequence is the expected one; if so it is taken. */
bool tsl_receiver_take(struct tsl_receiver *receiver, uint16_t sequence, uint64_t now);

/* When an acknowledgement is due at the latest; 0: at once. */
uint64_t tsl_receiver_deadline(const struct tsl_receiver *receiver);

/* A frame with acknowledgement and credit went out. */
void tsl_receiver_answered(struct tsl_receiver *receiver);

#endif
