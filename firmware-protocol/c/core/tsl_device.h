/* The device's end of a link, whole: handshake, events out of the ring, commands into the body.
 *
 * One context calls all of it; nothing here waits. After `feed`, `tick`, `record` and at `deadline` (then `tick`
 * first) call `speak`. `now` is the uptime in microseconds, which never goes back. */
#ifndef TSL_DEVICE_H
#define TSL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsl_body.h"
#include "tsl_endpoint.h"
#include "tsl_greeting.h"
#include "tsl_memory.h"
#include "tsl_orders.h"
#include "tsl_port.h"

/* Who a device says it is, and why it booted. All of it must outlive the device. */
struct tsl_identity {
    enum tsl_class device_class;
    const char *serial;   /* at most 24 bytes */
    const char *hardware; /* at most 12 */
    const char *firmware; /* at most 12 */
    enum tsl_reset reset;
    struct tsl_slots *slots; /* that were started; NULL: the firmware cannot be updated */
};

/* Tells of one kind of attack at most once in a minute, with what came since. */
struct tsl_alarm {
    uint64_t quiet_until;
    uint32_t count;
};

struct tsl_device {
    const struct tsl_identity *identity;
    struct tsl_memory *memory;
    const struct tsl_body *body;
    uint8_t boot[TSL_ID];
    struct tsl_endpoint endpoint;
    struct tsl_greeting greeting;
    struct tsl_orders orders;
    struct tsl_alarm tags;
    struct tsl_alarm proofs;
    uint64_t stray_quiet_until;
    bool restarts; /* the session is over: the board is to be reset now, because of an update */
};

/* A boot, on a memory that was opened, with a source of random values that was started. */
void tsl_device_start(struct tsl_device *device, const struct tsl_identity *identity, struct tsl_memory *memory,
                      const struct tsl_body *body, const struct tsl_port *port, struct tsl_random *random,
                      uint64_t now);

/* Stores an event, of which only the body is filled in, to be sent when the host has resumed. A card's event
 * belongs into one `together` with tsl_memory_end_card. */
void tsl_device_record(struct tsl_device *device, tsl_Event event, uint64_t now);

/* Bytes came. */
void tsl_device_feed(struct tsl_device *device, const uint8_t *bytes, size_t size, uint64_t now);

/* Lets time-outs happen, and computes on. */
void tsl_device_tick(struct tsl_device *device, uint64_t now);

/* Writes all that is to be written now. */
void tsl_device_speak(struct tsl_device *device, uint64_t now);

/* When `tick` and `speak` must run at the latest, TSL_NO_DEADLINE: when something comes. */
uint64_t tsl_device_deadline(const struct tsl_device *device, uint64_t now);

/* How many cards may leave the shoe now. */
uint64_t tsl_device_permitted(const struct tsl_device *device);

#endif
