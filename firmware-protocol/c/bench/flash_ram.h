/* Two slots for firmware in memory. */
#ifndef FLASH_RAM_H
#define FLASH_RAM_H

#include "tsl_flash.h"

enum { FLASH_RAM_SLOT = 1 << 16 };

struct flash_ram {
    bool saved;
    struct tsl_slots_record record;
    uint8_t slots[2][FLASH_RAM_SLOT]; /* what is written beyond is lost */
};

/* Says that its slots have `slot_size` bytes. */
struct tsl_flash flash_ram(struct flash_ram *ram, uint32_t slot_size);

#endif
