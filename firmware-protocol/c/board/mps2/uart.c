#include "uart.h"

#include "board.h"

/* Bytes, powers of two: 2,048 hold what comes in 170 ms at 115200 baud, the hand's the longest of its lines. */
enum { LINE_RING = 2048, HAND_RING = 16384 };
/* Receiver, transmitter and their interrupts; 115200 baud of 25 MHz. */
enum { ON = 15, DIVIDER = 217 };
enum { DATA = 0, CONTROL = 8, CLEAR = 12, BAUD = 16, TOLD_TX = 1, TOLD_RX = 2 };

static uint8_t line_in[LINE_RING], line_out[LINE_RING], hand_in[HAND_RING], hand_out[HAND_RING];
struct uart UART_LINE = {.base = UART0_BASE, .in = {line_in, LINE_RING, 0, 0}, .out = {line_out, LINE_RING, 0, 0}};
struct uart UART_HAND = {.base = UART1_BASE, .in = {hand_in, HAND_RING, 0, 0}, .out = {hand_out, HAND_RING, 0, 0}};

static bool push(struct ring *ring, uint8_t byte)
{
    if (ring->head - ring->tail == ring->size)
        return false;
    ring->bytes[ring->head & (ring->size - 1)] = byte;
    ring->head++;
    return true;
}

static bool pop(struct ring *ring, uint8_t *byte)
{
    if (ring->head == ring->tail)
        return false;
    *byte = ring->bytes[ring->tail & (ring->size - 1)];
    ring->tail++;
    return true;
}

static void receive(struct uart *uart)
{
    *board_register(uart->base + CLEAR) = TOLD_RX;
    (void)push(&uart->in, (uint8_t)*board_register(uart->base + DATA)); /* a full ring loses it, as a line does */
}

static void send_next(struct uart *uart)
{
    uint8_t byte = 0;
    uart->busy = pop(&uart->out, &byte);
    if (uart->busy)
        *board_register(uart->base + DATA) = byte;
}

static void sent(struct uart *uart)
{
    *board_register(uart->base + CLEAR) = TOLD_TX;
    send_next(uart);
}

void uart0_rx_handler(void)
{
    receive(&UART_LINE);
}

void uart0_tx_handler(void)
{
    sent(&UART_LINE);
}

void uart1_rx_handler(void)
{
    receive(&UART_HAND);
}

void uart1_tx_handler(void)
{
    sent(&UART_HAND);
}

static void start(const struct uart *uart)
{
    *board_register(uart->base + BAUD) = DIVIDER;
    *board_register(uart->base + CONTROL) = ON;
}

void uart_start(void)
{
    start(&UART_LINE);
    start(&UART_HAND);
    for (unsigned interrupt = UART0_RX; interrupt <= UART1_TX; interrupt++)
        board_enable(interrupt);
}

size_t uart_read(struct uart *uart, uint8_t *bytes, size_t room)
{
    size_t size = 0;
    while (size < room && pop(&uart->in, bytes + size))
        size++;
    return size;
}

bool uart_waits(const struct uart *uart)
{
    return uart->in.head != uart->in.tail;
}

bool uart_write(struct uart *uart, const uint8_t *bytes, size_t size)
{
    if (size > uart->out.size - (uart->out.head - uart->out.tail))
        return false;
    for (size_t place = 0; place < size; place++)
        (void)push(&uart->out, bytes[place]);
    board_hold();
    if (!uart->busy)
        send_next(uart);
    board_release();
    return true;
}
