#include "tsl_orders.h"

#include <string.h>

#include "tsl_catalogue.h"
#include "tsl_range.h"

static struct tsl_outcome named(enum tsl_status status, const char *name, const char *says)
{
    struct tsl_outcome outcome = tsl_ended(status, name);
    tsl_text_add(&outcome.text, says);
    return outcome;
}

void tsl_orders_init(struct tsl_orders *orders, enum tsl_class device_class, struct tsl_memory *memory,
                     const struct tsl_body *body, struct tsl_slots *slots, uint64_t now)
{
    memset(orders, 0, sizeof *orders);
    orders->device_class = device_class;
    orders->memory = memory;
    orders->body = body;
    tsl_update_init(&orders->update, slots, now);
}

uint64_t tsl_orders_permitted(const struct tsl_orders *orders)
{
    const uint64_t cards = orders->memory->record.cards;
    return tsl_memory_full(orders->memory) || orders->permit <= cards ? 0 : orders->permit - cards;
}

static void disarm(struct tsl_orders *orders, uint64_t now)
{
    orders->armed = false;
    orders->permit = 0;
    orders->body->safe(orders->body->self, now);
}

void tsl_orders_start(struct tsl_orders *orders)
{
    orders->resume = 0;
    orders->newest_at_start = orders->memory->record.newest;
}

void tsl_orders_stop(struct tsl_orders *orders, uint64_t now)
{
    orders->waits = 0;
    tsl_update_stop(&orders->update);
    disarm(orders, now);
}

static struct tsl_outcome resume(struct tsl_orders *orders, uint64_t next)
{
    const uint64_t newest = orders->memory->record.newest;
    if (next < 1 || next > newest + 1)
        return tsl_ended_with(TSL_RANGE, "resume from #: events 1 to # exist", next, newest);
    orders->resume = next;
    return tsl_done();
}

static void do_what_waited(struct tsl_orders *orders)
{
    for (uint8_t place = 0; place < orders->waits; place++) {
        const struct tsl_waiting *waiting = &orders->waiting[place];
        (void)orders->body->command(orders->body->self, &waiting->command, waiting->arrived);
    }
    orders->waits = 0;
}

static struct tsl_outcome arm(struct tsl_orders *orders, uint64_t seen, uint64_t now)
{
    const uint64_t newest = orders->memory->record.newest;
    if (seen < orders->newest_at_start)
        return tsl_ended_with(TSL_STALE, "seen up to #, the session began with #", seen, orders->newest_at_start);
    if (seen > newest)
        return tsl_ended_with(TSL_RANGE, "seen up to #, the newest is #", seen, newest);
    if (tsl_update_unarmable(&orders->update) != NULL)
        return tsl_ended(TSL_REFUSED, tsl_update_unarmable(&orders->update));
    tsl_memory_commit(orders->memory, seen);
    if (!orders->armed) {
        orders->armed = true;
        tsl_update_stop(&orders->update);
        orders->body->arm(orders->body->self, now);
        do_what_waited(orders);
    }
    return tsl_done();
}

/* The highest key that a host can have come to. */
static uint64_t most_key(const struct tsl_orders *orders)
{
    const uint64_t most = orders->memory->record.last_key + TSL_STEP;
    return most < TSL_HIGHEST ? most : TSL_HIGHEST;
}

/* Refused before anything is noted: a key that is noted burns all below it for ever. */
static bool is_impossible(const struct tsl_orders *orders, uint64_t key)
{
    return key < 1 || key > most_key(orders);
}

static struct tsl_outcome impossible(const struct tsl_orders *orders, uint64_t key)
{
    return tsl_ended_with(TSL_RANGE, "key #: 1 to # are possible now", key, most_key(orders));
}

static struct tsl_outcome recall(struct tsl_orders *orders, uint64_t key)
{
    struct tsl_kept_result result;
    if (is_impossible(orders, key))
        return impossible(orders, key);
    if (tsl_memory_result(orders->memory, key, &result))
        return tsl_ended((enum tsl_status)result.status, result.text);
    if (key <= orders->memory->record.last_key)
        return tsl_ended_with(TSL_FORGOTTEN, "the result of # is not kept any more", key, 0);
    const struct tsl_outcome outcome = tsl_ended_with(TSL_NEVER, "# was never begun and never will be", key, 0);
    tsl_memory_end_action(orders->memory, key, outcome.status, outcome.text.bytes);
    return outcome;
}

static bool is_of_update(const struct tsl_entry *entry)
{
    return entry->device_class == 0;
}

static struct tsl_outcome act(struct tsl_orders *orders, const tsl_Command *command, const struct tsl_entry *entry,
                              uint64_t now)
{
    if (!tsl_memory_begin_action(orders->memory, command->key))
        return tsl_ended(TSL_FAILED, "the memory failed");
    if (is_of_update(entry) && orders->update.slots == NULL)
        return named(TSL_UNSUPPORTED, entry->name, ": this device cannot be updated");
    if (is_of_update(entry))
        return tsl_update_run(&orders->update, command, now);
    return orders->body->command(orders->body->self, command, now);
}

static struct tsl_outcome once(struct tsl_orders *orders, const tsl_Command *command, const struct tsl_entry *entry,
                               uint64_t now)
{
    struct tsl_outcome outcome;
    if (is_impossible(orders, command->key))
        return impossible(orders, command->key);
    if (command->key <= orders->memory->record.last_key)
        return tsl_ended_with(TSL_FORGOTTEN, "key # is not above #", command->key, orders->memory->record.last_key);
    if (is_of_update(entry) && orders->armed)
        outcome = named(TSL_REFUSED, entry->name, ": the device is armed");
    else if (!is_of_update(entry) && entry->device_class != (int)orders->device_class)
        outcome = named(TSL_UNSUPPORTED, entry->name, " is not for this device");
    else if (!is_of_update(entry) && !orders->armed)
        outcome = named(TSL_UNARMED, entry->name, " needs Arm");
    else if (!tsl_range_check(command, &outcome.text))
        outcome.status = TSL_RANGE;
    else
        outcome = act(orders, command, entry, now);
    tsl_memory_end_action(orders->memory, command->key, outcome.status, outcome.text.bytes);
    return outcome;
}

static struct tsl_outcome permit(struct tsl_orders *orders, const tsl_Command *command, uint64_t now)
{
    const uint64_t up_to = command->body.permit.up_to, most = orders->memory->record.cards + TSL_MOST_AHEAD;
    if (!orders->armed)
        return tsl_ended(TSL_UNARMED, "no permit without Arm");
    if (up_to > most)
        return tsl_ended_with(TSL_RANGE, "permit up to #: at most # now", up_to, most);
    const struct tsl_outcome outcome = orders->body->command(orders->body->self, command, now);
    if (outcome.status == TSL_DONE)
        orders->permit = up_to;
    return outcome;
}

/* Which of several things of its kind a command is about. */
static uint32_t subject(const tsl_Command *command)
{
    switch (command->which_body) {
    case tsl_Command_level_tag:
        return command->body.level.id;
    case tsl_Command_celebrate_tag:
        return command->body.celebrate.id;
    case tsl_Command_text_tag:
        return command->body.text.line;
    default:
        return 0;
    }
}

static void forget_same_kind(struct tsl_orders *orders, const tsl_Command *command)
{
    for (uint8_t place = 0; place < orders->waits; place++) {
        const tsl_Command *waiting = &orders->waiting[place].command;
        if (waiting->which_body != command->which_body || subject(waiting) != subject(command))
            continue;
        orders->waits--;
        memmove(&orders->waiting[place], &orders->waiting[place + 1],
                (size_t)(orders->waits - place) * sizeof orders->waiting[0]);
        return;
    }
}

static struct tsl_outcome wait_for_arm(struct tsl_orders *orders, const tsl_Command *command, uint64_t now)
{
    forget_same_kind(orders, command);
    if (orders->waits == TSL_WAITING)
        return tsl_ended(TSL_REFUSED, "16 wishes wait for Arm already");
    orders->waiting[orders->waits++] = (struct tsl_waiting){*command, now};
    return tsl_done();
}

static struct tsl_outcome state(struct tsl_orders *orders, const tsl_Command *command, const struct tsl_entry *entry,
                                uint64_t now)
{
    if (entry->device_class != (int)orders->device_class)
        return named(TSL_UNSUPPORTED, entry->name, " is not for this device");
    if (command->which_body == tsl_Command_permit_tag)
        return permit(orders, command, now);
    struct tsl_outcome outcome = {.status = TSL_RANGE};
    if (!tsl_range_check(command, &outcome.text))
        return outcome;
    if (!orders->armed)
        return wait_for_arm(orders, command, now);
    if (command->which_body == tsl_Command_lock_tag)
        orders->permit = 0;
    return orders->body->command(orders->body->self, command, now);
}

static struct tsl_outcome of_its_class(struct tsl_orders *orders, const tsl_Command *command, uint64_t now)
{
    const struct tsl_entry *entry = tsl_entry_of(command->which_body);
    if (entry == NULL)
        return tsl_ended(TSL_UNSUPPORTED, "unknown message");
    return entry->action ? once(orders, command, entry, now) : state(orders, command, entry, now);
}

struct tsl_outcome tsl_orders_run(struct tsl_orders *orders, const tsl_Command *command, uint64_t now)
{
    switch (command->which_body) {
    case tsl_Command_resume_tag:
        return resume(orders, command->body.resume.next);
    case tsl_Command_arm_tag:
        return arm(orders, command->body.arm.seen, now);
    case tsl_Command_disarm_tag:
        disarm(orders, now);
        return tsl_done();
    case tsl_Command_recall_tag:
        return recall(orders, command->body.recall.old_key);
    default:
        return of_its_class(orders, command, now);
    }
}
