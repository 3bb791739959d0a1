/* How deep the stack got: what nobody used still has its paint. */
#ifndef STACK_H
#define STACK_H

#include <stdint.h>

/* Paints all that lies below the caller's part. */
void stack_paint(void);

/* Bytes that were used below this address since it was painted. */
uint32_t stack_depth(const void *from);

#endif
