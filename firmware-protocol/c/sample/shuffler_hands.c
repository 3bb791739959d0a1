/* What hands do to the shuffler. */
#include <string.h>

#include "shuffler.h"

enum { NO_PACK = 0, MOST_PACKS = 1000000000 };

/* Packs are counted from 1 in the order in which hands take them. A hand that lost the answer to a request asks again
 * with the same number, and nothing is done twice. */
static uint64_t read_number(struct request *request)
{
    const double number = request_number(request, "pack", 1, MOST_PACKS, NO_PACK);
    return request_good(request) ? (uint64_t)number : NO_PACK;
}

static void add_cards(struct pack pack, uint16_t count, struct line *answer)
{
    char text[CARD_TEXT * MOST_CARDS + 1];
    pack.count = count;
    pack_write(&pack, text);
    line_add(answer, ", \"cards\": \"%s\"", text);
}

static void take(struct shuffler *shuffler, struct request *request, struct line *answer)
{
    struct shuffler_state *state = &shuffler->state;
    const uint64_t number = read_number(request);
    const bool again = number != NO_PACK && number == state->taken;
    request_close(request);
    if (!again && state->tray.count == 0)
        request_refuse(request, "take: no pack lies in the tray; it comes after a cycle, by Eject");
    if (!again && number != NO_PACK && number != state->taken + 1)
        request_refuse(request, "take: pack %llu does not lie in the tray, pack %llu does", (unsigned long long)number,
                       (unsigned long long)state->taken + 1);
    if (!request_good(request))
        return;
    if (!again) {
        state->out = state->tray.count;
        state->tray.count = 0;
        state->taken++;
        shuffler_keep(shuffler);
    }
    add_cards(state->tray, state->out, answer);
}

static void refuse_while_running(const struct shuffler *shuffler, struct request *request)
{
    if (shuffler_runs(shuffler))
        request_refuse(request, "the shuffler is %s; wait for it or stop it", SHUFFLER_PHASES[shuffler->phase]);
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
    const uint64_t number = read_number(request);
    (void)answer;
    read_cards(shuffler, request, &pack);
    request_close(request);
    if (number != NO_PACK && number == shuffler->state.inserted)
        return;
    refuse_while_running(shuffler, request);
    if (request_good(request) && !pack_append(&shuffler->state.inside, &pack))
        request_refuse(request, "insert: at most %d cards fit", MOST_CARDS);
    if (!request_good(request))
        return;
    if (number != NO_PACK)
        shuffler->state.inserted = number;
    shuffler_keep(shuffler);
    shuffler_enter(shuffler, TSL_PHASE_IDLE, 0);
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
    shuffler_keep(shuffler);
}

static void add_card(struct shuffler *shuffler, struct request *request, struct line *answer)
{
    struct pack card;
    (void)answer;
    read_card(shuffler, request, &card);
    if (request_good(request) && !pack_append(&shuffler->state.inside, &card))
        request_refuse(request, "add: at most %d cards fit", MOST_CARDS);
    if (request_good(request))
        shuffler_keep(shuffler);
}

static void make_unreadable(struct shuffler *shuffler, struct request *request, struct line *answer)
{
    const double count = request_number(request, "cards", 0, MOST_CARDS, 0);
    (void)answer;
    request_close(request);
    if (!request_good(request))
        return;
    shuffler->state.unreadable = (uint16_t)count;
    shuffler_keep(shuffler);
}

static void jam(struct shuffler *shuffler, struct request *request, struct line *answer)
{
    const bool on = request_flag(request, "on");
    const uint64_t now = shuffler->unit->now;
    (void)answer;
    request_close(request);
    if (!request_good(request))
        return;
    if (on && !shuffler->state.jam)
        shuffler->jammed_at = now;
    for (size_t place = shuffler->next; !on && shuffler->state.jam && place < STEPS; place++)
        shuffler->cycle[place].at += now - shuffler->jammed_at;
    shuffler->state.jam = on;
    shuffler_report(shuffler);
}

static const struct {
    const char *name;
    void (*run)(struct shuffler *shuffler, struct request *request, struct line *answer);
} VERBS[] = {
    {"take", take},    {"insert", insert},              {"remove", lose_card},
    {"add", add_card}, {"unreadable", make_unreadable}, {"jam", jam},
};

bool shuffler_ask(void *self, const char *verb, struct request *request, struct line *answer)
{
    for (size_t place = 0; place < sizeof VERBS / sizeof VERBS[0]; place++)
        if (strcmp(VERBS[place].name, verb) == 0) {
            VERBS[place].run(self, request, answer);
            return true;
        }
    return false;
}
