/* The sample shuffler: shuffles the pack inside, counts it, and gives it out to a hand. */
#ifndef SHUFFLER_H
#define SHUFFLER_H

#include <stdbool.h>

#include "cards.h"
#include "unit.h"

/* What lies in the shuffler and outlives its power. */
struct shuffler_state {
    struct pack inside;
    struct pack tray;
    uint16_t out; /* cards of the pack that was taken last; they stay in `tray` until the next one lies there */
    uint64_t taken; /* packs that were taken out */
    uint64_t inserted; /* the last pack in exchange for which cards were inserted */
    uint16_t unreadable; /* cards that are dirty */
    bool jam;
    bool recorded_jam; /* the last ShufflerJam of this log */
};

enum { STEPS = 9 }; /* of a cycle: four reports of each phase, and the end */

struct step {
    uint64_t at;
    enum tsl_phase phase;
    unsigned percent;
};

struct shuffler {
    struct unit *unit;
    char state_path[512];
    struct shuffler_state state;
    bool armed;
    enum tsl_phase phase;
    struct step cycle[STEPS];
    size_t next; /* step; STEPS: no cycle runs */
    unsigned decks;
    uint64_t jammed_at;
};

/* Sets the unit's machine. */
bool shuffler_open(struct shuffler *shuffler, struct unit *unit);

/* The words for enum tsl_phase. */
extern const char *const SHUFFLER_PHASES[];

/* A cycle runs. */
bool shuffler_runs(const struct shuffler *shuffler);

/* Makes the state durable. */
void shuffler_keep(struct shuffler *shuffler);

/* Begins a phase, and tells of it. */
void shuffler_enter(struct shuffler *shuffler, enum tsl_phase phase, unsigned percent);

/* Records a jam that has changed since it was last recorded; without power the next boot does. */
void shuffler_report(struct shuffler *shuffler);

/* As `ask` of a machine. */
bool shuffler_ask(void *self, const char *verb, struct request *request, struct line *answer);

#endif
