/* Two slots for firmware in a file; nothing in them is ever run. Whole after kill -9, as the store is. */
#ifndef FLASH_FILE_H
#define FLASH_FILE_H

#include <stdbool.h>

#include "tsl_flash.h"

struct flash_file {
    int descriptor;
    uint64_t turn; /* of the last good record */
};

/* Opens the file, or makes it; false: errno says why not. */
bool flash_file_open(struct flash_file *file, const char *path);

/* Reads bytes of an image, as a boot loader does. */
bool flash_file_read(const struct flash_file *file, uint8_t slot, uint32_t offset, uint8_t *bytes, uint32_t size);

struct tsl_flash flash_file(struct flash_file *file);

#endif
