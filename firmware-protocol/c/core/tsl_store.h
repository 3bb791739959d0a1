/* Memory that survives the loss of power, as the board provides it. The sample keeps it in a file. */
#ifndef TSL_STORE_H
#define TSL_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "tsl_limits.h"

/* Events that one save of the record may add: their slots are written while the saved record names the others. */
enum { TSL_SPARE_SLOTS = 2 };

/* All that must change at once. Its slots are counted from 0 and wrap. */
struct tsl_record {
    uint8_t log[TSL_ID];
    uint64_t newest;    /* the last event number that was used */
    uint64_t committed; /* the host has all events up to this one on disk */
    uint64_t last_key;  /* the highest action key that was seen */
    uint64_t begun;     /* the key of the action that runs, 0: none */
    uint64_t cards;     /* all cards that left in this log */
    uint32_t first_event; /* slot of the oldest event that is held */
    uint32_t events;      /* how many are held */
    uint8_t first_result;
    uint8_t results;
    bool moving; /* a card moves */
};

struct tsl_kept_event {
    uint64_t number;
    bool critical;
    uint8_t size;
    uint8_t payload[TSL_LONGEST_QUEUED]; /* as it is sent */
};

struct tsl_kept_result {
    uint64_t key;
    uint8_t status;
    char text[TSL_LONGEST_TEXT + 1];
};

/* `save_record` replaces the record as a whole or not at all, whenever the power goes. A slot is written before
 * the record that names it is saved and is never one that the saved record names, so a slot may be torn. What
 * was saved is there after a boot, and in this order. False: it failed; the device then falls silent. */
struct tsl_store {
    void *self;
    uint32_t event_slots; /* TSL_SPARE_SLOTS more than the events it shall hold, which are at least 1,024 */
    /* False: there is no usable record, so the memory is to be formatted. */
    bool (*load_record)(void *self, struct tsl_record *record);
    bool (*save_record)(void *self, const struct tsl_record *record);
    bool (*load_event)(void *self, uint32_t slot, struct tsl_kept_event *event);
    bool (*save_event)(void *self, uint32_t slot, const struct tsl_kept_event *event);
    /* Only the number of the event in a slot; 0 if it cannot be read. */
    uint64_t (*number_of)(void *self, uint32_t slot);
    /* TSL_RESULTS + 1 slots. */
    bool (*load_result)(void *self, uint8_t slot, struct tsl_kept_result *result);
    bool (*save_result)(void *self, uint8_t slot, const struct tsl_kept_result *result);
};

#endif
