#include "tsl_range.h"

#include <stddef.h>
#include <string.h>

enum { LAMPS = 54, HIGHEST_LAMP = 6 };

#define MOST_CENTS ((UINT64_C(1) << 53) - 1)

struct range {
    uint64_t most;
    char field[8]; /* its name */
    pb_size_t which;
    uint16_t offset; /* in tsl_Command */
    bool is_wide;    /* 64 bits */
    uint8_t least;
};

#define NARROW(name, field, least, most) \
    {most, #field, tsl_Command_##name##_tag, offsetof(tsl_Command, body.name.field), false, least}
#define WIDE(name, field, least, most) \
    {most, #field, tsl_Command_##name##_tag, offsetof(tsl_Command, body.name.field), true, least}

static const struct range RANGES[] = {
    NARROW(start, decks, 1, 10),
    NARROW(lamps, ttl_ms, 1, 10000),
    NARROW(level, id, 0, 31),
    WIDE(level, cents, 0, MOST_CENTS),
    NARROW(level, state, 0, 3),
    NARROW(celebrate, id, 0, 31),
    WIDE(celebrate, cents, 0, MOST_CENTS),
    NARROW(celebrate, seconds, 1, 60),
    NARROW(text, line, 0, 7),
    NARROW(prompt, seat, 0, 9),
    WIDE(key_lamps, mask, 0, 2047),
    NARROW(buzz, ms, 1, 5000),
};

static uint64_t value_of(const tsl_Command *command, const struct range *range)
{
    const uint8_t *field = (const uint8_t *)command + range->offset;
    uint64_t wide = 0;
    uint32_t narrow = 0;
    if (range->is_wide)
        memcpy(&wide, field, sizeof wide);
    else
        memcpy(&narrow, field, sizeof narrow);
    return range->is_wide ? wide : narrow;
}

static void explain(const struct range *range, uint64_t value, struct tsl_text *why)
{
    *why = tsl_text(range->field);
    tsl_text_add_with(why, " #: ", value, 0);
    tsl_text_add_with(why, "# to #", range->least, range->most);
}

static bool check_lamps(const tsl_Lamps *command, struct tsl_text *why)
{
    bool good = command->lamps.size == LAMPS;
    for (size_t place = 0; place < command->lamps.size; place++)
        good = good && command->lamps.bytes[place] <= HIGHEST_LAMP;
    if (!good)
        *why = tsl_text("lamps: 54 values from 0 to 6");
    return good;
}

bool tsl_range_check(const tsl_Command *command, struct tsl_text *why)
{
    for (size_t place = 0; place < sizeof RANGES / sizeof RANGES[0]; place++) {
        const struct range *range = &RANGES[place];
        const uint64_t value = range->which == command->which_body ? value_of(command, range) : range->least;
        if (value < range->least || value > range->most) {
            explain(range, value, why);
            return false;
        }
    }
    return command->which_body != tsl_Command_lamps_tag || check_lamps(&command->body.lamps, why);
}
