/* The enumerations of TSL/1 (sections 3 and 14 of ../../README.md). */
#ifndef TSL_CODES_H
#define TSL_CODES_H

enum tsl_flag { TSL_SEALED = 1, TSL_RETRANSMIT = 2, TSL_CRITICAL = 4, TSL_NAK = 8 };

enum tsl_channel {
    TSL_CONTROL = 0,
    TSL_EVENTS = 1,
    TSL_COMMANDS = 2,
    TSL_BULK = 3,
    TSL_TELEMETRY = 4
};

enum tsl_side { TSL_HOST = 1, TSL_DEVICE = 2 };

enum tsl_class { TSL_SHOE = 1, TSL_SHUFFLER = 2, TSL_SENSORS = 3, TSL_DISPLAY = 4, TSL_CONSOLE = 5 };

enum tsl_seal_kind { TSL_SEAL_NONE = 1, TSL_SEAL_SEALED = 2 };

enum tsl_reset {
    TSL_RESET_POWER = 1,
    TSL_RESET_WATCHDOG = 2,
    TSL_RESET_SOFTWARE = 3,
    TSL_RESET_BROWN_OUT = 4,
    TSL_RESET_UPDATE = 5
};

enum tsl_refusal { TSL_REFUSE_VERSION = 1, TSL_REFUSE_SCHEMA = 2, TSL_REFUSE_SEAL = 4, TSL_REFUSE_PROOF = 5 };

enum tsl_bye {
    TSL_BYE_STOPPING = 1,
    TSL_BYE_LINK = 2,
    TSL_BYE_TAGS = 3,
    TSL_BYE_UNSUPPORTED = 4,
    TSL_BYE_GAP = 5,
    TSL_BYE_UPDATE = 6,
    TSL_BYE_SLEPT = 7
};

enum tsl_tamper { TSL_TAMPER_TAGS = 1, TSL_TAMPER_PROOF = 2, TSL_TAMPER_CASE = 3 };

enum tsl_status {
    TSL_DONE = 1,
    TSL_REFUSED = 2,
    TSL_UNARMED = 3,
    TSL_STALE = 4,
    TSL_RANGE = 5,
    TSL_BUSY = 6,
    TSL_UNSUPPORTED = 7,
    TSL_INTERRUPTED = 8,
    TSL_NEVER = 9,
    TSL_FORGOTTEN = 10,
    TSL_FAILED = 11
};

enum tsl_mode {
    TSL_MODE_READY = 1,
    TSL_MODE_BUSY = 2,
    TSL_MODE_FAULT = 3,
    TSL_MODE_RING_FULL = 4,
    TSL_MODE_UPDATING = 5
};

enum tsl_phase { /* of a shuffler */
    TSL_PHASE_IDLE = 1,
    TSL_PHASE_SHUFFLING = 2,
    TSL_PHASE_CHECKING = 3,
    TSL_PHASE_DONE = 4,
    TSL_PHASE_STOPPED = 5
};

#endif
