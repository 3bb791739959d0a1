#define _DEFAULT_SOURCE
#include "pty_port.h"

#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

enum { LONGEST_PATH = 512 };

static bool point_link(const char *link, const char *target)
{
    char fresh[LONGEST_PATH];
    if (snprintf(fresh, sizeof fresh, "%s.new", link) >= (int)sizeof fresh)
        return false;
    (void)unlink(fresh); /* may be left from a run that was killed */
    return symlink(target, fresh) == 0 && rename(fresh, link) == 0;
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
    return open_raw(pty, name) && point_link(pty->link, name);
}

void pty_unplug(struct pty *pty)
{
    if (pty->master < 0)
        return;
    (void)unlink(pty->link);
    (void)close(pty->slave);
    (void)close(pty->master);
    pty->master = pty->slave = -1;
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
