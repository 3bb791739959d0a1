/* Packs of cards as a machine holds them: a byte a card, first out first. */
#ifndef CARDS_H
#define CARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DECK = 52, MOST_DECKS = 10, MOST_CARDS = DECK * MOST_DECKS, CARD_TEXT = 3 };

struct pack {
    uint16_t count;
    uint8_t cards[MOST_CARDS]; /* 0 to 51: spades, hearts, diamonds, clubs, each A23456789TJQK */
};

/* Two letters and a zero. */
void card_name(uint8_t card, char name[CARD_TEXT]);

/* Cards separated by white space; false: one of them is none, or they are too many. */
bool pack_read(struct pack *pack, const char *text);

/* Writes them separated by spaces; `text` has room for CARD_TEXT bytes a card. */
void pack_write(const struct pack *pack, char *text);

/* So many full decks, unshuffled. */
void pack_decks(struct pack *pack, unsigned decks);

/* The same order for the same cards, seed and number of the shuffle. */
void pack_shuffle(struct pack *pack, uint64_t seed, uint64_t number);

/* Takes the first cards away. */
void pack_drop(struct pack *pack, uint16_t count);

/* Adds a pack behind it; false: that would be too many cards. */
bool pack_append(struct pack *pack, const struct pack *more);

#endif
