/* One end of a link in an open session, without heartbeats: what the scripts of kind link are played to. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "hex.h"
#include "tsl_endpoint.h"

enum { CHUNK = 65536, FULL_CREDIT = 8 };

static struct tsl_endpoint endpoint;
static uint8_t chunk[CHUNK];

static void received(void *self, const struct tsl_received *message, uint64_t now)
{
    (void)self;
    (void)now;
    if (message->stray || message->reading != TSL_READ || message->message->which_message == tsl_Frame_heartbeat_tag)
        return;
    printf("taken ");
    hex_print(message->frame->payload, message->frame->size);
    putchar('\n');
}

static void ended(void *self, enum tsl_end end, uint64_t now)
{
    static const char *const words[TSL_ENDS] = {
        [TSL_END_BYE] = "bye",   [TSL_END_HEARTBEAT] = "heartbeat",     [TSL_END_TAGS] = "tags",
        [TSL_END_LINK] = "link", [TSL_END_UNSUPPORTED] = "unsupported", [TSL_END_SLEPT] = "slept",
    };
    (void)self;
    (void)now;
    printf("ended %s\n", words[end]);
}

static struct tsl_vitals vitals(void *self)
{
    (void)self;
    return (struct tsl_vitals){.alive = false};
}

/* KEY-OUT KEY-IN, both "-" where nothing is sealed */
static void start(char *const *words)
{
    static const struct tsl_owner owner = {NULL, received, ended, vitals};
    uint8_t out[TSL_KEY], in[TSL_KEY];
    const bool sealed = hex_read(words[0], out, sizeof out) > 0;
    (void)hex_read(words[1], in, sizeof in);
    bench_forget();
    tsl_endpoint_start(&endpoint, &BENCH_PORT, &owner, sealed, 0);
    tsl_endpoint_install(&endpoint, sealed ? out : NULL, sealed ? in : NULL, 0);
}

/* CHANNEL CRITICAL PAYLOAD */
static void send_message(char *const *words)
{
    const size_t size = hex_read(words[2], chunk, sizeof chunk);
    const enum tsl_channel channel = (enum tsl_channel)bench_number(words[0]);
    if (!tsl_endpoint_send(&endpoint, channel, bench_number(words[1]) != 0, chunk, size))
        puts("no room");
}

static void control(char *const *words)
{
    tsl_endpoint_control(&endpoint, chunk, hex_read(words[0], chunk, sizeof chunk));
}

/* NOW BYTES */
static void feed(char *const *words)
{
    tsl_endpoint_feed(&endpoint, chunk, hex_read(words[1], chunk, sizeof chunk), bench_number(words[0]));
}

static void tick(char *const *words)
{
    tsl_endpoint_tick(&endpoint, bench_number(words[0]));
}

static void speak(char *const *words)
{
    tsl_endpoint_speak(&endpoint, bench_number(words[0]));
    bench_print_written(true);
}

static void deadline(char *const *words)
{
    printf("deadline %llu\n", (unsigned long long)tsl_endpoint_deadline(&endpoint, bench_number(words[0])));
}

/* What the peer sends: the session's incoming key, and its own counter. */
static struct tsl_sealer peer(void)
{
    struct tsl_sealer sealer = {.counter = 0};
    memcpy(sealer.key, endpoint.session.opener.key, TSL_KEY);
    return sealer;
}

static void seal_frame(struct tsl_sealer *sealer, struct tsl_frame *frame, uint8_t payload[TSL_LONGEST_PAYLOAD])
{
    uint8_t header[TSL_HEADER];
    frame->flags |= TSL_SEALED;
    frame->size = (uint8_t)(frame->size + TSL_SEAL_OVERHEAD);
    tsl_frame_header(frame, header);
    tsl_sealer_seal(sealer, header, frame->payload, frame->size - TSL_SEAL_OVERHEAD, payload);
    frame->payload = payload;
}

static void feed_frame(const struct tsl_frame *frame, uint64_t now)
{
    uint8_t wire[TSL_LONGEST_WIRE];
    tsl_endpoint_feed(&endpoint, wire, tsl_frame_encode(frame, wire), now);
}

/* NOW COUNT CHANNEL PAYLOAD: so many critical frames come, sequences from 0. */
static void repeat(char *const *words)
{
    const uint8_t size = (uint8_t)hex_read(words[3], chunk, sizeof chunk);
    const uint64_t now = bench_number(words[0]), count = bench_number(words[1]);
    const struct tsl_frame first = {TSL_CRITICAL, (uint8_t)bench_number(words[2]), 0, 0, FULL_CREDIT, size, chunk};
    struct tsl_sealer sealer = peer();
    uint8_t payload[TSL_LONGEST_PAYLOAD];
    for (uint64_t sequence = 0; sequence < count; sequence++) {
        struct tsl_frame frame = first;
        frame.sequence = (uint16_t)sequence;
        if (endpoint.sealed)
            seal_frame(&sealer, &frame, payload);
        feed_frame(&frame, now);
    }
}

/* NOW COUNT CHANNEL PAYLOAD: it sends the message so often, each is acknowledged at once. */
static void acknowledged(char *const *words)
{
    const size_t size = hex_read(words[3], chunk, sizeof chunk);
    const uint64_t now = bench_number(words[0]), count = bench_number(words[1]);
    struct tsl_frame quiet = {.credit = FULL_CREDIT};
    for (uint64_t number = 0; number < count; number++) {
        if (!tsl_endpoint_send(&endpoint, (enum tsl_channel)bench_number(words[2]), false, chunk, size))
            puts("no room");
        tsl_endpoint_speak(&endpoint, now);
        bench_print_written(false);
        quiet.acknowledgement = (uint16_t)(number + 1);
        feed_frame(&quiet, now);
    }
}

const struct verb LINK_VERBS[] = {
    {"link", 2, start},          {"link-send", 3, send_message},  {"link-control", 1, control},
    {"link-feed", 2, feed},      {"link-tick", 1, tick},          {"link-speak", 1, speak},
    {"link-repeat", 4, repeat},  {"link-deadline", 1, deadline},  {"link-acknowledged", 4, acknowledged},
    {NULL, 0, NULL},
};
