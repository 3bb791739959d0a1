"""The loop that plays rounds by tables: plain Python, in the part of the language that numba compiles.

All arrays are flat and hold whole numbers. Whole numbers stay below 2**63, because compiled ones would
overflow. A deck is an array of card numbers, and `deck_state` says how far it is dealt.
"""

from collections.abc import MutableSequence, Sequence
from typing import NamedTuple

from controller.odds.kernel.compiled import compiled

Numbers = Sequence[int]
Cells = MutableSequence[int]

ROOT = 0
"""The state of a hand without cards."""
NO_CARD = 52
"""Takes the place of the up-card in games without one; it leads from ROOT to ROOT."""
ROW = 64
"""Places in a row of `player_next` and `dealer_next`: the cards, NO_CARD, and room up to a power of two."""
UP_CARDS = 10
"""Ranks of an up-card."""
MOST_HANDS = 4

PASS, STAND, DOUBLE, SURRENDER, QUICK_PAY, HIT, SPLIT = range(7)
"""Actions. PASS: the hand cannot choose."""
ACTIONS = 7
LAST_CHOICES = 5
"""The first actions end a hand; they are its last choice."""

TO_SEAT, TO_UP, TO_HOLE = range(3)
"""Steps of the deal."""

# Places of `room`, which a round works in: the random source (sfc32), how many cards are dealt and how many
# are in order, how many hands and decisions there were; then split cards that wait, how the hands ended, the
# outcomes (those of the hands, of the wagers on the dealer's hand, of those on first cards), the decisions
A, B, C, COUNTER, PLACE, SHUFFLED, HANDS, DECISIONS = range(8)
WAITING = 8
ENDS = WAITING + MOST_HANDS
OUTCOMES = ENDS + MOST_HANDS
PATH = OUTCOMES + MOST_HANDS + 2
ROOM = PATH + 100
WORD = 0xFFFFFFFF


class Tables(NamedTuple):
    """What the game answered. A number in brackets is an index that the tables before it give."""

    deal: Numbers
    """Steps of the deal."""
    player_next: Numbers
    """[state, card] -> state of the player's hand with one more card."""
    dealer_next: Numbers
    """[state, card] -> state of the dealer's hand with one more card."""
    up_rank: Numbers
    """[card] -> rank of the up-card."""
    action: Numbers
    """[state, split, hands - 1, up-card] -> what the player does."""
    split_first: Numbers
    """[state] -> state of the first card alone."""
    split_second: Numbers
    """[state] -> state of the second card alone."""
    hand_end: Numbers
    """[state, last choice, split, later] -> how the hand ended. `later`: it is not the seat's first."""
    live: Numbers
    """[hand end] -> 1 if the hand waits for the dealer's."""
    natural: Numbers
    """[state] -> 1 if the first cards are a natural."""
    shows: Numbers
    """[dealer's state] -> 1 if the dealer looks and has a natural."""
    opening: Numbers
    """[natural, up-card, shown] -> what is wagered besides the hand, and what is known then."""
    draws: Numbers
    """[opening, live] -> 1 if the dealer completes the hand."""
    takes: Numbers
    """[dealer's state] -> 1 if the dealer takes a card to complete the hand."""
    dealer_end: Numbers
    """[dealer's state] -> how the dealer's hand ended."""
    dealer_ends: int
    """The number of these ends."""
    hand_outcome: Numbers
    """[hand end, dealer's end] -> outcome."""
    side_outcome: Numbers
    """[opening, live, dealer's end] -> outcome of all wagers that the dealer's hand decides."""
    first_kind: Numbers
    """[card] -> kind of a card for wagers that the first cards decide."""
    first_kinds: int
    """The number of these kinds."""
    first_outcome: Numbers
    """[kind, kind, kind of the up-card] -> outcome."""
    paid: Numbers
    """[outcome] -> what it pays on the main bet, in units."""


class Offsets(NamedTuple):
    """Where each of the tables begins in one array that has them all. Compiled code would count references
    to each array of several whenever it reads from it, which takes most of the time of a round."""

    deal: int
    player_next: int
    dealer_next: int
    up_rank: int
    action: int
    split_first: int
    split_second: int
    hand_end: int
    live: int
    natural: int
    shows: int
    opening: int
    draws: int
    takes: int
    dealer_end: int
    hand_outcome: int
    side_outcome: int
    first_kind: int
    first_outcome: int
    paid: int
    deal_end: int
    dealer_ends: int
    first_kinds: int


@compiled
def draw(deck: Cells, room: Cells) -> int:
    """The next card. The deck is shuffled only as far as it is dealt.

    Cards that have come once come again in the same order after PLACE is set back. A place is chosen with
    32 bits, which favours some cards by less than 1 in 10,000,000.
    """
    place = room[PLACE]
    room[PLACE] = place + 1
    if place == room[SHUFFLED]:
        room[SHUFFLED] = place + 1
        other = place + ((_word(room) * (len(deck) - place)) >> 32)
        deck[place], deck[other] = deck[other], deck[place]
    return deck[place]


@compiled
def _word(room: Cells) -> int:
    """32 random bits, by Chris Doty-Humphrey's sfc32."""
    b, c = room[B], room[C]
    word = (room[A] + b + room[COUNTER]) & WORD
    room[COUNTER] = (room[COUNTER] + 1) & WORD
    room[A] = b ^ (b >> 9)
    room[B] = (c + (c << 3)) & WORD
    room[C] = ((((c << 21) & WORD) | (c >> 11)) + word) & WORD
    return word


@compiled
def play(cells: Numbers, at: Offsets, deck: Cells, room: Cells, other_at: int, other_action: int) -> int:
    """Plays one round into `room` and returns the number of its outcomes.

    At decision number `other_at`, counted from 0, the player takes `other_action` instead; -1: never.
    """
    dealt, up, hole, first, second = ROOT, NO_CARD, NO_CARD, NO_CARD, NO_CARD
    for step in range(at.deal, at.deal_end):
        card = draw(deck, room)
        if cells[step] == TO_SEAT:
            dealt = cells[at.player_next + dealt * ROW + card]
            first, second = second, card
        elif cells[step] == TO_UP:
            up = card
        else:
            hole = card
    dealer = cells[at.dealer_next + cells[at.dealer_next + ROOT * ROW + up] * ROW + hole]
    up_rank, shown = cells[at.up_rank + up], cells[at.shows + dealer]
    live = play_hands(cells, at, deck, room, dealt, up_rank, shown, other_at, other_action)
    natural = cells[at.natural + dealt]
    opening = cells[at.opening + (natural * UP_CARDS + up_rank) * 2 + shown] * 2 + live
    if cells[at.draws + opening]:
        while cells[at.takes + dealer]:
            dealer = cells[at.dealer_next + dealer * ROW + draw(deck, room)]
    end, hands = cells[at.dealer_end + dealer], room[HANDS]
    for hand in range(hands):
        room[OUTCOMES + hand] = cells[at.hand_outcome + room[ENDS + hand] * at.dealer_ends + end]
    room[OUTCOMES + hands] = cells[at.side_outcome + opening * at.dealer_ends + end]
    kinds = cells[at.first_kind + first] * at.first_kinds + cells[at.first_kind + second]
    kinds = kinds * at.first_kinds + cells[at.first_kind + up]
    room[OUTCOMES + hands + 1] = cells[at.first_outcome + kinds]
    return hands + 2


@compiled
def play_hands(
    cells: Numbers,
    at: Offsets,
    deck: Cells,
    room: Cells,
    dealt: int,
    up_rank: int,
    shown: int,
    other_at: int,
    other_action: int,
) -> int:
    """Plays the hand that was dealt, and those that are split off; returns 1 if one is live.

    `shown`: the dealer has shown a natural, so nobody acts.
    """
    state, split, hands, done, waiting, decisions, live = dealt, 0, 1, 0, 0, 0, 0
    while True:
        choice = PASS
        while not shown:
            decision = ((state * 2 + split) * MOST_HANDS + hands - 1) * UP_CARDS + up_rank
            action = cells[at.action + decision]
            if action == PASS:
                break
            if decisions == other_at:
                action = other_action
            room[PATH + decisions] = decision
            decisions += 1
            if action == SPLIT:
                room[WAITING + waiting] = cells[at.split_second + state]
                state, split, hands, waiting = cells[at.split_first + state], 1, hands + 1, waiting + 1
            if action >= HIT or action == DOUBLE:
                state = cells[at.player_next + state * ROW + draw(deck, room)]
            if action < LAST_CHOICES:
                choice = action
                break
        end = cells[at.hand_end + ((state * LAST_CHOICES + choice) * 2 + split) * 2 + (done > 0)]
        room[ENDS + done] = end
        live |= cells[at.live + end]
        done += 1
        if not waiting:
            break
        waiting -= 1
        state = cells[at.player_next + room[WAITING + waiting] * ROW + draw(deck, room)]
    room[HANDS], room[DECISIONS] = done, decisions
    return live


@compiled
def paid_now(cells: Numbers, at: Offsets, room: Cells, outcomes: int) -> int:
    """What the main bet of the round in `room` is paid, in units."""
    paid = 0
    for place in range(OUTCOMES, OUTCOMES + outcomes):
        paid += cells[at.paid + room[place]]
    return paid


@compiled
def try_others(
    cells: Numbers,
    at: Offsets,
    deck: Cells,
    room: Cells,
    rounds: int,
    allowed: Numbers,
    path: Cells,
    tried: Cells,
) -> None:
    """Plays each round again with the same cards for every other action that each of its decisions allows.

    `allowed`: bits of actions by index into `action` without the up-card. `path` is room for decisions.
    Adds to three numbers of `tried` at (decision, action): rounds, what the other action gained in units,
    and the squares of that.
    """
    for _ in range(rounds):
        room[PLACE] = room[SHUFFLED] = 0
        usual = paid_now(cells, at, room, play(cells, at, deck, room, -1, PASS))
        decisions = room[DECISIONS]
        for number in range(decisions):
            path[number] = room[PATH + number]
        for number in range(decisions):
            decision = path[number]
            for action in range(STAND, SPLIT + 1):
                other = (allowed[decision // UP_CARDS] >> action) & 1
                if other and action != cells[at.action + decision]:
                    room[PLACE] = 0
                    gain = paid_now(cells, at, room, play(cells, at, deck, room, number, action)) - usual
                    place = (decision * ACTIONS + action) * 3
                    tried[place] += 1
                    tried[place + 1] += gain
                    tried[place + 2] += gain * gain


@compiled
def play_both(
    cells: Numbers,
    at: Offsets,
    other_cells: Numbers,
    deck: Cells,
    room: Cells,
    rounds: int,
    sums: Cells,
) -> None:
    """Plays the same cards by two tables with the same offsets. Adds to `sums`: what the other tables gained
    on the main bet in units, and its squares."""
    gained = squares = 0
    for _ in range(rounds):
        room[PLACE] = room[SHUFFLED] = 0
        usual = paid_now(cells, at, room, play(cells, at, deck, room, -1, PASS))
        room[PLACE] = 0
        gain = paid_now(cells, at, room, play(other_cells, at, deck, room, -1, PASS)) - usual
        gained += gain
        squares += gain * gain
    sums[0] += gained
    sums[1] += squares


@compiled
def play_rounds(
    cells: Numbers, at: Offsets, deck: Cells, room: Cells, rounds: int, counts: Cells, sums: Cells
) -> None:
    """Plays rounds from fresh shoes. Adds to `counts` by outcome, and to `sums`: what the main bets were
    paid in units, and its squares."""
    paid_sum = squares = 0
    for _ in range(rounds):
        room[PLACE] = room[SHUFFLED] = 0
        outcomes = play(cells, at, deck, room, -1, PASS)
        paid = paid_now(cells, at, room, outcomes)
        for place in range(OUTCOMES, OUTCOMES + outcomes):
            counts[room[place]] += 1
        paid_sum += paid
        squares += paid * paid
    sums[0] += paid_sum
    sums[1] += squares
