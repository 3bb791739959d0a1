/* A record in a file that changes as a whole: it is written in turns to two places, with a check each. */
#ifndef TURNS_H
#define TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TURNS_MOST = 512, TURNS_COPIES = 2 };

/* Bytes of the file, from its beginning, that both copies of such a record take. */
size_t turns_size(size_t record);

/* The newer one of the good copies, and its turn; false: there is none. */
bool turns_load(int descriptor, void *record, size_t size, uint64_t *turn);

/* The record before the last `turns_save`, whose turn this is; false: it cannot be read. */
bool turns_load_older(int descriptor, void *record, size_t size, uint64_t turn);

/* Replaces the older copy and counts the turn. */
bool turns_save(int descriptor, const void *record, size_t size, uint64_t *turn);

/* Exactly so many bytes from a place of the file, or to it. */
bool turns_read_at(int descriptor, size_t place, void *bytes, size_t size);
bool turns_write_at(int descriptor, size_t place, const void *bytes, size_t size);

#endif
