#include "tsl_update.h"

#include <string.h>

#include "tsl_window.h"

enum { TRIAL = 120000000, RESTART = 1000000 };

void tsl_update_init(struct tsl_update *update, struct tsl_slots *slots, uint64_t now)
{
    *update = (struct tsl_update){.slots = slots, .restart_at = TSL_NO_DEADLINE, .reverts_at = TSL_NO_DEADLINE};
    if (tsl_update_test_slot(update))
        update->reverts_at = now + TRIAL;
}

bool tsl_update_test_slot(const struct tsl_update *update)
{
    return update->slots != NULL && tsl_slots_state(update->slots) == TSL_SLOT_TRIAL;
}

bool tsl_update_under_way(const struct tsl_update *update)
{
    return update->asking || tsl_update_test_slot(update);
}

const char *tsl_update_unarmable(const struct tsl_update *update)
{
    if (tsl_update_test_slot(update))
        return "the test slot runs: confirm the update, or wait until it reverts";
    if (update->slots != NULL && tsl_slots_state(update->slots) == TSL_SLOT_APPLIED)
        return "an update is applied: the device restarts";
    return NULL;
}

/* DONE: the numbers are possible ones. */
static struct tsl_outcome check_numbers(const struct tsl_update *update, const tsl_UpdateBegin *begin)
{
    if (begin->size > update->slots->flash->slot_size)
        return tsl_ended_with(TSL_RANGE, "size #: at most #", begin->size, update->slots->flash->slot_size);
    if (begin->size == 0)
        return tsl_ended_with(TSL_RANGE, "size #: allowed are 1 to #", 0, UINT32_MAX);
    if (begin->sha256.size != TSL_HASH)
        return tsl_ended_with(TSL_RANGE, "sha256 of # bytes: must have #", begin->sha256.size, TSL_HASH);
    if (begin->signature.size != TSL_SIGNATURE)
        return tsl_ended_with(TSL_RANGE, "signature of # bytes: must have #", begin->signature.size, TSL_SIGNATURE);
    return tsl_done();
}

static struct tsl_manifest manifest_of(const tsl_UpdateBegin *begin)
{
    struct tsl_manifest manifest = {.version = begin->version, .size = begin->size, .by_maker = true};
    memcpy(manifest.sha256, begin->sha256.bytes, TSL_HASH);
    memcpy(manifest.signature, begin->signature.bytes, TSL_SIGNATURE);
    return manifest;
}

static void take(struct tsl_update *update, const struct tsl_manifest *manifest)
{
    struct tsl_slots *slots = update->slots;
    tsl_update_stop(update);
    update->spoiled = false;
    tsl_slots_begin(slots, manifest);
    update->asking = tsl_slots_state(slots) == TSL_SLOT_FILLING;
    if (update->asking && slots->record.filled == manifest->size) {
        update->spoiled = !tsl_slots_check(slots); /* the power went before the check was over */
        update->asking = false;
    }
}

static struct tsl_outcome begin_update(struct tsl_update *update, const tsl_UpdateBegin *begin)
{
    const char *unarmable = tsl_update_unarmable(update);
    if (unarmable != NULL)
        return tsl_ended(TSL_REFUSED, unarmable);
    const struct tsl_outcome outcome = check_numbers(update, begin);
    if (outcome.status != TSL_DONE)
        return outcome;
    if (begin->version < update->slots->record.counter)
        return tsl_ended_with(TSL_REFUSED, "version #: # is the lowest allowed", begin->version,
                              update->slots->record.counter);
    const struct tsl_manifest manifest = manifest_of(begin);
    if (!tsl_slots_trust(update->slots, &manifest))
        return tsl_ended(TSL_REFUSED, "the signature is not our maker's for this device and these numbers");
    take(update, &manifest);
    return outcome;
}

static struct tsl_outcome apply(struct tsl_update *update, uint64_t now)
{
    const enum tsl_slot_state state = tsl_slots_state(update->slots);
    if (state == TSL_SLOT_FILLING)
        return tsl_ended_with(TSL_BUSY, "bytes from # on are missing", update->slots->record.filled, 0);
    if (state != TSL_SLOT_WHOLE)
        return tsl_ended(TSL_REFUSED, update->spoiled
                                          ? "there is no image to apply: the hash of the last one was wrong"
                                          : "there is no image to apply");
    tsl_slots_apply(update->slots);
    update->restart_at = now + RESTART;
    return tsl_done();
}

static struct tsl_outcome confirm(struct tsl_update *update)
{
    if (!tsl_update_test_slot(update))
        return tsl_ended(TSL_REFUSED, "the test slot does not run");
    tsl_slots_confirm(update->slots);
    update->reverts_at = TSL_NO_DEADLINE;
    return tsl_done();
}

static struct tsl_outcome replace_maker(struct tsl_update *update, const tsl_MakerKey *maker)
{
    struct tsl_slots *slots = update->slots;
    const char *unarmable = tsl_update_unarmable(update);
    if (unarmable != NULL)
        return tsl_ended(TSL_REFUSED, unarmable);
    if (maker->generation <= slots->record.generation)
        return tsl_ended_with(TSL_REFUSED, "generation #: # is known", maker->generation, slots->record.generation);
    if (maker->key.size != TSL_PUBLIC_KEY || maker->signature.size != TSL_SIGNATURE ||
        !tsl_slots_trust_key(slots, maker->generation, maker->key.bytes, maker->signature.bytes))
        return tsl_ended(TSL_REFUSED, "the signature is not that of the root key for this device");
    tsl_update_stop(update);
    tsl_slots_replace_maker(slots, maker->generation, maker->key.bytes);
    return tsl_done();
}

struct tsl_outcome tsl_update_run(struct tsl_update *update, const tsl_Command *command, uint64_t now)
{
    if (update->slots->failed)
        return tsl_ended(TSL_FAILED, "the flash failed");
    switch (command->which_body) {
    case tsl_Command_update_begin_tag:
        return begin_update(update, &command->body.update_begin);
    case tsl_Command_update_apply_tag:
        return apply(update, now);
    case tsl_Command_maker_key_tag:
        return replace_maker(update, &command->body.maker_key);
    default:
        return confirm(update);
    }
}

void tsl_update_stop(struct tsl_update *update)
{
    update->asking = false;
    update->asked = 0;
}

bool tsl_update_ask(struct tsl_update *update, uint32_t *offset)
{
    if (!update->asking || update->slots->failed || update->asked == TSL_MOST_ASKED)
        return false;
    *offset = update->slots->record.filled + (uint32_t)TSL_BLOCK * update->asked;
    if (*offset >= tsl_slots_spare(update->slots)->size)
        return false;
    update->asked++;
    return true;
}

bool tsl_update_block(struct tsl_update *update, const tsl_Block *block)
{
    if (update->asked == 0)
        return false;
    const uint32_t left = tsl_slots_spare(update->slots)->size - update->slots->record.filled;
    if (block->offset != update->slots->record.filled || block->data.size != (left < TSL_BLOCK ? left : TSL_BLOCK))
        return false;
    update->asked--;
    update->spoiled = !tsl_slots_write(update->slots, block->data.bytes, block->data.size);
    if (tsl_slots_state(update->slots) != TSL_SLOT_FILLING)
        update->asking = false;
    return true;
}

bool tsl_update_restarts(const struct tsl_update *update, bool answered, uint64_t now)
{
    return (answered && update->restart_at != TSL_NO_DEADLINE) || now >= tsl_update_deadline(update);
}

uint64_t tsl_update_deadline(const struct tsl_update *update)
{
    return update->restart_at < update->reverts_at ? update->restart_at : update->reverts_at;
}
