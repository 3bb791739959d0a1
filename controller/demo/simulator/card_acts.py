"""What hands do with cards."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from controller.demo.crew.device_requests import BEHIND_CUT
from controller.demo.crew.played_round import HandPosition
from controller.demo.simulator import acts
from controller.demo.simulator.errors import BadAct, Impossible
from controller.demo.simulator.handling import Handler
from controller.demo.simulator.places import read_place
from controller.demo.simulator.table import Drawing, SimulatedTable
from drivers.sim.cards import NotACardError, parse


async def prepare(table: SimulatedTable, act: acts.Prepare) -> None:
    """Raises BadAct for what is not a card, Impossible if fewer of a card are left in the shoe."""
    for card, number in Counter(act.cards).items():
        try:
            parse(card)
        except NotACardError as error:
            raise BadAct(f"card {card!r}: {error}") from error
        left = (await table.devices.ask("shoe", "left", card=card))["left"]
        if number > left:
            raise Impossible(f"card {card}: {left} left in the shoe, not {number}")
    table.prepared = list(act.cards)


async def draw(table: SimulatedTable, act: acts.Draw) -> None:
    """The cards of a round that is over are collected before the first card of the next one."""
    if table.felt.held is not None:
        raise Impossible("there is a card in the hand: lay it first")
    if table.drawing is not None:
        raise Impossible("a card is on its way out of the shoe: wait for it")
    if table.felt_is_old:
        table.collect_cards()
    chosen = {"card": table.prepared[0]} if table.prepared else {}
    table.drawing = Drawing(table.due, act.lay)
    table.prompt_answered = True
    try:
        await table.devices.ask("shoe", "pull", force=act.force, **chosen)
    except BaseException:
        table.drawing = None
        table.prompt_answered = False
        raise


async def lay_card(table: SimulatedTable, act: acts.LayCard) -> None:
    table.felt.lay(_place(table, act.place) if act.place is not None else None)


async def pick_up_card(table: SimulatedTable, act: acts.PickUpCard) -> None:
    table.felt.pick_up(_place(table, act.place), act.number)


async def turn_card(table: SimulatedTable, _act: acts.TurnCard) -> None:
    if not table.dealers_turn:
        raise Impossible("the face-down card stays so until it is the dealer's turn")
    table.felt.turn()


async def collect_cards(table: SimulatedTable, _act: acts.CollectCards) -> None:
    table.collect_cards()


async def take_pack(table: SimulatedTable, _act: acts.TakePack) -> None:
    if table.pack:
        raise Impossible("there is a pack in the hand: load the shoe with it")
    table.pack = (await table.devices.ask("shuffler", "take"))["cards"]


async def load_shoe(table: SimulatedTable, _act: acts.LoadShoe) -> None:
    """The cut card lies one deck from the end."""
    if not table.pack:
        raise Impossible("no pack in the hand: take it out of the shuffler's tray")
    await table.devices.ask("shoe", "load", cards=table.pack, behind_cut=BEHIND_CUT)
    table.pack, table.prepared, table.fresh = "", [], True


async def fill_shuffler(table: SimulatedTable, _act: acts.FillShuffler) -> None:
    await table.devices.ask("shuffler", "insert", decks=table.layout.game.options.decks)


def _place(table: SimulatedTable, name: str) -> HandPosition:
    return read_place(name, table.layout.seats)


HANDLERS: Final[Mapping[type, Handler[Any]]] = {
    acts.Prepare: prepare,
    acts.Draw: draw,
    acts.LayCard: lay_card,
    acts.PickUpCard: pick_up_card,
    acts.TurnCard: turn_card,
    acts.CollectCards: collect_cards,
    acts.TakePack: take_pack,
    acts.LoadShoe: load_shoe,
    acts.FillShuffler: fill_shuffler,
}
