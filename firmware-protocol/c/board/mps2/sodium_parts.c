/* What the chosen parts of libsodium ask of its other parts, which need an operating system. */
#include <sodium/core.h>
#include <sodium/utils.h>
#include <stdlib.h>

/* The writes must not be optimised away: what is cleared is not used any more. */
void sodium_memzero(void *const bytes, const size_t size)
{
    volatile unsigned char *place = bytes;
    for (size_t left = size; left > 0; left--)
        *place++ = 0;
}

static unsigned difference(const unsigned char *one, const unsigned char *other, size_t size)
{
    const volatile unsigned char *left = one, *right = other;
    unsigned found = 0;
    for (size_t place = 0; place < size; place++)
        found |= (unsigned)(left[place] ^ right[place]);
    return found;
}

int sodium_memcmp(const void *const one, const void *const other, size_t size)
{
    return difference(one, other, size) == 0 ? 0 : -1;
}

int sodium_is_zero(const unsigned char *bytes, const size_t size)
{
    unsigned found = 0;
    for (size_t place = 0; place < size; place++)
        found |= ((const volatile unsigned char *)bytes)[place];
    return found == 0;
}

void sodium_misuse(void)
{
    abort();
}
