/* Why the board started. It has no register for that: a word of memory survives a reset, but not a loss of power. */
#ifndef RESET_H
#define RESET_H

#include "tsl_codes.h"

/* The reason of this start. It stays the same for the firmware that the boot loader starts. */
enum tsl_reset reset_reason(void);

/* Resets the processor and what is around it. */
void reset_board(enum tsl_reset reason) __attribute__((noreturn));

#endif
