#include "store_ram.h"

#include <string.h>

enum { TORN = 0xA5 }; /* what a slot holds after half a write */

/* Whether a write is made whole; if not, the power is off from now on. */
static bool goes_well(struct store_ram *ram)
{
    if (ram->off)
        return false;
    if (ram->writes_left > 0 && --ram->writes_left == 0)
        ram->off = true;
    return !ram->off;
}

static bool load_record(void *self, struct tsl_record *record)
{
    const struct store_ram *ram = self;
    *record = ram->record;
    return ram->formatted;
}

static bool save_record(void *self, const struct tsl_record *record)
{
    struct store_ram *ram = self;
    if (!goes_well(ram))
        return false;
    ram->record = *record;
    ram->formatted = true;
    return true;
}

static bool load_event(void *self, uint32_t slot, struct tsl_kept_event *event)
{
    const struct store_ram *ram = self;
    *event = ram->events[slot];
    return !ram->off;
}

static bool save_event(void *self, uint32_t slot, const struct tsl_kept_event *event)
{
    struct store_ram *ram = self;
    const bool was_off = ram->off, whole = goes_well(ram);
    if (whole)
        ram->events[slot] = *event;
    else if (!was_off)
        memset(&ram->events[slot], TORN, sizeof ram->events[slot]);
    return whole;
}

static uint64_t number_of(void *self, uint32_t slot)
{
    const struct store_ram *ram = self;
    return ram->events[slot].number;
}

static bool load_result(void *self, uint8_t slot, struct tsl_kept_result *result)
{
    const struct store_ram *ram = self;
    *result = ram->results[slot];
    return !ram->off;
}

static bool save_result(void *self, uint8_t slot, const struct tsl_kept_result *result)
{
    struct store_ram *ram = self;
    const bool was_off = ram->off, whole = goes_well(ram);
    if (whole)
        ram->results[slot] = *result;
    else if (!was_off)
        memset(&ram->results[slot], TORN, sizeof ram->results[slot]);
    return whole;
}

struct tsl_store store_ram(struct store_ram *ram, uint32_t events)
{
    return (struct tsl_store){
        .self = ram,
        .event_slots = events + TSL_SPARE_SLOTS,
        .load_record = load_record,
        .save_record = save_record,
        .load_event = load_event,
        .save_event = save_event,
        .number_of = number_of,
        .load_result = load_result,
        .save_result = save_result,
    };
}
