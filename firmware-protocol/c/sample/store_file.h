/* A store in a file, whole after kill -9. */
#ifndef STORE_FILE_H
#define STORE_FILE_H

#include <stdbool.h>

#include "tsl_store.h"

struct store_file {
    int descriptor;
    uint64_t turn; /* of the last good record */
};

/* Opens the file, or makes it; false: errno says why not. */
bool store_file_open(struct store_file *file, const char *path);

struct tsl_store store_file(struct store_file *file);

#endif
