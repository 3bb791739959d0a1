/* Shared by the libraries that a daemon under test loads before libc: the next definition of a function, and control
 * fields in a file that the test maps, too. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The control fields in the file that this environment variable names; NULL if there is none. */
static void *map_controls(const char *variable, size_t size) {
    const char *path = getenv(variable);
    int file = path ? REAL(open)(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return NULL;
    void *mapped = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return mapped == MAP_FAILED ? NULL : mapped;
}

/* Whether this call fails: `from` is the first one that does, 0: none; `most` is how many do, 0: all. */
static int fails(int64_t call, int64_t from, int64_t most) {
    return from && call >= from && (!most || call < from + most);
}
