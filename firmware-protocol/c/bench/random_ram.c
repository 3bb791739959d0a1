#include "random_ram.h"

#include <string.h>

#include "bench.h"
#include "hex.h"

static bool load_record(void *self, struct tsl_provisioning *record)
{
    const struct provisioning_ram *ram = self;
    *record = ram->record;
    return !ram->unreadable;
}

static bool save_record(void *self, const struct tsl_provisioning *record)
{
    struct provisioning_ram *ram = self;
    if (ram->full)
        return false;
    ram->record = *record;
    return true;
}

void provisioning_ram_fill(struct provisioning_ram *ram, char *const *words)
{
    memset(ram, 0, sizeof *ram);
    ram->record.sealed = hex_read(words[0], ram->record.key, TSL_KEY) > 0;
    ram->record.boots = bench_number(words[1]);
    hex_read_exactly(words[2], ram->record.seed, TSL_KEY);
}

struct tsl_provisioning_store provisioning_ram(struct provisioning_ram *ram)
{
    return (struct tsl_provisioning_store){ram, load_record, save_record};
}
