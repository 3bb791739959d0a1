/* The whole device, on a memory that outlives its boots, with a body that says what it is told. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "flash_ram.h"
#include "hex.h"
#include "pb_decode.h"
#include "pb_encode.h"
#include "random_ram.h"
#include "store_ram.h"
#include "tsl_device.h"

enum { CHUNK = 65536, LONGEST_WORD = 32 };

static struct tsl_device device;
static struct tsl_memory memory;
static struct store_ram ram;
static struct tsl_store store;
static struct tsl_identity identity;
static char serial[LONGEST_WORD], hardware[LONGEST_WORD], firmware[LONGEST_WORD];
static struct provisioning_ram provisioning;
static struct tsl_provisioning_store provisioning_store;
static struct tsl_random source;
static struct tsl_port port;
static struct flash_ram flash_memory;
static struct tsl_flash flash;
static struct tsl_slots slots;
static uint8_t maker[TSL_PUBLIC_KEY], root[TSL_PUBLIC_KEY];
static uint64_t born;
static bool power_goes;
static struct tsl_outcome outcome;
static struct tsl_condition condition;
static uint8_t chunk[CHUNK];

static struct tsl_outcome command(void *self, const tsl_Command *told, uint64_t arrived)
{
    (void)self;
    if (power_goes) {
        ram.off = true;
        return tsl_ended(TSL_FAILED, "");
    }
    uint8_t bytes[TSL_LONGEST_MESSAGE];
    tsl_Command unkeyed = *told;
    pb_ostream_t stream = pb_ostream_from_buffer(bytes, sizeof bytes);
    unkeyed.key = 0;
    if (!pb_encode(&stream, tsl_Command_fields, &unkeyed))
        return tsl_ended(TSL_FAILED, "");
    printf("command %" PRIu64 " ", born + arrived);
    hex_print(bytes, stream.bytes_written);
    putchar('\n');
    return outcome;
}

static void arm(void *self, uint64_t now)
{
    (void)self;
    (void)now;
    puts("armed");
}

static void safe(void *self, uint64_t now)
{
    (void)self;
    (void)now;
    puts("safe");
}

static struct tsl_condition its_condition(void *self)
{
    (void)self;
    return condition;
}

static const struct tsl_body BODY = {NULL, command, arm, safe, its_condition};

/* CLASS SERIAL HARDWARE FIRMWARE KEY BOOTS SEED SLOTS STEPS */
static void make(char *const *words)
{
    snprintf(serial, sizeof serial, "%s", words[1]);
    snprintf(hardware, sizeof hardware, "%s", words[2]);
    snprintf(firmware, sizeof firmware, "%s", words[3]);
    identity = (struct tsl_identity){
        (enum tsl_class)bench_number(words[0]), serial, hardware, firmware, TSL_RESET_POWER, NULL};
    provisioning_ram_fill(&provisioning, words + 4);
    provisioning_store = provisioning_ram(&provisioning);
    port = BENCH_PORT;
    port.steps = (uint16_t)bench_number(words[8]);
    bench_forget();
    memset(&ram, 0, sizeof ram);
    store = store_ram(&ram, (uint32_t)bench_number(words[7]));
}

/* PUBLIC-KEY ROOT-KEY VERSION SLOT-SIZE: from now on it can be updated. */
static void make_slots(char *const *words)
{
    hex_read_exactly(words[0], maker, sizeof maker);
    memset(&flash_memory, 0, sizeof flash_memory);
    hex_read_exactly(words[1], root, sizeof root);
    flash = flash_ram(&flash_memory, (uint32_t)bench_number(words[3]));
    tsl_slots_open(&slots, &flash,
                   &(struct tsl_product){.device_class = identity.device_class,
                                         .hardware = hardware,
                                         .maker = maker,
                                         .root = root,
                                         .version = (uint32_t)bench_number(words[2])});
    identity.slots = &slots;
}

/* The boot loader's part; answers the version that runs, 0 if none may. */
static void start_slots(char *const *words)
{
    (void)words;
    printf("version %u\n", tsl_slots_start(&slots) ? tsl_slots_version(&slots) : 0);
}

/* good | spare: a bit of that slot's image is another one from now on. */
static void damage(char *const *words)
{
    const uint8_t good = slots.record.good;
    flash_memory.slots[strcmp(words[0], "good") == 0 ? good : 1 - good][0] ^= 1;
}

static void set_firmware(char *const *words)
{
    snprintf(firmware, sizeof firmware, "%s", words[0]);
}

static void give(char *const *words)
{
    bench_give(chunk, hex_read(words[0], chunk, sizeof chunk));
}

/* NOW RESET */
static void boot(char *const *words)
{
    uint8_t log[TSL_ID];
    born = bench_number(words[0]);
    identity.reset = (enum tsl_reset)bench_number(words[1]);
    ram.off = power_goes = false;
    outcome = tsl_done();
    condition = (struct tsl_condition){.mode = TSL_MODE_READY, .alive = true};
    tsl_random_start(&source, &provisioning_store, &port);
    tsl_random_log(&source, log);
    tsl_memory_open(&memory, &store, log);
    tsl_device_start(&device, &identity, &memory, &BODY, &port, &source, 0);
}

static uint64_t uptime(const char *now)
{
    return bench_number(now) - born;
}

/* The memory is formatted; the provisioning record stays. */
static void format(char *const *words)
{
    (void)words;
    memset(&ram, 0, sizeof ram);
}

/* The provisioning record. */
static void tell_provisioning(char *const *words)
{
    (void)words;
    printf("boots %" PRIu64 "\nseed ", provisioning.record.boots);
    hex_print(provisioning.record.seed, sizeof provisioning.record.seed);
    putchar('\n');
}

/* NOW BYTES */
static void feed(char *const *words)
{
    tsl_device_feed(&device, chunk, hex_read(words[1], chunk, sizeof chunk), uptime(words[0]));
}

static void tick(char *const *words)
{
    tsl_device_tick(&device, uptime(words[0]));
}

static void speak(char *const *words)
{
    tsl_device_speak(&device, uptime(words[0]));
    bench_print_written(true);
}

static void deadline(char *const *words)
{
    const uint64_t due = tsl_device_deadline(&device, uptime(words[0]));
    printf("deadline %" PRIu64 "\n", due == TSL_NO_DEADLINE ? due : born + due);
}

static tsl_Event event_of(const char *word)
{
    tsl_Event event = tsl_Event_init_zero;
    pb_istream_t stream = pb_istream_from_buffer(chunk, hex_read(word, chunk, sizeof chunk));
    if (!pb_decode(&stream, tsl_Event_fields, &event))
        puts("no event");
    return event;
}

/* NOW EVENT, of which only the body counts */
static void record(char *const *words)
{
    tsl_device_record(&device, event_of(words[1]), uptime(words[0]));
}

/* NOW CARD: one leaves that began to move. */
static void card(char *const *words)
{
    tsl_Event event = tsl_Event_init_zero;
    const bool permitted = tsl_device_permitted(&device) > 0;
    tsl_memory_together(&memory);
    const uint64_t count = tsl_memory_end_card(&memory);
    event.which_body = permitted ? tsl_Event_card_drawn_tag : tsl_Event_card_unpermitted_tag;
    if (permitted) {
        event.body.card_drawn.count = count;
        memcpy(event.body.card_drawn.card, words[1], 2);
    } else {
        event.body.card_unpermitted.count = count;
        memcpy(event.body.card_unpermitted.card, words[1], 2);
    }
    tsl_device_record(&device, event, uptime(words[0]));
    tsl_memory_end_together(&memory);
}

static void card_begins(char *const *words)
{
    (void)words;
    puts(tsl_memory_begin_card(&memory) ? "begun" : "not begun");
}

static void power_goes_at_next_action(char *const *words)
{
    (void)words;
    power_goes = true;
}

/* STATUS TEXT: how all commands end from now on. */
static void ends(char *const *words)
{
    outcome = tsl_ended((enum tsl_status)bench_number(words[0]), strcmp(words[1], "-") == 0 ? "" : words[1]);
}

/* MODE CELSIUS ERRORS ALIVE */
static void is_in(char *const *words)
{
    condition = (struct tsl_condition){
        (enum tsl_mode)bench_number(words[0]),
        (int32_t)bench_number(words[1]),
        (uint32_t)bench_number(words[2]),
        bench_number(words[3]) != 0,
    };
}

static void print_number(const char *name, uint64_t number)
{
    printf("state %s %" PRIu64 "\n", name, number);
}

static void state(char *const *words)
{
    const struct tsl_record *kept = &memory.record;
    (void)words;
    bench_print_counters(&device.endpoint.counters);
    print_number("installed", device.endpoint.installed);
    print_number("armed", device.orders.armed);
    print_number("permitted", tsl_device_permitted(&device));
    print_number("newest", kept->newest);
    print_number("oldest", tsl_memory_oldest(&memory));
    print_number("committed", kept->committed);
    print_number("free", tsl_memory_free(&memory));
    print_number("last_key", kept->last_key);
    print_number("begun", kept->begun);
    print_number("cards", kept->cards);
    print_number("moving", kept->moving);
    if (identity.slots == NULL)
        return;
    print_number("slot_state", slots.record.state);
    print_number("slot_good", slots.record.good);
    print_number("slot_filled", slots.record.state == TSL_SLOT_EMPTY ? 0 : slots.record.filled);
    print_number("slot_counter", slots.record.counter);
    print_number("slot_generation", slots.record.generation);
    print_number("restarts", device.restarts);
}

const struct verb DEVICE_VERBS[] = {
    {"device", 9, make},
    {"slots", 4, make_slots},
    {"start-slots", 0, start_slots},
    {"damage", 1, damage},
    {"firmware", 1, set_firmware},
    {"give", 1, give},
    {"boot", 2, boot},
    {"format", 0, format},
    {"provisioning", 0, tell_provisioning},
    {"feed", 2, feed},
    {"tick", 1, tick},
    {"speak", 1, speak},
    {"deadline", 1, deadline},
    {"record", 2, record},
    {"card", 2, card},
    {"card-begins", 0, card_begins},
    {"power-goes-at-next-action", 0, power_goes_at_next_action},
    {"ends", 2, ends},
    {"is", 4, is_in},
    {"state", 0, state},
    {NULL, 0, NULL},
};
