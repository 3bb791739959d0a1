/* A provisioning record in a file, whole after kill -9. */
#ifndef PROVISIONING_FILE_H
#define PROVISIONING_FILE_H

#include "tsl_random.h"

struct provisioning_file {
    int descriptor;
    uint64_t turn; /* of the last good record */
};

/* Opens the file, or makes it. A record with another key than `fresh`, or none, is replaced by that. False: errno
 * says why not. */
bool provisioning_file_open(struct provisioning_file *file, const char *path, const struct tsl_provisioning *fresh);

/* The record is again as it was before it was last saved; false: there is none before. */
bool provisioning_file_rewind(struct provisioning_file *file);

struct tsl_provisioning_store provisioning_file(struct provisioning_file *file);

#endif
