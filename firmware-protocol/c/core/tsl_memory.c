#include "tsl_memory.h"

#include <string.h>

#include "tsl_text.h"

enum { RESULT_SLOTS = TSL_RESULTS + 1 };

static uint32_t capacity(const struct tsl_memory *memory)
{
    return memory->store->event_slots - TSL_SPARE_SLOTS;
}

static uint32_t event_slot(const struct tsl_memory *memory, uint32_t place)
{
    return (memory->record.first_event + place) % memory->store->event_slots;
}

static uint8_t result_slot(const struct tsl_memory *memory, uint8_t place)
{
    return (uint8_t)((memory->record.first_result + place) % RESULT_SLOTS);
}

static uint64_t number_at(const struct tsl_memory *memory, uint32_t place)
{
    return memory->store->number_of(memory->store->self, event_slot(memory, place));
}

/* How many of the held events have a lower number: they are held in the order of their numbers. */
static uint32_t held_below(const struct tsl_memory *memory, uint64_t number)
{
    uint32_t low = 0, high = memory->record.events;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (number_at(memory, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void check(struct tsl_memory *memory, bool good)
{
    memory->failed = memory->failed || !good;
}

static void save(struct tsl_memory *memory)
{
    if (memory->depth == 0)
        check(memory, memory->store->save_record(memory->store->self, &memory->record));
}

/* Whether these numbers can be a device's: what erased flash reads is a memory found unusable. */
static bool is_possible(const struct tsl_record *record)
{
    return record->committed <= record->newest && record->newest <= TSL_HIGHEST && record->cards <= record->newest &&
           record->last_key <= TSL_HIGHEST;
}

void tsl_memory_open(struct tsl_memory *memory, const struct tsl_store *store, const uint8_t log[TSL_ID])
{
    memset(memory, 0, sizeof *memory);
    memory->store = store;
    if (!store->load_record(store->self, &memory->record) || !is_possible(&memory->record))
        tsl_memory_format(memory, log);
    memory->uncommitted = memory->record.events - held_below(memory, memory->record.committed + 1);
}

void tsl_memory_format(struct tsl_memory *memory, const uint8_t log[TSL_ID])
{
    memset(&memory->record, 0, sizeof memory->record);
    memcpy(memory->record.log, log, TSL_ID);
    memory->uncommitted = 0;
    save(memory);
}

void tsl_memory_together(struct tsl_memory *memory)
{
    memory->depth++;
}

void tsl_memory_end_together(struct tsl_memory *memory)
{
    memory->depth--;
    save(memory);
}

uint64_t tsl_memory_oldest(const struct tsl_memory *memory)
{
    return memory->record.events > 0 ? number_at(memory, 0) : memory->record.newest + 1;
}

uint32_t tsl_memory_free(const struct tsl_memory *memory)
{
    return capacity(memory) - memory->uncommitted;
}

bool tsl_memory_full(const struct tsl_memory *memory)
{
    return tsl_memory_free(memory) <= TSL_RESERVE;
}

/* A free slot: at need that of the oldest event, if it is committed. */
static bool make_room(struct tsl_memory *memory)
{
    if (memory->record.events < capacity(memory))
        return true;
    if (tsl_memory_oldest(memory) > memory->record.committed)
        return false;
    memory->record.first_event = event_slot(memory, 1);
    memory->record.events--;
    return true;
}

static void keep(struct tsl_memory *memory, const uint8_t *payload, uint8_t size, bool critical)
{
    const struct tsl_store *store = memory->store;
    struct tsl_kept_event event = {.number = memory->record.newest + 1, .critical = critical, .size = size};
    memcpy(event.payload, payload, size);
    check(memory, store->save_event(store->self, event_slot(memory, memory->record.events), &event));
    memory->record.events++;
    memory->uncommitted++;
}

void tsl_memory_store(struct tsl_memory *memory, const uint8_t *payload, uint8_t size, bool minor, bool critical)
{
    if (!(minor && tsl_memory_full(memory)) && make_room(memory))
        keep(memory, payload, size, critical);
    memory->record.newest++;
    save(memory);
}

enum tsl_held tsl_memory_read(struct tsl_memory *memory, uint64_t number, struct tsl_kept_event *event,
                              uint64_t *last_missing)
{
    const struct tsl_store *store = memory->store;
    const uint32_t place = held_below(memory, number);
    const bool ends = place == memory->record.events;
    const uint64_t next = ends ? memory->record.newest + 1 : number_at(memory, place);
    if (next == number && !ends) {
        check(memory, store->load_event(store->self, event_slot(memory, place), event));
        return TSL_HELD;
    }
    *last_missing = next - 1;
    return TSL_MISSING;
}

void tsl_memory_commit(struct tsl_memory *memory, uint64_t number)
{
    if (number <= memory->record.committed || number > memory->record.newest)
        return;
    memory->record.committed = number;
    memory->uncommitted = memory->record.events - held_below(memory, number + 1);
    save(memory);
}

bool tsl_memory_begin_card(struct tsl_memory *memory)
{
    if (memory->record.moving)
        return false;
    memory->record.moving = true;
    save(memory);
    return !memory->failed;
}

uint64_t tsl_memory_end_card(struct tsl_memory *memory)
{
    memory->record.moving = false;
    memory->record.cards++;
    save(memory);
    return memory->record.cards;
}

bool tsl_memory_begin_action(struct tsl_memory *memory, uint64_t key)
{
    memory->record.last_key = memory->record.begun = key;
    save(memory);
    return !memory->failed;
}

void tsl_memory_end_action(struct tsl_memory *memory, uint64_t key, enum tsl_status status, const char *text)
{
    struct tsl_record *record = &memory->record;
    struct tsl_kept_result result = {.key = key, .status = (uint8_t)status};
    tsl_copy_text(result.text, text);
    check(memory, memory->store->save_result(memory->store->self, result_slot(memory, record->results), &result));
    if (record->results < TSL_RESULTS)
        record->results++;
    else
        record->first_result = result_slot(memory, 1);
    if (key > record->last_key)
        record->last_key = key;
    if (key == record->begun)
        record->begun = 0;
    save(memory);
}

bool tsl_memory_result(struct tsl_memory *memory, uint64_t key, struct tsl_kept_result *result)
{
    const struct tsl_store *store = memory->store;
    for (uint8_t place = 0; place < memory->record.results; place++) {
        check(memory, store->load_result(store->self, result_slot(memory, place), result));
        if (result->key == key)
            return true;
    }
    return false;
}
