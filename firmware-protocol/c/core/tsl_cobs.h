/* Consistent overhead byte stuffing: bytes without a zero among them. */
#ifndef TSL_COBS_H
#define TSL_COBS_H

#include <stddef.h>
#include <stdint.h>

/* Writes at most size + 1 + size / 254 bytes to `to` and returns how many. */
size_t tsl_cobs_encode(const uint8_t *bytes, size_t size, uint8_t *to);

/* Decodes in place; how many bytes are left, or -1 if this is no COBS. */
int tsl_cobs_decode(uint8_t *run, size_t size);

#endif
