#ifndef SETTINGS_H
#define SETTINGS_H

#include "unit.h"

/* Reads the command line; false: it said on stderr what is wrong. */
bool settings_read(struct settings *settings, int count, char **words);

/* What the device has from the factory. */
struct tsl_product settings_product(const struct settings *settings);

#endif
