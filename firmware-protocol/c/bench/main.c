#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "hex.h"
#include "tsl_limits.h"
#include "tsl_port.h"

enum { LONGEST_LINE = 1 << 18, MOST_WRITTEN = 1 << 20, MOST_GIVEN = 4096 };

static const struct verb *const PARTS[] = {PART_VERBS, LINK_VERBS, DEVICE_VERBS,
                                           UPDATE_VERBS, MEMORY_VERBS, RANDOM_VERBS};
static uint8_t written[MOST_WRITTEN];
static size_t written_size;
static uint8_t given[MOST_GIVEN];
static size_t given_size;

static void write_bytes(void *self, const uint8_t *bytes, size_t size)
{
    (void)self;
    if (size > MOST_WRITTEN - written_size)
        return;
    memcpy(written + written_size, bytes, size);
    written_size += size;
}

static void draw_bytes(void *self, uint8_t *bytes, size_t size)
{
    (void)self;
    if (given_size == 0) {
        memset(bytes, 0, size);
        return;
    }
    if (size > given_size) {
        fprintf(stderr, "%zu random bytes are wanted, %zu were given\n", size, given_size);
        exit(2);
    }
    memcpy(bytes, given, size);
    given_size -= size;
    memmove(given, given + size, given_size);
}

const struct tsl_port BENCH_PORT = {NULL, 115200, write_bytes, draw_bytes, 0};

static void make_room(size_t size)
{
    if (size > MOST_GIVEN - given_size) {
        fprintf(stderr, "%zu random bytes wait already\n", given_size);
        exit(2);
    }
}

void bench_give(const uint8_t *bytes, size_t size)
{
    make_room(size);
    memcpy(given + given_size, bytes, size);
    given_size += size;
}

void bench_print_written(bool keep)
{
    if (keep) {
        printf("out ");
        hex_print(written, written_size);
        putchar('\n');
    }
    written_size = 0;
}

void bench_forget(void)
{
    written_size = given_size = 0;
}

uint64_t bench_number(const char *word)
{
    char *end = NULL;
    const uint64_t number = strtoull(word, &end, 10);
    if (*word == '\0' || *end != '\0') {
        fprintf(stderr, "not a number: %s\n", word);
        exit(2);
    }
    return number;
}

static const struct verb *find(const char *name)
{
    for (size_t part = 0; part < sizeof PARTS / sizeof PARTS[0]; part++)
        for (const struct verb *verb = PARTS[part]; verb->name != NULL; verb++)
            if (strcmp(verb->name, name) == 0)
                return verb;
    return NULL;
}

static void obey(char *line)
{
    char *words[BENCH_WORDS + 1] = {NULL};
    int count = 0;
    for (char *word = strtok(line, " \n"); word != NULL && count <= BENCH_WORDS; word = strtok(NULL, " \n"))
        words[count++] = word;
    const struct verb *verb = count > 0 ? find(words[0]) : NULL;
    if (verb == NULL || verb->words != count - 1) {
        fprintf(stderr, "unknown, or not that many words: %s\n", count > 0 ? words[0] : "");
        exit(2);
    }
    verb->run(words + 1);
}

int main(void)
{
    static char line[LONGEST_LINE];
    while (fgets(line, sizeof line, stdin) != NULL) {
        obey(line);
        puts(".");
        fflush(stdout);
    }
    return 0;
}
