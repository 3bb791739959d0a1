/* A disk that fails on command, and a clock that is set: loaded before libc into a daemon under test.
 *
 * It counts every call that changes something under one folder. From a given call on they fail, or the process is
 * killed right before one.
 */
#define _GNU_SOURCE
#include "power.h"
#include "preload.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>

struct controls {
    int64_t calls;     /* counted so far */
    int64_t kill_at;   /* the process is killed instead of this call, counted from 1; 0: never */
    int64_t torn;      /* 1: half of the fatal write is written */
    int64_t power;     /* 1: what was not synced is lost then; 2, 3: of some files; 0: the kernel keeps it */
    int64_t fail_from; /* the first call that fails; 0: none */
    int64_t fail_most; /* how many calls fail; 0: all */
    int64_t error;     /* the errno of failing calls; 0: a write takes half of its bytes */
    int64_t sync_us;   /* the time that fsync and fdatasync take */
    int64_t clock_us;  /* how far the wall clock is ahead */
    int64_t free;      /* free bytes in statvfs, plus one; 0: as many as there are */
    int64_t spared;    /* the testing process, whose calls do not count */
    char folder[PATH_MAX];
};

static struct controls *controls;

__attribute__((constructor)) static void begin(void) {
    controls = map_controls("DRILL_DISK", sizeof *controls);
}

static int under(const char *path) {
    size_t length = controls && controls->spared != getpid() ? strlen(controls->folder) : 0;
    return length && path && strncmp(path, controls->folder, length) == 0 && (path[length] == '/' || !path[length]);
}

static int open_under(int file) {
    char link[32], path[PATH_MAX];
    if (!controls || !controls->folder[0] || controls->spared == getpid())
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    return under(path);
}

static void die(void) {
    int64_t power = controls->power;
    controls->kill_at = controls->fail_from = 0; /* restoring old content writes to the disk */
    controls->power = 0;
    if (power)
        power_lost(power == 1 ? 0 : (int)power);
    kill(getpid(), SIGKILL);
    for (;;)
        pause();
}

/* Counts a call. 0: it may be made; 1: it takes half; 2: it is fatal; -1: it fails with errno set. */
static int count(void) {
    int64_t call = __sync_add_and_fetch(&controls->calls, 1);
    if (call == controls->kill_at) {
        if (controls->torn)
            return 2;
        die();
    }
    if (!fails(call, controls->fail_from, controls->fail_most))
        return 0;
    if (!controls->error)
        return 1;
    errno = (int)controls->error;
    return -1;
}

static int64_t tracked(int file) { return controls && controls->power && open_under(file); }

/* How many bytes of `size` a write takes; -1: none, with errno set. */
static ssize_t grant(int file, size_t size, int *last) {
    *last = 0;
    if (!open_under(file))
        return (ssize_t)size;
    int verdict = count();
    *last = verdict == 2;
    if (verdict < 0)
        return -1;
    return (ssize_t)(verdict && size > 1 ? size / 2 : size);
}

#define WRITE(name, parameters, arguments, where)                                                           \
    ssize_t name parameters {                                                                               \
        int last;                                                                                           \
        ssize_t most = grant(file, size, &last);                                                            \
        if (most < 0)                                                                                       \
            return -1;                                                                                      \
        if (tracked(file))                                                                                  \
            power_keep(file, where, size);                                                                  \
        size = (size_t)most;                                                                                \
        ssize_t done = REAL(name) arguments;                                                                \
        if (last)                                                                                           \
            die();                                                                                          \
        return done;                                                                                        \
    }

WRITE(write, (int file, const void *bytes, size_t size), (file, bytes, size), lseek(file, 0, SEEK_CUR))
WRITE(pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at), at)
WRITE(pwrite64, (int file, const void *bytes, size_t size, off64_t at), (file, bytes, size, at), at)
WRITE(sendfile, (int file, int from, off_t *at, size_t size), (file, from, at, size), lseek(file, 0, SEEK_CUR))
WRITE(sendfile64, (int file, int from, off64_t *at, size_t size), (file, from, at, size),
      lseek(file, 0, SEEK_CUR))
WRITE(copy_file_range, (int from, off64_t *at, int file, off64_t *to, size_t size, unsigned flags),
      (from, at, file, to, size, flags), to ? *to : lseek(file, 0, SEEK_CUR))

/* Whether any other change of a file or folder is refused. */
static int refused(int concerned) {
    if (!concerned)
        return 0;
    int verdict = count();
    if (verdict == 2)
        die();
    return verdict < 0;
}

#define CHANGE(name, parameters, arguments, concerned)                                                      \
    int name parameters { return refused(concerned) ? -1 : REAL(name) arguments; }

#define CUT(name, type)                                                                                     \
    int name(int file, type size) {                                                                         \
        struct stat now;                                                                                    \
        if (refused(open_under(file)))                                                                      \
            return -1;                                                                                      \
        if (tracked(file) && fstat(file, &now) == 0)                                                        \
            power_keep(file, size, now.st_size > size ? (size_t)(now.st_size - size) : 0);                  \
        return REAL(name)(file, size);                                                                      \
    }

CUT(ftruncate, off_t)
CUT(ftruncate64, off64_t)
CHANGE(truncate, (const char *path, off_t size), (path, size), under(path))
/* A call that frees room, or needs none, does not fail on a full disk. */
static int full(void) { return controls && controls->fail_from && controls->error == ENOSPC; }

CHANGE(unlink, (const char *path), (path), !full() && under(path))
CHANGE(unlinkat, (int folder, const char *path, int flags), (folder, path, flags), !full() && under(path))
CHANGE(rename, (const char *path, const char *to), (path, to), under(path))
CHANGE(renameat, (int one, const char *path, int other, const char *to), (one, path, other, to), under(path))
CHANGE(link, (const char *path, const char *to), (path, to), under(to))
CHANGE(mkdir, (const char *path, mode_t mode), (path, mode), under(path))
CHANGE(rmdir, (const char *path), (path), !full() && under(path))
CHANGE(chmod, (const char *path, mode_t mode), (path, mode), !full() && under(path))
CHANGE(fchmod, (int file, mode_t mode), (file, mode), !full() && open_under(file))

static int64_t monotonic_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

/* Looks at the control again and again: a mended disk returns at once. */
static void take_time(int file) {
    if (!controls || !controls->sync_us || !open_under(file))
        return;
    struct timespec pause = {0, 1000000};
    for (int64_t began = monotonic_us(); monotonic_us() - began < controls->sync_us;)
        nanosleep(&pause, NULL);
}

static int synced(int file, int status) {
    if (status == 0 && tracked(file))
        power_synced(file);
    return status;
}

int fsync(int file) {
    take_time(file);
    return refused(open_under(file)) ? -1 : synced(file, REAL(fsync)(file));
}

int fdatasync(int file) {
    take_time(file);
    return refused(open_under(file)) ? -1 : synced(file, REAL(fdatasync)(file));
}

/* Opening for writing counts when it creates or empties a file, and on a read-only disk. */
static int opened(const char *path, int flags) {
    int writes = (flags & O_ACCMODE) != O_RDONLY;
    int fresh = flags & O_TRUNC || (flags & O_CREAT && access(path, F_OK) != 0);
    return under(path) && (fresh || (writes && controls->error == EROFS && controls->fail_from));
}

#define OPEN(name, parameters, arguments)                                                                   \
    int name parameters {                                                                                   \
        va_list rest;                                                                                       \
        va_start(rest, flags);                                                                              \
        int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, int) : 0;                                   \
        va_end(rest);                                                                                       \
        return refused(opened(path, flags)) ? -1 : REAL(name) arguments;                                    \
    }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
OPEN(openat64, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

#define SPACE(name, type, parameters, arguments, concerned)                                                 \
    int name parameters {                                                                                   \
        int status = REAL(name) arguments;                                                                  \
        if (status == 0 && controls && controls->free && concerned)                                         \
            space->f_bavail = space->f_bfree = (fsblkcnt_t)((controls->free - 1) / (int64_t)space->f_frsize);\
        return status;                                                                                      \
    }

SPACE(statvfs, struct statvfs, (const char *path, struct statvfs *space), (path, space), under(path))
SPACE(statvfs64, struct statvfs64, (const char *path, struct statvfs64 *space), (path, space), under(path))
SPACE(fstatvfs, struct statvfs, (int file, struct statvfs *space), (file, space), open_under(file))
SPACE(fstatvfs64, struct statvfs64, (int file, struct statvfs64 *space), (file, space), open_under(file))

int clock_gettime(clockid_t clock, struct timespec *now) {
    int status = REAL(clock_gettime)(clock, now);
    if (status == 0 && controls && controls->clock_us && clock == CLOCK_REALTIME) {
        int64_t micros = now->tv_sec * INT64_C(1000000) + now->tv_nsec / 1000 + controls->clock_us;
        now->tv_sec = micros / 1000000;
        now->tv_nsec = micros % 1000000 * 1000 + now->tv_nsec % 1000;
    }
    return status;
}

time_t time(time_t *space) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return space ? (*space = now.tv_sec) : now.tv_sec;
}

int gettimeofday(struct timeval *space, void *zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    space->tv_sec = now.tv_sec;
    space->tv_usec = now.tv_nsec / 1000;
    return 0;
}
