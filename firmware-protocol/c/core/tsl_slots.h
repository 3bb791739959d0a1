/* Which slot starts, and what may happen to the spare one when (section 12.3 of ../../README.md). The boot loader
 * and the firmware share this. */
#ifndef TSL_SLOTS_H
#define TSL_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "tsl_codes.h"
#include "tsl_flash.h"

/* What a device has from the factory. */
struct tsl_product {
    enum tsl_class device_class;
    const char *hardware; /* at most 12 bytes, as in the Hello */
    const uint8_t *maker; /* the public key that signs its firmware */
    const uint8_t *root;  /* the public key that signs later ones; NULL: the maker's key never changes */
    uint32_t version;
    uint32_t size;         /* of its image in slot 0; 0: that image is elsewhere, and the board's to check */
    const uint8_t *sha256; /* of that image */
};

struct tsl_slots {
    const struct tsl_flash *flash;
    struct tsl_product product;
    struct tsl_slots_record record; /* to be read by others */
    bool failed;                    /* the flash did */
};

/* Goes on with what is there, or begins as at the factory: a good slot with that version, an empty spare one. */
void tsl_slots_open(struct tsl_slots *slots, const struct tsl_flash *flash, const struct tsl_product *product);

/* The boot loader's part, first of all that happens at a boot. Afterwards the slot `tsl_slots_running` may be started;
 * false: its image is damaged, or the flash failed, and nothing may be started. The spare slot is checked against its
 * signature, size and hash, the good one against the hash that was noted at its confirm or in the factory: the maker's
 * key may have been replaced since. */
bool tsl_slots_start(struct tsl_slots *slots);
uint8_t tsl_slots_running(const struct tsl_slots *slots);

/* Of the firmware that runs. */
uint32_t tsl_slots_version(const struct tsl_slots *slots);

/* What the spare slot holds, whole or in part. */
const struct tsl_manifest *tsl_slots_spare(const struct tsl_slots *slots);
enum tsl_slot_state tsl_slots_state(const struct tsl_slots *slots);

/* Whether the signature is our maker's, for our class and hardware. */
bool tsl_slots_trust(const struct tsl_slots *slots, const struct tsl_manifest *manifest);

/* Whether the root key signed this key of a maker, for our class and hardware. */
bool tsl_slots_trust_key(const struct tsl_slots *slots, uint32_t generation, const uint8_t key[TSL_PUBLIC_KEY],
                         const uint8_t signature[TSL_SIGNATURE]);

/* Trusts it from now on, and no image under the one before; in one write. */
void tsl_slots_replace_maker(struct tsl_slots *slots, uint32_t generation, const uint8_t key[TSL_PUBLIC_KEY]);

/* The spare slot takes this image; the same one goes on where it stopped. */
void tsl_slots_begin(struct tsl_slots *slots, const struct tsl_manifest *manifest);

/* The next bytes of the image; with the last ones the whole is checked. False: it is not the one announced. */
bool tsl_slots_write(struct tsl_slots *slots, const uint8_t *bytes, uint32_t size);
bool tsl_slots_check(struct tsl_slots *slots);

/* The next start is the trial; and: the slot that runs is the good one from now on. */
void tsl_slots_apply(struct tsl_slots *slots);
void tsl_slots_confirm(struct tsl_slots *slots);

#endif
