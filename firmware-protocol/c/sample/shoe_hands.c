/* What hands do to the shoe. */
#include <string.h>

#include "shoe.h"

static void pull(struct shoe *shoe, struct request *request)
{
    const uint64_t next = shoe_cards(shoe) + 1;
    const double count = request_number(request, "count", 1, 1e18, (double)next);
    const bool force = request_flag_or(request, "force", false);
    request_close(request);
    if (shoe->moving)
        request_refuse(request, "pull: a card is on its way out");
    if (shoe->state.jam)
        request_refuse(request, "pull: a card is stuck");
    if (shoe->state.open)
        request_refuse(request, "pull: the cover is open");
    if (shoe_left(shoe) == 0)
        request_refuse(request, "pull: the shoe is empty");
    if (tsl_memory_full(&shoe->unit->memory))
        request_refuse(request, "pull: the memory is full: %u slots are free", tsl_memory_free(&shoe->unit->memory));
    if (count != (double)next)
        request_refuse(request, "pull: the next card is number %llu, not %g", (unsigned long long)next, count);
    const bool permitted = shoe->up_to > shoe_cards(shoe);
    if (!permitted && !force)
        request_refuse(request, "pull: card %llu is locked; permitted up to %llu", (unsigned long long)next,
                       (unsigned long long)shoe->up_to);
    if (!request_good(request) || !tsl_memory_begin_card(&shoe->unit->memory))
        return;
    shoe->moving = true;
    shoe->permitted = permitted;
    shoe->out_at = shoe->unit->now + shoe->unit->settings->tempo.card;
}

static void load_asked(struct shoe *shoe, struct request *request)
{
    struct pack pack;
    const char *text = request_text(request, "cards", "");
    const double behind_cut = request_number(request, "behind_cut", 0, MOST_CARDS, 0);
    double decks = request_number(request, "decks", 1, MOST_DECKS, 0);
    request_close(request);
    if (!pack_read(&pack, text) || pack.count == 0)
        request_refuse(request, "load: cards: must be 1 to %d cards separated by spaces", MOST_CARDS);
    if (shoe->moving)
        request_refuse(request, "load: a card is on its way out; wait for it");
    if (!request_good(request))
        return;
    if (decks == 0)
        decks = pack.count < DECK ? 1 : (pack.count + DECK / 2) / DECK;
    shoe_load(shoe, &pack, (uint16_t)behind_cut, (unsigned)decks);
}

static void cover(struct shoe *shoe, struct request *request)
{
    const bool open = request_flag(request, "open");
    request_close(request);
    if (!request_good(request))
        return;
    shoe->state.open = open;
    shoe_report(shoe);
    unit_say(shoe->unit, "cover", "\"open\": %s", open ? "true" : "false");
}

static void jam(struct shoe *shoe, struct request *request)
{
    const bool on = request_flag(request, "on");
    request_close(request);
    if (!request_good(request))
        return;
    shoe->state.jam = on;
    shoe->out_at = shoe->unit->now + shoe->unit->settings->tempo.card;
    shoe_report(shoe);
    unit_say(shoe->unit, "jam", "\"on\": %s", on ? "true" : "false");
}

static void make_unreadable(struct shoe *shoe, struct request *request)
{
    request_close(request);
    shoe->unreadable = request_good(request);
}

static const struct {
    const char *name;
    void (*run)(struct shoe *shoe, struct request *request);
} VERBS[] = {
    {"pull", pull}, {"load", load_asked}, {"cover", cover}, {"jam", jam}, {"unreadable", make_unreadable},
};

bool shoe_ask(void *self, const char *verb, struct request *request, struct line *answer)
{
    (void)answer;
    for (size_t place = 0; place < sizeof VERBS / sizeof VERBS[0]; place++)
        if (strcmp(VERBS[place].name, verb) == 0) {
            VERBS[place].run(self, request);
            return true;
        }
    return false;
}
