/* The settings of a sample device, as its command line gives them to the sample for Linux: they stand for the area that
 * provisioning writes. */
#ifndef WORDS_H
#define WORDS_H

#include "settings.h"

/* Reads the words that the board was started with; it does not return without them. */
void words_read(struct settings *settings);

#endif
