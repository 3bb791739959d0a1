/* What a device knows after a boot (sections 8 and 9 of ../../README.md): the event ring, keys and results, the
 * count of cards. Each function is durable when it returns, or when the outermost `together` ends. */
#ifndef TSL_MEMORY_H
#define TSL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "tsl_codes.h"
#include "tsl_store.h"

struct tsl_memory {
    const struct tsl_store *store;
    struct tsl_record record; /* to be read by others, changed by the functions below */
    uint32_t uncommitted;
    uint8_t depth;
    bool failed; /* the store did; nothing that is said after that may be believed */
};

enum tsl_held { TSL_HELD, TSL_MISSING };

/* Goes on with what is there, or begins a new log with this random id. */
void tsl_memory_open(struct tsl_memory *memory, const struct tsl_store *store, const uint8_t log[TSL_ID]);

/* Forgets everything and begins a new log. */
void tsl_memory_format(struct tsl_memory *memory, const uint8_t log[TSL_ID]);

/* All between the two becomes durable at once or not at all: at most TSL_SPARE_SLOTS events and one result.
 * They nest. */
void tsl_memory_together(struct tsl_memory *memory);
void tsl_memory_end_together(struct tsl_memory *memory);

/* The first number the ring holds; the next one if it holds none. */
uint64_t tsl_memory_oldest(const struct tsl_memory *memory);

/* Slots that hold no uncommitted event. */
uint32_t tsl_memory_free(const struct tsl_memory *memory);

/* No more than the reserve is left. */
bool tsl_memory_full(const struct tsl_memory *memory);

/* Uses up the number `newest` + 1, which the payload carries, and keeps the event if it may. */
void tsl_memory_store(struct tsl_memory *memory, const uint8_t *payload, uint8_t size, bool minor, bool critical);

/* The event with this number (1 to `newest`), or the last number of the gap that begins there. */
enum tsl_held tsl_memory_read(struct tsl_memory *memory, uint64_t number, struct tsl_kept_event *event,
                              uint64_t *last_missing);

/* The host has all up to `number` (at most `newest`) on disk. Never goes back. */
void tsl_memory_commit(struct tsl_memory *memory, uint64_t number);

/* Notes that a card is about to move: it must not before this returned true. False: one moves already, or the
 * store failed. */
bool tsl_memory_begin_card(struct tsl_memory *memory);

/* The card is out: counts it, and returns the count. Its event belongs into the same `together`. */
uint64_t tsl_memory_end_card(struct tsl_memory *memory);

/* Notes an action as begun: nothing may move before this returned true. False: the store failed. */
bool tsl_memory_begin_action(struct tsl_memory *memory, uint64_t key);

/* Keeps a result: of the action that was begun, of one that was refused, of a key that is burned. */
void tsl_memory_end_action(struct tsl_memory *memory, uint64_t key, enum tsl_status status, const char *text);

/* Whether the result of an action is still known. */
bool tsl_memory_result(struct tsl_memory *memory, uint64_t key, struct tsl_kept_result *result);

#endif
