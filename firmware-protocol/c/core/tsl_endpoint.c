#include "tsl_endpoint.h"

#include <string.h>

#include "tsl_bytes.h"
#include "tsl_text.h"

/* First bytes of a Frame that holds Hello, Proof, Refuse or NoSession: they are always clear. */
static bool is_handshake_tag(uint8_t first)
{
    return first == 0x0A || first == 0x12 || first == 0x1A || first == 0x22;
}

static bool is_handshake(const struct tsl_frame *frame)
{
    return (frame->flags & TSL_SEALED) == 0 && frame->channel == TSL_CONTROL && frame->size > 0 &&
           is_handshake_tag(frame->payload[0]);
}

void tsl_endpoint_start(struct tsl_endpoint *endpoint, const struct tsl_port *port, const struct tsl_owner *owner,
                        bool sealed, uint64_t now)
{
    memset(endpoint, 0, sizeof *endpoint);
    endpoint->port = port;
    endpoint->owner = *owner;
    endpoint->sealed = sealed;
    endpoint->ran = now;
}

void tsl_endpoint_install(struct tsl_endpoint *endpoint, const uint8_t *key_out, const uint8_t *key_in, uint64_t now)
{
    tsl_session_start(&endpoint->session, endpoint->port, &endpoint->counters, key_out, key_in, now);
    endpoint->installed = true;
    endpoint->ran = now;
    endpoint->counters.sessions++;
}

void tsl_endpoint_drop(struct tsl_endpoint *endpoint, enum tsl_end end)
{
    endpoint->counters.resets[end]++;
    endpoint->installed = false;
    tsl_erase(endpoint->session.sealer.key, TSL_KEY);
    tsl_erase(endpoint->session.opener.key, TSL_KEY);
}

void tsl_endpoint_end(struct tsl_endpoint *endpoint, enum tsl_bye reason, enum tsl_end end, const char *text,
                      uint64_t now)
{
    if (!endpoint->installed)
        return;
    tsl_Frame frame = {.which_message = tsl_Frame_bye_tag};
    frame.message.bye.reason = reason;
    tsl_copy_text(frame.message.bye.text, text);
    uint8_t payload[TSL_LONGEST_MESSAGE];
    const size_t size = tsl_message_write(&frame, payload, sizeof payload);
    endpoint->ran = now;
    tsl_session_write(&endpoint->session, 0, TSL_CONTROL, 0, payload, (uint8_t)size);
    tsl_endpoint_drop(endpoint, end);
}

size_t tsl_endpoint_room(const struct tsl_endpoint *endpoint)
{
    return endpoint->installed ? tsl_sender_room(&endpoint->session.sender) : 0;
}

bool tsl_endpoint_idle(const struct tsl_endpoint *endpoint)
{
    return !endpoint->installed || tsl_sender_idle(&endpoint->session.sender);
}

void tsl_endpoint_offer(struct tsl_endpoint *endpoint, size_t room)
{
    endpoint->session.receiver.offer = (uint8_t)(room < TSL_WINDOW ? room : TSL_WINDOW);
}

void tsl_endpoint_control(struct tsl_endpoint *endpoint, const uint8_t *payload, size_t size)
{
    const struct tsl_frame frame = {.channel = TSL_CONTROL, .size = (uint8_t)size, .payload = payload};
    if (is_handshake_tag(payload[0]))
        tsl_emit(endpoint->port, &endpoint->counters, &frame);
    else if (endpoint->installed)
        tsl_session_write(&endpoint->session, 0, TSL_CONTROL, 0, payload, (uint8_t)size);
}

bool tsl_endpoint_send(struct tsl_endpoint *endpoint, enum tsl_channel channel, bool critical, const uint8_t *payload,
                       size_t size)
{
    return endpoint->installed &&
           tsl_sender_put(&endpoint->session.sender, channel, critical ? TSL_CRITICAL : 0, payload, size);
}

/* With a Bye. */
static void end_session(struct tsl_endpoint *endpoint, enum tsl_bye reason, enum tsl_end end, const char *text,
                        uint64_t now)
{
    tsl_endpoint_end(endpoint, reason, end, text, now);
    endpoint->owner.ended(endpoint->owner.self, end, now);
}

/* Without one. */
static void lose_session(struct tsl_endpoint *endpoint, enum tsl_end end, uint64_t now)
{
    tsl_endpoint_drop(endpoint, end);
    endpoint->owner.ended(endpoint->owner.self, end, now);
}

static void give_up(struct tsl_endpoint *endpoint, uint64_t now)
{
    end_session(endpoint, TSL_BYE_LINK, TSL_END_LINK, "a frame was sent 9 times in vain", now);
}

/* Who did not run for so long ends its session before it reads what waited. */
static void notice_sleep(struct tsl_endpoint *endpoint, uint64_t now)
{
    const uint64_t slept = now - endpoint->ran;
    endpoint->ran = now;
    if (!endpoint->installed || slept < TSL_SLEPT)
        return;
    struct tsl_text text = tsl_text("did not run for ");
    tsl_text_add_seconds(&text, slept);
    tsl_text_add(&text, " s");
    end_session(endpoint, TSL_BYE_SLEPT, TSL_END_SLEPT, text.bytes, now);
}

static void hand_on(struct tsl_endpoint *endpoint, const struct tsl_received *received, uint64_t now)
{
    endpoint->owner.received(endpoint->owner.self, received, now);
}

/* Whether a host says it: NoSession comes from devices only. */
static bool is_greeting(const tsl_Frame *message)
{
    return message->which_message >= tsl_Frame_hello_tag && message->which_message <= tsl_Frame_refuse_tag;
}

static void greet(struct tsl_endpoint *endpoint, const struct tsl_frame *frame, uint64_t now)
{
    tsl_Frame message;
    const bool empty = frame->sequence == 0 && frame->acknowledgement == 0 && frame->credit == 0;
    const enum tsl_reading reading = tsl_message_read(frame->payload, frame->size, &message);
    if (reading != TSL_READ || !is_greeting(&message) || !empty) {
        endpoint->counters.handshake++;
        return;
    }
    hand_on(endpoint, &(struct tsl_received){frame, reading, false, &message}, now);
}

/* The channel on which a host may say this in a session, -1: on none. */
static int channel_of(pb_size_t which_message)
{
    static const struct {
        pb_size_t which_message;
        int channel;
    } ROUTES[] = {
        {tsl_Frame_heartbeat_tag, TSL_CONTROL}, {tsl_Frame_event_commit_tag, TSL_CONTROL},
        {tsl_Frame_bye_tag, TSL_CONTROL},       {tsl_Frame_command_tag, TSL_COMMANDS},
        {tsl_Frame_block_tag, TSL_BULK},
    };
    for (size_t place = 0; place < sizeof ROUTES / sizeof ROUTES[0]; place++)
        if (ROUTES[place].which_message == which_message)
            return ROUTES[place].channel;
    return -1;
}

static void meet_unread(struct tsl_endpoint *endpoint, const struct tsl_received *received, uint64_t now)
{
    endpoint->counters.unknown += received->reading == TSL_READ_UNKNOWN;
    endpoint->counters.message += received->reading == TSL_READ_UNREADABLE;
    if ((received->frame->flags & TSL_CRITICAL) != 0 && received->frame->channel == TSL_CONTROL)
        end_session(endpoint, TSL_BYE_UNSUPPORTED, TSL_END_UNSUPPORTED,
                    "a critical control message could not be read", now);
}

static void meet(struct tsl_endpoint *endpoint, const struct tsl_frame *frame, uint64_t now)
{
    tsl_Frame message;
    const enum tsl_reading reading = tsl_message_read(frame->payload, frame->size, &message);
    const struct tsl_received received = {frame, reading, false, &message};
    if (reading != TSL_READ)
        meet_unread(endpoint, &received, now);
    else if (channel_of(message.which_message) != frame->channel)
        endpoint->counters.direction++;
    else if (message.which_message == tsl_Frame_bye_tag)
        lose_session(endpoint, TSL_END_BYE, now);
    else {
        if (message.which_message == tsl_Frame_heartbeat_tag)
            tsl_session_beat(&endpoint->session, &message.message.heartbeat, now);
        hand_on(endpoint, &received, now);
    }
}

/* An empty frame on channel 0: an acknowledgement, or a NAK. */
static void meet_empty(struct tsl_endpoint *endpoint, const struct tsl_frame *frame, uint64_t now)
{
    if ((frame->flags & TSL_NAK) == 0)
        return;
    endpoint->counters.naks_in++;
    tsl_sender_again(&endpoint->session.sender, now);
    if (endpoint->session.sender.failed)
        give_up(endpoint, now);
}

static void meet_in_session(struct tsl_endpoint *endpoint, const struct tsl_frame *frame, uint64_t now)
{
    struct tsl_session *session = &endpoint->session;
    if (!tsl_sender_acknowledged(&session->sender, frame->acknowledgement, frame->credit, now))
        endpoint->counters.acknowledgement++;
    else if (!tsl_session_accepts(session, frame->channel, frame->sequence, now))
        return;
    else if (frame->size == 0 && frame->channel == TSL_CONTROL)
        meet_empty(endpoint, frame, now);
    else
        meet(endpoint, frame, now);
}

/* Check by check in the order of section 3. */
static void take_frame(struct tsl_endpoint *endpoint, struct tsl_frame *frame, uint64_t now)
{
    uint8_t message[TSL_LONGEST_MESSAGE];
    endpoint->counters.frames_in++;
    if (is_handshake(frame))
        greet(endpoint, frame, now);
    else if (((frame->flags & TSL_SEALED) != 0) != endpoint->sealed)
        endpoint->counters.seal++;
    else if (!endpoint->installed) {
        endpoint->counters.stray++;
        hand_on(endpoint, &(struct tsl_received){.frame = frame, .stray = true}, now);
    } else if (tsl_session_open(&endpoint->session, frame, message, now))
        meet_in_session(endpoint, frame, now);
    else if (tsl_session_besieged(&endpoint->session, now))
        end_session(endpoint, TSL_BYE_TAGS, TSL_END_TAGS, "5 bad tags in 10 s", now);
}

static void count_noise(struct tsl_counters *counters, enum tsl_found found)
{
    counters->cobs += found == TSL_FOUND_BAD_COBS;
    counters->length += found == TSL_FOUND_BAD_LENGTH;
    counters->crc += found == TSL_FOUND_BAD_CRC;
    counters->version += found == TSL_FOUND_BAD_VERSION;
    counters->too_long += found == TSL_FOUND_TOO_LONG;
}

void tsl_endpoint_feed(struct tsl_endpoint *endpoint, const uint8_t *bytes, size_t size, uint64_t now)
{
    struct tsl_frame frame;
    notice_sleep(endpoint, now);
    endpoint->counters.bytes_in += (uint32_t)size;
    for (size_t place = 0; place < size; place++) {
        const enum tsl_found found = tsl_deframer_feed(&endpoint->deframer, bytes[place], &frame);
        if (found == TSL_FOUND_FRAME)
            take_frame(endpoint, &frame, now);
        else
            count_noise(&endpoint->counters, found);
    }
}

void tsl_endpoint_tick(struct tsl_endpoint *endpoint, uint64_t now)
{
    notice_sleep(endpoint, now);
    if (!endpoint->installed)
        return;
    tsl_session_listen(&endpoint->session, now);
    if (tsl_session_lost(&endpoint->session, now)) {
        lose_session(endpoint, TSL_END_HEARTBEAT, now);
        return;
    }
    tsl_sender_tick(&endpoint->session.sender, now);
    if (endpoint->session.sender.failed)
        give_up(endpoint, now);
}

void tsl_endpoint_speak(struct tsl_endpoint *endpoint, uint64_t now)
{
    if (!endpoint->installed)
        return;
    if (tsl_session_beat_due(&endpoint->session, now)) {
        const struct tsl_vitals vitals = endpoint->owner.vitals(endpoint->owner.self);
        tsl_session_send_beat(&endpoint->session, &vitals, now);
    }
    tsl_session_speak(&endpoint->session, now);
}

uint64_t tsl_endpoint_deadline(const struct tsl_endpoint *endpoint, uint64_t now)
{
    if (!endpoint->installed)
        return TSL_NO_DEADLINE;
    const uint64_t due = tsl_session_deadline(&endpoint->session);
    return due > now ? due : now;
}
