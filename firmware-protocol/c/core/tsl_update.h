/* A firmware update from one boot to the next: the three actions, blocks asked for and taken, when to restart. */
#ifndef TSL_UPDATE_H
#define TSL_UPDATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tsl_body.h"
#include "tsl_slots.h"

enum { TSL_BLOCK = 192, TSL_MOST_ASKED = 2 };

struct tsl_update {
    struct tsl_slots *slots; /* NULL: this device cannot be updated */
    bool asking;
    uint8_t asked; /* blocks that have not come; they follow what is written */
    bool spoiled;  /* the last image had another hash */
    uint64_t restart_at;
    uint64_t reverts_at;
};

/* `now` is the time of the boot; the slots were started. */
void tsl_update_init(struct tsl_update *update, struct tsl_slots *slots, uint64_t now);

/* The slot that is on trial runs. */
bool tsl_update_test_slot(const struct tsl_update *update);

/* For the heartbeat: an update runs. */
bool tsl_update_under_way(const struct tsl_update *update);

/* Why the device must not be armed now, NULL if it may. */
const char *tsl_update_unarmable(const struct tsl_update *update);

/* One of the actions of an update, unarmed; its key is noted as begun. */
struct tsl_outcome tsl_update_run(struct tsl_update *update, const tsl_Command *command, uint64_t now);

/* The session is over, or the device is armed: nothing is asked for any more. */
void tsl_update_stop(struct tsl_update *update);

/* Whether a block is to be asked for now, from which offset; it counts as asked for. */
bool tsl_update_ask(struct tsl_update *update, uint32_t *offset);

/* Takes a block; false: it is not the one that is due. */
bool tsl_update_block(struct tsl_update *update, const tsl_Block *block);

/* Whether the device is to restart now; `answered`: the host has all results. */
bool tsl_update_restarts(const struct tsl_update *update, bool answered, uint64_t now);

/* When it restarts at the latest. */
uint64_t tsl_update_deadline(const struct tsl_update *update);

#endif
