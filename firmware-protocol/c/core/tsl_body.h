/* What a class of device does: its motors, lamps and keys, as the firmware provides them. */
#ifndef TSL_BODY_H
#define TSL_BODY_H

#include <stdbool.h>
#include <stdint.h>

#include "tsl.pb.h"
#include "tsl_codes.h"
#include "tsl_text.h"

struct tsl_outcome {
    enum tsl_status status;
    struct tsl_text text;
};

struct tsl_condition {
    enum tsl_mode mode;
    int32_t celsius;
    uint32_t errors;
    bool alive; /* false: the main loop hangs; no heartbeat goes out */
};

struct tsl_body {
    void *self;
    /* Carries out a command of its class, and only begins what takes long: the device is armed, an action's key
     * is noted as begun. A state command that waited for Arm comes with the time of its arrival, from which
     * leases count. */
    struct tsl_outcome (*command)(void *self, const tsl_Command *command, uint64_t arrived);
    /* Leaves the safe state; what is wanted follows at once. */
    void (*arm)(void *self, uint64_t now);
    /* The session ended or was disarmed: shows the safe state, moves nothing new. */
    void (*safe)(void *self, uint64_t now);
    struct tsl_condition (*condition)(void *self);
};

struct tsl_outcome tsl_done(void);
/* With "#" in the words at the places of the numbers. */
struct tsl_outcome tsl_ended_with(enum tsl_status status, const char *words, uint64_t first, uint64_t second);

struct tsl_outcome tsl_ended(enum tsl_status status, const char *words);

#endif
