#include "tsl_catalogue.h"

#include <stddef.h>

static const struct tsl_entry ENTRIES[] = {
    {tsl_Command_update_begin_tag, 0, true, "UpdateBegin"},
    {tsl_Command_update_apply_tag, 0, true, "UpdateApply"},
    {tsl_Command_update_confirm_tag, 0, true, "UpdateConfirm"},
    {tsl_Command_maker_key_tag, 0, true, "MakerKey"},
    {tsl_Command_permit_tag, TSL_SHOE, false, "Permit"},
    {tsl_Command_lock_tag, TSL_SHOE, false, "Lock"},
    {tsl_Command_start_tag, TSL_SHUFFLER, true, "Start"},
    {tsl_Command_eject_tag, TSL_SHUFFLER, true, "Eject"},
    {tsl_Command_stop_tag, TSL_SHUFFLER, false, "Stop"},
    {tsl_Command_lamps_tag, TSL_SENSORS, false, "Lamps"},
    {tsl_Command_level_tag, TSL_DISPLAY, false, "Level"},
    {tsl_Command_celebrate_tag, TSL_DISPLAY, false, "Celebrate"},
    {tsl_Command_text_tag, TSL_DISPLAY, false, "Text"},
    {tsl_Command_prompt_tag, TSL_CONSOLE, false, "Prompt"},
    {tsl_Command_key_lamps_tag, TSL_CONSOLE, false, "KeyLamps"},
    {tsl_Command_buzz_tag, TSL_CONSOLE, false, "Buzz"},
};

const struct tsl_entry *tsl_entry_of(pb_size_t which)
{
    for (size_t place = 0; place < sizeof ENTRIES / sizeof ENTRIES[0]; place++)
        if (ENTRIES[place].which == which)
            return &ENTRIES[place];
    return NULL;
}
