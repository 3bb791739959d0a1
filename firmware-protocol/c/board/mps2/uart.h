/* Two UARTs whose interrupts fill and empty rings: the first is the device's line, the second the hand's. */
#ifndef UART_H
#define UART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring {
    uint8_t *bytes;
    uint32_t size; /* a power of two */
    volatile uint32_t head; /* of all bytes ever put, and taken; they wrap */
    volatile uint32_t tail;
};

struct uart {
    uint32_t base;
    struct ring in, out;
    volatile bool busy;
};

extern struct uart UART_LINE, UART_HAND;

void uart_start(void);

/* All that came, at most `room` bytes. What came while the ring was full is lost. */
size_t uart_read(struct uart *uart, uint8_t *bytes, size_t room);
bool uart_waits(const struct uart *uart);

/* Sends all of it, without waiting; false: there is no room for it, and none of it is sent. */
bool uart_write(struct uart *uart, const uint8_t *bytes, size_t size);

#endif
