"""A table's whole state as plain values, and where two of them differ."""

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from controller.games.game import Game
from controller.table.state.table_state import TableState

OF_THE_LAST_INPUT: Final = frozenset({"notes"})
"""What a state says only about the input in hand: a replay may have ended with another one, a snapshot."""


def state_of(state: TableState) -> dict[str, Any]:
    """Every field, down to the last."""
    return {name: plain(value) for name, value in vars(state).items() if name not in OF_THE_LAST_INPUT}


def plain(value: Any) -> Any:
    """Numbers, texts, bytes, lists and dictionaries with the same content."""
    return next(read(value) for kinds, read in _READERS if isinstance(value, kinds))


def differences(ours: Any, theirs: Any, at: str = "") -> Iterator[str]:
    """A sentence for each field that differs."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for name in sorted(ours.keys() | theirs.keys()):
            yield from differences(ours.get(name), theirs.get(name), f"{at}.{name}" if at else name)
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for place, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            yield from differences(one, other, f"{at}[{place}]")
    elif ours != theirs:
        yield f"{at}: {ours!r}, not {theirs!r}"


def _content_of(value: Mapping[Any, Any]) -> dict[str, Any]:
    """A counter without its zeros."""
    return {repr(key): plain(item) for key, item in sorted(value.items(), key=repr)}


def _items(value: Iterable[Any]) -> list[Any]:
    return [plain(item) for item in value]


def _content(value: Any) -> Any:
    names = [each.name for each in fields(value)] if is_dataclass(value) else getattr(value, "__dict__", ())
    return {name: plain(getattr(value, name)) for name in names} or repr(value)


_READERS: Final[tuple[tuple[tuple[type, ...], Callable[[Any], Any]], ...]] = (
    ((type(None), bool, int, float, str, bytes), lambda value: value),
    ((Game,), lambda value: {"game": value.name, "options": repr(value.options)}),
    ((Counter,), lambda value: _content_of(+value)),
    ((Mapping,), _content_of),
    ((set, frozenset), lambda value: sorted(map(repr, value))),
    ((list, tuple, deque), _items),
    ((object,), _content),
)
