#define _POSIX_C_SOURCE 200809L
#include "provisioning_file.h"

#include <fcntl.h>
#include <string.h>

#include "turns.h"

static bool load_record(void *self, struct tsl_provisioning *record)
{
    struct provisioning_file *file = self;
    return turns_load(file->descriptor, record, sizeof *record, &file->turn);
}

static bool save_record(void *self, const struct tsl_provisioning *record)
{
    struct provisioning_file *file = self;
    return turns_save(file->descriptor, record, sizeof *record, &file->turn);
}

bool provisioning_file_open(struct provisioning_file *file, const char *path, const struct tsl_provisioning *fresh)
{
    struct tsl_provisioning stored;
    file->turn = 0;
    file->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file->descriptor < 0)
        return false;
    const bool same = load_record(file, &stored) && stored.sealed == fresh->sealed &&
                      memcmp(stored.key, fresh->key, TSL_KEY) == 0;
    return same || save_record(file, fresh);
}

bool provisioning_file_rewind(struct provisioning_file *file)
{
    struct tsl_provisioning before;
    return turns_load_older(file->descriptor, &before, sizeof before, file->turn) && save_record(file, &before);
}

struct tsl_provisioning_store provisioning_file(struct provisioning_file *file)
{
    return (struct tsl_provisioning_store){file, load_record, save_record};
}
