/* The bench: the C implementation, driven by lines on its standard input. Each line is a verb and its words;
 * the answer is any number of lines, then one with a dot. Bytes are hex ("-": none), times microseconds. */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BENCH_WORDS = 12 };

struct verb {
    const char *name;
    int words; /* that follow it */
    void (*run)(char *const *words);
};

/* One for each part; they end with an entry without a name. */
extern const struct verb PART_VERBS[];
extern const struct verb LINK_VERBS[];
extern const struct verb DEVICE_VERBS[];
extern const struct verb UPDATE_VERBS[];
extern const struct verb MEMORY_VERBS[];
extern const struct verb RANDOM_VERBS[];

uint64_t bench_number(const char *word);

/* The board of the bench: what is written is collected and printed by `bench_print_written`, what is drawn was
 * given before, and is zeros if nothing was; `bench_forget` makes it as new. */
struct tsl_port;
extern const struct tsl_port BENCH_PORT;
void bench_give(const uint8_t *bytes, size_t size);
void bench_print_written(bool keep);
void bench_forget(void);

/* Prints one line for each counter. */
struct tsl_counters;
void bench_print_counters(const struct tsl_counters *counters);

#endif
