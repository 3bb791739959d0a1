/* Little-endian numbers in bytes, and the erasure of secrets. */
#ifndef TSL_BYTES_H
#define TSL_BYTES_H

#include <stddef.h>
#include <stdint.h>

void tsl_put_u16(uint8_t *to, uint16_t value);
void tsl_put_u32(uint8_t *to, uint32_t value);
void tsl_put_u64(uint8_t *to, uint64_t value);
uint16_t tsl_get_u16(const uint8_t *from);
uint32_t tsl_get_u32(const uint8_t *from);

/* Overwrites a secret with zeros; no compiler leaves that out. */
void tsl_erase(void *secret, size_t size);

#endif
