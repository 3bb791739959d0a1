/* Payloads of frames and the messages that they are (section 5 of ../../README.md). */
#ifndef TSL_MESSAGE_H
#define TSL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tsl.pb.h"
#include "tsl_limits.h"

enum tsl_reading { TSL_READ, TSL_READ_UNKNOWN, TSL_READ_UNREADABLE };

/* Reads any Frame that passes tsl_is_strict. UNKNOWN: it holds no message that we know. Whether what an
 * Event or Command holds is known shows in its `which_body`, 0 if it is not. */
enum tsl_reading tsl_message_read(const uint8_t *payload, size_t size, tsl_Frame *frame);

/* Writes a Frame of at most `room` bytes; returns its size, 0 if it does not fit. */
size_t tsl_message_write(const tsl_Frame *frame, uint8_t *payload, size_t room);

#endif
