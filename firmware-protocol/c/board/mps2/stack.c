#include "stack.h"

enum { PAINT = 0x5A5A5A5A, MARGIN = 64 };

extern uint32_t stack_bottom[];

__attribute__((noinline)) void stack_paint(void)
{
    const uintptr_t end = (uintptr_t)__builtin_frame_address(0) - MARGIN;
    for (volatile uint32_t *place = stack_bottom; (uintptr_t)place < end; place++)
        *place = PAINT;
}

uint32_t stack_depth(const void *from)
{
    const uint32_t *place = stack_bottom;
    while (*place == PAINT && (const void *)place < from)
        place++;
    return (uint32_t)((const uint8_t *)from - (const uint8_t *)place);
}
