/* What the sample draws its random bytes with; see ../../entropy.c. */
#ifndef SYS_RANDOM_H
#define SYS_RANDOM_H

#include <stddef.h>
#include <sys/types.h>

ssize_t getrandom(void *bytes, size_t size, unsigned flags);

#endif
