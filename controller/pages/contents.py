"""The generated sections of each page."""

from collections.abc import Mapping
from functools import partial

from controller.games import GAMES, open_game
from controller.odds.charts import chart_text
from controller.pages import api, game, odds, side_bets, strategies, supervision, table_socket
from controller.pages.markdown import PageSection, block, table
from controller.pages.roles import application_roles

SIDE_BETS: Mapping[str, PageSection] = {
    "buster": side_bets.buster_tables,
    "blazing-7s": side_bets.blazing_tables,
    "hedge": side_bets.hedge_tables,
    "insurance": side_bets.insurance_edges,
}


def pages() -> dict[str, Mapping[str, PageSection]]:
    """The sections by page, a path in docs/; each game has a page."""
    return {
        **{f"games/{name}.md": parts_of(name) for name in GAMES},
        "api.md": {"operations": api.operations, "schemas": api.schemas},
        "games/README.md": {"games": overview},
        "games/side-bets.md": SIDE_BETS,
        "commands.md": {"choices": supervision.choice_options},
        "devices.md": {"states": supervision.device_states},
        "recovery.md": {"choices": supervision.choice_effects},
        "roles.md": {"roles": application_roles},
        "supervisor.md": {"choices": supervision.choice_effects, "alerts": supervision.alert_kinds},
        "table-socket.md": {
            "methods": table_socket.methods,
            "acts": table_socket.acts,
            "codes": table_socket.codes,
            "replies": table_socket.replies,
        },
        "strategies.md": {name: partial(_chart, name) for name in strategies.charts_by_name()},
    }


def parts_of(name: str) -> dict[str, PageSection]:
    opened = open_game(name)
    return {
        "options": partial(game.options, opened),
        "pays": partial(game.pays, opened),
        "edges": partial(odds.edges, opened),
        "dealer": partial(odds.dealer_totals, opened),
        "states": partial(game.states, opened),
    }


def overview() -> str:
    return table(("game", "id", "spots", "decks"), (_overview(name) for name in GAMES))


def _overview(name: str) -> tuple[str, ...]:
    opened = open_game(name)
    spots = ", ".join(f"`{spot}`" for spot in opened.spots)
    return f"[{opened.title}]({name}.md)", f"`{name}`", spots, str(opened.options.decks)


def _chart(name: str) -> str:
    return block("", chart_text(strategies.charts_by_name()[name]))
