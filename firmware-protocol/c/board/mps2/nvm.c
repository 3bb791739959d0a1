/* The non-volatile memory: the three calls with which store_file.c, flash_file.c and turns.c of the sample reach their
 * files, by semihosting. A write has happened when it returns, and is never torn by the end of the emulator. */
#include <fcntl.h>
#include <unistd.h>

#include "semihosting.h"

int open(const char *path, int flags, ...)
{
    const int file = semihosting_open(path, SEMIHOSTING_UPDATE);
    return file >= 0 || (flags & O_CREAT) == 0 ? file : semihosting_open(path, SEMIHOSTING_CREATE);
}

ssize_t pread(int file, void *bytes, size_t size, off_t place)
{
    return semihosting_seek(file, (size_t)place) ? (ssize_t)semihosting_read(file, bytes, size) : -1;
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place)
{
    return semihosting_seek(file, (size_t)place) && semihosting_write(file, bytes, size) ? (ssize_t)size : -1;
}
