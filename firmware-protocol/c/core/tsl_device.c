#include "tsl_device.h"

#include <string.h>

#include "tsl_proof.h"

static const uint8_t NO_KEY[TSL_KEY] = {0};

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

static void tell_of_tamper(struct tsl_device *device, struct tsl_alarm *alarm, enum tsl_tamper what, uint32_t times,
                           uint64_t now)
{
    alarm->count += times;
    if (now < alarm->quiet_until)
        return;
    tsl_Event event = {.which_body = tsl_Event_tamper_tag};
    event.body.tamper.what = what;
    event.body.tamper.count = alarm->count;
    tsl_device_record(device, event, now);
    alarm->count = 0;
    alarm->quiet_until = now + TSL_TAMPER_EVERY;
}

static void end_session(void *self, enum tsl_end end, uint64_t now)
{
    struct tsl_device *device = self;
    if (end == TSL_END_TAGS)
        tell_of_tamper(device, &device->tags, TSL_TAMPER_TAGS, TSL_BAD_TAGS, now);
    tsl_greeting_forget(&device->greeting);
    tsl_orders_stop(&device->orders, now);
}

static void install(struct tsl_device *device, uint64_t now)
{
    const uint8_t *key = device->identity->key;
    struct tsl_session_keys keys;
    if (device->endpoint.installed) {
        tsl_endpoint_drop(&device->endpoint, TSL_END_NEW_SESSION);
        tsl_orders_stop(&device->orders, now);
    }
    tsl_orders_start(&device->orders);
    if (key == NULL) {
        tsl_endpoint_install(&device->endpoint, NULL, NULL, now);
        return;
    }
    tsl_session_keys(key, device->greeting.transcript, &keys);
    tsl_endpoint_install(&device->endpoint, keys.to_host, keys.to_device, now);
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

static void describe(const struct tsl_device *device, tsl_Hello *hello)
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

static void hear_hello(struct tsl_device *device, const struct tsl_received *received, uint64_t now)
{
    tsl_Hello own;
    struct tsl_payload says;
    describe(device, &own);
    if (tsl_greeting_hello(&device->greeting, &received->message->message.hello, received->frame, &own, now, &says) ==
        TSL_NOT_FOR_US)
        device->endpoint.counters.handshake++;
    else
        tsl_endpoint_control(&device->endpoint, says.bytes, says.size);
}

static void hear_proof(struct tsl_device *device, const struct tsl_received *received, uint64_t now)
{
    struct tsl_payload says;
    const enum tsl_greeted greeted =
        tsl_greeting_proof(&device->greeting, &received->message->message.proof, received->frame, &says);
    if (greeted == TSL_NOT_FOR_US) {
        device->endpoint.counters.handshake++;
        return;
    }
    if (greeted == TSL_BEGINS)
        install(device, now);
    if (greeted == TSL_PROVED_WRONG)
        tell_of_tamper(device, &device->proofs, TSL_TAMPER_PROOF, 1, now);
    tsl_endpoint_control(&device->endpoint, says.bytes, says.size);
}

static void commit(struct tsl_device *device, uint64_t number)
{
    if (number > device->memory->record.newest)
        device->endpoint.counters.commit++;
    else
        tsl_memory_commit(device->memory, number);
}

static void answer(struct tsl_device *device, uint64_t key, const struct tsl_outcome *outcome)
{
    tsl_Frame frame = {.which_message = tsl_Frame_result_tag};
    frame.message.result.key = key;
    frame.message.result.status = outcome->status;
    tsl_copy_text(frame.message.result.text, outcome->text.bytes);
    uint8_t payload[TSL_LONGEST_QUEUED];
    const size_t size = tsl_message_write(&frame, payload, sizeof payload);
    /* There is room: no command is taken without the credit that was given for its result. */
    (void)tsl_endpoint_send(&device->endpoint, TSL_COMMANDS, false, payload, size);
    tsl_endpoint_offer(&device->endpoint, tsl_endpoint_room(&device->endpoint));
}

static void hear_command(struct tsl_device *device, const struct tsl_received *received, uint64_t now)
{
    const tsl_Command *command = &received->message->message.command;
    const bool known = command->which_body != 0;
    struct tsl_outcome outcome;
    if (known) {
        outcome = tsl_orders_run(&device->orders, command, now);
    } else {
        device->endpoint.counters.unknown++;
        outcome = tsl_ended(TSL_UNSUPPORTED, "unknown message");
    }
    if (known || (received->frame->flags & TSL_CRITICAL) != 0)
        answer(device, command->key, &outcome);
}

static void hear_block(struct tsl_device *device, const tsl_Block *block)
{
    if (!tsl_update_block(&device->orders.update, block))
        device->endpoint.counters.unasked++;
}

static void hear_stray(struct tsl_device *device, uint64_t now)
{
    static const uint8_t no_session[] = {0x22, 0x00}; /* a Frame that holds an empty NoSession */
    if (now < device->stray_quiet_until)
        return;
    device->stray_quiet_until = now + TSL_STRAY_ANSWER;
    tsl_endpoint_control(&device->endpoint, no_session, sizeof no_session);
}

static void hear(void *self, const struct tsl_received *received, uint64_t now)
{
    struct tsl_device *device = self;
    if (received->stray) {
        hear_stray(device, now);
        return;
    }
    switch (received->message->which_message) {
    case tsl_Frame_hello_tag:
        hear_hello(device, received, now);
        break;
    case tsl_Frame_proof_tag:
        hear_proof(device, received, now);
        break;
    case tsl_Frame_heartbeat_tag:
        commit(device, received->message->message.heartbeat.committed);
        break;
    case tsl_Frame_event_commit_tag:
        commit(device, received->message->message.event_commit.number);
        break;
    case tsl_Frame_command_tag:
        hear_command(device, received, now);
        break;
    case tsl_Frame_block_tag:
        hear_block(device, &received->message->message.block);
        break;
    default:
        break; /* Refuse and NoSession mean nothing to a device */
    }
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

static struct tsl_vitals vitals(void *self)
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
                      const struct tsl_body *body, const struct tsl_port *port, uint64_t now)
{
    const struct tsl_owner owner = {device, hear, end_session, vitals};
    const bool sealed = identity->key != NULL;
    memset(device, 0, sizeof *device);
    device->identity = identity;
    device->memory = memory;
    device->body = body;
    port->draw(port->self, device->boot, TSL_ID);
    tsl_endpoint_start(&device->endpoint, port, &owner, sealed, now);
    tsl_greeting_init(&device->greeting, port, sealed ? identity->key : NO_KEY, sealed);
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
    return restart < due ? restart : due;
}

uint64_t tsl_device_permitted(const struct tsl_device *device)
{
    return tsl_orders_permitted(&device->orders);
}
