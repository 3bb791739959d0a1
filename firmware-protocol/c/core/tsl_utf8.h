#ifndef TSL_UTF8_H
#define TSL_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a text is UTF-8 without a NUL: no overlong form, no surrogate, nothing above U+10FFFF. */
bool tsl_is_utf8(const uint8_t *text, size_t size);

#endif
