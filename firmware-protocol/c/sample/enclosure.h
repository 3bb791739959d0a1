/* The housing of a sample device: doors with sensors, and a case that notices when it is opened (section 13.1 of
 * ../../README.md). */
#ifndef ENCLOSURE_H
#define ENCLOSURE_H

#include <stdbool.h>

/* The greatest number of a door; those from 100 on are the maker's. */
enum { MOST_DOORS = 199 };

struct unit;

struct enclosure {
    struct unit *unit;
    char path[512];            /* where the doors are kept while the device has no power */
    bool open[MOST_DOORS + 1]; /* by the number of the door */
};

/* Reads which doors are open; false: the path of the memory is too long. */
bool enclosure_open(struct enclosure *enclosure, struct unit *unit);

/* The power came: each open door is reported again. */
void enclosure_boot(struct enclosure *enclosure);

/* What a hand does. Without power nothing is reported; an open door then is at the next boot. */
void enclosure_move_door(struct enclosure *enclosure, unsigned which, bool open);
void enclosure_open_case(struct enclosure *enclosure);

#endif
