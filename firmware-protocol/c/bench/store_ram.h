/* A store in memory, whose power can be cut. */
#ifndef STORE_RAM_H
#define STORE_RAM_H

#include "tsl_store.h"

enum { STORE_RAM_SLOTS = 1024 + TSL_SPARE_SLOTS };

struct store_ram {
    bool formatted;
    bool off; /* nothing is kept any more, nothing can be read */
    uint32_t writes_left; /* until the power goes in the middle of one; 0: it does not */
    struct tsl_record record;
    struct tsl_kept_event events[STORE_RAM_SLOTS];
    struct tsl_kept_result results[TSL_RESULTS + 1];
};

/* For at most 1,024 events. */
struct tsl_store store_ram(struct store_ram *ram, uint32_t events);

#endif
