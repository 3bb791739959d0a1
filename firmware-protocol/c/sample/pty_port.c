#define _DEFAULT_SOURCE
#include "pty_port.h"

#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

enum { LONGEST_PATH = 512 };

/* LINK and what follows it; false: it is too long. */
static bool beside(char *path, const char *link, const char *suffix)
{
    return snprintf(path, LONGEST_PATH, "%s%s", link, suffix) < LONGEST_PATH;
}

static bool point_link(const char *link, const char *target)
{
    char fresh[LONGEST_PATH];
    if (!beside(fresh, link, ".new"))
        return false;
    (void)unlink(fresh); /* may be left from a run that was killed */
    return symlink(target, fresh) == 0 && rename(fresh, link) == 0;
}

/* The kernel releases the lock however this process ends, so that a link that is left shows that it is stale. */
static bool lock_link(struct pty *pty, const char *target)
{
    char fresh[LONGEST_PATH], name[LONGEST_PATH], line[LONGEST_PATH];
    if (!beside(fresh, pty->link, ".lock.new") || !beside(name, pty->link, ".lock") || !beside(line, target, "\n"))
        return false;
    (void)unlink(fresh);
    pty->lock = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    return pty->lock >= 0 && flock(pty->lock, LOCK_EX) == 0 &&
           write(pty->lock, line, strlen(line)) == (ssize_t)strlen(line) && rename(fresh, name) == 0;
}

/* Unless another process has taken the name over. */
static void unlock_link(struct pty *pty)
{
    char name[LONGEST_PATH];
    struct stat ours, there;
    if (beside(name, pty->link, ".lock") && fstat(pty->lock, &ours) == 0 && stat(name, &there) == 0 &&
        ours.st_dev == there.st_dev && ours.st_ino == there.st_ino) {
        (void)unlink(pty->link);
        (void)unlink(name);
    }
    (void)close(pty->lock);
}

static bool open_raw(struct pty *pty, char *name)
{
    struct termios raw = {0};
    cfmakeraw(&raw);
    raw.c_cflag |= CREAD | CS8;
    raw.c_cc[VMIN] = 1;
    if (openpty(&pty->master, &pty->slave, name, &raw, NULL) != 0)
        return false;
    return fcntl(pty->master, F_SETFL, O_NONBLOCK) == 0 && fcntl(pty->master, F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(pty->slave, F_SETFD, FD_CLOEXEC) == 0;
}

bool pty_plug(struct pty *pty)
{
    char name[LONGEST_PATH];
    return open_raw(pty, name) && lock_link(pty, name) && point_link(pty->link, name);
}

void pty_unplug(struct pty *pty)
{
    if (pty->master < 0)
        return;
    unlock_link(pty);
    (void)close(pty->slave);
    (void)close(pty->master);
    pty->master = pty->slave = pty->lock = -1;
}

size_t pty_read(const struct pty *pty, uint8_t *bytes, size_t room)
{
    const ssize_t size = pty->master < 0 ? 0 : read(pty->master, bytes, room);
    return size > 0 ? (size_t)size : 0;
}

void pty_write(const struct pty *pty, const uint8_t *bytes, size_t size)
{
    if (pty->master >= 0 && write(pty->master, bytes, size) < 0)
        return; /* full: nobody reads */
}
