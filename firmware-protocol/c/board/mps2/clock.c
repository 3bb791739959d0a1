/* Microseconds from the cycles of SysTick, which wraps every 0.67 s, and an alarm by the board's first timer. */
#include "clock.h"

#include "alarm.h"
#include "board.h"

#define LAP UINT32_C(0x01000000) /* cycles until SysTick wraps */
#define PENDING (UINT32_C(1) << 26)

enum { CYCLES = BOARD_HZ / 1000000, LONGEST_NAP = 100000000, TIMER_ON = 9, SYSTICK_ON = 7 };

static volatile uint32_t laps;

void systick_handler(void)
{
    laps++;
}

void timer0_handler(void)
{
    *board_register(TIMER0_BASE) = 0;
    *board_register(TIMER0_BASE + 12) = 1;
}

void clock_start(void)
{
    *board_register(UINT32_C(0xE000E014)) = LAP - 1;
    *board_register(UINT32_C(0xE000E018)) = 0;
    *board_register(UINT32_C(0xE000E010)) = SYSTICK_ON;
    while (*board_register(UINT32_C(0xE000E018)) == 0)
        continue; /* it takes its first lap at the first cycle */
    board_enable(TIMER0);
}

uint64_t clock_cycles(void)
{
    board_hold();
    uint32_t lap = laps, left = *board_register(UINT32_C(0xE000E018));
    if ((*board_register(UINT32_C(0xE000ED04)) & PENDING) != 0) { /* it wrapped, and its handler waits */
        left = *board_register(UINT32_C(0xE000E018));
        lap++;
    }
    board_release();
    return (uint64_t)lap * LAP + (LAP - 1 - left);
}

uint64_t clock_now(void)
{
    return clock_cycles() / CYCLES;
}

void alarm_set(uint64_t after)
{
    const uint64_t micros = after > LONGEST_NAP ? LONGEST_NAP : after < 1 ? 1 : after;
    *board_register(TIMER0_BASE) = 0;
    *board_register(TIMER0_BASE + 12) = 1;
    *board_register(TIMER0_BASE + 8) = UINT32_MAX;
    *board_register(TIMER0_BASE + 4) = (uint32_t)(micros * CYCLES);
    *board_register(TIMER0_BASE) = TIMER_ON;
}
