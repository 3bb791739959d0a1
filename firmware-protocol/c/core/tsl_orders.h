/* How a device carries out commands (section 9 of ../../README.md): what waits for Arm, what needs it, what happens
 * once. */
#ifndef TSL_ORDERS_H
#define TSL_ORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "tsl_body.h"
#include "tsl_memory.h"
#include "tsl_update.h"

/* State commands that may wait for Arm, one of each kind. */
enum { TSL_WAITING = 16 };

struct tsl_waiting {
    tsl_Command command;
    uint64_t arrived;
};

struct tsl_orders {
    enum tsl_class device_class;
    struct tsl_memory *memory;
    const struct tsl_body *body;
    struct tsl_update update;
    struct tsl_waiting waiting[TSL_WAITING];
    uint8_t waits;
    uint64_t newest_at_start;
    uint64_t permit;
    uint64_t resume; /* the next event that the host wants, 0: none yet */
    bool armed;
};

/* `slots`: NULL where the firmware cannot be updated; `now` is the time of the boot. */
void tsl_orders_init(struct tsl_orders *orders, enum tsl_class device_class, struct tsl_memory *memory,
                     const struct tsl_body *body, struct tsl_slots *slots, uint64_t now);

/* How many cards may leave now; none while the ring has only its reserve left. */
uint64_t tsl_orders_permitted(const struct tsl_orders *orders);

/* A session begins: unarmed, nothing wanted, nothing permitted. */
void tsl_orders_start(struct tsl_orders *orders);

/* It is over: what was wanted and permitted goes with it. */
void tsl_orders_stop(struct tsl_orders *orders, uint64_t now);

/* Carries out one command that we know. */
struct tsl_outcome tsl_orders_run(struct tsl_orders *orders, const tsl_Command *command, uint64_t now);

#endif
