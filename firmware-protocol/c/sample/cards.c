#include "cards.h"

#include <ctype.h>
#include <string.h>

static const char RANKS[] = "A23456789TJQK";
static const char SUITS[] = "shdc";
enum { RANK_COUNT = 13 };

void card_name(uint8_t card, char name[CARD_TEXT])
{
    name[0] = RANKS[card % RANK_COUNT];
    name[1] = SUITS[card / RANK_COUNT];
    name[2] = '\0';
}

/* The card that a text begins with, -1: none. */
static int card_at(const char *text)
{
    const char *rank = text[0] == '\0' ? NULL : strchr(RANKS, text[0]);
    const char *suit = rank == NULL || text[1] == '\0' ? NULL : strchr(SUITS, text[1]);
    if (suit == NULL || (text[2] != '\0' && !isspace((unsigned char)text[2])))
        return -1;
    return (int)(suit - SUITS) * RANK_COUNT + (int)(rank - RANKS);
}

bool pack_read(struct pack *pack, const char *text)
{
    pack->count = 0;
    for (;;) {
        while (isspace((unsigned char)*text))
            text++;
        if (*text == '\0')
            return true;
        const int card = card_at(text);
        if (card < 0 || pack->count == MOST_CARDS)
            return false;
        pack->cards[pack->count++] = (uint8_t)card;
        text += 2;
    }
}

void pack_write(const struct pack *pack, char *text)
{
    *text = '\0';
    for (uint16_t place = 0; place < pack->count; place++) {
        card_name(pack->cards[place], text + CARD_TEXT * place);
        if (place + 1 < pack->count)
            text[CARD_TEXT * place + 2] = ' ';
    }
}

void pack_decks(struct pack *pack, unsigned decks)
{
    pack->count = (uint16_t)(DECK * decks);
    for (uint16_t place = 0; place < pack->count; place++)
        pack->cards[place] = (uint8_t)(place % DECK);
}

/* SplitMix64: a good enough generator for a simulated shuffle. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t mixed = *state += UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

static void sort(struct pack *pack)
{
    uint16_t counts[DECK] = {0};
    for (uint16_t place = 0; place < pack->count; place++)
        counts[pack->cards[place]]++;
    pack->count = 0;
    for (uint8_t card = 0; card < DECK; card++)
        for (; counts[card] > 0; counts[card]--)
            pack->cards[pack->count++] = card;
}

void pack_shuffle(struct pack *pack, uint64_t seed, uint64_t number)
{
    uint64_t state = seed * 1000003 + number;
    sort(pack);
    for (uint16_t left = pack->count; left > 1; left--) {
        const uint16_t other = (uint16_t)(next_random(&state) % left);
        const uint8_t card = pack->cards[left - 1];
        pack->cards[left - 1] = pack->cards[other];
        pack->cards[other] = card;
    }
}

void pack_drop(struct pack *pack, uint16_t count)
{
    pack->count = (uint16_t)(pack->count - count);
    memmove(pack->cards, pack->cards + count, pack->count);
}

bool pack_append(struct pack *pack, const struct pack *more)
{
    if (pack->count + more->count > MOST_CARDS)
        return false;
    memcpy(pack->cards + pack->count, more->cards, more->count);
    pack->count = (uint16_t)(pack->count + more->count);
    return true;
}
