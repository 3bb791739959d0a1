/* A computer that runs out of descriptors: loaded before libc into a daemon under test.
 *
 * It counts every call that asks for a descriptor, except those for the interpreter's own files. One of the calls
 * fails with EMFILE, or all from it on.
 */
#define _GNU_SOURCE
#include "preload.h"

#include <dirent.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

struct controls {
    int64_t calls;     /* counted so far */
    int64_t fail_from; /* the first call that fails, counted from 1; 0: none */
    int64_t fail_most; /* how many calls fail; 0: all that follow */
};

static struct controls *controls;

__attribute__((constructor)) static void begin(void) {
    controls = map_controls("DRILL_DESCRIPTORS", sizeof *controls);
}

/* Whether a call is refused; errno is set then. */
static int refused(void) {
    if (!controls)
        return 0;
    int64_t call = __sync_add_and_fetch(&controls->calls, 1);
    if (!fails(call, controls->fail_from, controls->fail_most))
        return 0;
    errno = EMFILE;
    return 1;
}

static int ends_with(const char *path, const char *end) {
    size_t length = strlen(path), wanted = strlen(end);
    return length >= wanted && strcmp(path + length - wanted, end) == 0;
}

/* A refused import would end the start with a trace of Python's own. */
static int of_python(const char *path) {
    return strstr(path, "/python3") || strstr(path, "__pycache__") || ends_with(path, ".py") || ends_with(path, ".so");
}

static mode_t mode_of(int flags, va_list rest) { return flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; }

#define OPEN(name)                                                                                          \
    int name(const char *path, int flags, ...) {                                                            \
        va_list rest;                                                                                       \
        va_start(rest, flags);                                                                              \
        mode_t mode = mode_of(flags, rest);                                                                 \
        va_end(rest);                                                                                       \
        return !of_python(path) && refused() ? -1 : REAL(name)(path, flags, mode);                          \
    }
#define OPEN_AT(name)                                                                                       \
    int name(int folder, const char *path, int flags, ...) {                                                \
        va_list rest;                                                                                       \
        va_start(rest, flags);                                                                              \
        mode_t mode = mode_of(flags, rest);                                                                 \
        va_end(rest);                                                                                       \
        return !of_python(path) && refused() ? -1 : REAL(name)(folder, path, flags, mode);                  \
    }
#define ASK(type, name, parameters, arguments, no)                                                          \
    type name parameters { return refused() ? no : REAL(name) arguments; }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
ASK(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1)
ASK(int, socketpair, (int domain, int type, int protocol, int pair[2]), (domain, type, protocol, pair), -1)
ASK(int, accept, (int file, __SOCKADDR_ARG address, socklen_t *restrict size), (file, address, size), -1)
ASK(int, accept4, (int file, __SOCKADDR_ARG address, socklen_t *restrict size, int flags),
    (file, address, size, flags), -1)
ASK(int, epoll_create1, (int flags), (flags), -1)
ASK(int, pipe2, (int pair[2], int flags), (pair, flags), -1)
ASK(int, eventfd, (unsigned count, int flags), (count, flags), -1)

DIR *opendir(const char *path) { return !of_python(path) && refused() ? NULL : REAL(opendir)(path); }
