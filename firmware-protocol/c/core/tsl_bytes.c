#include "tsl_bytes.h"

void tsl_put_u16(uint8_t *to, uint16_t value)
{
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
}

void tsl_put_u32(uint8_t *to, uint32_t value)
{
    tsl_put_u16(to, (uint16_t)value);
    tsl_put_u16(to + 2, (uint16_t)(value >> 16));
}

void tsl_put_u64(uint8_t *to, uint64_t value)
{
    tsl_put_u32(to, (uint32_t)value);
    tsl_put_u32(to + 4, (uint32_t)(value >> 32));
}

uint16_t tsl_get_u16(const uint8_t *from)
{
    return (uint16_t)(from[0] | from[1] << 8);
}

uint32_t tsl_get_u32(const uint8_t *from)
{
    return tsl_get_u16(from) | (uint32_t)tsl_get_u16(from + 2) << 16;
}

void tsl_erase(void *secret, size_t size)
{
    volatile uint8_t *bytes = secret;
    while (size-- > 0)
        bytes[size] = 0;
}
