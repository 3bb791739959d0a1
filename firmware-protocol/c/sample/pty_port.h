/* The pseudo-terminal that the device hangs on, under a name that stays. */
#ifndef PTY_PORT_H
#define PTY_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pty {
    const char *link;
    int master; /* -1 while unplugged */
    int slave;  /* held open: that nobody else has it open is no error */
    int lock;   /* of LINK.lock, while plugged: a host opens the link only while a process holds it */
};

/* Opens one and points the link to it; false: it could not, and errno says why. */
bool pty_plug(struct pty *pty);

/* Hangs up: who has the other end open meets the end of the file. */
void pty_unplug(struct pty *pty);

/* All that came, at most `room` bytes. */
size_t pty_read(const struct pty *pty, uint8_t *bytes, size_t room);

/* What does not fit is lost, as on a line. */
void pty_write(const struct pty *pty, const uint8_t *bytes, size_t size);

#endif
