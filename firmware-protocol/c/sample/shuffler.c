#include "shuffler.h"

#include <stdio.h>
#include <string.h>

#include "files.h"

const char *const SHUFFLER_PHASES[] = {"", "idle", "shuffling", "checking", "done", "stopped"};
enum { REPORTS = 4, WHOLE = 100 };

void shuffler_keep(struct shuffler *shuffler)
{
    if (!file_replace(shuffler->state_path, &shuffler->state, sizeof shuffler->state))
        perror(shuffler->state_path);
}

bool shuffler_runs(const struct shuffler *shuffler)
{
    return shuffler->next < STEPS;
}

void shuffler_enter(struct shuffler *shuffler, enum tsl_phase phase, unsigned percent)
{
    tsl_Event event = {.which_body = tsl_Event_shuffler_state_tag};
    shuffler->phase = phase;
    event.body.shuffler_state.state = phase;
    event.body.shuffler_state.percent = percent;
    unit_record(shuffler->unit, &event);
    unit_say(shuffler->unit, "shuffler", "\"state\": \"%s\", \"percent\": %u", SHUFFLER_PHASES[phase], percent);
}

void shuffler_report(struct shuffler *shuffler)
{
    struct shuffler_state *state = &shuffler->state;
    if (shuffler->unit->powered && state->jam != state->recorded_jam) {
        tsl_Event event = {.which_body = tsl_Event_shuffler_jam_tag};
        event.body.shuffler_jam.on = state->recorded_jam = state->jam;
        unit_record(shuffler->unit, &event);
    }
    shuffler_keep(shuffler);
}

static void plan(struct shuffler *shuffler)
{
    const struct tempo *tempo = &shuffler->unit->settings->tempo;
    uint64_t at = shuffler->unit->now;
    size_t place = 0;
    for (enum tsl_phase phase = TSL_PHASE_SHUFFLING; phase <= TSL_PHASE_CHECKING; phase++) {
        const uint64_t takes = phase == TSL_PHASE_SHUFFLING ? tempo->shuffle : tempo->check;
        for (unsigned report = 0; report < REPORTS; report++)
            shuffler->cycle[place++] = (struct step){at + takes * report / REPORTS, phase, WHOLE * report / REPORTS};
        at += takes;
    }
    shuffler->cycle[place] = (struct step){at, TSL_PHASE_DONE, WHOLE};
    shuffler->next = 0;
}

static struct tsl_outcome start(struct shuffler *shuffler, unsigned decks)
{
    if (shuffler_runs(shuffler))
        return tsl_ended(TSL_BUSY, "a cycle runs");
    if (shuffler->state.inside.count == 0)
        return tsl_ended(TSL_REFUSED, "there are no cards in the shuffler");
    shuffler->decks = decks;
    plan(shuffler);
    return tsl_done();
}

static struct tsl_outcome eject(struct shuffler *shuffler)
{
    if (shuffler->phase != TSL_PHASE_DONE)
        return tsl_ended(TSL_REFUSED, "the pack is not shuffled and checked");
    pack_shuffle(&shuffler->state.inside, shuffler->unit->settings->seed, shuffler->state.taken);
    shuffler->state.tray = shuffler->state.inside;
    shuffler->state.inside.count = 0;
    shuffler->phase = TSL_PHASE_IDLE;
    shuffler_keep(shuffler);
    unit_say(shuffler->unit, "pack", "\"cards\": %u, \"number\": %llu", shuffler->state.tray.count,
             (unsigned long long)shuffler->state.taken + 1);
    return tsl_done();
}

static struct tsl_outcome stop(struct shuffler *shuffler)
{
    if (shuffler_runs(shuffler)) {
        shuffler->next = STEPS;
        shuffler_enter(shuffler, TSL_PHASE_STOPPED, 0);
    }
    return tsl_done();
}

static struct tsl_outcome command(void *self, const tsl_Command *told, uint64_t arrived)
{
    (void)arrived;
    switch (told->which_body) {
    case tsl_Command_start_tag:
        return start(self, told->body.start.decks);
    case tsl_Command_eject_tag:
        return eject(self);
    default:
        return stop(self);
    }
}

static void arm(void *self, uint64_t now)
{
    struct shuffler *shuffler = self;
    (void)now;
    shuffler->armed = true;
    unit_say_session(shuffler->unit, true);
}

/* The cycle that runs finishes. */
static void safe(void *self, uint64_t now)
{
    struct shuffler *shuffler = self;
    (void)now;
    if (shuffler->armed)
        unit_say_session(shuffler->unit, false);
    shuffler->armed = false;
}

static struct tsl_condition condition(void *self)
{
    const struct shuffler *shuffler = self;
    const enum tsl_mode mode = shuffler_runs(shuffler) ? TSL_MODE_BUSY : TSL_MODE_READY;
    return (struct tsl_condition){.mode = shuffler->state.jam ? TSL_MODE_FAULT : mode, .celsius = 31, .alive = true};
}

static uint64_t deadline(const void *self)
{
    const struct shuffler *shuffler = self;
    return shuffler_runs(shuffler) && !shuffler->state.jam ? shuffler->cycle[shuffler->next].at : TSL_NO_DEADLINE;
}

static void report(struct shuffler *shuffler)
{
    const struct pack *inside = &shuffler->state.inside;
    tsl_Event event = {.which_body = tsl_Event_deck_check_tag};
    tsl_DeckCheck *check = &event.body.deck_check;
    check->decks = shuffler->decks;
    check->counts.size = DECK;
    check->unreadable = shuffler->state.unreadable < inside->count ? shuffler->state.unreadable : inside->count;
    for (size_t place = check->unreadable; place < inside->count; place++)
        check->counts.bytes[inside->cards[place]]++;
    unit_record(shuffler->unit, &event);
}

static void tick(void *self)
{
    struct shuffler *shuffler = self;
    while (shuffler->unit->now >= deadline(shuffler)) {
        const struct step step = shuffler->cycle[shuffler->next++];
        if (step.phase == TSL_PHASE_DONE)
            report(shuffler);
        shuffler_enter(shuffler, step.phase, step.percent);
    }
}

/* A pack that was in a cycle is unshuffled again. */
static void boot(void *self)
{
    struct shuffler *shuffler = self;
    shuffler->jammed_at = shuffler->unit->now;
    shuffler_enter(shuffler, TSL_PHASE_IDLE, 0);
    shuffler_report(shuffler);
}

static void power_off(void *self)
{
    struct shuffler *shuffler = self;
    shuffler->next = STEPS;
    safe(shuffler, 0);
}

static void look(const void *self, struct line *line)
{
    const struct shuffler *shuffler = self;
    const uint64_t now = shuffler->unit->now;
    struct line fields = {.size = 0};
    unit_add_notice(line, now, shuffler->armed ? "{\"notice\": \"session\", \"armed\": true"
                                               : "{\"notice\": \"session\", \"armed\": false");
    line_add(&fields, "{\"notice\": \"shuffler\", \"state\": \"%s\", \"percent\": 0", SHUFFLER_PHASES[shuffler->phase]);
    unit_add_notice(line, now, fields.bytes);
    if (shuffler->state.tray.count == 0)
        return;
    fields.size = 0;
    line_add(&fields, "{\"notice\": \"pack\", \"cards\": %u, \"number\": %llu", shuffler->state.tray.count,
             (unsigned long long)shuffler->state.taken + 1);
    unit_add_notice(line, now, fields.bytes);
}

static void forget(void *self)
{
    struct shuffler *shuffler = self;
    shuffler->state.recorded_jam = false;
    shuffler_keep(shuffler);
}

bool shuffler_open(struct shuffler *shuffler, struct unit *unit)
{
    memset(shuffler, 0, sizeof *shuffler);
    shuffler->unit = unit;
    shuffler->phase = TSL_PHASE_IDLE;
    shuffler->next = STEPS;
    const int size = snprintf(shuffler->state_path, sizeof shuffler->state_path, "%s.around", unit->settings->memory);
    if (!file_read(shuffler->state_path, &shuffler->state, sizeof shuffler->state)) {
        memset(&shuffler->state, 0, sizeof shuffler->state);
        pack_decks(&shuffler->state.inside, unit->settings->decks);
    }
    unit->machine = (struct machine){
        shuffler, {shuffler, command, arm, safe, condition}, shuffler_ask, deadline, tick, boot,
        power_off, look, forget};
    return size < (int)sizeof shuffler->state_path;
}
