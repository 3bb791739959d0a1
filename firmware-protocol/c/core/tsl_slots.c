#include "tsl_slots.h"

#include <string.h>

#include "tsl_bytes.h"

enum { UPDATE = 12, MAKER = 11, HARDWARE = 12, NAMES = 1 + HARDWARE, MOST_SIGNED = UPDATE + NAMES + 4 + 4 + TSL_HASH };

static void save(struct tsl_slots *slots)
{
    slots->failed = !slots->flash->save_record(slots->flash->self, &slots->record) || slots->failed;
}

static uint8_t spare(const struct tsl_slots *slots)
{
    return (uint8_t)(1 - slots->record.good);
}

static void enter(struct tsl_slots *slots, enum tsl_slot_state state)
{
    slots->record.state = (uint8_t)state;
    save(slots);
}

void tsl_slots_open(struct tsl_slots *slots, const struct tsl_flash *flash, const struct tsl_product *product)
{
    memset(slots, 0, sizeof *slots);
    slots->flash = flash;
    slots->product = *product;
    if (flash->load_record(flash->self, &slots->record))
        return;
    memset(&slots->record, 0, sizeof slots->record);
    slots->record.counter = slots->record.images[0].version = product->version;
    slots->record.images[0].size = product->size;
    if (product->size > 0)
        memcpy(slots->record.images[0].sha256, product->sha256, TSL_HASH);
    save(slots);
}

enum tsl_slot_state tsl_slots_state(const struct tsl_slots *slots)
{
    return (enum tsl_slot_state)slots->record.state;
}

uint8_t tsl_slots_running(const struct tsl_slots *slots)
{
    return tsl_slots_state(slots) == TSL_SLOT_TRIAL ? spare(slots) : slots->record.good;
}

uint32_t tsl_slots_version(const struct tsl_slots *slots)
{
    return slots->record.images[tsl_slots_running(slots)].version;
}

const struct tsl_manifest *tsl_slots_spare(const struct tsl_slots *slots)
{
    return &slots->record.images[spare(slots)];
}

/* Class and hardware, as they are signed; what follows them. */
static uint8_t *put_names(const struct tsl_slots *slots, uint8_t *to)
{
    const size_t size = strlen(slots->product.hardware);
    to[0] = (uint8_t)slots->product.device_class;
    memset(to + 1, 0, HARDWARE);
    memcpy(to + 1, slots->product.hardware, size < HARDWARE ? size : HARDWARE);
    return to + NAMES;
}

static const uint8_t *maker_of(const struct tsl_slots *slots)
{
    return slots->record.generation > 0 ? slots->record.maker : slots->product.maker;
}

bool tsl_slots_trust(const struct tsl_slots *slots, const struct tsl_manifest *manifest)
{
    uint8_t content[MOST_SIGNED];
    memcpy(content, "TSL/1 update", UPDATE);
    uint8_t *rest = put_names(slots, content + UPDATE);
    tsl_put_u32(rest, manifest->version);
    tsl_put_u32(rest + 4, manifest->size);
    memcpy(rest + 8, manifest->sha256, TSL_HASH);
    return manifest->by_maker && tsl_signed(maker_of(slots), content, sizeof content, manifest->signature);
}

bool tsl_slots_trust_key(const struct tsl_slots *slots, uint32_t generation, const uint8_t key[TSL_PUBLIC_KEY],
                         const uint8_t signature[TSL_SIGNATURE])
{
    uint8_t content[MAKER + NAMES + 4 + TSL_PUBLIC_KEY];
    memcpy(content, "TSL/1 maker", MAKER);
    uint8_t *rest = put_names(slots, content + MAKER);
    tsl_put_u32(rest, generation);
    memcpy(rest + 4, key, TSL_PUBLIC_KEY);
    return slots->product.root != NULL && tsl_signed(slots->product.root, content, sizeof content, signature);
}

void tsl_slots_replace_maker(struct tsl_slots *slots, uint32_t generation, const uint8_t key[TSL_PUBLIC_KEY])
{
    slots->record.generation = generation;
    memcpy(slots->record.maker, key, TSL_PUBLIC_KEY);
    enter(slots, TSL_SLOT_EMPTY);
}

/* Whether a slot holds what its manifest says. */
static bool is_whole(const struct tsl_slots *slots, uint8_t slot)
{
    const struct tsl_manifest *manifest = &slots->record.images[slot];
    uint8_t hash[TSL_HASH];
    return manifest->size == 0 || (slots->flash->hash(slots->flash->self, slot, manifest->size, hash) &&
                                   tsl_same(hash, manifest->sha256, TSL_HASH));
}

/* Whether the spare slot holds what its manifest says, and the maker signed it. */
static bool is_authentic(const struct tsl_slots *slots)
{
    return tsl_slots_trust(slots, tsl_slots_spare(slots)) && is_whole(slots, spare(slots));
}

bool tsl_slots_start(struct tsl_slots *slots)
{
    if (tsl_slots_state(slots) == TSL_SLOT_APPLIED)
        enter(slots, is_authentic(slots) ? TSL_SLOT_TRIAL : TSL_SLOT_EMPTY);
    else if (tsl_slots_state(slots) == TSL_SLOT_TRIAL)
        enter(slots, TSL_SLOT_WHOLE); /* it was not confirmed: the revert */
    return !slots->failed && is_whole(slots, tsl_slots_running(slots));
}

static bool is_same(const struct tsl_manifest *one, const struct tsl_manifest *other)
{
    return one->version == other->version && one->size == other->size &&
           memcmp(one->sha256, other->sha256, TSL_HASH) == 0 &&
           memcmp(one->signature, other->signature, TSL_SIGNATURE) == 0;
}

void tsl_slots_begin(struct tsl_slots *slots, const struct tsl_manifest *manifest)
{
    if (tsl_slots_state(slots) != TSL_SLOT_EMPTY && is_same(tsl_slots_spare(slots), manifest))
        return;
    slots->record.images[spare(slots)] = *manifest;
    slots->record.filled = 0;
    enter(slots, TSL_SLOT_FILLING);
}

bool tsl_slots_check(struct tsl_slots *slots)
{
    const bool good = is_authentic(slots);
    enter(slots, good ? TSL_SLOT_WHOLE : TSL_SLOT_EMPTY);
    return good;
}

bool tsl_slots_write(struct tsl_slots *slots, const uint8_t *bytes, uint32_t size)
{
    const struct tsl_flash *flash = slots->flash;
    if (!flash->write(flash->self, spare(slots), slots->record.filled, bytes, size)) {
        slots->failed = true;
        return false;
    }
    slots->record.filled += size;
    save(slots);
    return slots->record.filled < tsl_slots_spare(slots)->size || tsl_slots_check(slots);
}

void tsl_slots_apply(struct tsl_slots *slots)
{
    enter(slots, TSL_SLOT_APPLIED);
}

void tsl_slots_confirm(struct tsl_slots *slots)
{
    const uint32_t version = tsl_slots_version(slots);
    slots->record.good = spare(slots);
    if (version > slots->record.counter)
        slots->record.counter = version;
    enter(slots, TSL_SLOT_EMPTY);
}
