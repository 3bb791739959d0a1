"""Plays in which a face-down card could leak: peeks, windows, mishaps, restarts."""

from collections.abc import Mapping

from tests.secrets.story import Course

LOW = ("2c", "Ts")
"""Totals, ranks and suits that differ; no natural under a card from 2 to 9."""
PEEKED = ("2c", "9s")
"""No natural under any card."""
NATURALS = ("Kc", "Qd")
"""A natural under an ace."""

EASY = "1:main=500 2:main=700 2:dealer-bust=100 close 5h 7d"
EZ = "1:main=1000 2:main=1000 close 8h 9c 6d 8s 8c"
QUICK = "1:bet=500 1:surrender-or-play=500 close Th 6s 7d"
SEVENS = "1:main=1000 3:main=500 1:blazing-7s=100 3:blazing-7s=100 1:buster=500 close 7s As 7c 7d Kd"
NO_BUST = "1:main=1000 2:main=500 2:buster=100 close 9h 5c 7s Th 4d"
LAST = "2:hit 9s 2:stand"
"""The last card of NO_BUST."""
INSURED = "1:main=1000 2:main=600 close Ah Ks As Kh Qd"

PLAYS: Mapping[str, Course] = {
    "easy jack": Course(
        "easy-jack",
        f"{EASY} HOLE 1:main=900 pay 6s 1:stand 2:hit 3c 2:stand",
        ("As", "Ah", "4d", "Ts"),
    ),
    "easy jack, a look, none": Course("easy-jack", f"{EASY} HOLE 1:stand 2:stand", PEEKED, {"peek": True}),
    "easy jack, a look, natural": Course("easy-jack", f"{EASY} HOLE pay", ("As", "Ah"), {"peek": True}),
    "ez-bust, window, splits, doubles": Course(
        "ez-bust",
        f"{EZ} HOLE 2:ez-bust=300 2:ez-bust= 1:ez-bust=100 1:ez-bust=500 1:split 1:ez-bust=700 Ts"
        " 1:double=300 2h Kh 1:stand 2:surrender",
        LOW,
    ),
    "ez-bust, insurance and even money, none": Course(
        "ez-bust",
        f"{INSURED} HOLE 2:insurance 1:even-money close 2:stand",
        PEEKED,
        {"even_money": True},
    ),
    "ez-bust, insurance and even money, natural": Course(
        "ez-bust", f"{INSURED} HOLE 2:insurance=200 close", NATURALS, {"even_money": True}
    ),
    "ez-bust, no look": Course(
        "ez-bust",
        f"{INSURED} HOLE 2:insurance close 2:stand",
        ("2c", "Kc", "9h"),
        {"peek": False, "even_money": True},
    ),
    "ez-bust, the first card down": Course(
        "ez-bust",
        "1:main=1000 2:main=1000 close 8h 9c HOLE 8s 8c 6d 1:hit 2d 1:stand 2:stand",
        LOW,
        {"dealer_first_card": "hole"},
    ),
    "ez-bust, the first card down, an ace up": Course(
        "ez-bust",
        "1:main=1000 close 8h HOLE 8s As 1:insurance 1:stand",
        PEEKED,
        {"dealer_first_card": "hole"},
    ),
    "quick pay, hedge": Course(
        "quick-pay",
        f"{QUICK} HOLE 1:hit 2c 1:hedge-18=100 1:stand close",
        ("7h", "2c", "Td"),
    ),
    "quick pay, a ten up": Course(
        "quick-pay",
        "1:bet=500 1:surrender-or-play=500 close 8h Ts 8d HOLE 1:split Tc 1:stand Td 1:stand close",
        LOW,
    ),
    "blackjack x, sevens": Course("blackjack-x", f"{SEVENS} HOLE 1:stand 3:stand", ("7h", "9h", "7s")),
    "blackjack x, an ace up": Course(
        "blackjack-x", "1:main=1000 1:blazing-7s=100 close 7s As 7c HOLE close 1:stand", PEEKED
    ),
    "no bust": Course("no-bust-21st-century", f"{NO_BUST} HOLE 1:stand 2:hit 5d 2:stand", LOW),
    "pure 21.5": Course("pure-21-5", f"{NO_BUST} HOLE 1:stand 2:double=500 5d", LOW),
    "pure 21.5, the first card down": Course(
        "pure-21-5", "1:main=1000 close 9h HOLE Th 7s 1:stand", LOW, {"dealer_first_card": "hole"}
    ),
}
"""Plays without mishaps."""

IMPOSSIBLE = ("2d", "9c", "8s")
"""All but the first are open already, and one deck has no second one."""
SAY_HOLE = "say=card,HOLE"

MISHAPS: Mapping[str, Course] = {
    "one too many": Course("ez-bust", f"{EZ} HOLE 1:hit 2s 1:stand 2:stand", IMPOSSIBLE, {"decks": 1}),
    "unreadable": Course("ez-bust", f"{EZ} unreadable {SAY_HOLE} 1:stand 2:stand", LOW),
    "unreadable in easy jack": Course("easy-jack", f"{EASY} unreadable {SAY_HOLE} 1:stand 2:stand", LOW),
    "on its way when the power went": Course(
        "quick-pay", f"{QUICK} interrupted {SAY_HOLE} 1:stand close", LOW
    ),
    "unpermitted": Course(
        "no-bust-21st-century",
        f"{NO_BUST} lost=sensors unpermitted=HOLE back=sensors say=resume say=card 1:stand {LAST}",
        LOW,
    ),
    "misread": Course(
        "pure-21-5", f"{NO_BUST} lost=console unpermitted=3h back=console {SAY_HOLE} 1:stand {LAST}", LOW
    ),
    "one too many, named": Course(
        "ez-bust", f"{EZ} unreadable {SAY_HOLE} 1:stand 2:stand", IMPOSSIBLE, {"decks": 1}
    ),
    "named when none is asked for": Course(
        "easy-jack", f"{EASY} HOLE {SAY_HOLE} 1:stand {SAY_HOLE} 2:stand", LOW
    ),
    "void": Course("blackjack-x", f"{SEVENS} HOLE say=void", LOW),
    "void at the insurance": Course(
        "ez-bust", f"{INSURED} HOLE 2:insurance say=void", ("Kc", "2c", "9s"), {"even_money": True}
    ),
    "a device goes and comes": Course(
        "easy-jack",
        f"{EASY} HOLE lost=shoe up=shoe back=shoe lost=display back=display 6s 1:stand 2:stand",
        LOW,
    ),
    "restart": Course(
        "ez-bust", f"{EZ} HOLE 1:ez-bust=500 restart 1:ez-bust=900 1:hit 2s 1:stand 2:stand", LOW
    ),
    "restart while it waits": Course(
        "quick-pay", f"{QUICK} unreadable restart {SAY_HOLE} restart 1:stand close", LOW
    ),
    "corrected": Course("easy-jack", f"{EASY} HOLE correct=1,1,5h,6h 1:stand correct=2,1,7d,8d 2:stand", LOW),
    "corrected, a card of a seat that was burst": Course(
        "ez-bust", f"{EZ} HOLE 1:hit Ts correct=1,3,Ts,2s 1:stand correct=0,1,6d,5d 2:stand", LOW
    ),
    "corrected into an ace": Course(
        "ez-bust", f"{EZ} HOLE 1:hit correct=0,1,6d,As close 1:hit 2s 1:stand 2:stand", PEEKED
    ),
    "guessed": Course(
        "easy-jack", f"{EASY} HOLE correct=0,1,Ts,9h correct=0,1,2c,9h 1:stand correct=0,2,9h,2c 2:stand", LOW
    ),
    "assigned": Course(
        "ez-bust", f"{EZ} HOLE lost=sensors unpermitted=2s back=sensors assign=1,2s 1:stand 2:stand", LOW
    ),
    "assigned to the dealer": Course("ez-bust", f"{EZ} unreadable assign=0 {SAY_HOLE} 1:stand 2:stand", LOW),
    "assigned to the dealer by request": Course(
        "ez-bust", f"{EZ} unreadable ask-to-assign=0,HOLE restart grant=1 1:stand 2:stand", LOW
    ),
    "read twice": Course("no-bust-21st-century", f"{NO_BUST} unreadable say=reread HOLE 1:stand {LAST}", LOW),
    "read twice across a restart": Course(
        "quick-pay",
        f"{QUICK} unreadable say=reread restart unreadable say=reread HOLE restart 1:stand close",
        LOW,
    ),
    "two wait": Course(
        "no-bust-21st-century",
        f"{NO_BUST} lost=sensors unpermitted=HOLE unpermitted=2d back=sensors restart say=card restart"
        f" say=burn 1:stand {LAST}",
        LOW,
    ),
    "tested": Course(
        "easy-jack",
        f"{EASY} HOLE test=on lamps=walk 1:hit 1:main=900 restart lamps=walk 1:main=500 unpermitted=6h"
        " test=off say=burn 1:stand 2:stand",
        LOW,
    ),
    "undone": Course("easy-jack", f"{EASY} HOLE 1:stand undo 1:hit 2c 1:stand undo 1:stand 2:stand", LOW),
    "undone by request": Course(
        "ez-bust",
        f"{INSURED} HOLE 2:insurance ask=undo grant=1 2:insurance close ask=undo grant=2 ask=void close"
        " 2:stand",
        PEEKED,
    ),
    "the cut card": Course("pure-21-5", f"{NO_BUST} HOLE cut 1:stand {LAST}", LOW),
    "the shoe is empty": Course("easy-jack", f"{EASY} HOLE empty loaded=8 say=resume 1:stand 2:stand", LOW),
    "the second round": Course(
        "easy-jack", f"{EASY} Th 1:stand 2:stand pay close 5h 7d HOLE restart 1:stand 2:stand", LOW
    ),
}
"""Plays with mishaps."""

COURSES: Mapping[str, Course] = {**PLAYS, **MISHAPS}
