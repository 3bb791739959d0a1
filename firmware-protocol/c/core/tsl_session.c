#include "tsl_session.h"

#include <string.h>

#include "tsl_codes.h"
#include "tsl_message.h"

void tsl_emit(const struct tsl_port *port, struct tsl_counters *counters, const struct tsl_frame *frame)
{
    uint8_t wire[TSL_LONGEST_WIRE];
    const size_t size = tsl_frame_encode(frame, wire);
    counters->frames_out++;
    counters->bytes_out += (uint32_t)size;
    port->write(port->self, wire, size);
}

static void start_seal(struct tsl_session *session, const uint8_t *key_out, const uint8_t *key_in)
{
    session->sealed = key_out != NULL;
    session->opener.last = UINT64_MAX;
    if (!session->sealed)
        return;
    memcpy(session->sealer.key, key_out, TSL_KEY);
    memcpy(session->opener.key, key_in, TSL_KEY);
}

void tsl_session_start(struct tsl_session *session, const struct tsl_port *port, struct tsl_counters *counters,
                       const uint8_t *key_out, const uint8_t *key_in, uint64_t now)
{
    memset(session, 0, sizeof *session);
    session->port = port;
    session->counters = counters;
    session->beat_due = session->beat_heard = now;
    start_seal(session, key_out, key_in);
    tsl_sender_start(&session->sender, port->baud, session->sealed ? TSL_SEAL_OVERHEAD : 0, counters);
    tsl_receiver_start(&session->receiver, counters);
}

static void note_bad_tag(struct tsl_session *session, uint64_t now)
{
    session->counters->tag++;
    if (session->bad_tag_count == TSL_BAD_TAGS) {
        memmove(session->bad_tags, session->bad_tags + 1, sizeof session->bad_tags - sizeof session->bad_tags[0]);
        session->bad_tag_count--;
    }
    session->bad_tags[session->bad_tag_count++] = now;
}

bool tsl_session_open(struct tsl_session *session, struct tsl_frame *frame, uint8_t message[TSL_LONGEST_MESSAGE],
                      uint64_t now)
{
    if (!session->sealed)
        return true;
    const enum tsl_verdict verdict = tsl_opener_open(&session->opener, frame, message);
    if (verdict == TSL_REPLAY)
        session->counters->replays++;
    if (verdict == TSL_BAD_TAG)
        note_bad_tag(session, now);
    if (verdict != TSL_GOOD)
        return false;
    frame->payload = message;
    frame->size = (uint8_t)(frame->size - TSL_SEAL_OVERHEAD);
    return true;
}

bool tsl_session_besieged(const struct tsl_session *session, uint64_t now)
{
    return session->bad_tag_count == TSL_BAD_TAGS && now - session->bad_tags[0] <= TSL_BAD_TAGS_WITHIN;
}

bool tsl_session_accepts(struct tsl_session *session, uint8_t channel, uint16_t sequence, uint64_t now)
{
    if (channel >= TSL_EVENTS && channel <= TSL_BULK)
        return tsl_receiver_take(&session->receiver, sequence, now);
    if (channel > TSL_TELEMETRY) {
        session->counters->channel++;
        return false;
    }
    if (sequence != 0)
        session->counters->sequence++;
    return sequence == 0;
}

static void measure(struct tsl_session *session, const tsl_Heartbeat *heartbeat, uint64_t now)
{
    if (heartbeat->echo_us == 0 || heartbeat->echo_us > now || heartbeat->held_us > now - heartbeat->echo_us)
        return;
    session->round_trip_us = (uint32_t)(now - heartbeat->echo_us - heartbeat->held_us);
}

void tsl_session_beat(struct tsl_session *session, const tsl_Heartbeat *heartbeat, uint64_t now)
{
    session->beat_heard = now;
    session->warned = false;
    session->peer_us = heartbeat->now_us;
    session->peer_came = now;
    measure(session, heartbeat, now);
    session->counters->round_trip_us = session->round_trip_us;
}

void tsl_session_listen(struct tsl_session *session, uint64_t now)
{
    if (now < session->beat_heard + TSL_HEARTBEAT_WARNING || session->warned)
        return;
    session->warned = true;
    session->counters->late_heartbeats++;
}

bool tsl_session_lost(const struct tsl_session *session, uint64_t now)
{
    return now >= session->beat_heard + TSL_HEARTBEAT_LOST;
}

bool tsl_session_beat_due(const struct tsl_session *session, uint64_t now)
{
    return now >= session->beat_due;
}

void tsl_session_send_beat(struct tsl_session *session, const struct tsl_vitals *vitals, uint64_t now)
{
    session->beat_due = now + TSL_HEARTBEAT;
    if (!vitals->alive)
        return;
    tsl_Frame frame = {.which_message = tsl_Frame_heartbeat_tag};
    frame.message.heartbeat = (tsl_Heartbeat){
        .now_us = now,
        .echo_us = session->peer_us,
        .held_us = session->peer_us == 0 ? 0 : now - session->peer_came,
        .committed = vitals->committed,
        .newest = vitals->newest,
        .free = vitals->free,
        .armed = vitals->armed,
        .mode = vitals->mode,
        .celsius = vitals->celsius,
        .errors = vitals->errors,
        .cards = vitals->cards,
    };
    uint8_t message[TSL_LONGEST_MESSAGE];
    const size_t size = tsl_message_write(&frame, message, sizeof message);
    tsl_session_write(session, 0, TSL_CONTROL, 0, message, (uint8_t)size);
}

static void write_queued(struct tsl_session *session, const struct tsl_queued *queued)
{
    tsl_session_write(session, queued->flags, queued->channel, queued->sequence, queued->payload, queued->size);
}

static void send_due(struct tsl_session *session, uint64_t now)
{
    const struct tsl_queued *queued = NULL;
    if (tsl_sender_repeats(&session->sender))
        for (size_t place = 0; (queued = tsl_sender_repeat(&session->sender, place)) != NULL; place++)
            write_queued(session, queued);
    while ((queued = tsl_sender_launch(&session->sender, now)) != NULL)
        write_queued(session, queued);
}

void tsl_session_speak(struct tsl_session *session, uint64_t now)
{
    if (session->receiver.nak_due) {
        session->receiver.nak_due = false;
        session->counters->naks_out++;
        tsl_session_write(session, TSL_NAK, TSL_CONTROL, 0, NULL, 0);
    }
    send_due(session, now);
    if (now >= tsl_receiver_deadline(&session->receiver))
        tsl_session_write(session, 0, TSL_CONTROL, 0, NULL, 0);
}

static void seal(struct tsl_session *session, struct tsl_frame *frame, uint8_t payload[TSL_LONGEST_PAYLOAD])
{
    const uint8_t *message = frame->payload;
    const size_t size = frame->size;
    uint8_t header[TSL_HEADER];
    frame->flags |= TSL_SEALED;
    frame->size = (uint8_t)(size + TSL_SEAL_OVERHEAD);
    frame->payload = payload;
    tsl_frame_header(frame, header);
    tsl_sealer_seal(&session->sealer, header, message, size, payload);
}

void tsl_session_write(struct tsl_session *session, uint8_t flags, uint8_t channel, uint16_t sequence,
                       const uint8_t *message, uint8_t size)
{
    uint8_t payload[TSL_LONGEST_PAYLOAD];
    struct tsl_frame frame = {flags, channel, sequence, session->receiver.expected,
                              tsl_receiver_credit(&session->receiver), size, message};
    if (session->sealed)
        seal(session, &frame, payload);
    tsl_emit(session->port, session->counters, &frame);
    tsl_receiver_answered(&session->receiver);
}

static uint64_t earlier(uint64_t one, uint64_t other)
{
    return one < other ? one : other;
}

uint64_t tsl_session_deadline(const struct tsl_session *session)
{
    const uint64_t silence = session->warned ? TSL_HEARTBEAT_LOST : TSL_HEARTBEAT_WARNING;
    const uint64_t window = earlier(tsl_sender_deadline(&session->sender), tsl_receiver_deadline(&session->receiver));
    return earlier(earlier(session->beat_due, session->beat_heard + silence), window);
}
