/* Whether a payload can be read, by one rule for all implementations (section 5 of ../../README.md). */
#ifndef TSL_STRICT_H
#define TSL_STRICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Scans a payload before the protobuf library sees it, because libraries disagree about malformed messages.
 * False: the payload is unreadable. Unknown fields are skipped without a look inside. */
bool tsl_is_strict(const uint8_t *payload, size_t size);

#endif
