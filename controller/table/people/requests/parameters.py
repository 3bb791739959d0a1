"""Two persons must grant a change of the configuration that feeds a jackpot differently."""

from collections.abc import Iterator
from dataclasses import fields, replace

from controller.money import text
from controller.table.apply.claims import jackpot_name
from controller.table.people.requests.recording import close_request, note_request, sentences
from controller.table.record.causes import cause
from controller.table.record.preview import Change, Preview
from controller.table.record.rules import Progressive, Rules
from controller.table.state.requests import Request, TablePosition
from controller.table.state.table_state import TableState

CONFIGURATION = "configuration"
CHANGED = "The configuration says it since this start"
AGAIN = "the configuration says something else now"
SHARES = frozenset({"contribution", "reserve"})
NEEDED = 2


def rules_until_granted(state: TableState, rules: Rules) -> Rules:
    """The rules of a start, in which existing jackpots are fed as before until two persons have granted the
    new parameters. The table asks for that once. A jackpot whose game is not played waits until it is
    played."""
    now, played = state.coming, rules.open().meters
    feeds = {spot: rules.progressive(spot) for spot in played if spot in state.meters}
    _ask(state, {spot: fed for spot, fed in feeds.items() if fed != now.progressive(spot)})
    fresh = {spot: fed for spot, fed in rules.jackpots.items() if spot not in state.meters}
    unchanged = {spot: fed for spot, fed in now.jackpots.items() if spot in state.meters}
    return replace(rules, jackpots=fresh | unchanged)


def preview_parameters(state: TableState, request: Request) -> Preview:
    """The changes, and when they begin to hold."""
    sentences = tuple(_from_when(state, spot, fed) for spot, fed in request.fed.items())
    return Preview(sentences, tuple(_changes(state, request.fed)))


def apply_parameters(state: TableState, request: Request) -> None:
    """Feed jackpots by the new parameters from the next round on, or once they are won."""
    state.set_coming_rules(replace(state.coming, jackpots=state.coming.jackpots | request.fed))
    if not state.underway:
        state.begin_round()


def _ask(state: TableState, fed: dict[str, Progressive]) -> None:
    requests = state.shift.requests
    before = requests.find_by("parameters", CONFIGURATION)
    if before is not None and before.fed == fed:
        return
    if before is not None:
        close_request(state, before, "failed", "", AGAIN)
    if fed != requests.declined:
        requests.declined = {}
        if fed:
            _open(state, fed)


def _open(state: TableState, fed: dict[str, Progressive]) -> None:
    draft = Request(
        0, "parameters", CONFIGURATION, CHANGED, state.shift.at, TablePosition(state.number), NEEDED, fed=fed
    )
    lines = tuple(sentences(draft.about, preview_parameters(state, draft)))
    request = state.shift.requests.add(replace(draft, sentences=lines))
    note_request(state, request, CONFIGURATION)
    text = f"New parameters of the jackpot of {', '.join(fed)} wait for two persons"
    state.alert(cause("parameters", request.number), text)


def _from_when(state: TableState, spot: str, fed: Progressive) -> str:
    """When the new parameters begin to hold."""
    waits = state.meters[spot].change(fed.parameters()).pending is not None
    return f"{jackpot_name(spot)}: {'once it is won' if waits else 'from the next round on'}"


def _changes(state: TableState, fed: dict[str, Progressive]) -> Iterator[Change]:
    for spot, new in fed.items():
        old = state.coming.progressive(spot)
        for field in fields(Progressive):
            before, after = getattr(old, field.name), getattr(new, field.name)
            if before != after:
                about = f"{spot}, {field.name.replace('_', ' ')}"
                values = _value(field.name, before), _value(field.name, after)
                yield Change(about, *values, amounts=field.name not in SHARES)


def _value(name: str, value: int | str | None) -> str:
    if value is None:
        return "none"
    return text(value) if isinstance(value, int) and name not in SHARES else str(value)
