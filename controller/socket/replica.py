"""A copy of the table's view, kept up to date by the pushes of `view_stream.py`."""

from collections.abc import Mapping
from typing import Any, cast, get_type_hints

from controller.socket.view_stream import FIELDS, ROUNDS, changed_rounds
from controller.table.record.codec import from_json
from controller.table.record.views import RoundView, TableView

HINTS: Mapping[str, Any] = get_type_hints(TableView)


class NoView(Exception):
    """No whole view has arrived since the connection began."""


class PushError(Exception):
    """The push is not one that follows from the pushes before."""


class TableReplica:
    """The view as last pushed. After a new connection call `reset`, then `apply` each push in order."""

    def __init__(self) -> None:
        self._view: TableView | None = None
        self._fields: dict[str, Any] = {ROUNDS: ()}
        self.number = 0
        """The number of the view; 0 before the first one."""

    @property
    def current(self) -> bool:
        """Whether there is a whole view of this connection."""
        return self._view is not None

    def view(self) -> TableView:
        """The view. Raises NoView."""
        if self._view is None:
            raise NoView("the table's view has not arrived")
        return self._view

    def reset(self) -> None:
        """Forget everything: the connection is lost."""
        self._view, self._fields, self.number = None, {ROUNDS: ()}, 0

    def apply(self, push: Mapping[str, Any]) -> bool:
        """Take one push. Returns whether the view is whole and new. Raises PushError."""
        try:
            self._take(push)
        except (KeyError, TypeError, ValueError, AttributeError) as wrong:
            raise PushError(f"not a push of a view: {type(wrong).__name__}: {wrong}") from wrong
        if push.get("more"):
            return False
        if missing := [name for name in FIELDS if name not in self._fields]:
            raise PushError(f"the view lacks {', '.join(missing)}")
        self._view, self.number = TableView(**self._fields), push["n"]
        return True

    def _take(self, push: Mapping[str, Any]) -> None:
        for name, value in push.get("set", {}).items():
            if name in HINTS:  # a newer core may have more fields
                self._fields[name] = from_json(HINTS[name], value)
        for name, value in push.get("extend", {}).items():
            if name in HINTS:
                self._fields[name] += from_json(HINTS[name], value)
        if changes := push.get(ROUNDS):
            added = cast("tuple[RoundView, ...]", from_json(HINTS[ROUNDS], changes["add"]))
            self._fields[ROUNDS] = changed_rounds(self._fields[ROUNDS], changes["drop"], added)
