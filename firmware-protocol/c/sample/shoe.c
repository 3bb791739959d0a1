#include "shoe.h"

#include <stdio.h>
#include <string.h>

#include "files.h"

enum { BEHIND_CUT = 52, IN_SIGHT = 64, LONGEST_FILE = 8192, LONGEST_ENTRY = 64, MICROSECONDS = 1000000 };

uint64_t shoe_cards(const struct shoe *shoe)
{
    return shoe->unit->memory.record.cards;
}

/* How many of the pack have left. */
static uint16_t gone(const struct shoe *shoe)
{
    return (uint16_t)((int64_t)shoe_cards(shoe) - shoe->state.before);
}

uint16_t shoe_left(const struct shoe *shoe)
{
    return (uint16_t)(shoe->state.pack.count - gone(shoe));
}

void shoe_keep(struct shoe *shoe)
{
    if (!file_replace(shoe->state_path, &shoe->state, sizeof shoe->state))
        perror(shoe->state_path);
}

static void let(struct shoe *shoe, uint64_t up_to)
{
    if (up_to == shoe->up_to)
        return;
    shoe->up_to = up_to;
    unit_say(shoe->unit, "permit", "\"up_to\": %llu", (unsigned long long)up_to);
}

static struct tsl_outcome command(void *self, const tsl_Command *told, uint64_t arrived)
{
    (void)arrived;
    let(self, told->which_body == tsl_Command_permit_tag ? told->body.permit.up_to : 0);
    return tsl_done();
}

static void arm(void *self, uint64_t now)
{
    struct shoe *shoe = self;
    (void)now;
    shoe->armed = true;
    unit_say_session(shoe->unit, true);
}

/* Locked; the card in motion finishes. */
static void safe(void *self, uint64_t now)
{
    struct shoe *shoe = self;
    (void)now;
    if (shoe->armed)
        unit_say_session(shoe->unit, false);
    shoe->armed = false;
    let(shoe, 0);
}

static struct tsl_condition condition(void *self)
{
    const struct shoe *shoe = self;
    const bool fault = shoe->state.jam || shoe->state.open;
    const enum tsl_mode mode = shoe->moving ? TSL_MODE_BUSY : TSL_MODE_READY;
    return (struct tsl_condition){.mode = fault ? TSL_MODE_FAULT : mode, .celsius = 31, .alive = true};
}

void shoe_report(struct shoe *shoe)
{
    struct shoe_state *state = &shoe->state;
    if (shoe->unit->powered && state->open != state->recorded_open) {
        tsl_Event event = {.which_body = tsl_Event_cover_tag};
        event.body.cover.open = state->recorded_open = state->open;
        unit_record(shoe->unit, &event);
    }
    if (shoe->unit->powered && state->jam != state->recorded_jam) {
        tsl_Event event = {.which_body = tsl_Event_shoe_jam_tag};
        event.body.shoe_jam.on = state->recorded_jam = state->jam;
        unit_record(shoe->unit, &event);
    }
    if (shoe->unit->powered && state->fresh && !state->open) {
        tsl_Event event = {.which_body = tsl_Event_loaded_tag};
        event.body.loaded.decks = state->decks;
        state->fresh = false;
        unit_record(shoe->unit, &event);
    }
    shoe_keep(shoe);
}

void shoe_load(struct shoe *shoe, const struct pack *pack, uint16_t behind_cut, unsigned decks)
{
    shoe->state.pack = *pack;
    shoe->state.before = (int64_t)shoe_cards(shoe);
    shoe->state.behind_cut = behind_cut;
    shoe->state.decks = (uint8_t)decks;
    shoe->state.fresh = true;
    shoe->touched = true;
    shoe_report(shoe);
    unit_say(shoe->unit, "loaded", "\"cards\": %u", pack->count);
}

static void log_card(struct shoe *shoe, uint64_t count, const char *name)
{
    const uint64_t now = shoe->unit->now;
    char entry[LONGEST_ENTRY];
    shoe->last_logged = count;
    if (shoe->unit->settings->log == NULL)
        return;
    (void)snprintf(entry, sizeof entry, "%llu %s %llu.%06llu\n", (unsigned long long)count, name,
                   (unsigned long long)(now / MICROSECONDS), (unsigned long long)(now % MICROSECONDS));
    if (!file_append(shoe->unit->settings->log, entry))
        perror(shoe->unit->settings->log);
}

static tsl_Event seen(struct shoe *shoe, uint64_t count, const char *name)
{
    tsl_Event event = tsl_Event_init_zero;
    if (shoe->unreadable) {
        event.which_body = tsl_Event_card_unreadable_tag;
        event.body.card_unreadable.count = count;
    } else if (shoe->permitted) {
        event.which_body = tsl_Event_card_drawn_tag;
        event.body.card_drawn.count = count;
        memcpy(event.body.card_drawn.card, name, CARD_TEXT);
    } else {
        event.which_body = tsl_Event_card_unpermitted_tag;
        event.body.card_unpermitted.count = count;
        memcpy(event.body.card_unpermitted.card, name, CARD_TEXT);
    }
    shoe->unreadable = false;
    return event;
}

static bool is_at_cut(const struct shoe *shoe)
{
    return shoe->state.behind_cut > 0 && shoe_left(shoe) == shoe->state.behind_cut;
}

/* What follows a card: the cut card, the end of the pack. */
static void record_end(struct shoe *shoe, uint64_t count)
{
    tsl_Event event = {.which_body = tsl_Event_cut_card_tag};
    event.body.cut_card.count = count;
    if (is_at_cut(shoe))
        unit_record(shoe->unit, &event);
    event = (tsl_Event){.which_body = tsl_Event_empty_tag};
    if (shoe_left(shoe) == 0)
        unit_record(shoe->unit, &event);
}

static void say_end(struct shoe *shoe, uint64_t count)
{
    if (is_at_cut(shoe))
        unit_say(shoe->unit, "cut", "\"count\": %llu", (unsigned long long)count);
    if (shoe_left(shoe) == 0)
        unit_say(shoe->unit, "empty", "\"count\": %llu", (unsigned long long)count);
}

/* The card in motion is out: counted and told of at once, or not at all. */
static void arrive(struct shoe *shoe)
{
    char name[CARD_TEXT];
    card_name(shoe->state.pack.cards[gone(shoe)], name);
    shoe->moving = false;
    tsl_memory_together(&shoe->unit->memory);
    const uint64_t count = tsl_memory_end_card(&shoe->unit->memory);
    const tsl_Event event = seen(shoe, count, name);
    unit_record(shoe->unit, &event);
    record_end(shoe, count);
    tsl_memory_end_together(&shoe->unit->memory);
    log_card(shoe, count, name);
    unit_say(shoe->unit, "card", "\"count\": %llu, \"card\": \"%s\"", (unsigned long long)count, name);
    say_end(shoe, count);
}

static uint64_t deadline(const void *self)
{
    const struct shoe *shoe = self;
    return shoe->moving && !shoe->state.jam ? shoe->out_at : TSL_NO_DEADLINE;
}

static void tick(void *self)
{
    struct shoe *shoe = self;
    if (shoe->unit->now >= deadline(shoe))
        arrive(shoe);
}

static void fill_at_first(struct shoe *shoe)
{
    const struct settings *settings = shoe->unit->settings;
    char text[LONGEST_FILE];
    struct pack pack;
    if (settings->stack == NULL || !file_read_text(settings->stack, text, sizeof text)) {
        pack_decks(&pack, settings->decks);
        pack_shuffle(&pack, settings->seed, 0);
        shoe_load(shoe, &pack, BEHIND_CUT, settings->decks);
        return;
    }
    if (pack_read(&pack, text))
        shoe_load(shoe, &pack, 0, settings->decks);
}

/* Finds the pack, and logs the card that left unseen when the power went. */
static void boot(void *self)
{
    struct shoe *shoe = self;
    char name[CARD_TEXT];
    if (!shoe->touched) {
        fill_at_first(shoe);
    } else if (shoe->last_logged + 1 == shoe_cards(shoe)) {
        card_name(shoe->state.pack.cards[gone(shoe) - 1], name);
        log_card(shoe, shoe_cards(shoe), name);
        unit_say(shoe->unit, "interrupted", "\"count\": %llu, \"card\": \"%s\"",
                 (unsigned long long)shoe_cards(shoe), name);
        record_end(shoe, shoe_cards(shoe));
    }
    if (shoe->state.open)
        shoe->state.recorded_open = false; /* an open cover is told again at each boot */
    shoe_report(shoe);
}

/* The card in motion slides out unseen; the memory's note tells. */
static void power_off(void *self)
{
    struct shoe *shoe = self;
    shoe->moving = false;
    safe(shoe, 0);
}

static void look(const void *self, struct line *line)
{
    const struct shoe *shoe = self;
    const uint16_t out = gone(shoe), first = out > IN_SIGHT ? (uint16_t)(out - IN_SIGHT) : 0;
    const uint64_t now = shoe->unit->now;
    struct line fields = {.size = 0};
    char name[CARD_TEXT];
    unit_add_notice(line, now, shoe->armed ? "{\"notice\": \"session\", \"armed\": true"
                                           : "{\"notice\": \"session\", \"armed\": false");
    line_add(&fields, "{\"notice\": \"shoe\", \"count\": %llu, \"left\": %u, \"out\": [",
             (unsigned long long)shoe_cards(shoe), shoe_left(shoe));
    for (uint16_t place = first; place < out; place++) {
        card_name(shoe->state.pack.cards[place], name);
        line_add(&fields, "%s[%lld, \"%s\"]", place == first ? "" : ", ", (long long)shoe->state.before + place + 1,
                 name);
    }
    line_add(&fields, "]");
    unit_add_notice(line, now, fields.bytes);
    fields.size = 0;
    line_add(&fields, "{\"notice\": \"permit\", \"up_to\": %llu", (unsigned long long)shoe->up_to);
    unit_add_notice(line, now, fields.bytes);
}

/* The next log counts from nothing, the cards stay where they are. */
static void forget(void *self)
{
    struct shoe *shoe = self;
    shoe->state.before = -(int64_t)gone(shoe);
    shoe->state.recorded_open = shoe->state.recorded_jam = false;
    shoe_keep(shoe);
}

bool shoe_open(struct shoe *shoe, struct unit *unit)
{
    memset(shoe, 0, sizeof *shoe);
    shoe->unit = unit;
    const int size = snprintf(shoe->state_path, sizeof shoe->state_path, "%s.around", unit->settings->memory);
    shoe->touched = file_read(shoe->state_path, &shoe->state, sizeof shoe->state);
    shoe->last_logged = unit->settings->log == NULL ? 0 : file_last_number(unit->settings->log);
    unit->machine = (struct machine){
        shoe, {shoe, command, arm, safe, condition}, shoe_ask, deadline, tick, boot, power_off, look, forget};
    return size < (int)sizeof shoe->state_path;
}
