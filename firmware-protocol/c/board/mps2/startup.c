/* From reset to main: vectors, memory, a stack that shows how deep it got. */
#include <string.h>

#include "board.h"
#include "reset.h"
#include "stack.h"

extern uint8_t data_start[], data_end[], data_load[], bss_start[], bss_end[], code_size[], image_number[];
extern uint8_t stack_top[];

int main(void);
void reset(void);

__attribute__((noreturn)) static void fault(void)
{
    reset_board(TSL_RESET_WATCHDOG); /* what a watchdog does with a processor that stands still */
}

__attribute__((section(".vectors"), used)) static const struct vectors VECTORS = {
    .stack = (uint32_t *)stack_top,
    .reset = reset,
    .faults = {fault, fault, fault, fault, fault},
    .magic = BOARD_IMAGE_MAGIC,
    .size = code_size,
    .number = image_number,
    .calls = {fault, fault, NULL, fault},
    .systick = systick_handler,
    .interrupts =
        {
            [UART0_RX] = uart0_rx_handler,
            [UART0_TX] = uart0_tx_handler,
            [UART1_RX] = uart1_rx_handler,
            [UART1_TX] = uart1_tx_handler,
            [TIMER0] = timer0_handler,
        },
};

__attribute__((noreturn)) void reset(void)
{
    memcpy(data_start, data_load, (size_t)(data_end - data_start));
    memset(bss_start, 0, (size_t)(bss_end - bss_start));
    stack_paint();
    (void)main();
    fault();
}
