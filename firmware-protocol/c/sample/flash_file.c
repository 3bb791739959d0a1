#define _POSIX_C_SOURCE 200809L
#include "flash_file.h"

#include <fcntl.h>

#include "turns.h"

enum { SLOT = 1 << 20 };

static size_t place_in(uint8_t slot, uint32_t offset)
{
    return turns_size(sizeof(struct tsl_slots_record)) + (size_t)slot * SLOT + offset;
}

static bool load_record(void *self, struct tsl_slots_record *record)
{
    struct flash_file *file = self;
    return turns_load(file->descriptor, record, sizeof *record, &file->turn);
}

static bool save_record(void *self, const struct tsl_slots_record *record)
{
    struct flash_file *file = self;
    return turns_save(file->descriptor, record, sizeof *record, &file->turn);
}

static bool write_bytes(void *self, uint8_t slot, uint32_t offset, const uint8_t *bytes, uint32_t size)
{
    const struct flash_file *file = self;
    return turns_write_at(file->descriptor, place_in(slot, offset), bytes, size);
}

static bool hash(void *self, uint8_t slot, uint32_t size, uint8_t found[TSL_HASH])
{
    static uint8_t image[SLOT];
    const struct flash_file *file = self;
    const struct tsl_part part = {image, size};
    if (size > SLOT || !turns_read_at(file->descriptor, place_in(slot, 0), image, size))
        return false;
    tsl_sha256(&part, 1, found);
    return true;
}

bool flash_file_open(struct flash_file *file, const char *path)
{
    file->turn = 0;
    file->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    return file->descriptor >= 0;
}

bool flash_file_read(const struct flash_file *file, uint8_t slot, uint32_t offset, uint8_t *bytes, uint32_t size)
{
    return turns_read_at(file->descriptor, place_in(slot, offset), bytes, size);
}

struct tsl_flash flash_file(struct flash_file *file)
{
    return (struct tsl_flash){file, SLOT, load_record, save_record, write_bytes, hash};
}
