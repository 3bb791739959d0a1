/* Sentences for a technician, of at most 80 bytes; what does not fit is cut off. */
#ifndef TSL_TEXT_H
#define TSL_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "tsl_limits.h"

struct tsl_text {
    char bytes[TSL_LONGEST_TEXT + 1]; /* ends with a zero */
    uint8_t size;
};

struct tsl_text tsl_text(const char *words);
void tsl_text_add(struct tsl_text *text, const char *words);
void tsl_text_add_number(struct tsl_text *text, uint64_t number);

/* Words with "#" at the places of two numbers: "seen up to #, the newest is #". */
void tsl_text_add_with(struct tsl_text *text, const char *words, uint64_t first, uint64_t second);

void tsl_text_add_hex(struct tsl_text *text, const uint8_t *bytes, size_t size);

/* Microseconds as seconds with one decimal. */
void tsl_text_add_seconds(struct tsl_text *text, uint64_t microseconds);

/* Copies words to a place for TSL_LONGEST_TEXT bytes and the zero. */
void tsl_copy_text(char to[TSL_LONGEST_TEXT + 1], const char *words);

#endif
