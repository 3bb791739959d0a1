#include "tsl_cobs.h"

enum { FULL_BLOCK = 255 };

size_t tsl_cobs_encode(const uint8_t *bytes, size_t size, uint8_t *to)
{
    size_t code = 0, end = 1;
    for (size_t place = 0; place < size; place++) {
        if (bytes[place] != 0)
            to[end++] = bytes[place];
        if (bytes[place] == 0 || end - code == FULL_BLOCK) {
            to[code] = (uint8_t)(end - code);
            code = end++;
        }
    }
    to[code] = (uint8_t)(end - code);
    return end;
}

int tsl_cobs_decode(uint8_t *run, size_t size)
{
    size_t from = 0;
    int end = 0;
    while (from < size) {
        const uint8_t code = run[from++];
        if (code == 0 || from + code - 1 > size)
            return -1;
        for (uint8_t left = (uint8_t)(code - 1); left > 0; left--) {
            if (run[from] == 0)
                return -1;
            run[end++] = run[from++];
        }
        if (code < FULL_BLOCK && from < size)
            run[end++] = 0;
    }
    return end;
}
