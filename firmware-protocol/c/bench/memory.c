/* A device's memory by itself, whose power may go at any write. */
#include <inttypes.h>
#include <stdio.h>

#include "bench.h"
#include "hex.h"
#include "store_ram.h"
#include "tsl_memory.h"

static struct store_ram ram;
static struct tsl_store store;
static struct tsl_memory memory;

/* SLOTS WRITES: formatted; then the power goes in the middle of so many writes later, 0: never. */
static void make(char *const *words)
{
    static const uint8_t log[TSL_ID] = {1, 2, 3, 4, 5, 6, 7, 8};
    ram = (struct store_ram){.formatted = false};
    store = store_ram(&ram, (uint32_t)bench_number(words[0]));
    tsl_memory_open(&memory, &store, log);
    ram.writes_left = (uint32_t)bench_number(words[1]);
}

/* The power comes again. */
static void wake(char *const *words)
{
    static const uint8_t other_log[TSL_ID] = {0};
    (void)words;
    ram.off = false;
    ram.writes_left = 0;
    tsl_memory_open(&memory, &store, other_log);
}

/* COUNT MINOR: so many events at once. */
static void keep(char *const *words)
{
    static const uint8_t payload[] = {0x82, 0x01, 0x00};
    tsl_memory_together(&memory);
    for (uint64_t left = bench_number(words[0]); left > 0; left--)
        tsl_memory_store(&memory, payload, sizeof payload, bench_number(words[1]) != 0, false);
    tsl_memory_end_together(&memory);
}

static void commit(char *const *words)
{
    tsl_memory_commit(&memory, bench_number(words[0]));
}

/* A card begins to move; it is out, and its event is kept. */
static void begin_card(char *const *words)
{
    (void)words;
    (void)tsl_memory_begin_card(&memory);
}

static void end_card(char *const *words)
{
    char *const one_of_a_card[] = {"1", "0"};
    (void)words;
    tsl_memory_together(&memory);
    (void)tsl_memory_end_card(&memory);
    keep(one_of_a_card);
    tsl_memory_end_together(&memory);
}

static void begin_action(char *const *words)
{
    (void)tsl_memory_begin_action(&memory, bench_number(words[0]));
}

static void end_action(char *const *words)
{
    tsl_memory_end_action(&memory, bench_number(words[0]), TSL_DONE, "over");
}

static void print_held(void)
{
    struct tsl_kept_event event;
    uint64_t last_missing = 0;
    for (uint64_t number = 1; number <= memory.record.newest; number++)
        if (tsl_memory_read(&memory, number, &event, &last_missing) == TSL_HELD)
            printf("held %" PRIu64 "\n", event.number);
        else
            number = last_missing;
}

static void print_results(void)
{
    struct tsl_kept_result result;
    for (uint64_t key = 1; key <= memory.record.last_key; key++)
        if (tsl_memory_result(&memory, key, &result))
            printf("result %" PRIu64 "\n", result.key);
}

/* Whether the power is still there. */
static void tell_of_power(char *const *words)
{
    (void)words;
    puts(ram.off ? "off" : "on");
}

/* All that it knows. */
static void tell(char *const *words)
{
    const struct tsl_record *record = &memory.record;
    (void)words;
    printf("newest %" PRIu64 "\ncommitted %" PRIu64 "\nlast_key %" PRIu64 "\n", record->newest, record->committed,
           record->last_key);
    printf("begun %" PRIu64 "\ncards %" PRIu64 "\nmoving %d\nfree %u\n", record->begun, record->cards, record->moving,
           tsl_memory_free(&memory));
    print_held();
    print_results();
}

const struct verb MEMORY_VERBS[] = {
    {"memory", 2, make},
    {"memory-wakes", 0, wake},
    {"memory-keeps", 2, keep},
    {"memory-commits", 1, commit},
    {"memory-begins-card", 0, begin_card},
    {"memory-ends-card", 0, end_card},
    {"memory-begins-action", 1, begin_action},
    {"memory-ends-action", 1, end_action},
    {"memory-powered", 0, tell_of_power},
    {"memory-tells", 0, tell},
    {NULL, 0, NULL},
};
