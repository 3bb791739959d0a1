/* What a device makes of what the host says. */
#include "tsl_bytes.h"
#include "tsl_device_parts.h"

void tsl_device_end_session(void *self, enum tsl_end end, uint64_t now)
{
    struct tsl_device *device = self;
    if (end == TSL_END_TAGS)
        tsl_device_tell_of_tamper(device, &device->tags, TSL_TAMPER_TAGS, TSL_BAD_TAGS, now);
    tsl_greeting_forget(&device->greeting);
    tsl_orders_stop(&device->orders, now);
}

static void install(struct tsl_device *device, uint64_t now)
{
    struct tsl_session_keys *keys = &device->greeting.keys;
    if (device->endpoint.installed) {
        tsl_endpoint_drop(&device->endpoint, TSL_END_NEW_SESSION);
        tsl_orders_stop(&device->orders, now);
    }
    tsl_orders_start(&device->orders);
    if (device->endpoint.sealed)
        tsl_endpoint_install(&device->endpoint, keys->to_host, keys->to_device, now);
    else
        tsl_endpoint_install(&device->endpoint, NULL, NULL, now);
    tsl_erase(keys, sizeof *keys);
}

static void hear_hello(struct tsl_device *device, const struct tsl_received *received, uint64_t now)
{
    tsl_Hello own;
    struct tsl_payload says;
    tsl_device_describe(device, &own);
    if (tsl_greeting_hello(&device->greeting, &received->message->message.hello, received->frame, &own, now, &says) ==
        TSL_NOT_FOR_US)
        device->endpoint.counters.handshake++;
    else
        tsl_endpoint_control(&device->endpoint, says.bytes, says.size);
}

static void answer_proof(struct tsl_device *device, enum tsl_greeted greeted, const struct tsl_payload *says,
                         uint64_t now)
{
    if (greeted == TSL_BEGINS)
        install(device, now);
    if (greeted == TSL_PROVED_WRONG)
        tsl_device_tell_of_tamper(device, &device->proofs, TSL_TAMPER_PROOF, 1, now);
    tsl_endpoint_control(&device->endpoint, says->bytes, says->size);
}

void tsl_device_compute(struct tsl_device *device, uint64_t now)
{
    struct tsl_payload says;
    const enum tsl_greeted greeted = tsl_greeting_work(&device->greeting, device->endpoint.port->steps, &says);
    if (greeted != TSL_NOT_FOR_US && greeted != TSL_COMPUTES)
        answer_proof(device, greeted, &says, now);
}

static void hear_proof(struct tsl_device *device, const struct tsl_received *received, uint64_t now)
{
    struct tsl_payload says;
    const enum tsl_greeted greeted =
        tsl_greeting_proof(&device->greeting, &received->message->message.proof, received->frame, now, &says);
    if (greeted == TSL_NOT_FOR_US)
        device->endpoint.counters.handshake++;
    else if (greeted != TSL_COMPUTES)
        answer_proof(device, greeted, &says, now);
    else if (device->endpoint.port->steps == 0)
        tsl_device_compute(device, now);
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

void tsl_device_hear(void *self, const struct tsl_received *received, uint64_t now)
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
    case tsl_Frame_refuse_tag: /* it means nothing to a device */
        device->endpoint.counters.handshake++;
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
        break;
    }
}
