#include "semihosting.h"

#include <string.h>

enum call {
    OPEN = 1,
    CLOSE = 2,
    WRITE0 = 4,
    WRITE = 5,
    READ = 6,
    SEEK = 10,
    LENGTH = 12,
    RENAME = 15,
    WORDS = 21,
    EXIT = 24,
};

static long ask(enum call call, const void *arguments)
{
    register long answer __asm__("r0") = (long)call;
    register const void *block __asm__("r1") = arguments;
    __asm__ volatile("bkpt 0xAB" : "+r"(answer) : "r"(block) : "memory");
    return answer;
}

int semihosting_open(const char *path, enum semihosting_mode mode)
{
    const uintptr_t block[] = {(uintptr_t)path, (uintptr_t)mode, strlen(path)};
    return (int)ask(OPEN, block);
}

void semihosting_close(int file)
{
    const uintptr_t block[] = {(uintptr_t)file};
    (void)ask(CLOSE, block); /* every write was already answered */
}

bool semihosting_seek(int file, size_t place)
{
    const uintptr_t block[] = {(uintptr_t)file, place};
    return ask(SEEK, block) == 0;
}

/* The calls answer how many bytes are left. */
bool semihosting_write(int file, const void *bytes, size_t size)
{
    const uintptr_t block[] = {(uintptr_t)file, (uintptr_t)bytes, size};
    return ask(WRITE, block) == 0;
}

size_t semihosting_read(int file, void *bytes, size_t size)
{
    const uintptr_t block[] = {(uintptr_t)file, (uintptr_t)bytes, size};
    const long left = ask(READ, block);
    return left < 0 || (size_t)left > size ? 0 : size - (size_t)left;
}

long semihosting_size(int file)
{
    const uintptr_t block[] = {(uintptr_t)file};
    return ask(LENGTH, block);
}

bool semihosting_rename(const char *from, const char *to)
{
    const uintptr_t block[] = {(uintptr_t)from, strlen(from), (uintptr_t)to, strlen(to)};
    return ask(RENAME, block) == 0;
}

bool semihosting_words(char *text, size_t room)
{
    uintptr_t block[] = {(uintptr_t)text, room};
    return ask(WORDS, block) == 0;
}

void semihosting_say(const char *text)
{
    (void)ask(WRITE0, text);
}

void semihosting_exit(void)
{
    for (;;)
        (void)ask(EXIT, (const void *)(uintptr_t)0x20023); /* a run-time error */
}
