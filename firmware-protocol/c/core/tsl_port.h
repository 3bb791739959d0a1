/* What a link asks of the board. */
#ifndef TSL_PORT_H
#define TSL_PORT_H

#include <stddef.h>
#include <stdint.h>

struct tsl_port {
    void *self;
    uint32_t baud; /* of the line; 0 where bytes take no time, as on USB */
    /* Sends one whole frame, in order, without waiting. What there is no room for is lost, as on a line. */
    void (*write)(void *self, const uint8_t *bytes, size_t size);
    /* Random bytes that nobody can predict. */
    void (*draw)(void *self, uint8_t *bytes, size_t size);
};

#endif
