#include "tsl_crc.h"

/* Remainders of the 16 half bytes for the reflected polynomial 0x82F63B78: 64 bytes of flash, two steps a byte. */
static const uint32_t REMAINDERS[16] = {
    0x00000000, 0x105EC76F, 0x20BD8EDE, 0x30E349B1, 0x417B1DBC, 0x5125DAD3, 0x61C69362, 0x7198540D,
    0x82F63B78, 0x92A8FC17, 0xA24BB5A6, 0xB21572C9, 0xC38D26C4, 0xD3D3E1AB, 0xE330A81A, 0xF36E6F75,
};

static uint32_t half_byte(uint32_t crc)
{
    return crc >> 4 ^ REMAINDERS[crc & 15];
}

uint32_t tsl_crc32c(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t place = 0; place < size; place++)
        crc = half_byte(half_byte(crc ^ bytes[place]));
    return ~crc;
}
