#ifndef TSL_CRC_H
#define TSL_CRC_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32C; of the nine bytes "123456789" it is 0xE3069283. */
uint32_t tsl_crc32c(const uint8_t *bytes, size_t size);

#endif
