#include "hex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *text)
{
    fprintf(stderr, "not the hex that is wanted here: %.40s\n", text);
    exit(2);
}

size_t hex_read(const char *text, uint8_t *bytes, size_t room)
{
    size_t size = 0;
    if (strcmp(text, "-") == 0)
        return 0;
    for (; text[2 * size] != '\0'; size++) {
        unsigned value = 0;
        if (size == room || sscanf(text + 2 * size, "%2x", &value) != 1)
            give_up(text);
        bytes[size] = (uint8_t)value;
    }
    return size;
}

void hex_read_exactly(const char *text, uint8_t *bytes, size_t size)
{
    if (hex_read(text, bytes, size) != size)
        give_up(text);
}

void hex_print(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        putchar('-');
    for (size_t place = 0; place < size; place++)
        printf("%02x", bytes[place]);
}
