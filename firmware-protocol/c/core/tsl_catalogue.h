/* Which commands each class of device knows. */
#ifndef TSL_CATALOGUE_H
#define TSL_CATALOGUE_H

#include <stdbool.h>

#include "tsl.pb.h"
#include "tsl_codes.h"

struct tsl_entry {
    pb_size_t which; /* its number in Command */
    int device_class;
    bool action;
    const char *name;
};

/* The entry of a command that belongs to one class or, with class 0, is a part of an update; NULL for all
 * others. */
const struct tsl_entry *tsl_entry_of(pb_size_t which);

#endif
