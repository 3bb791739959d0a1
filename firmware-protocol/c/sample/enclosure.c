#include "enclosure.h"

#include <stdio.h>
#include <string.h>

#include "files.h"
#include "unit.h"

bool enclosure_open(struct enclosure *enclosure, struct unit *unit)
{
    memset(enclosure, 0, sizeof *enclosure);
    enclosure->unit = unit;
    const int size = snprintf(enclosure->path, sizeof enclosure->path, "%s.doors", unit->settings->memory);
    (void)file_read(enclosure->path, enclosure->open, sizeof enclosure->open);
    return size < (int)sizeof enclosure->path;
}

static void report(struct enclosure *enclosure, unsigned which)
{
    tsl_Event event = {.which_body = tsl_Event_door_tag};
    event.body.door.which = which;
    event.body.door.open = enclosure->open[which];
    unit_record(enclosure->unit, &event);
}

void enclosure_boot(struct enclosure *enclosure)
{
    for (unsigned which = 1; which <= MOST_DOORS; which++)
        if (enclosure->open[which])
            report(enclosure, which);
}

void enclosure_move_door(struct enclosure *enclosure, unsigned which, bool open)
{
    if (open == enclosure->open[which])
        return;
    enclosure->open[which] = open;
    if (!file_replace(enclosure->path, enclosure->open, sizeof enclosure->open))
        perror(enclosure->path);
    report(enclosure, which);
}

void enclosure_open_case(struct enclosure *enclosure)
{
    tsl_Event event = {.which_body = tsl_Event_tamper_tag};
    event.body.tamper.what = TSL_TAMPER_CASE;
    event.body.tamper.count = 1;
    unit_record(enclosure->unit, &event);
}
