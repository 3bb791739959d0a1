#include "flash_ram.h"

#include <string.h>

static bool load_record(void *self, struct tsl_slots_record *record)
{
    const struct flash_ram *ram = self;
    *record = ram->record;
    return ram->saved;
}

static bool save_record(void *self, const struct tsl_slots_record *record)
{
    struct flash_ram *ram = self;
    ram->record = *record;
    ram->saved = true;
    return true;
}

static bool write_bytes(void *self, uint8_t slot, uint32_t offset, const uint8_t *bytes, uint32_t size)
{
    struct flash_ram *ram = self;
    if (offset <= FLASH_RAM_SLOT - size)
        memcpy(ram->slots[slot] + offset, bytes, size);
    return true;
}

static bool hash(void *self, uint8_t slot, uint32_t size, uint8_t found[TSL_HASH])
{
    const struct flash_ram *ram = self;
    const struct tsl_part part = {ram->slots[slot], size};
    if (size > FLASH_RAM_SLOT)
        return false;
    tsl_sha256(&part, 1, found);
    return true;
}

struct tsl_flash flash_ram(struct flash_ram *ram, uint32_t slot_size)
{
    return (struct tsl_flash){ram, slot_size, load_record, save_record, write_bytes, hash};
}
