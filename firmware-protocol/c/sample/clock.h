#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>

/* Microseconds that never go back. */
uint64_t clock_now(void);

#endif
