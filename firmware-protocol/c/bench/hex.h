#ifndef HEX_H
#define HEX_H

#include <stddef.h>
#include <stdint.h>

/* Reads hex, "-" standing for nothing, into at most `room` bytes; returns how many. Ends the program on
 * anything else: what is fed here was written by a program. */
size_t hex_read(const char *text, uint8_t *bytes, size_t room);

/* Reads exactly `size` bytes. */
void hex_read_exactly(const char *text, uint8_t *bytes, size_t size);

/* Prints bytes as hex, "-" for none. */
void hex_print(const uint8_t *bytes, size_t size);

#endif
