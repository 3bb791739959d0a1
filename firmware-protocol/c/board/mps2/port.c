/* ../../sample/pty_port.h by the first UART. Nothing tells a UART whether a cable is plugged in: a device that hangs up
 * neither hears nor speaks. */
#include "pty_port.h"
#include "uart.h"

bool pty_plug(struct pty *pty)
{
    pty->master = 0;
    return true;
}

void pty_unplug(struct pty *pty)
{
    pty->master = -1;
}

size_t pty_read(const struct pty *pty, uint8_t *bytes, size_t room)
{
    const size_t size = uart_read(&UART_LINE, bytes, room);
    return pty->master < 0 ? 0 : size;
}

void pty_write(const struct pty *pty, const uint8_t *bytes, size_t size)
{
    if (pty->master >= 0)
        (void)uart_write(&UART_LINE, bytes, size); /* full: nobody reads */
}
