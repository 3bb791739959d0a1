/* A provisioning record in memory, which outlives the boots of a device. */
#ifndef RANDOM_RAM_H
#define RANDOM_RAM_H

#include "tsl_random.h"

struct provisioning_ram {
    struct tsl_provisioning record;
    bool unreadable;
    bool full;
};

/* From the words KEY ("-": none), BOOTS, SEED. */
void provisioning_ram_fill(struct provisioning_ram *ram, char *const *words);

struct tsl_provisioning_store provisioning_ram(struct provisioning_ram *ram);

#endif
