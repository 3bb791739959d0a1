#define _POSIX_C_SOURCE 200809L
#include "turns.h"

#include <string.h>
#include <unistd.h>

#include "tsl_bytes.h"
#include "tsl_crc.h"

enum { TURN = 8, CHECK = 4 };

static size_t size_of_copy(size_t record)
{
    return TURN + record + CHECK;
}

size_t turns_size(size_t record)
{
    return TURNS_COPIES * size_of_copy(record);
}

bool turns_read_at(int descriptor, size_t place, void *bytes, size_t size)
{
    return pread(descriptor, bytes, size, (off_t)place) == (ssize_t)size;
}

bool turns_write_at(int descriptor, size_t place, const void *bytes, size_t size)
{
    return pwrite(descriptor, bytes, size, (off_t)place) == (ssize_t)size;
}

static uint64_t turn_of(const uint8_t *copy)
{
    return tsl_get_u32(copy) | (uint64_t)tsl_get_u32(copy + 4) << 32;
}

static bool is_good(const uint8_t *copy, size_t record)
{
    return tsl_get_u32(copy + TURN + record) == tsl_crc32c(copy, TURN + record);
}

/* One copy, if it is good. */
static bool load_copy(int descriptor, size_t place, size_t size, uint8_t *copy)
{
    return turns_read_at(descriptor, place * size_of_copy(size), copy, size_of_copy(size)) && is_good(copy, size);
}

bool turns_load(int descriptor, void *record, size_t size, uint64_t *turn)
{
    uint8_t copy[TURN + TURNS_MOST + CHECK];
    bool found = false;
    for (size_t place = 0; place < TURNS_COPIES; place++) {
        if (!load_copy(descriptor, place, size, copy) || (found && turn_of(copy) < *turn))
            continue;
        found = true;
        *turn = turn_of(copy);
        memcpy(record, copy + TURN, size);
    }
    return found;
}

bool turns_load_older(int descriptor, void *record, size_t size, uint64_t turn)
{
    uint8_t copy[TURN + TURNS_MOST + CHECK];
    if (!load_copy(descriptor, (size_t)((turn + 1) % TURNS_COPIES), size, copy))
        return false;
    memcpy(record, copy + TURN, size);
    return true;
}

bool turns_save(int descriptor, const void *record, size_t size, uint64_t *turn)
{
    uint8_t copy[TURN + TURNS_MOST + CHECK];
    const uint64_t next = *turn + 1;
    tsl_put_u64(copy, next);
    memcpy(copy + TURN, record, size);
    tsl_put_u32(copy + TURN + size, tsl_crc32c(copy, TURN + size));
    if (!turns_write_at(descriptor, (size_t)(next % TURNS_COPIES) * size_of_copy(size), copy, size_of_copy(size)))
        return false;
    *turn = next;
    return true;
}
