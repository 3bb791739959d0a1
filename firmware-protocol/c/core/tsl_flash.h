/* The two slots for firmware, as the board provides them (section 12 of ../../README.md). They are not part of the
 * store: formatting that leaves them alone. */
#ifndef TSL_FLASH_H
#define TSL_FLASH_H

#include <stdbool.h>
#include <stdint.h>

#include "tsl_crypto.h"

enum tsl_slot_state { TSL_SLOT_EMPTY, TSL_SLOT_FILLING, TSL_SLOT_WHOLE, TSL_SLOT_APPLIED, TSL_SLOT_TRIAL };

/* What is announced of an image. */
struct tsl_manifest {
    uint32_t version;
    uint32_t size;
    uint8_t sha256[TSL_HASH];
    uint8_t signature[TSL_SIGNATURE];
    bool by_maker; /* it came by an update; false: the factory's */
};

/* All of it that must change at once. */
struct tsl_slots_record {
    uint8_t good;  /* the slot that starts by default, 0 or 1; the other one is the spare */
    uint8_t state; /* of the spare slot, enum tsl_slot_state */
    uint32_t counter; /* the lowest version that is taken */
    uint32_t filled;  /* bytes of the spare slot that are written */
    uint32_t generation; /* of the maker's key, 0: the factory's */
    uint8_t maker[TSL_PUBLIC_KEY]; /* that key, if it is not the factory's */
    struct tsl_manifest images[2];
};

struct tsl_flash {
    void *self;
    uint32_t slot_size;
    /* False: nothing was ever saved, as at the factory. */
    bool (*load_record)(void *self, struct tsl_slots_record *record);
    /* Replaces the record as a whole or not at all. */
    bool (*save_record)(void *self, const struct tsl_slots_record *record);
    /* Writes bytes of an image from an offset on, up to which it is written; offset 0 erases the slot first.
     * May be torn by a loss of power: then it is done again. */
    bool (*write)(void *self, uint8_t slot, uint32_t offset, const uint8_t *bytes, uint32_t size);
    /* The SHA-256 of the first bytes of a slot. */
    bool (*hash)(void *self, uint8_t slot, uint32_t size, uint8_t hash[TSL_HASH]);
};

#endif
