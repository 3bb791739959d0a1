#ifndef TSL_UTF8_H
#define TSL_UTF8_H

#include <stdbool.h>

/* Whether a text is UTF-8: no overlong form, no surrogate, nothing above U+10FFFF. */
bool tsl_is_utf8(const char *text);

#endif
