/* The sample shoe: gives cards to a hand, one at a time, and only permitted ones unless forced. */
#ifndef SHOE_H
#define SHOE_H

#include <stdbool.h>

#include "cards.h"
#include "unit.h"

/* What lies in the shoe and outlives its power. */
struct shoe_state {
    struct pack pack;
    int64_t before; /* the count of cards when the first of the pack was to leave */
    uint16_t behind_cut; /* cards behind the cut card, 0: there is none */
    uint8_t decks;
    bool open;
    bool jam;
    bool fresh;         /* cards were put in, and Loaded is not recorded yet */
    bool recorded_open; /* the last Cover and the last ShoeJam of this log */
    bool recorded_jam;
};

struct shoe {
    struct unit *unit;
    char state_path[512];
    bool touched; /* a pack was loaded once */
    struct shoe_state state;
    uint64_t up_to;
    bool armed;
    bool moving;
    bool permitted; /* the card that moves is */
    bool unreadable; /* the next card is a dirty one */
    uint64_t out_at;
    uint64_t last_logged;
};

/* Sets the unit's machine; false: the stack or the log can't be read. */
bool shoe_open(struct shoe *shoe, struct unit *unit);

/* The count of cards of its log, and how many of the pack have not left. */
uint64_t shoe_cards(const struct shoe *shoe);
uint16_t shoe_left(const struct shoe *shoe);

/* Makes the state durable. */
void shoe_keep(struct shoe *shoe);

/* Records what has changed since it was last recorded; without power the next boot does. Fresh cards wait until
 * the cover is closed. */
void shoe_report(struct shoe *shoe);

/* Puts a pack in, in place of what was in it. */
void shoe_load(struct shoe *shoe, const struct pack *pack, uint16_t behind_cut, unsigned decks);

/* As `ask` of a machine. */
bool shoe_ask(void *self, const char *verb, struct request *request, struct line *answer);

#endif
