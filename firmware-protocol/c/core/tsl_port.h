/* What a link asks of the board. */
#ifndef TSL_PORT_H
#define TSL_PORT_H

#include <stddef.h>
#include <stdint.h>

struct tsl_port {
    void *self;
    uint32_t baud;
    /* Sends one whole frame, in order, without waiting. What there is no room for is lost, as on a line. */
    void (*write)(void *self, const uint8_t *bytes, size_t size);
    /* Random bits of the hardware; zeros where it has none. */
    void (*draw)(void *self, uint8_t *bytes, size_t size);
    /* How many steps of X25519 one tick does, at most 2 ms; 0: all of them, as soon as a host has proved its key. */
    uint16_t steps;
};

#endif
