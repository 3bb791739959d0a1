#include "tsl_utf8.h"

/* First bytes from `first` to `last` are followed by `more` bytes; the next one is `least` to `most`. */
struct lead {
    uint8_t first, last, more, least, most;
};

static const struct lead LEADS[] = {
    {0x01, 0x7F, 0, 0x00, 0x00}, {0xC2, 0xDF, 1, 0x80, 0xBF}, {0xE0, 0xE0, 2, 0xA0, 0xBF},
    {0xE1, 0xEC, 2, 0x80, 0xBF}, {0xED, 0xED, 2, 0x80, 0x9F}, {0xEE, 0xEF, 2, 0x80, 0xBF},
    {0xF0, 0xF0, 3, 0x90, 0xBF}, {0xF1, 0xF3, 3, 0x80, 0xBF}, {0xF4, 0xF4, 3, 0x80, 0x8F},
};

static const struct lead *lead_of(uint8_t byte)
{
    for (size_t place = 0; place < sizeof LEADS / sizeof LEADS[0]; place++)
        if (LEADS[place].first <= byte && byte <= LEADS[place].last)
            return &LEADS[place];
    return NULL;
}

/* How many bytes the character takes, 0 if it is none. */
static size_t size_of_character(const uint8_t *text, size_t size)
{
    const struct lead *lead = lead_of(text[0]);
    if (lead == NULL || size <= lead->more)
        return 0;
    for (uint8_t place = 1; place <= lead->more; place++) {
        const uint8_t least = place == 1 ? lead->least : 0x80, most = place == 1 ? lead->most : 0xBF;
        if (text[place] < least || text[place] > most)
            return 0;
    }
    return (size_t)lead->more + 1;
}

bool tsl_is_utf8(const uint8_t *text, size_t size)
{
    for (size_t place = 0; place < size;) {
        const size_t taken = size_of_character(text + place, size - place);
        if (taken == 0)
            return false;
        place += taken;
    }
    return true;
}
