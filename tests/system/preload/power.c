/* What a loss of power takes: all that was written and not yet synced, of every file or of some.
 *
 * The old content is kept when something is written, dropped when the file is synced, and put back at the end.
 */
#define _GNU_SOURCE
#include "power.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct old {
    struct old *before;
    char path[PATH_MAX];
    ino_t inode;
    off_t size, at;
    ssize_t length;
    char bytes[];
};

static struct old *newest;

static void named(int file, char *path) {
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length > 0 ? length : 0] = 0;
}

void power_keep(int file, off_t at, size_t size) {
    struct stat now;
    if (fstat(file, &now) != 0 || !S_ISREG(now.st_mode))
        return;
    struct old *old = malloc(sizeof *old + size);
    if (!old)
        abort();
    named(file, old->path);
    old->inode = now.st_ino, old->size = now.st_size, old->at = at, old->before = newest;
    old->length = pread(file, old->bytes, size, at); /* a file that is only written is a new one */
    newest = old;
}

void power_synced(int file) {
    struct stat now;
    if (fstat(file, &now) != 0)
        return;
    for (struct old **place = &newest; *place;) {
        struct old *old = *place;
        if (old->inode != now.st_ino) {
            place = &old->before;
            continue;
        }
        *place = old->before;
        free(old);
    }
}

static void put_back(const struct old *old) {
    int file = open(old->path, O_RDWR | O_CLOEXEC);
    struct stat now;
    if (file < 0)
        return;
    if (fstat(file, &now) == 0 && now.st_ino == old->inode) {
        if (old->length > 0 && pwrite(file, old->bytes, (size_t)old->length, old->at) != old->length)
            abort();
        if (ftruncate(file, old->size) != 0)
            abort();
    }
    close(file);
}

void power_lost(int some) {
    for (const struct old *old = newest; old; old = old->before)
        if (!some || (old->inode ^ (ino_t)some) & 1)
            put_back(old);
}
