/* Frames, messages, proofs and seals by themselves. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "hex.h"
#include "tsl_crypto.h"
#include "tsl_frame.h"
#include "tsl_message.h"
#include "tsl_proof.h"
#include "tsl_seal.h"

enum { CHUNK = 65536 };

static const char *const NOISE[] = {
    [TSL_FOUND_BAD_COBS] = "cobs",       [TSL_FOUND_BAD_LENGTH] = "length", [TSL_FOUND_BAD_CRC] = "crc",
    [TSL_FOUND_BAD_VERSION] = "version", [TSL_FOUND_TOO_LONG] = "too_long",
};

static void print_frame(const struct tsl_frame *frame)
{
    printf("frame %u %u %u %u %u ", frame->flags, frame->channel, frame->sequence, frame->acknowledgement,
           frame->credit);
    hex_print(frame->payload, frame->size);
    putchar('\n');
}

static struct tsl_deframer deframer;

static void deframer_starts(char *const *words)
{
    (void)words;
    memset(&deframer, 0, sizeof deframer);
}

static void deframe(char *const *words)
{
    static uint8_t chunk[CHUNK];
    const size_t size = hex_read(words[0], chunk, sizeof chunk);
    struct tsl_frame frame;
    for (size_t place = 0; place < size; place++) {
        const enum tsl_found found = tsl_deframer_feed(&deframer, chunk[place], &frame);
        if (found == TSL_FOUND_FRAME)
            print_frame(&frame);
        else if (found != TSL_FOUND_NOTHING)
            printf("noise %s\n", NOISE[found]);
    }
}

static struct tsl_frame frame_of(char *const *words, uint8_t payload[TSL_LONGEST_PAYLOAD])
{
    return (struct tsl_frame){
        .flags = (uint8_t)bench_number(words[0]),
        .channel = (uint8_t)bench_number(words[1]),
        .sequence = (uint16_t)bench_number(words[2]),
        .acknowledgement = (uint16_t)bench_number(words[3]),
        .credit = (uint8_t)bench_number(words[4]),
        .size = (uint8_t)hex_read(words[5], payload, TSL_LONGEST_PAYLOAD),
        .payload = payload,
    };
}

static void encode(char *const *words)
{
    uint8_t payload[TSL_LONGEST_PAYLOAD], wire[TSL_LONGEST_WIRE];
    const struct tsl_frame frame = frame_of(words, payload);
    printf("wire ");
    hex_print(wire, tsl_frame_encode(&frame, wire));
    putchar('\n');
}

static bool holds_nothing_known(const tsl_Frame *frame)
{
    return (frame->which_message == tsl_Frame_event_tag && frame->message.event.which_body == 0) ||
           (frame->which_message == tsl_Frame_command_tag && frame->message.command.which_body == 0);
}

/* A payload read and written again. */
static void read_payload(char *const *words)
{
    uint8_t payload[TSL_LONGEST_PAYLOAD];
    const size_t size = hex_read(words[0], payload, sizeof payload);
    tsl_Frame frame;
    const enum tsl_reading reading = tsl_message_read(payload, size, &frame);
    if (reading == TSL_READ_UNREADABLE) {
        puts("unreadable");
    } else if (reading == TSL_READ_UNKNOWN || holds_nothing_known(&frame)) {
        puts("unknown");
    } else {
        printf("message ");
        hex_print(payload, tsl_message_write(&frame, payload, sizeof payload));
        putchar('\n');
    }
}

static void print_named(const char *name, const uint8_t *bytes, size_t size)
{
    printf("%s ", name);
    hex_print(bytes, size);
    putchar('\n');
}

static void multiply(const uint8_t *secret, const uint8_t *point, uint8_t product[TSL_KEY])
{
    struct tsl_x25519 work;
    tsl_x25519_start(&work, secret, point);
    while (!tsl_x25519_step(&work))
        continue;
    (void)tsl_x25519_result(&work, product);
}

/* KEY HOST-HELLO DEVICE-HELLO HOST-SECRET DEVICE-SECRET, both secrets "-" where nothing is sealed */
static void prove(char *const *words)
{
    static const uint8_t base[TSL_KEY] = {9};
    uint8_t key[TSL_KEY], host[TSL_LONGEST_PAYLOAD], device[TSL_LONGEST_PAYLOAD], transcript[TSL_HASH], mac[TSL_HASH];
    uint8_t secrets[2][TSL_KEY], shares[2][TSL_KEY] = {{0}}, shared[TSL_KEY] = {0};
    struct tsl_agreement agreement;
    const size_t size = hex_read(words[3], secrets[0], TSL_KEY);
    (void)hex_read(words[4], secrets[1], TSL_KEY);
    if (size > 0) {
        multiply(secrets[0], base, shares[0]);
        multiply(secrets[1], base, shares[1]);
        multiply(secrets[1], shares[0], shared);
    }
    hex_read_exactly(words[0], key, sizeof key);
    const size_t host_size = hex_read(words[1], host, sizeof host);
    tsl_transcript(host, host_size, device, hex_read(words[2], device, sizeof device), transcript);
    tsl_agree(key, transcript, &(struct tsl_shares){shares[0], shares[1], shared, size}, &agreement);
    print_named("transcript", transcript, sizeof transcript);
    tsl_host_mac(key, transcript, shares[0], size, mac);
    print_named("host_mac", mac, sizeof mac);
    print_named("device_mac", agreement.device_mac, TSL_HASH);
    print_named("to_device", agreement.keys.to_device, TSL_KEY);
    print_named("to_host", agreement.keys.to_host, TSL_KEY);
    print_named("host_share", shares[0], size);
    print_named("device_share", shares[1], size);
    print_named("shared_secret", shared, size);
}

/* KEY COUNTER HEADER MESSAGE */
static void seal(char *const *words)
{
    struct tsl_sealer sealer;
    uint8_t header[TSL_HEADER], message[TSL_LONGEST_MESSAGE], payload[TSL_LONGEST_PAYLOAD];
    hex_read_exactly(words[0], sealer.key, TSL_KEY);
    sealer.counter = bench_number(words[1]);
    hex_read_exactly(words[2], header, sizeof header);
    const size_t size = hex_read(words[3], message, sizeof message);
    tsl_sealer_seal(&sealer, header, message, size, payload);
    print_named("payload", payload, size + TSL_SEAL_OVERHEAD);
}

static struct tsl_opener opener;

/* KEY LAST, where 18446744073709551615 stands for -1 */
static void opener_starts(char *const *words)
{
    hex_read_exactly(words[0], opener.key, TSL_KEY);
    opener.last = bench_number(words[1]);
}

/* FLAGS CHANNEL SEQUENCE ACKNOWLEDGEMENT CREDIT PAYLOAD; answers the verdict, the last counter, the message */
static void open_frame(char *const *words)
{
    static const char *const verdicts[] = {[TSL_GOOD] = "good", [TSL_REPLAY] = "replay", [TSL_BAD_TAG] = "tag"};
    uint8_t payload[TSL_LONGEST_PAYLOAD], message[TSL_LONGEST_MESSAGE];
    const struct tsl_frame frame = frame_of(words, payload);
    const enum tsl_verdict verdict = tsl_opener_open(&opener, &frame, message);
    printf("%s %llu ", verdicts[verdict], (unsigned long long)opener.last);
    hex_print(message, verdict == TSL_GOOD ? (size_t)(frame.size - TSL_SEAL_OVERHEAD) : 0);
    putchar('\n');
}

const struct verb PART_VERBS[] = {
    {"deframer", 0, deframer_starts},
    {"deframe", 1, deframe},
    {"encode", 6, encode},
    {"read", 1, read_payload},
    {"prove", 5, prove},
    {"seal", 4, seal},
    {"opener", 2, opener_starts},
    {"open", 6, open_frame},
    {NULL, 0, NULL},
};
