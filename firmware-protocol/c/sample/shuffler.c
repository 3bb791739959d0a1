#include "shuffler.h"

#include <stdio.h>
#include <string.h>

#include "files.h"

static const char *const WORDS[] = {"", "idle", "shuffling", "checking", "done", "stopped"};
enum { REPORTS = 4, WHOLE = 100 };

static void keep(struct shuffler *shuffler)
{
    if (!file_replace(shuffler->state_path, &shuffler->state, sizeof shuffler->state))
        perror(shuffler->state_path);
}

static bool runs(const struct shuffler *shuffler)
{
    return shuffler->next < STEPS;
}

static void enter(struct shuffler *shuffler, enum tsl_phase phase, unsigned percent)
{
    tsl_Event event = {.which_body = tsl_Event_shuffler_state_tag};
    shuffler->phase = phase;
    event.body.shuffler_state.state = phase;
    event.body.shuffler_state.percent = percent;
    unit_record(shuffler->unit, &event);
    unit_say(shuffler->unit, "shuffler", "\"state\": \"%s\", \"percent\": %u", WORDS[phase], percent);
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
    if (runs(shuffler))
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
    keep(shuffler);
    unit_say(shuffler->unit, "pack", "\"cards\": %u", shuffler->state.tray.count);
    return tsl_done();
}

static struct tsl_outcome stop(struct shuffler *shuffler)
{
    if (runs(shuffler)) {
        shuffler->next = STEPS;
        enter(shuffler, TSL_PHASE_STOPPED, 0);
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
    const enum tsl_mode mode = runs(shuffler) ? TSL_MODE_BUSY : TSL_MODE_READY;
    return (struct tsl_condition){.mode = shuffler->jammed ? TSL_MODE_FAULT : mode, .celsius = 31, .alive = true};
}

static uint64_t deadline(const void *self)
{
    const struct shuffler *shuffler = self;
    return runs(shuffler) && !shuffler->jammed ? shuffler->cycle[shuffler->next].at : TSL_NO_DEADLINE;
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
        enter(shuffler, step.phase, step.percent);
    }
}

static void take(struct shuffler *shuffler, struct request *request, struct line *answer)
{
    char text[CARD_TEXT * MOST_CARDS + 1];
    request_close(request);
    if (shuffler->state.tray.count == 0)
        request_refuse(request, "take: no pack lies in the tray; it comes after a cycle, by Eject");
    if (!request_good(request))
        return;
    pack_write(&shuffler->state.tray, text);
    shuffler->state.tray.count = 0;
    shuffler->state.taken++;
    keep(shuffler);
    line_add(answer, ", \"cards\": \"%s\"", text);
}

static void refuse_while_running(const struct shuffler *shuffler, struct request *request)
{
    if (runs(shuffler))
        request_refuse(request, "the shuffler is %s; wait for it or stop it", WORDS[shuffler->phase]);
}

/* The cards that a request names, full decks if it names none. */
static void read_cards(const struct shuffler *shuffler, struct request *request, struct pack *pack)
{
    const char *text = request_text(request, "cards", NULL);
    pack_decks(pack, (unsigned)request_number(request, "decks", 1, MOST_DECKS, shuffler->unit->settings->decks));
    if (text != NULL && !pack_read(pack, text))
        request_refuse(request, "cards: must be cards separated by spaces");
}

static void insert(struct shuffler *shuffler, struct request *request, struct line *answer)
{
    struct pack pack;
    (void)answer;
    read_cards(shuffler, request, &pack);
    request_close(request);
    refuse_while_running(shuffler, request);
    if (request_good(request) && !pack_append(&shuffler->state.inside, &pack))
        request_refuse(request, "insert: at most %d cards fit", MOST_CARDS);
    if (!request_good(request))
        return;
    keep(shuffler);
    enter(shuffler, TSL_PHASE_IDLE, 0);
}

/* The one card that a request names, in a pack of its own. */
static void read_card(struct shuffler *shuffler, struct request *request, struct pack *card)
{
    const char *text = request_text(request, "card", "");
    request_close(request);
    refuse_while_running(shuffler, request);
    if (!pack_read(card, text) || card->count != 1)
        request_refuse(request, "card: must be one card, such as \"Ts\"");
}

static void lose_card(struct shuffler *shuffler, struct request *request, struct line *answer)
{
    struct pack card, *inside = &shuffler->state.inside;
    (void)answer;
    read_card(shuffler, request, &card);
    if (!request_good(request))
        return;
    uint8_t *found = memchr(inside->cards, card.cards[0], inside->count);
    if (found == NULL) {
        request_refuse(request, "remove: no such card is inside");
        return;
    }
    memmove(found, found + 1, (size_t)(inside->cards + inside->count - found - 1));
    inside->count--;
    keep(shuffler);
}

static void add_card(struct shuffler *shuffler, struct request *request, struct line *answer)
{
    struct pack card;
    (void)answer;
    read_card(shuffler, request, &card);
    if (request_good(request) && !pack_append(&shuffler->state.inside, &card))
        request_refuse(request, "add: at most %d cards fit", MOST_CARDS);
    if (request_good(request))
        keep(shuffler);
}

static void make_unreadable(struct shuffler *shuffler, struct request *request, struct line *answer)
{
    const double count = request_number(request, "cards", 0, MOST_CARDS, 0);
    (void)answer;
    request_close(request);
    if (!request_good(request))
        return;
    shuffler->state.unreadable = (uint16_t)count;
    keep(shuffler);
}

static void jam(struct shuffler *shuffler, struct request *request, struct line *answer)
{
    tsl_Event event = {.which_body = tsl_Event_shuffler_jam_tag};
    const bool on = request_flag(request, "on");
    const uint64_t now = shuffler->unit->now;
    (void)answer;
    request_close(request);
    if (!request_good(request))
        return;
    if (on && !shuffler->jammed)
        shuffler->jammed_at = now;
    for (size_t place = shuffler->next; !on && shuffler->jammed && place < STEPS; place++)
        shuffler->cycle[place].at += now - shuffler->jammed_at;
    shuffler->jammed = event.body.shuffler_jam.on = on;
    unit_record(shuffler->unit, &event);
}

static const struct {
    const char *name;
    void (*run)(struct shuffler *shuffler, struct request *request, struct line *answer);
} VERBS[] = {
    {"take", take},    {"insert", insert},              {"remove", lose_card},
    {"add", add_card}, {"unreadable", make_unreadable}, {"jam", jam},
};

static bool ask(void *self, const char *verb, struct request *request, struct line *answer)
{
    for (size_t place = 0; place < sizeof VERBS / sizeof VERBS[0]; place++)
        if (strcmp(VERBS[place].name, verb) == 0) {
            VERBS[place].run(self, request, answer);
            return true;
        }
    return false;
}

/* A pack that was in a cycle is unshuffled again. */
static void boot(void *self)
{
    enter(self, TSL_PHASE_IDLE, 0);
}

static void power_off(void *self)
{
    struct shuffler *shuffler = self;
    shuffler->next = STEPS;
    shuffler->jammed = false;
    safe(shuffler, 0);
}

static void look(const void *self, struct line *line)
{
    const struct shuffler *shuffler = self;
    const uint64_t now = shuffler->unit->now;
    struct line fields = {.size = 0};
    unit_add_notice(line, now, shuffler->armed ? "{\"notice\": \"session\", \"armed\": true"
                                               : "{\"notice\": \"session\", \"armed\": false");
    line_add(&fields, "{\"notice\": \"shuffler\", \"state\": \"%s\", \"percent\": 0", WORDS[shuffler->phase]);
    unit_add_notice(line, now, fields.bytes);
    if (shuffler->state.tray.count == 0)
        return;
    fields.size = 0;
    line_add(&fields, "{\"notice\": \"pack\", \"cards\": %u", shuffler->state.tray.count);
    unit_add_notice(line, now, fields.bytes);
}

static void forget(void *self)
{
    (void)self; /* nothing inside depends on the memory */
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
        shuffler, {shuffler, command, arm, safe, condition}, ask, deadline, tick, boot, power_off, look, forget};
    return size < (int)sizeof shuffler->state_path;
}
