/* Random values by themselves, and X25519. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "hex.h"
#include "random_ram.h"
#include "tsl_crypto.h"

static struct provisioning_ram ram;
static struct tsl_provisioning_store store;
static struct tsl_random source;

/* KEY ("-": none) BOOTS SEED */
static void provision(char *const *words)
{
    provisioning_ram_fill(&ram, words);
    store = provisioning_ram(&ram);
}

static void start(char *const *words)
{
    (void)words;
    tsl_random_start(&source, &store, &BENCH_PORT);
    printf("boots %" PRIu64 "\nseed ", ram.record.boots);
    hex_print(ram.record.seed, sizeof ram.record.seed);
    putchar('\n');
}

/* WHAT: log, boot, nonce or secret */
static void draw(char *const *words)
{
    uint8_t value[TSL_KEY];
    size_t size = TSL_ID;
    if (strcmp(words[0], "log") == 0) {
        tsl_random_log(&source, value);
    } else if (strcmp(words[0], "boot") == 0) {
        tsl_random_boot(&source, value);
    } else if (strcmp(words[0], "nonce") == 0) {
        size = tsl_random_nonce(&source, value) ? TSL_NONCE : 0;
    } else {
        tsl_random_secret(&source, value);
        size = TSL_KEY;
    }
    printf("%s ", words[0]);
    hex_print(value, size);
    putchar('\n');
}

/* COUNT: as if so many nonces had been drawn since the boot. */
static void skip_nonces(char *const *words)
{
    source.nonces = (uint32_t)bench_number(words[0]);
}

/* The record can be read no more, or not be written. */
static void spoil(char *const *words)
{
    ram.unreadable = strcmp(words[0], "read") == 0;
    ram.full = strcmp(words[0], "write") == 0;
}

/* SECRET POINT: the product ("-": zero), and how many steps it took. */
static void multiply(char *const *words)
{
    uint8_t secret[TSL_KEY], point[TSL_KEY], product[TSL_KEY];
    struct tsl_x25519 work;
    unsigned steps = 1;
    hex_read_exactly(words[0], secret, sizeof secret);
    hex_read_exactly(words[1], point, sizeof point);
    tsl_x25519_start(&work, secret, point);
    while (!tsl_x25519_step(&work))
        steps++;
    const bool good = tsl_x25519_result(&work, product);
    printf("product ");
    hex_print(product, good ? sizeof product : 0);
    printf("\nsteps %u\n", steps);
}

const struct verb RANDOM_VERBS[] = {
    {"provision", 3, provision},     {"random-start", 0, start},  {"random-draw", 1, draw},
    {"random-skips", 1, skip_nonces}, {"random-spoiled", 1, spoil}, {"x25519", 2, multiply},
    {NULL, 0, NULL},
};
