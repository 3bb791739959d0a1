#include "tsl_device.h"

#include <string.h>

#include "tsl_device_parts.h"

/* What a boot finds: an action or a card that was under way when the power went. */
static void wake(struct tsl_device *device, uint64_t now)
{
    struct tsl_memory *memory = device->memory;
    tsl_Event booted = {.which_body = tsl_Event_booted_tag};
    booted.body.booted.reset = device->identity->reset;
    tsl_memory_together(memory);
    tsl_device_record(device, booted, now);
    if (memory->record.begun != 0)
        tsl_memory_end_action(memory, memory->record.begun, TSL_INTERRUPTED, "the power went");
    if (memory->record.moving) {
        tsl_Event interrupted = {.which_body = tsl_Event_card_interrupted_tag};
        interrupted.body.card_interrupted.count = tsl_memory_end_card(memory);
        tsl_device_record(device, interrupted, now);
    }
    tsl_memory_end_together(memory);
}

void tsl_device_start(struct tsl_device *device, const struct tsl_identity *identity, struct tsl_memory *memory,
                      const struct tsl_body *body, const struct tsl_port *port, struct tsl_random *random,
                      uint64_t now)
{
    const struct tsl_owner owner = {device, tsl_device_hear, tsl_device_end_session, tsl_device_vitals};
    memset(device, 0, sizeof *device);
    device->identity = identity;
    device->memory = memory;
    device->body = body;
    tsl_random_boot(random, device->boot);
    tsl_endpoint_start(&device->endpoint, port, &owner, random->record.sealed, now);
    tsl_greeting_init(&device->greeting, random);
    tsl_orders_init(&device->orders, identity->device_class, memory, body, identity->slots, now);
    wake(device, now);
}

void tsl_device_feed(struct tsl_device *device, const uint8_t *bytes, size_t size, uint64_t now)
{
    tsl_endpoint_feed(&device->endpoint, bytes, size, now);
}

void tsl_device_tick(struct tsl_device *device, uint64_t now)
{
    tsl_endpoint_tick(&device->endpoint, now);
    tsl_device_compute(device, now);
    const bool answered = tsl_endpoint_idle(&device->endpoint);
    if (device->restarts || !tsl_update_restarts(&device->orders.update, answered, now))
        return;
    device->restarts = true;
    tsl_endpoint_end(&device->endpoint, TSL_BYE_UPDATE, TSL_END_UPDATE, "the device restarts", now);
    tsl_orders_stop(&device->orders, now);
}

static bool queue_lost(struct tsl_device *device, uint64_t first, uint64_t last)
{
    tsl_Frame frame = {.which_message = tsl_Frame_events_lost_tag};
    frame.message.events_lost.first = first;
    frame.message.events_lost.last = last;
    uint8_t payload[TSL_LONGEST_QUEUED];
    const size_t size = tsl_message_write(&frame, payload, sizeof payload);
    return tsl_endpoint_send(&device->endpoint, TSL_EVENTS, false, payload, size);
}

/* Queues the next event, or that it is lost; false: it could not. */
static bool queue_event(struct tsl_device *device)
{
    uint64_t *next = &device->orders.resume, last_missing = 0;
    struct tsl_kept_event event;
    if (tsl_memory_read(device->memory, *next, &event, &last_missing) == TSL_HELD) {
        (*next)++;
        return !device->memory->failed &&
               tsl_endpoint_send(&device->endpoint, TSL_EVENTS, event.critical, event.payload, event.size);
    }
    const uint64_t first = *next;
    *next = last_missing + 1;
    return queue_lost(device, first, last_missing);
}

static void queue_events(struct tsl_device *device)
{
    const struct tsl_orders *orders = &device->orders;
    while (orders->resume > 0 && orders->resume <= device->memory->record.newest &&
           tsl_endpoint_room(&device->endpoint) > TSL_FOR_RESULTS)
        if (!queue_event(device))
            return;
}

static void ask_for_blocks(struct tsl_device *device)
{
    tsl_Frame frame = {.which_message = tsl_Frame_block_wanted_tag};
    uint8_t payload[TSL_LONGEST_QUEUED];
    if (tsl_endpoint_room(&device->endpoint) <= TSL_FOR_RESULTS)
        return;
    while (tsl_update_ask(&device->orders.update, &frame.message.block_wanted.offset)) {
        const size_t size = tsl_message_write(&frame, payload, sizeof payload);
        (void)tsl_endpoint_send(&device->endpoint, TSL_BULK, false, payload, size); /* there is room for two */
    }
}

void tsl_device_speak(struct tsl_device *device, uint64_t now)
{
    if (device->memory->failed || !device->endpoint.installed)
        return;
    queue_events(device);
    ask_for_blocks(device);
    tsl_endpoint_speak(&device->endpoint, now);
    /* What left made room, and a credit that rises from 0 is told at once. */
    tsl_endpoint_offer(&device->endpoint, tsl_endpoint_room(&device->endpoint));
    tsl_endpoint_speak(&device->endpoint, now);
}

uint64_t tsl_device_deadline(const struct tsl_device *device, uint64_t now)
{
    const uint64_t restart = tsl_update_deadline(&device->orders.update);
    const uint64_t due = tsl_endpoint_deadline(&device->endpoint, now);
    if (device->memory->failed)
        return TSL_NO_DEADLINE;
    if (device->greeting.computing)
        return now;
    return restart < due ? restart : due;
}

uint64_t tsl_device_permitted(const struct tsl_device *device)
{
    return tsl_orders_permitted(&device->orders);
}
