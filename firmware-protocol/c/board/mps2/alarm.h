/* The clock beyond `clock_now` of ../../sample/clock.h, and an interrupt at the time that was asked for. */
#ifndef ALARM_H
#define ALARM_H

#include <stdint.h>

/* Begins to count, from 0. */
void clock_start(void);

/* Cycles of the processor since then. */
uint64_t clock_cycles(void);

/* Wakes the processor so many microseconds from now, or earlier. */
void alarm_set(uint64_t after);

#endif
