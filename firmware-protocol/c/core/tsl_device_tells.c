/* What a device says of itself. */
#include <string.h>

#include "tsl_device_parts.h"

/* Events that the reserve of the ring is for; all others are minor. */
static bool is_of_card(const tsl_Event *event)
{
    return event->which_body >= tsl_Event_card_drawn_tag && event->which_body <= tsl_Event_cut_card_tag;
}

void tsl_device_record(struct tsl_device *device, tsl_Event event, uint64_t now)
{
    tsl_Frame frame = {.which_message = tsl_Frame_event_tag};
    event.number = device->memory->record.newest + 1;
    event.uptime_us = now;
    event.boot.size = TSL_ID;
    memcpy(event.boot.bytes, device->boot, TSL_ID);
    frame.message.event = event;
    uint8_t payload[TSL_LONGEST_QUEUED];
    const size_t size = tsl_message_write(&frame, payload, sizeof payload);
    const bool card = is_of_card(&event);
    tsl_memory_store(device->memory, payload, (uint8_t)size, !card, card || event.which_body == tsl_Event_tamper_tag);
}

static uint64_t alarm_deadline(const struct tsl_alarm *alarm)
{
    return alarm->count > 0 ? alarm->quiet_until : TSL_NO_DEADLINE;
}

static void tell_of_alarm(struct tsl_device *device, struct tsl_alarm *alarm, enum tsl_tamper what, uint64_t now)
{
    if (now < alarm_deadline(alarm))
        return;
    tsl_Event event = {.which_body = tsl_Event_tamper_tag};
    event.body.tamper.what = what;
    event.body.tamper.count = alarm->count;
    tsl_device_record(device, event, now);
    alarm->count = 0;
    alarm->quiet_until = now + TSL_TAMPER_EVERY;
}

void tsl_device_tell_of_tamper(struct tsl_device *device, struct tsl_alarm *alarm, enum tsl_tamper what,
                               uint32_t times, uint64_t now)
{
    alarm->count += times;
    tell_of_alarm(device, alarm, what, now);
}

void tsl_device_tick_alarms(struct tsl_device *device, uint64_t now)
{
    tell_of_alarm(device, &device->tags, TSL_TAMPER_TAGS, now);
    tell_of_alarm(device, &device->proofs, TSL_TAMPER_PROOF, now);
}

uint64_t tsl_device_alarm_deadline(const struct tsl_device *device)
{
    const uint64_t tags = alarm_deadline(&device->tags), proofs = alarm_deadline(&device->proofs);
    return tags < proofs ? tags : proofs;
}

/* A text field of a Hello, with room for a zero behind `room` bytes. */
static void put_text(char *to, const char *from, size_t room)
{
    const size_t size = strlen(from);
    memcpy(to, from, size < room ? size : room);
}

static void put_id(pb_size_t *size, uint8_t *to, const uint8_t *from)
{
    *size = TSL_ID;
    memcpy(to, from, TSL_ID);
}

void tsl_device_describe(const struct tsl_device *device, tsl_Hello *hello)
{
    const struct tsl_identity *identity = device->identity;
    const struct tsl_record *record = &device->memory->record;
    *hello = (tsl_Hello){
        .side = TSL_DEVICE,
        .major = TSL_MAJOR,
        .minor = TSL_MINOR,
        .device_class = identity->device_class,
        .reset = identity->reset,
        .oldest = tsl_memory_oldest(device->memory),
        .newest = record->newest,
        .committed = record->committed,
        .last_key = record->last_key,
        .cards = record->cards,
        .test_slot = tsl_update_test_slot(&device->orders.update),
    };
    put_id(&hello->schema.size, hello->schema.bytes, TSL_SCHEMA);
    put_id(&hello->boot.size, hello->boot.bytes, device->boot);
    put_id(&hello->log.size, hello->log.bytes, record->log);
    put_text(hello->id, identity->serial, sizeof hello->id - 1);
    put_text(hello->hardware, identity->hardware, sizeof hello->hardware - 1);
    put_text(hello->firmware, identity->firmware, sizeof hello->firmware - 1);
}

/* Of several things that are so, the one that matters most. */
static enum tsl_mode mode_of(const struct tsl_device *device, enum tsl_mode own)
{
    if (own == TSL_MODE_FAULT)
        return own;
    if (tsl_update_under_way(&device->orders.update))
        return TSL_MODE_UPDATING;
    return tsl_memory_full(device->memory) ? TSL_MODE_RING_FULL : own;
}

struct tsl_vitals tsl_device_vitals(void *self)
{
    const struct tsl_device *device = self;
    const struct tsl_record *record = &device->memory->record;
    const struct tsl_condition condition = device->body->condition(device->body->self);
    return (struct tsl_vitals){
        .committed = record->committed,
        .newest = record->newest,
        .cards = record->cards,
        .free = tsl_memory_free(device->memory),
        .mode = mode_of(device, condition.mode),
        .errors = condition.errors,
        .celsius = condition.celsius,
        .armed = device->orders.armed,
        .alive = condition.alive,
    };
}
