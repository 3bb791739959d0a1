/* The start of the bench (../../bench): it runs at once, without a boot loader, and speaks with a debugger's standard
 * input and output, which libc's `rdimon` reaches. */
#include <stdlib.h>
#include <string.h>

#include "board.h"

extern uint8_t data_start[], data_end[], data_load[], bss_start[], bss_end[], stack_top[];

void initialise_monitor_handles(void);
int main(void);
void reset(void);

__attribute__((noreturn)) static void fault(void)
{
    abort();
}

__attribute__((section(".vectors"), used)) static const struct vectors VECTORS = {
    .stack = (uint32_t *)stack_top,
    .reset = reset,
    .faults = {fault, fault, fault, fault, fault},
    .calls = {fault, fault, NULL, fault},
    .systick = fault,
};

__attribute__((noreturn)) void reset(void)
{
    memcpy(data_start, data_load, (size_t)(data_end - data_start));
    memset(bss_start, 0, (size_t)(bss_end - bss_start));
    initialise_monitor_handles();
    exit(main());
}
